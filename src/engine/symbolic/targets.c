/* What each property is looking for. */
#include "engine/symbolic/search.h"

static void targets_add(struct symbolic_search *search, enum target_kind kind, const struct property *property, dd set,
                        dd beyond)
{
    struct dd_manager *m = search->model.m;
    struct target target = {kind, property, dd_ref(m, set), dd_ref(m, beyond), false};
    VEC_PUSH(&search->targets, target);
}

static void targets_add_formula(struct symbolic_search *search, const struct property *property,
                                const struct formula_sets *sets)
{
    if (property->kind == PROPERTY_INVARIANT) {
        targets_add(search, TARGET_BAD, property, dd_not(sets->holds), DD_FALSE);
    } else if (property->kind == PROPERTY_LIVENESS) {
        targets_add(search, TARGET_BAD, property, sets->wrong, DD_FALSE);
    } else {
        targets_add(search, TARGET_GOAL, property, sets->holds, DD_FALSE);
        targets_add(search, TARGET_UNEVALUATED, property, sets->wrong, DD_FALSE);
    }
}

/* An assumption is violated where it cannot be evaluated, those before it being true: such a state is not stored, but a
 * step leads there. */
static bool targets_add_assumption(struct symbolic_search *search, const struct property *property,
                                   const struct formula_sets *sets, dd *granted)
{
    struct symbolic_model *model = &search->model;
    dd beyond = dd_ref(model->m, dd_and(model->m, *granted, sets->wrong));
    dd before = beyond == DD_FALSE ? DD_FALSE : symbolic_previous_plain(model, beyond);
    if (beyond != DD_NONE && before != DD_NONE && beyond != DD_FALSE)
        targets_add(search, TARGET_UNGRANTED, property, before, beyond);
    dd_unref(model->m, beyond);
    *granted = dd_and(model->m, *granted, sets->holds);
    return (beyond != DD_NONE && before != DD_NONE && *granted != DD_NONE) || symbolic_failed(model);
}

static bool targets_add_formulas(struct symbolic_search *search)
{
    struct symbolic_model *model = &search->model;
    dd granted = DD_TRUE;
    bool is_ok = true;
    dd_register(model->m, &granted, 1);
    for (size_t i = 0; is_ok && i < model->system->properties.count; i++) {
        const struct property *property = model->system->properties.items[i];
        struct formula_sets sets;
        if (!property->formula || property->kind == PROPERTY_DEADLOCK)
            continue;
        is_ok = symbolic_formula(model, property->formula, property->kind == PROPERTY_INVARIANT, &sets);
        if (!is_ok)
            break;
        if (property->kind == PROPERTY_ASSUMPTION)
            is_ok = targets_add_assumption(search, property, &sets, &granted);
        else
            targets_add_formula(search, property, &sets);
        dd_unref(model->m, sets.holds);
        dd_unref(model->m, sets.wrong);
    }
    dd_unregister(model->m, &granted);
    return is_ok;
}

/* Where a final condition is true, a state need not be alive. */
static bool targets_allow_ends(struct symbolic_model *model, const struct property *property, dd *alive)
{
    struct formula_sets sets;
    if (!property->formula)
        return true;
    if (!symbolic_formula(model, property->formula, false, &sets))
        return false;
    dd allowed = dd_ref(model->m, dd_or(model->m, *alive, sets.holds));
    dd_unref(model->m, sets.holds);
    dd_unref(model->m, sets.wrong);
    dd_unref(model->m, *alive);
    *alive = allowed;
    return allowed != DD_NONE || symbolic_failed(model);
}

static bool targets_add_deadlock(struct symbolic_search *search)
{
    struct symbolic_model *model = &search->model;
    const struct property *property = model->system->properties.items[SYSTEM_DEADLOCK];
    dd alive = dd_ref(model->m, symbolic_alive(model, search->options->deadlock));
    bool is_ok = alive != DD_NONE ? targets_allow_ends(model, property, &alive) : symbolic_failed(model);
    if (is_ok)
        targets_add(search, TARGET_DEADLOCK, property, dd_not(alive), DD_FALSE);
    dd_unref(model->m, alive);
    return is_ok;
}

