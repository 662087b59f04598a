#include "pass/unwind.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/words.h"

/* A step of the model along the run; states are numbered as they are found. */
struct unwound {
    uint32_t from, to; /* from WORDS_NONE: a start state */
    const struct rule *rule;
    uint64_t instance;
};

struct unwound_run {
    const struct layout *layout;
    const struct trace *trace;
    const struct unwind_hidden *hidden;
    uint32_t length; /* of the run: its states; a loop comes back to state trace->loop */
    struct stepper *stepper;
    struct canon *canon;
    struct words states;       /* cells, and which state of the run it is an image of */
    VEC(struct unwound) steps; /* in the order of `from` */
    VEC(uint32_t) first;       /* by state: the step that found it */
    uint32_t *vector;
    int32_t *seen, *image, *orbits; /* of the states of the run: representatives */
};

static const int32_t *unwind_cells(const struct unwound_run *u, uint32_t state)
{
    return (const int32_t *)words_at(&u->states, state);
}

static uint32_t unwind_position(const struct unwound_run *u, uint32_t state)
{
    return words_at(&u->states, state)[u->layout->cell_count];
}

/* The next state of the run; WORDS_NONE: there is none. */
static uint32_t unwind_next(const struct unwound_run *u, uint32_t position)
{
    if (position + 1 < u->length)
        return position + 1;
    return u->trace->has_loop ? u->trace->loop : WORDS_NONE;
}

static void unwind_add(struct unwound_run *u, uint32_t from, uint32_t position, const struct step *step)
{
    uint32_t cells = u->layout->cell_count;
    memcpy(u->seen, step->cells, cells * sizeof *u->seen);
    for (uint32_t h = 0; h < u->hidden->count; h++)
        u->seen[u->hidden->cells[h]] = UNDEFINED;
    canon_apply(u->canon, u->seen, u->image);
    if (memcmp(u->image, &u->orbits[(size_t)position * cells], cells * sizeof *u->image))
        return;
    memcpy(u->vector, step->cells, cells * sizeof *u->vector);
    u->vector[cells] = position;
    uint32_t to = words_intern(&u->states, u->vector, cells + 1);
    if (to == u->first.count)
        VEC_PUSH(&u->first, (uint32_t)u->steps.count);
    VEC_PUSH(&u->steps, ((struct unwound){from, to, step->rule, step->instance}));
}

static void unwind_expand(struct unwound_run *u, uint32_t from, uint32_t position)
{
    struct step step = {0};
    enum step_outcome outcome;
    if (from == WORDS_NONE)
        stepper_begin_starts(u->stepper);
    else
        stepper_begin_successors(u->stepper, unwind_cells(u, from));
    while ((outcome = stepper_next(u->stepper, &step)) != STEP_END)
        if (outcome == STEP_STATE)
            unwind_add(u, from, position, &step);
}

/* False: it takes too long. */
static bool unwind_explore(struct unwound_run *u)
{
    if (u->length)
        unwind_expand(u, WORDS_NONE, 0);
    for (uint32_t state = 0; state < u->first.count; state++) {
        uint32_t next = unwind_next(u, unwind_position(u, state));
        if (next != WORDS_NONE)
            unwind_expand(u, state, next);
        if (u->steps.count > UNWIND_MOST_STEPS || watch_is_up())
            return false;
    }
    return true;
}

static void unwind_push(const struct unwound_run *u, const struct unwound *step, struct trace *trace)
{
    trace_push(trace, step->rule, step->instance, unwind_cells(u, step->to), NULL);
}

static void unwind_write(const struct unwound_run *u, uint32_t state, struct trace *trace)
{
    VEC(uint32_t) way = {0};
    for (; state != WORDS_NONE; state = u->steps.items[u->first.items[state]].from)
        VEC_PUSH(&way, u->first.items[state]);
    while (way.count)
        unwind_push(u, &u->steps.items[VEC_POP(&way)], trace);
    VEC_FREE(&way);
}

static struct trace *unwind_begin(const struct unwound_run *u, uint32_t state)
{
    struct trace *trace = trace_create(u->layout->system, u->layout);
    unwind_write(u, state, trace);
    return trace;
}

/* --- runs that end --- */

/* A step of the rule that fails in the state as the run does. NULL: there is none. */
static struct trace *unwind_fault(struct unwound_run *u, uint32_t state, const struct trace_step *last)
{
    struct step step = {0};
    enum step_outcome outcome;
    if (state == WORDS_NONE)
        stepper_begin_starts(u->stepper);
    else
        stepper_begin_successors(u->stepper, unwind_cells(u, state));
    while ((outcome = stepper_next(u->stepper, &step)) != STEP_END)
        if (outcome == STEP_FAULT && step.rule->id == last->rule->id && step.fault.kind == last->fault.kind &&
            step.fault.property == last->fault.property) {
            struct trace *trace = unwind_begin(u, state);
            trace_push(trace, step.rule, step.instance, NULL, &step.fault);
            return trace;
        }
    return NULL;
}

