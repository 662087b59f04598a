/* A stepper enumerates the start states and the successors of a state, and evaluates properties.
 *
 * Three implementations that fire single rules: exec/evaluate (a plain tree walker that defines the meaning of the IR;
 * used for replay and as the oracle of the tests), exec/vm (bytecode; fast), and exec/native (generated C; faster).
 * Within exec/ the evaluator shares only this interface and fault.h with the others. Where the steps of a system are
 * several rules, exec/macro wraps them.
 *
 * A stepper belongs to one thread; the system and layout behind it are shared. */
#ifndef NOETHER_EXEC_STEPPER_H
#define NOETHER_EXEC_STEPPER_H

#include <string.h>

#include "base/watch.h"
#include "exec/burst.h"
#include "exec/fault.h"
#include "ir/ctl.h"
#include "ir/layout.h"

enum step_outcome {
    STEP_STATE,     /* a successor (or start state): step->cells, normalised */
    STEP_DISCARDED, /* the instance is enabled, but an assume statement in it was false */
    STEP_FAULT,     /* guard, prelude or body faulted: step->fault */
    STEP_ENDLESS,   /* a step of several rules that goes on for ever, and leads to no state */
    STEP_END        /* no more instances; or the stepper is cut */
};

/* A rule that fired within a step of several rules, and the state, passed through, that it led to. */
struct passed {
    const struct rule *rule;
    uint64_t instance;
    const int32_t *cells;        /* NULL: nobody wants to know (is_brief) */
    const struct passed *before; /* NULL: it was the first */
};

struct step {
    const struct rule *rule; /* of a step of several rules: the last */
    uint64_t instance;
    const int32_t *cells; /* layout->cell_count cells; valid until the next call */
    /* A successor: exactly the cells in which it differs from the state it comes from, each once, in any order (none:
     * it is that state). NULL: not known; always so of start states. Valid until the next call. */
    const uint32_t *changed;
    uint32_t changed_count;
    /* The firing before this one, of a step of several rules (exec/macro.h); NULL: it is the first. Valid until the
     * next call. */
    const struct passed *passed;
    struct fault fault;
};

enum truth { TRUTH_FALSE, TRUTH_TRUE, TRUTH_FAULT };

struct stepper;

struct stepper_operations {
    const char *name;
    void (*begin_starts)(struct stepper *stepper);
    /* `cells` are copied. Instances are enumerated rule by rule, in order of number. */
    void (*begin_successors)(struct stepper *stepper, const int32_t *cells);
    enum step_outcome (*next)(struct stepper *stepper, struct step *step);
    /* Like begin_successors and next, of a state that is packed; next may be called in between. The burst gets the
     * states before what is returned, in the order of next. STEP_STATE with step->cells NULL: there may be more, or
     * burst->visit has had enough. NULL, or false: not this stepper's business, or not now. */
    bool (*begin_packed)(struct stepper *stepper, const uint64_t *packed);
    enum step_outcome (*burst)(struct stepper *stepper, struct burst *burst, struct step *step);
    /* After begin_packed, when there are no more instances: `next` begins with the first one again, and none is asleep.
     * NULL, or false: as above. */
    bool (*begin_again)(struct stepper *stepper);
    /* property->formula must not be NULL. */
    enum truth (*holds)(struct stepper *stepper, const struct property *property, const int32_t *cells,
                        struct fault *fault);
    /* One value for each variable of the proposition. NULL: not this stepper's business. */
    enum truth (*judge)(struct stepper *stepper, const struct proposition *proposition, const int32_t *cells,
                        const int32_t *values, struct fault *fault);
    /* Of a stepper around another one that has become superfluous: that one, and this is freed. NULL: it never is. */
    struct stepper *(*settle)(struct stepper *stepper);
    void (*destroy)(struct stepper *stepper);
};

/* Implementations embed this as their first member. */
struct stepper {
    const struct stepper_operations *operations;
    const struct system *system;
    const struct layout *layout;
    /* By property id: a cover statement has been met since creation; behind them (stepper_undefined): an implied test
     * has found an undefined value. */
    bool *covered;
    /* By rule id: how often it fired without being step->rule, since creation. NULL: every step is one rule. (A stepper
     * that macro.h wraps may be given its wrapper's: then it may pass through states itself, and counts there.) */
    uint64_t *passed_by_rule;
    /* Set by a search: of a step of several rules it wants to know the first and the last, and no state between. */
    bool is_brief;
    /* Set by a search: when the watch of the thread is over, there are no more instances, and what is being evaluated
     * ends as if discarded (watch_cuts). A run that was found is followed by steppers that are not. */
    bool is_watched;
    /* What it does now is no part of the search: a profile leaves it out (exec/profile.h). */
    bool is_uncounted;
    /* After begin_packed: the cells of the state, until the next begin_*. */
    const int32_t *origin;
    /* Called for each state that a step of several rules passes through or ends in (exec/macro.h), when it is first
     * met. NULL: not called. */
    void (*on_passed)(void *user, const int32_t *cells);
    void *on_passed_user;
};