bool targets_create(struct symbolic_search *search)
{
    struct symbolic_model *model = &search->model;
    for (size_t i = 0; i < model->ground.faults.count; i++)
        targets_add(search, TARGET_FAULT, model->ground.faults.items[i].property, model->ground.faults.items[i].when,
                    DD_FALSE);
    bool is_off = search->options->deadlock == DEADLOCK_OFF;
    if (is_off)
        search->result->checked[SYSTEM_DEADLOCK] = false;
    bool is_now = !is_off && !symbolic_is_reached_first(search);
    return (!is_now || targets_add_deadlock(search)) && targets_add_formulas(search);
}

void targets_destroy(struct symbolic_search *search)
{
    for (size_t i = 0; i < search->targets.count; i++) {
        dd_unref(search->model.m, search->targets.items[i].set);
        dd_unref(search->model.m, search->targets.items[i].beyond);
    }
    VEC_FREE(&search->targets);
}

bool targets_meet(struct symbolic_search *search)
{
    struct symbolic_model *model = &search->model;
    for (size_t i = 0; i < search->targets.count; i++) {
        struct target *target = &search->targets.items[i];
        dd disjoint = dd_is_disjoint(model->m, model->reached, target->set);
        dd apart = dd_is_disjoint(model->m, model->all_starts, target->beyond);
        if (disjoint == DD_NONE || apart == DD_NONE)
            return symbolic_failed(model);
        target->is_met = disjoint == DD_FALSE || apart == DD_FALSE;
    }
    return true;
}

/* The reachable states from which no instance leads on. From the reachable states down: all states that some instance
 * leaves may be a far larger diagram. */
static dd targets_stuck(struct symbolic_search *search)
{
    struct symbolic_model *model = &search->model;
    bool by_firing = search->options->deadlock == DEADLOCK_STUCK;
    dd stuck = model->reached;
    dd_register(model->m, &stuck, 1);
    for (size_t r = 0; r < model->ground.rules.count && stuck != DD_FALSE; r++) {
        const struct ground_rule *rule = &model->ground.rules.items[r];
        stuck = dd_difference(model->m, stuck, by_firing ? rule->fires : rule->alters);
        stuck = dd_difference(model->m, stuck, rule->faults);
    }
    dd_unregister(model->m, &stuck);
    return stuck;
}

bool targets_add_stuck(struct symbolic_search *search)
{
    struct symbolic_model *model = &search->model;
    if (search->options->deadlock == DEADLOCK_OFF || !symbolic_is_reached_first(search))
        return true;
    const struct property *property = model->system->properties.items[SYSTEM_DEADLOCK];
    dd stuck = targets_stuck(search);
    if (stuck == DD_NONE)
        return symbolic_failed(model);
    dd alive = dd_ref(model->m, dd_not(stuck));
    bool is_ok = targets_allow_ends(model, property, &alive);
    if (is_ok)
        targets_add(search, TARGET_DEADLOCK, property, dd_not(alive), DD_FALSE);
    dd_unref(model->m, alive);
    return is_ok;
}

/* The reachable states from which the goal can be reached: backwards from it. */
static dd targets_with_hope(struct symbolic_model *model, dd goal)
{
    struct dd_manager *m = model->m;
    dd keep[2] = {dd_and(m, model->reached, goal), DD_FALSE};
    keep[1] = keep[0];
    dd_register(m, keep, 2);
    while (keep[1] != DD_FALSE && keep[0] != DD_NONE && keep[1] != DD_NONE) {
        keep[1] = symbolic_previous(model, keep[1]);
        keep[1] = dd_and(m, keep[1], model->reached);
        keep[1] = dd_difference(m, keep[1], keep[0]);
        keep[0] = dd_or(m, keep[0], keep[1]);
    }
    dd_unregister(m, keep);
    return keep[1] == DD_NONE ? DD_NONE : keep[0];
}

bool targets_add_liveness(struct symbolic_search *search)
{
    struct symbolic_model *model = &search->model;
    for (size_t i = 0; i < model->system->properties.count; i++) {
        const struct property *property = model->system->properties.items[i];
        struct formula_sets sets;
        if (property->kind != PROPERTY_LIVENESS || search->decided[i])
            continue;
        if (!symbolic_formula(model, property->formula, false, &sets))
            return false;
        dd hope = targets_with_hope(model, sets.holds);
        dd lost = dd_difference(model->m, model->reached, hope);
        if (lost != DD_NONE)
            targets_add(search, TARGET_LOST, property, lost, DD_FALSE);
        dd_unref(model->m, sets.holds);
        dd_unref(model->m, sets.wrong);
        if (lost == DD_NONE)
            return symbolic_failed(model);
    }
    return true;
}
