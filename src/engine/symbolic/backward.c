/* Backward from what is to be avoided (the standard fixpoint of EF bad): for systems whose reachable states make large
 * diagrams while the states that lead to a violation do not. */
#include "engine/symbolic/search.h"

/* Rounds over all rules: the exact fixpoint of a property that holds locally needs few; where one process after the
 * other has to be brought along, there is no end of them. */
enum { BACKWARD_EXACT_ROUNDS = 3, BACKWARD_WIDE_ROUNDS = 100 };

/* The states before the set by one rule that are not in it. `is_wide`: and all that differ from them only in what the
 * rule changes, so that counters which go up or down one by one are forgotten at once. */
static dd backward_step(struct symbolic_model *model, dd set, const struct dd_relation *step, bool is_wide)
{
    struct dd_manager *m = model->m;
    dd more = dd_and(m, dd_previous(m, set, step->relation, step->changed), dd_not(set));
    return is_wide ? dd_exists(m, more, step->changed) : more;
}

/* Is a start state in the set, or is that not known? */
static bool backward_is_met(struct symbolic_model *model, dd set)
{
    return set == DD_NONE || dd_is_disjoint(model->m, set, model->all_starts) != DD_TRUE;
}

/* A set that contains the given one and all states before it, rule by rule, the last first: rules tend to stand in the
 * order in which they fire. True: it is closed, and no start state is in it. */
static bool backward_excludes(struct symbolic_model *model, dd set, bool is_wide, uint32_t rounds)
{
    struct dd_manager *m = model->m;
    dd keep = set, before = DD_FALSE;
    dd_register(m, &keep, 1);
    dd_register(m, &before, 1); /* lest another set gets its number */
    for (uint32_t round = 0; keep != before && round < rounds && !backward_is_met(model, keep); round++) {
        before = keep;
        for (size_t r = model->ground.rules.count;
             r-- > 0 && keep != DD_NONE && !(is_wide && backward_is_met(model, keep));)
            keep = dd_or(m, keep, backward_step(model, keep, &model->ground.rules.items[r].step, is_wide));
    }
    dd_unregister(m, &before);
    dd_unregister(m, &keep);
    return keep == before && !backward_is_met(model, keep);
}

bool backward_excludes_set(struct symbolic_model *model, dd set)
{
    return set != DD_NONE && backward_excludes(model, set, true, BACKWARD_WIDE_ROUNDS);
}

/* Not a state that is to be avoided: what has to be found, or is a matter of the reachable states. */
static bool backward_cannot_decide(const struct property *property)
{
    return property->kind == PROPERTY_LIVENESS || property->kind == PROPERTY_COVER || property->ctl || property->ltl;
}

bool backward_excludes_all(struct symbolic_search *search)
{
    struct symbolic_model *model = &search->model;
    if (model->reducer)
        return false;
    for (size_t i = 0; i < search->targets.count; i++) {
        const struct target *target = &search->targets.items[i];
        if (target->kind == TARGET_GOAL || target->kind == TARGET_UNEVALUATED || target->beyond != DD_FALSE)
            return false;
    }
    for (size_t i = 0; i < model->system->properties.count; i++)
        if (backward_cannot_decide(model->system->properties.items[i]))
            return false;
    dd rest = DD_FALSE;
    dd_register(model->m, &rest, 1);
    for (size_t i = 0; i < search->targets.count && rest != DD_NONE; i++)
        if (!backward_excludes(model, search->targets.items[i].set, true, BACKWARD_WIDE_ROUNDS))
            rest = dd_or(model->m, rest, search->targets.items[i].set);
    bool is_excluded =
        rest != DD_NONE &&
        backward_excludes(model, rest, false, search->options->only_backward ? BACKWARD_EXACT_ROUNDS : UINT32_MAX);
    dd_unregister(model->m, &rest);
    return is_excluded;
}
