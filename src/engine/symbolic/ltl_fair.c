/* Where the product goes on fairly for ever. */
#include "engine/symbolic/ltl.h"

dd *ltl_happens(const struct ltl_case *linear, const dd *set, const struct ltl_event *event)
{
    dd *happens = ltl_set(linear);
    for (uint32_t a = 0; a < linear->automaton->state_count; a++)
        happens[a] = set_and(linear->model, set[a], event->met);
    if (!ltl_has_step(event))
        return happens;
    dd *before = ltl_before(linear, set, event->own, event->mark);
    ltl_replace(linear, &before, ltl_combine(linear, before, set, set_and));
    ltl_replace(linear, &happens, ltl_combine(linear, happens, before, set_or));
    ltl_free(linear, before);
    return happens;
}

/* A state that obliges the event, and from which no way leads to it inside, is on no fair cycle. */
static void ltl_oblige(const struct ltl_case *linear, dd **good, const struct ltl_event *event)
{
    dd *happens = ltl_happens(linear, *good, event), *able = ltl_until(linear, *good, happens);
    for (uint32_t a = 0; event->often != DD_TRUE && a < linear->automaton->state_count; a++) {
        dd free = set_without(linear->model, (*good)[a], event->often), all = set_or(linear->model, able[a], free);
        dd_unref(linear->model->m, free);
        dd_unref(linear->model->m, able[a]);
        able[a] = all;
    }
    ltl_free(linear, happens);
    ltl_replace(linear, good, able);
}

/* Without the states from which no step leads on inside. */
static void ltl_trim(const struct ltl_case *linear, dd **good)
{
    dd *old = NULL;
    do {
        ltl_replace(linear, &old, ltl_copy(linear, *good));
        dd *before = ltl_before(linear, *good, NULL, 0);
        ltl_replace(linear, good, ltl_combine(linear, *good, before, set_and));
        ltl_free(linear, before);
    } while (ltl_is_good(linear, *good) && !symbolic_is_over(linear->model) && !ltl_is_same(linear, old, *good));
    ltl_free(linear, old);
}

/* In larger automata it takes too long to look for the states that matter. */
enum { LTL_SMALL_AUTOMATON = 256 };

/* The reached states that may be on accepting cycles, as far as the automaton tells. */
static dd *ltl_candidates(const struct ltl_case *linear)
{
    const struct automaton *automaton = linear->automaton;
    dd *set = ltl_copy(linear, linear->reached);
    for (uint32_t a = 0; a < automaton->state_count && automaton->state_count <= LTL_SMALL_AUTOMATON; a++)
        if (!automaton_is_recurrent(automaton, a)) {
            dd_unref(linear->model->m, set[a]);
            set[a] = DD_FALSE;
        }
    return set;
}

dd *ltl_fair(const struct ltl_case *linear)
{
    dd *good = ltl_candidates(linear), *old = NULL;
    struct ltl_event event;
    bool is_over = false;
    do {
        ltl_replace(linear, &old, ltl_copy(linear, good));
        ltl_trim(linear, &good);
        for (size_t i = 0; ltl_event(linear, i, &event) && ltl_is_good(linear, good) && !ltl_is_empty(linear, good);
             i++)
            ltl_oblige(linear, &good, &event);
        is_over = symbolic_is_over(linear->model);
    } while (!is_over && ltl_is_good(linear, good) && !ltl_is_same(linear, old, good));
    ltl_free(linear, old);
    if (is_over && linear->automaton->state_count) { /* not the greatest fixpoint, perhaps */
        dd_unref(linear->model->m, good[0]);
        good[0] = DD_NONE;
    }
    return good;
}

/* Some state of the set alone, with those of its orbit. */
static dd *ltl_pick(const struct ltl_case *linear, const dd *set)
{
    struct symbolic_model *model = linear->model;
    dd *one = ltl_set(linear);
    int32_t *cells = memory_zeroed((size_t)model->layout->cell_count + 1, sizeof *cells);
    for (uint32_t a = 0; a < linear->automaton->state_count; a++)
        if (set[a] != DD_FALSE) {
            encoding_pick(model->encoding, set[a], cells);
            one[a] = set_close(model, encoding_state(model->encoding, cells));
            break;
        }
    free(cells);
    return one;
}

dd *ltl_component(const struct ltl_case *linear, const dd *fair)
{
    dd *one = ltl_pick(linear, fair), *forth = NULL;
    for (;;) {
        ltl_replace(linear, &forth, ltl_forth(linear, fair, one));
        dd *back = ltl_until(linear, forth, one), *rest = ltl_combine(linear, forth, back, set_without);
        ltl_free(linear, back);
        bool is_done = !ltl_is_good(linear, rest) || ltl_is_empty(linear, rest);
        if (!is_done)
            ltl_replace(linear, &one, ltl_pick(linear, rest));
        else if (!ltl_is_good(linear, rest))
            ltl_replace(linear, &forth, ltl_copy(linear, rest));
        ltl_free(linear, rest);
        if (is_done)
            break;
    }
    ltl_free(linear, one);
    return forth;
}

dd *ltl_violations(const struct ltl_case *linear)
{
    const struct automaton *automaton = linear->automaton;
    dd *all = ltl_set(linear);
    for (uint32_t a = 0; a < automaton->state_count; a++)
        if (automaton_accepts_all(automaton, a))
            all[a] = dd_ref(linear->model->m, linear->model->reached);
    ltl_replace(linear, &all, ltl_before(linear, all, NULL, 0));
    ltl_replace(linear, &all, ltl_combine(linear, all, linear->reached, set_and));
    return all;
}
