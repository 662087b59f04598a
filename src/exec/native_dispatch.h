/* Which instances of rules may fire in a state, by the selectors of a native program (native_select.c). */
#ifndef NOETHER_EXEC_NATIVE_DISPATCH_H
#define NOETHER_EXEC_NATIVE_DISPATCH_H

#include <stddef.h>

#include "exec/native_runtime.h"
#include "ir/system.h"

struct native_dispatch {
    const struct native_program *program;
    uint64_t *called;      /* bits of the rules that may have an instance */
    uint64_t *selected;    /* by selection: bits of the positions that fulfil it */
    uint64_t *unsure;      /* by mask: not 0, the rule looks for itself */
    const uint64_t *asked; /* bits of the rules of which only their finders know more */
    uint32_t *touched;     /* selections that have any */
    uint32_t touched_count;
    bool has_changed; /* selections may have positions without being touched */
    uint64_t *masks;  /* room for one selector: by value, the positions that have it */
    /* From one state to another (dispatch_change); NULL: not asked for yet. */
    uint32_t *callers; /* by rule: selections that have any, and call it */
    uint32_t *begins;  /* by cell: watchers[begins[cell] .. begins[cell + 1]) */
    struct native_watcher *watchers;
};

/* A cell is one of those that a selector looks at. */
struct native_watcher {
    uint32_t selector, position;
};

void dispatch_open(struct native_dispatch *dispatch, const struct native_program *program);
void dispatch_close(struct native_dispatch *dispatch);
/* For this state. */
void dispatch_begin(struct native_dispatch *dispatch, const int32_t *cells);
/* For this state, in which something is held, and the holder alone. */
void dispatch_begin_holder(struct native_dispatch *dispatch, const int32_t *cells);

/* Nothing is selected any more. */
void dispatch_end(struct native_dispatch *dispatch);
/* For this state, from which dispatch_change goes on. Nothing is held in it. */
void dispatch_begin_changes(struct native_dispatch *dispatch, const int32_t *cells, uint32_t cell_count);
/* Someone else fills in what is called and selected, all of it. */
static inline void dispatch_take_over(struct native_dispatch *dispatch)
{
    dispatch->has_changed = true;
    dispatch->asked = dispatch->program->asked;
}
/* One cell of the state has another value now. */
void dispatch_change(struct native_dispatch *dispatch, uint32_t cell, int32_t before, int32_t after);

/* The first rule from this one on that may have an instance, or `end`. */
static inline uint32_t dispatch_find(const struct native_dispatch *dispatch, uint32_t rule, uint32_t end)
{
    while (rule < end) {
        uint64_t rest = dispatch->called[rule / 64] >> rule % 64;
        if (rest) {
            rule += (uint32_t)__builtin_ctzll(rest);
            return rule < end ? rule : end;
        }
        rule = (rule / 64 + 1) * 64;
    }
    return end;
}

/* Was it selected, so that only the rule itself knows more? */
static inline bool dispatch_is_selected(const struct native_dispatch *dispatch, uint32_t rule)
{
    return !(dispatch->asked[rule / 64] >> rule % 64 & 1);
}

/* The number of the instance that run->at stands for. Parameters from `level` on are at their first value. */
static inline uint64_t native_instance(const struct native_run *run, const struct rule *rule, uint32_t level)
{
    uint64_t number = 0;
    for (uint32_t p = 0; p < rule->parameter_count; p++)
        number = number * rule->parameters[p].type->size + (p < level ? run->at[p] : 0);
    return number;
}

#endif
