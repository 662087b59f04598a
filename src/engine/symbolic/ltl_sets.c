/* Sets of states of the product of the model with the automaton. */
#include <stdlib.h>
#include <string.h>

#include "engine/symbolic/ltl.h"

dd *ltl_set(const struct ltl_case *linear)
{
    dd *set = memory_alloc(((size_t)linear->automaton->state_count + 1) * sizeof *set);
    for (uint32_t a = 0; a < linear->automaton->state_count; a++)
        set[a] = DD_FALSE;
    return set;
}

void ltl_free(const struct ltl_case *linear, dd *set)
{
    for (uint32_t a = 0; set && a < linear->automaton->state_count; a++)
        dd_unref(linear->model->m, set[a]);
    free(set);
}

dd *ltl_copy(const struct ltl_case *linear, const dd *set)
{
    dd *copy = ltl_set(linear);
    for (uint32_t a = 0; a < linear->automaton->state_count; a++)
        copy[a] = dd_ref(linear->model->m, set[a]);
    return copy;
}

void ltl_replace(const struct ltl_case *linear, dd **set, dd *by)
{
    ltl_free(linear, *set);
    *set = by;
}

bool ltl_is_good(const struct ltl_case *linear, const dd *set)
{
    for (uint32_t a = 0; a < linear->automaton->state_count; a++)
        if (set[a] == DD_NONE)
            return false;
    return true;
}

bool ltl_is_empty(const struct ltl_case *linear, const dd *set)
{
    for (uint32_t a = 0; a < linear->automaton->state_count; a++)
        if (set[a] != DD_FALSE)
            return false;
    return true;
}

bool ltl_is_same(const struct ltl_case *linear, const dd *a, const dd *b)
{
    return memcmp(a, b, linear->automaton->state_count * sizeof *a) == 0;
}

dd *ltl_combine(const struct ltl_case *linear, const dd *a, const dd *b,
                dd (*operation)(struct symbolic_model *, dd, dd))
{
    dd *set = ltl_set(linear);
    for (uint32_t i = 0; i < linear->automaton->state_count; i++)
        set[i] = operation(linear->model, a[i], b[i]);
    return set;
}

static void ltl_add(const struct ltl_case *linear, dd *set, dd more)
{
    dd all = set_or(linear->model, *set, more);
    dd_unref(linear->model->m, *set);
    *set = all;
}

/* --- steps --- */

/* A step of the model; a state without successors repeats itself, unless finite runs do not count. */
static dd ltl_move(const struct ltl_case *linear, dd set, const bool *own,
                   dd (*step)(struct symbolic_model *, dd, const bool *))
{
    struct symbolic_model *model = linear->model;
    dd moved = set_close(model, step(model, set, own));
    if (own || linear->drops_finite)
        return moved;
    dd stays = set_and(model, set, linear->ends);
    ltl_add(linear, &moved, stays);
    dd_unref(model->m, stays);
    return moved;
}

static bool edge_has(const struct automaton_edge *edge, uint64_t marks)
{
    return (edge->marks & marks) == marks;
}

dd *ltl_before(const struct ltl_case *linear, const dd *set, const bool *own, uint64_t marks)
{
    const struct automaton *automaton = linear->automaton;
    dd *all = ltl_set(linear), *moved = ltl_set(linear);
    for (uint32_t b = 0; b < automaton->state_count; b++)
        moved[b] = set[b] == DD_FALSE ? DD_FALSE : ltl_move(linear, set[b], own, symbolic_previous_by);
    for (uint32_t a = 0; a < automaton->state_count; a++)
        for (uint32_t e = automaton->first[a]; e < automaton->first[a + 1]; e++) {
            if (!edge_has(&automaton->edges[e], marks) || moved[automaton->edges[e].target] == DD_FALSE)
                continue;
            dd from = set_and(linear->model, linear->labels[e], moved[automaton->edges[e].target]);
            ltl_add(linear, &all[a], from);
            dd_unref(linear->model->m, from);
        }
    ltl_free(linear, moved);
    return all;
}

dd *ltl_after(const struct ltl_case *linear, const dd *set, const bool *own, uint64_t marks)
{
    const struct automaton *automaton = linear->automaton;
    dd *all = ltl_set(linear), *from = ltl_set(linear);
    /* by target: one image for all the edges that lead there */
    for (uint32_t a = 0; a < automaton->state_count; a++)
        for (uint32_t e = automaton->first[a]; e < automaton->first[a + 1]; e++) {
            if (!edge_has(&automaton->edges[e], marks) || set[a] == DD_FALSE)
                continue;
            dd here = set_and(linear->model, linear->labels[e], set[a]);
            ltl_add(linear, &from[automaton->edges[e].target], here);
            dd_unref(linear->model->m, here);
        }
    for (uint32_t b = 0; b < automaton->state_count; b++)
        if (from[b] != DD_FALSE)
            all[b] = ltl_move(linear, from[b], own, symbolic_next_by);
    ltl_free(linear, from);
    return all;
}

/* --- fixpoints --- */

/* Does an edge that can always be taken lead from the state of the automaton back to it? */
static bool ltl_waits(const struct automaton *automaton, uint32_t place)
{
    for (uint32_t e = automaton->first[place]; e < automaton->first[place + 1]; e++) {
        const struct automaton_edge *edge = &automaton->edges[e];
        if (edge->target == place && !edge->label.positive && !edge->label.negative)
            return true;
    }
    return false;
}

