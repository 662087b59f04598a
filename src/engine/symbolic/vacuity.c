/* Is the antecedent of each invariant true somewhere? All reachable states are known: one intersection for each. */
#include "engine/symbolic/search.h"

/* True, or not to be evaluated, in no reachable state. What there was no room for is not said. */
static bool vacuity_is_unmet(struct symbolic_model *model, const struct formula_sets *sets)
{
    return dd_is_disjoint(model->m, model->reached, sets->holds) == DD_TRUE &&
           dd_is_disjoint(model->m, model->reached, sets->wrong) == DD_TRUE;
}

void vacuity_find(struct symbolic_search *search)
{
    struct symbolic_model *model = &search->model;
    bool is_known = search->result->is_complete && !search->is_backward;
    for (size_t i = 0; is_known && i < model->system->properties.count; i++) {
        const struct property *property = model->system->properties.items[i];
        struct formula_sets sets;
        if (!property->antecedent)
            continue;
        if (!symbolic_formula(model, property->antecedent->formula, false, &sets))
            return;
        search->result->properties[property->id].is_vacuous = vacuity_is_unmet(model, &sets);
        dd_unref(model->m, sets.holds);
        dd_unref(model->m, sets.wrong);
    }
}
