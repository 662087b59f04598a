/* Is the antecedent of each property true somewhere? Where all reachable states are known, one intersection for each;
 * after a search backward, a search of the same kind. */
#include "base/clock.h"
#include "engine/symbolic/search.h"

/* Is the property about start states only? */
static bool vacuity_is_at_start(const struct property *property)
{
    const struct ctl *formula = property->ctl ? property->ctl : property->ltl;
    bool is_everywhere = true;
    if (formula)
        ctl_antecedent(formula, &is_everywhere);
    return !is_everywhere;
}

/* True, or not to be evaluated, in no state that the property is about. What there was no room for is not said. */
static bool vacuity_is_unmet(const struct symbolic_search *search, struct symbolic_model *model,
                             const struct property *property, const struct formula_sets *sets)
{
    struct dd_manager *m = model->m;
    bool is_at_start = vacuity_is_at_start(property);
    if (search->is_backward && !is_at_start)
        return backward_excludes_set(model, dd_or(m, sets->holds, sets->wrong));
    dd states = is_at_start ? model->starts : model->reached;
    return dd_is_disjoint(m, states, sets->holds) == DD_TRUE && dd_is_disjoint(m, states, sets->wrong) == DD_TRUE;
}

static void vacuity_find_all(struct symbolic_search *search)
{
    struct symbolic_model *model = &search->model;
    for (size_t i = 0; search->result->is_complete && i < model->system->properties.count; i++) {
        const struct property *property = model->system->properties.items[i];
        struct formula_sets sets;
        if (!property->antecedent)
            continue;
        if (!symbolic_formula(model, property->antecedent->formula, false, &sets))
            return;
        search->result->properties[property->id].is_vacuous |= vacuity_is_unmet(search, model, property, &sets);
        dd_unref(model->m, sets.holds);
        dd_unref(model->m, sets.wrong);
    }
}

/* After a search backward: processor seconds at least, and the part of its time. */
static const double VACUITY_FREE = 0.05, VACUITY_SHARE = 0.1;

void vacuity_find(struct symbolic_search *search)
{
    struct watch watch;
    double spent = clock_cpu() - search->begin_cpu;
    if (!search->is_backward) {
        vacuity_find_all(search);
        return;
    }
    watch_begin_trial(&watch, VACUITY_FREE + VACUITY_SHARE * spent, search->options->interrupted);
    vacuity_find_all(search);
    watch_end(&watch);
}
