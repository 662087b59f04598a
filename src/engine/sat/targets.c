/* What each property is looking for. */
#include "engine/sat/search.h"

static void targets_add(struct sat_search *search, enum sat_target_kind kind, const struct property *property, bit when)
{
    struct sat_target target = {.kind = kind, .property = property, .when = when};
    if (when != BIT_FALSE)
        VEC_PUSH(&search->targets, target);
}

static bool targets_add_formula(struct sat_search *search, const struct property *property)
{
    bit holds, wrong;
    bool is_invariant = property->kind == PROPERTY_INVARIANT;
    if (!circuit_formula(&search->circuit, property->formula, is_invariant, &holds, &wrong))
        return false;
    targets_add(search, is_invariant ? SAT_BAD : SAT_GOAL, property, is_invariant ? bit_not(holds) : holds);
    if (!is_invariant)
        targets_add(search, SAT_UNEVALUATED, property, wrong);
    return true;
}

static bool targets_add_formulas(struct sat_search *search)
{
    for (size_t i = 0; i < search->system->properties.count; i++) {
        const struct property *property = search->system->properties.items[i];
        bool is_state = property->kind == PROPERTY_INVARIANT || property->kind == PROPERTY_COVER;
        if (is_state && property->formula && !targets_add_formula(search, property))
            return false;
    }
    return true;
}

/* No instance fires (and leads elsewhere), or fails; and it is no final state. */
static bool targets_add_deadlock(struct sat_search *search)
{
    const struct property *property = search->system->properties.items[SYSTEM_DEADLOCK];
    struct circuit *circuit = &search->circuit;
    bool by_firing = search->options->deadlock == DEADLOCK_STUCK;
    bit alive = BIT_FALSE, holds = BIT_FALSE, wrong;
    for (size_t s = 0; s < circuit->steps.count; s++) {
        const struct circuit_step *step = &circuit->steps.items[s];
        alive = aig_or(&circuit->aig, alive, by_firing ? step->fires : step->alters);
        alive = aig_or(&circuit->aig, alive, step->faults);
    }
    if (property->formula && !circuit_formula(circuit, property->formula, false, &holds, &wrong))
        return false;
    targets_add(search, SAT_DEADLOCK, property, bit_not(aig_or(&circuit->aig, alive, holds)));
    return true;
}

static void targets_add_events(struct sat_search *search)
{
    const struct circuit *circuit = &search->circuit;
    for (size_t i = 0; i < circuit->faults.count; i++)
        targets_add(search, SAT_FAULT, circuit->faults.items[i].property, circuit->faults.items[i].when);
    for (size_t i = 0; i < circuit->covered.count; i++)
        targets_add(search, SAT_COVERED, circuit->covered.items[i].property, circuit->covered.items[i].when);
}

bool sat_target_is_open(const struct sat_search *search, const struct sat_target *target)
{
    return !target->trace && !search->decided[target->property->id] && search->result->checked[target->property->id];
}

void sat_targets_refresh(struct sat_search *search)
{
    search->wanted = BIT_FALSE;
    for (size_t i = 0; i < search->targets.count; i++)
        if (sat_target_is_open(search, &search->targets.items[i]))
            search->wanted = aig_or(&search->circuit.aig, search->wanted, search->targets.items[i].when);
    search->version++;
}

/* Formulas about the future are not about single states. */
static void targets_leave_out(struct sat_search *search)
{
    for (size_t i = 0; i < search->system->properties.count; i++) {
        const struct property *property = search->system->properties.items[i];
        if (property->kind != PROPERTY_LIVENESS && property->kind != PROPERTY_CTL && property->kind != PROPERTY_LTL)
            continue;
        result_leave_out(search->result, property,
                         "the sat engine checks invariants, assertions, run-time errors, goals and deadlocks "
                         "(--engine explicit or symbolic)");
        search->decided[i] = true;
    }
}

bool sat_targets_make(struct sat_search *search)
{
    targets_leave_out(search);
    targets_add_events(search);
    bool is_off = search->options->deadlock == DEADLOCK_OFF;
    if (is_off)
        search->result->checked[SYSTEM_DEADLOCK] = false;
    if ((!is_off && !targets_add_deadlock(search)) || !targets_add_formulas(search))
        return false;
    sat_targets_refresh(search);
    return !search->circuit.is_over;
}