static void ltl_spoil(const struct ltl_case *linear, dd *set)
{
    dd_unref(linear->model->m, set[0]);
    set[0] = DD_NONE;
}

typedef dd *ltl_stepper(const struct ltl_case *, const dd *, const bool *, uint64_t);

static dd *ltl_step_inside(const struct ltl_case *linear, const dd *set, const dd *inside, const bool *own,
                           ltl_stepper *step)
{
    dd *next = step(linear, set, own, 0);
    if (inside)
        ltl_replace(linear, &next, ltl_combine(linear, next, inside, set_and));
    return next;
}

/* By layers: what is new leads to what is new. */
static dd *ltl_spread(const struct ltl_case *linear, const dd *inside, const dd *begin, ltl_stepper *step)
{
    dd *all = ltl_copy(linear, begin), *new = ltl_copy(linear, begin);
    while (ltl_is_good(linear, new) && ltl_is_good(linear, all) && !ltl_is_empty(linear, new)) {
        if (symbolic_is_over(linear->model)) {
            ltl_spoil(linear, all);
            break;
        }
        ltl_replace(linear, &new, ltl_step_inside(linear, new, inside, NULL, step));
        ltl_replace(linear, &new, ltl_combine(linear, new, all, set_without));
        ltl_replace(linear, &all, ltl_combine(linear, all, new, set_or));
    }
    ltl_free(linear, new);
    return all;
}

/* One ground rule, again and again, from all that is known. */
static void ltl_chain_rule(const struct ltl_case *linear, const dd *inside, dd **all, bool *chosen, size_t rule,
                           ltl_stepper *step)
{
    dd *old = NULL;
    chosen[rule] = true;
    do {
        ltl_replace(linear, &old, ltl_copy(linear, *all));
        dd *next = ltl_step_inside(linear, old, inside, chosen, step);
        ltl_replace(linear, all, ltl_combine(linear, old, next, set_or));
        ltl_free(linear, next);
    } while (ltl_is_good(linear, *all) && !symbolic_is_over(linear->model) && !ltl_is_same(linear, old, *all));
    ltl_free(linear, old);
    chosen[rule] = false;
}

/* Where the automaton waits, whatever the model does, that is all that it can do. */
static void ltl_saturate(const struct ltl_case *linear, dd *all)
{
    struct symbolic_model *model = linear->model;
    for (uint32_t a = 0; a < linear->automaton->state_count && symbolic_can_saturate(model); a++) {
        if (all[a] == DD_FALSE || all[a] == DD_NONE || !ltl_waits(linear->automaton, a))
            continue;
        dd more = dd_ref(model->m, symbolic_saturate(model, all[a]));
        dd_unref(model->m, all[a]);
        all[a] = more;
    }
}

/* Rule by rule: the next one starts from what the one before has found. That takes far fewer images where processes
 * move one after the other, and sets stay smaller. */
static dd *ltl_chain(const struct ltl_case *linear, const dd *inside, const dd *begin, ltl_stepper *step)
{
    size_t rules = linear->model->ground.rules.count;
    bool *chosen = memory_zeroed(rules + 1, sizeof *chosen);
    dd *all = ltl_copy(linear, begin), *old = NULL;
    do {
        ltl_replace(linear, &old, ltl_copy(linear, all));
        if (!inside && step == ltl_after)
            ltl_saturate(linear, all);
        for (size_t r = 0; r < rules && ltl_is_good(linear, all); r++)
            ltl_chain_rule(linear, inside, &all, chosen, r, step);
        if (symbolic_is_over(linear->model) && linear->automaton->state_count)
            ltl_spoil(linear, all);
        if (!ltl_is_good(linear, all))
            break;
        dd *next = ltl_step_inside(linear, all, inside, NULL, step); /* states that repeat themselves */
        ltl_replace(linear, &all, ltl_combine(linear, all, next, set_or));
        ltl_free(linear, next);
    } while (ltl_is_good(linear, all) && !ltl_is_same(linear, old, all));
    ltl_free(linear, old);
    free(chosen);
    return all;
}

/* With symmetry few large images are better than many small ones: each has to be represented. */
static dd *ltl_least(const struct ltl_case *linear, const dd *inside, const dd *begin, ltl_stepper *step)
{
    return linear->model->reducer ? ltl_spread(linear, inside, begin, step) : ltl_chain(linear, inside, begin, step);
}

dd *ltl_until(const struct ltl_case *linear, const dd *inside, const dd *goal)
{
    return ltl_least(linear, inside, goal, ltl_before);
}

dd *ltl_forth(const struct ltl_case *linear, const dd *inside, const dd *from)
{
    return ltl_least(linear, inside, from, ltl_after);
}

dd *ltl_starts(const struct ltl_case *linear)
{
    dd *starts = ltl_set(linear);
    if (linear->automaton->state_count)
        starts[linear->automaton->start] = set_close(linear->model, linear->model->starts);
    return starts;
}

bool ltl_reach(struct ltl_case *linear)
{
    dd *starts = ltl_starts(linear);
    if (linear->automaton->state_count && ltl_waits(linear->automaton, linear->automaton->start)) {
        dd_unref(linear->model->m, starts[linear->automaton->start]);
        starts[linear->automaton->start] = dd_ref(linear->model->m, linear->model->reached);
    }
    linear->reached = ltl_forth(linear, NULL, starts);
    ltl_free(linear, starts);
    return ltl_is_good(linear, linear->reached) || symbolic_failed(linear->model);
}