/* The first rule that fires in the step: it does so in the state that the step comes from. */
static inline const struct rule *step_first(const struct step *step, uint64_t *instance)
{
    const struct rule *rule = step->rule;
    *instance = step->instance;
    for (const struct passed *p = step->passed; p; p = p->before) {
        rule = p->rule;
        *instance = p->instance;
    }
    return rule;
}

/* Has the step, a successor of `cells`, led to another state? */
static inline bool step_is_other(const struct step *step, const int32_t *cells, uint32_t count)
{
    return step->changed ? step->changed_count > 0 : memcmp(step->cells, cells, count * sizeof *cells) != 0;
}

/* Packs what the step led to: by the cells that changed, where these and the packed state it comes from are known.
 * `cells` are those of the step, perhaps with more behind them. */
static inline void step_pack(const struct step *step, const struct layout *layout, const int32_t *cells,
                             const uint64_t *from, uint64_t *packed)
{
    if (!step->changed) {
        layout_pack(layout, cells, packed);
        return;
    }
    for (uint32_t w = 0; w < layout->words; w++)
        packed[w] = from[w];
    layout_repack(layout, cells, step->changed, step->changed_count, packed);
}

/* The place in `covered` where implied tests (struct expr) leave a trace. */
static inline size_t stepper_undefined(const struct system *system)
{
    return system->properties.count;
}

/* Of a stepper around another one: what that one has met, it has. */
static inline void stepper_note_covered(struct stepper *stepper, const struct stepper *inner, bool has_covers)
{
    size_t undefined = stepper_undefined(stepper->system);
    for (size_t p = 0; has_covers && p < undefined; p++)
        stepper->covered[p] |= inner->covered[p];
    stepper->covered[undefined] |= inner->covered[undefined];
}

static inline bool stepper_is_cut(const struct stepper *stepper)
{
    return stepper->is_watched && watch_cuts();
}

struct stepper *stepper_create_evaluator(const struct system *system, const struct layout *layout);
/* An evaluator whose steps are single rules, also where those of the system are not. */
struct stepper *stepper_create_single(const struct system *system, const struct layout *layout);
/* Of a single evaluator: after begin_*, the instances before this one are passed over. */
void stepper_seek_evaluator(struct stepper *stepper, const struct rule *rule, uint64_t instance);
/* Of a single evaluator, after begin_successors: this instance only. STEP_END: it is disabled, or the stepper is cut.
 */
enum step_outcome stepper_fire_evaluator(struct stepper *stepper, const struct rule *rule, uint64_t instance,
                                         struct step *step);
/* Of an evaluator: whom to tell of each implied test (struct expr) that finds an undefined value. */
void stepper_tell_undefined(struct stepper *stepper, void (*tell)(void *user, const struct expr *test), void *user);
/* NULL, or: start states of which only some instances are tried (rule->tried) are enumerated by this evaluator. */
struct stepper *stepper_of_starts(const struct system *system, const struct layout *layout);
struct stepper *stepper_create_vm(const struct system *system, const struct layout *layout);

static inline void stepper_begin_starts(struct stepper *stepper)
{
    stepper->operations->begin_starts(stepper);
}
static inline void stepper_begin_successors(struct stepper *stepper, const int32_t *cells)
{
    stepper->operations->begin_successors(stepper, cells);
}
static inline enum step_outcome stepper_next(struct stepper *stepper, struct step *step)
{
    if (stepper_is_cut(stepper)) { /* one state can have more successors than anybody waits for */
        *step = (struct step){0};
        return STEP_END;
    }
    return stepper->operations->next(stepper, step);
}
/* The packed state must stay where it is. */
static inline bool stepper_begin_packed(struct stepper *stepper, const uint64_t *packed)
{
    return stepper->operations->begin_packed && stepper->operations->begin_packed(stepper, packed);
}
static inline enum step_outcome stepper_burst(struct stepper *stepper, struct burst *burst, struct step *step)
{
    burst->count = burst->slept = 0;
    if (stepper_is_cut(stepper)) {
        *step = (struct step){0};
        return STEP_END;
    }
    return stepper->operations->burst(stepper, burst, step);
}
static inline bool stepper_begin_again(struct stepper *stepper)
{
    return stepper->operations->begin_again && stepper->operations->begin_again(stepper);
}
static inline enum truth stepper_holds(struct stepper *stepper, const struct property *property, const int32_t *cells,
                                       struct fault *fault)
{
    return stepper->operations->holds(stepper, property, cells, fault);
}
/* Of the evaluator and the VM only. */
static inline enum truth stepper_judge(struct stepper *stepper, const struct proposition *proposition,
                                       const int32_t *cells, const int32_t *values, struct fault *fault)
{
    return stepper->operations->judge(stepper, proposition, cells, values, fault);
}
/* The stepper to go on with, between two states. */
static inline struct stepper *stepper_settle(struct stepper *stepper)
{
    return stepper->operations->settle ? stepper->operations->settle(stepper) : stepper;
}
static inline void stepper_destroy(struct stepper *stepper)
{
    if (stepper)
        stepper->operations->destroy(stepper);
}

#endif
