/* Native code as a stepper: what native_stepper.c and native_fire.c share. */
#ifndef NOETHER_EXEC_NATIVE_FIRE_H
#define NOETHER_EXEC_NATIVE_FIRE_H

#include "exec/native.h"
#include "exec/native_follow.h"
#include "exec/native_runtime.h"
#include "exec/workspace.h"

struct native_stepper {
    struct stepper stepper;
    const struct native_program *program;
    const struct native_source *source;
    struct workspace workspace;
    struct native_run run;
    struct native_dispatch dispatch;
    struct native_follow follow;
    native_function *const *functions; /* of the rules or start states that are enumerated */
    struct rule *const *rules;
    uint32_t end, next;              /* rule number `next` goes on, or begins */
    uint32_t first_rule, rule_count; /* those that are enumerated */
    struct stepper *starts;          /* not NULL: enumerates them */
    bool is_at_starts;
    const struct native_split *splits; /* by rule; NULL: start states are enumerated */
    int (*fire)(struct native_stepper *native, const struct native_split *split);
    struct stepper *judge; /* NULL: not asked yet */
    struct fault judged;   /* what it found; FAULT_NONE: nothing */
    /* In bulk (exec/burst.h). */
    uint64_t *packed;    /* the state that is enumerated */
    uint32_t *changed;   /* room for the cells that differ from the state before */
    bool is_known;       /* workspace, dispatch and `packed` are of one state */
    struct burst *burst; /* NULL: one by one */
    bool is_full;        /* it: the rule under way goes on later */
    struct step shown;   /* to burst->visit: the rest of it stays zero */
    int (*emit)(struct native_run *run);
    int (*fire_many)(struct native_stepper *native, const struct native_split *split);
    uint64_t *awake;   /* no instance is asleep, */
    uint64_t *unasked; /* and how many are is not counted */
    uint64_t own_bits; /* of `dirty`: those of cells of the state, where each has its own */
};

static inline struct native_stepper *native_of(struct stepper *stepper)
{
    return (struct native_stepper *)stepper; /* its first member */
}

/* A step of several rules is under way. */
static inline bool native_is_held(const struct native_stepper *native)
{
    const struct native_program *program = native->program;
    return program->holder != UINT32_MAX && native->workspace.memory[program->holder] != program->nobody;
}

/* How successors are handed over: by the layout. */
void native_choose_emit(struct native_stepper *native);
/* A rule has led to a state, which somebody looks at as it stands. 0: that was enough. */
int native_show(struct native_run *run);
/* The instances of a rule that was split, from run->resume on, each handed over by run->emit. */
int native_fire_each(struct native_stepper *native, const struct native_split *split);

#endif