static struct trace *unwind_end(struct unwound_run *u, unwind_wanted *is_wanted, void *user)
{
    const struct trace_step *last = &u->trace->steps[u->trace->count - 1];
    if (!u->length)
        return unwind_fault(u, WORDS_NONE, last);
    for (uint32_t state = 0; state < u->first.count; state++) {
        struct trace *trace = NULL;
        if (unwind_position(u, state) + 1 != u->length)
            continue;
        if (!last->cells)
            trace = unwind_fault(u, state, last);
        else if (!is_wanted || is_wanted(user, unwind_cells(u, state)))
            trace = unwind_begin(u, state);
        if (trace)
            return trace;
    }
    return NULL;
}

/* --- runs that go on for ever --- */

/* By state: the first step that leaves it, and one number more; on the heap. */
static size_t *unwind_index(const struct unwound_run *u)
{
    size_t *out = memory_alloc((u->first.count + 1) * sizeof *out), step = 0;
    while (step < u->steps.count && u->steps.items[step].from == WORDS_NONE)
        step++;
    for (uint32_t state = 0; state <= u->first.count; state++) {
        out[state] = step;
        while (step < u->steps.count && u->steps.items[step].from == state)
            step++;
    }
    return out;
}

/* A step to a state that lives; NULL: there is none. */
static const struct unwound *unwind_onward(const struct unwound_run *u, const size_t *out, const bool *lives,
                                           uint32_t state)
{
    for (size_t s = out[state]; s < out[state + 1]; s++)
        if (lives[u->steps.items[s].to])
            return &u->steps.items[s];
    return NULL;
}

/* Which states have a run that goes on for ever: the others lead to nothing, or to others. */
static void unwind_prune(const struct unwound_run *u, const size_t *out, bool *lives)
{
    for (bool is_changed = true; is_changed && !watch_is_up();) {
        is_changed = false;
        for (uint32_t state = (uint32_t)u->first.count; state--;)
            if (lives[state] && !unwind_onward(u, out, lives, state)) {
                lives[state] = false;
                is_changed = true;
            }
    }
}

static struct trace *unwind_loop(const struct unwound_run *u)
{
    bool *lives = memory_alloc(u->first.count + 1);
    size_t *out = unwind_index(u);
    uint32_t *seen = memory_zeroed(u->first.count + 1, sizeof *seen), state = WORDS_NONE;
    struct trace *trace = NULL;
    memset(lives, true, u->first.count);
    unwind_prune(u, out, lives);
    for (uint32_t s = 0; state == WORDS_NONE && s < u->first.count; s++)
        state = lives[s] && unwind_position(u, s) == u->trace->loop ? s : WORDS_NONE;
    if (state != WORDS_NONE && !watch_is_up())
        trace = unwind_begin(u, state);
    while (trace && !seen[state]) {
        const struct unwound *onward = unwind_onward(u, out, lives, state);
        seen[state] = trace->count;
        state = onward->to;
        unwind_push(u, onward, trace);
    }
    if (trace) {
        trace->has_loop = true;
        trace->loop = seen[state] - 1;
    }
    free(lives);
    free(out);
    free(seen);
    return trace;
}

/* --- all of it --- */

static void unwind_open(struct unwound_run *u, const struct symmetry *symmetry)
{
    size_t cells = u->layout->cell_count;
    const struct trace *trace = u->trace;
    u->length = trace->count - (trace->has_loop || !trace->steps[trace->count - 1].cells);
    u->stepper = stepper_create_evaluator(u->layout->system, u->layout);
    u->canon = canon_create(symmetry, trace->layout);
    u->vector = memory_alloc((cells + 1) * sizeof *u->vector);
    u->seen = memory_alloc((cells + 1) * sizeof *u->seen);
    u->image = memory_alloc((cells + 1) * sizeof *u->image);
    u->orbits = memory_alloc((u->length * cells + 1) * sizeof *u->orbits);
    for (uint32_t i = 0; i < u->length; i++)
        canon_apply(u->canon, trace->steps[i].cells, &u->orbits[i * cells]);
}

static void unwind_close(struct unwound_run *u)
{
    words_free(&u->states);
    VEC_FREE(&u->steps);
    VEC_FREE(&u->first);
    free(u->vector);
    free(u->seen);
    free(u->image);
    free(u->orbits);
    canon_destroy(u->canon);
    stepper_destroy(u->stepper);
}

struct trace *unwind_trace(const struct layout *own, const struct symmetry *symmetry, const struct trace *trace,
                           const struct unwind_hidden *hidden, unwind_wanted *is_wanted, void *user)
{
    struct unwound_run u = {.layout = own, .trace = trace, .hidden = hidden};
    unwind_open(&u, symmetry);
    struct trace *found = !unwind_explore(&u) ? NULL
                          : trace->has_loop   ? unwind_loop(&u)
                                              : unwind_end(&u, is_wanted, user);
    unwind_close(&u);
    return found;
}
