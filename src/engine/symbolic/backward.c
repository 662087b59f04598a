/* Backward from what is to be avoided (the standard fixpoint of EF bad): for systems whose reachable states make large
 * diagrams while the states that lead to a violation do not. */
#include "engine/symbolic/search.h"

/* All from which the set can be reached, rule by rule, the last first: rules tend to stand in the order in which they
 * fire. DD_NONE: no memory or time. */
static dd backward_close(struct symbolic_model *model, dd set)
{
    struct dd_manager *m = model->m;
    dd keep = set, before = DD_FALSE;
    dd_register(m, &keep, 1);
    while (keep != before && keep != DD_NONE) {
        before = keep;
        for (size_t r = model->ground.rules.count; r-- > 0 && keep != DD_NONE;) {
            const struct dd_relation *step = &model->ground.rules.items[r].step;
            dd more = dd_previous(m, keep, step->relation, step->changed);
            keep = dd_or(m, keep, more);
        }
    }
    dd_unregister(m, &keep);
    return keep;
}

/* Not a state that is to be avoided: what has to be found, or is a matter of the reachable states. */
static bool backward_cannot_decide(const struct property *property)
{
    return property->kind == PROPERTY_LIVENESS || property->kind == PROPERTY_COVER || property->ctl;
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
    dd bad = DD_FALSE;
    dd_register(model->m, &bad, 1);
    for (size_t i = 0; i < search->targets.count; i++)
        bad = dd_or(model->m, bad, search->targets.items[i].set);
    bad = backward_close(model, bad);
    dd apart = dd_is_disjoint(model->m, bad, model->all_starts);
    dd_unregister(model->m, &bad);
    return apart == DD_TRUE;
}
