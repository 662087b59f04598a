#include "engine/symbolic/relation.h"

#include <stdlib.h>

#include "ir/instance.h"

/* False: no memory or time. */
static bool ground_add_events(struct ground_system *ground, event_list *to, const event_list *from)
{
    struct dd_manager *m = ground->encoding->m;
    for (size_t i = 0; i < from->count; i++) {
        size_t at = 0;
        while (at < to->count && to->items[at].property != from->items[i].property)
            at++;
        if (at == to->count) {
            struct machine_event none = {.property = from->items[i].property, .when = DD_FALSE};
            VEC_PUSH(to, none);
        }
        dd all = dd_ref(m, dd_or(m, to->items[at].when, from->items[i].when));
        dd_unref(m, to->items[at].when);
        to->items[at].when = all;
        if (all == DD_NONE)
            return false;
    }
    return true;
}

/* A bit that gets a new value. */
struct new_bit {
    uint32_t pair;
    dd value;
};

struct symbolic_stepping {
    struct machine *machine;
    VEC(struct new_bit) bits;
    dd alters;
    bool is_whole; /* also the bits that keep their values */
};

static void stepping_add_cell(struct symbolic_stepping *stepping, uint32_t cell)
{
    struct machine *machine = stepping->machine;
    struct encoding *encoding = machine_encoding(machine);
    dd bits[64];
    machine_pack(machine, cell, machine->memory[cell], bits);
    for (uint32_t b = 0; b < encoding_width(encoding, cell); b++) {
        dd variable = dd_variable(encoding->m, encoding_variable(encoding, cell, b));
        dd differs = calculate_and(&machine->calculator, machine->live, dd_xor(encoding->m, bits[b], variable));
        struct new_bit made = {encoding_pair(encoding, cell, b), bits[b]};
        if (differs == DD_FALSE && !stepping->is_whole)
            continue;
        stepping->alters = calculate_or(&machine->calculator, stepping->alters, differs);
        VEC_PUSH(&stepping->bits, made);
    }
}

static int new_bit_compare(const void *a, const void *b)
{
    uint32_t x = ((const struct new_bit *)a)->pair, y = ((const struct new_bit *)b)->pair;
    return (x > y) - (x < y);
}

/* From the lowest variables up: what is there already is not looked at again. */
static dd stepping_conjunction(struct symbolic_stepping *stepping)
{
    struct machine *machine = stepping->machine;
    struct dd_manager *m = machine_encoding(machine)->m;
    dd relation = DD_TRUE;
    for (size_t i = stepping->bits.count; i-- > 0;) {
        dd next = dd_variable(m, 2 * stepping->bits.items[i].pair + 1);
        dd value = dd_restrict(m, stepping->bits.items[i].value, machine->live);
        relation = calculate_and(&machine->calculator, dd_iff(m, next, value), relation);
    }
    return calculate_and(&machine->calculator, machine->live, relation);
}

static dd stepping_cube(struct symbolic_stepping *stepping)
{
    uint32_t *variables = memory_alloc((stepping->bits.count + 1) * sizeof *variables);
    for (size_t i = 0; i < stepping->bits.count; i++)
        variables[i] = 2 * stepping->bits.items[i].pair;
    dd cube = dd_cube(machine_encoding(stepping->machine)->m, variables, stepping->bits.count);
    free(variables);
    return cube;
}

static void stepping_finish(struct symbolic_stepping *stepping, struct dd_relation *relation)
{
    if (stepping->bits.count)
        qsort(stepping->bits.items, stepping->bits.count, sizeof *stepping->bits.items, new_bit_compare);
    relation->changed = stepping_cube(stepping);
    relation->relation = stepping_conjunction(stepping);
    VEC_FREE(&stepping->bits);
    if (relation->changed == DD_NONE)
        stepping->machine->calculator.failed = true;
}

static dd relation_build(struct machine *machine, bool is_whole, struct dd_relation *relation)
{
    struct symbolic_stepping stepping = {.machine = machine, .alters = DD_FALSE, .is_whole = is_whole};
    for (uint32_t c = 0; c < machine->system->state_cells; c++)
        if (machine->memory[c])
            stepping_add_cell(&stepping, c);
    stepping_finish(&stepping, relation);
    return stepping.alters;
}

dd relation_make(struct machine *machine, struct dd_relation *relation)
{
    return relation_build(machine, false, relation);
}

void relation_make_whole(struct machine *machine, struct dd_relation *relation)
{
    relation_build(machine, true, relation);
}

static void ground_relate(struct machine *machine, struct ground_rule *rule)
{
    rule->fires = machine->live;
    rule->alters = relation_make(machine, &rule->step);
    rule->faults = DD_FALSE;
    for (size_t i = 0; i < machine->faults.count; i++)
        rule->faults = calculate_or(&machine->calculator, rule->faults, machine->faults.items[i].when);
}

static void ground_keep(struct ground_system *ground, const struct ground_rule *rule)
{
    struct dd_manager *m = ground->encoding->m;
    VEC_PUSH(&ground->rules, *rule);
    dd_ref(m, rule->step.relation);
    dd_ref(m, rule->step.changed);
    dd_ref(m, rule->fires);
    dd_ref(m, rule->alters);
    dd_ref(m, rule->faults);
}

static bool ground_instance(struct ground_system *ground, struct machine *machine, const struct rule *rule,
                            uint64_t instance, int32_t *parameters)
{
    struct ground_rule made = {.rule = rule, .instance = instance};
    machine_reset(machine);
    instance_values(rule, instance, parameters);
    machine_fire(machine, rule, parameters);
    ground_relate(machine, &made);
    if (!machine_is_ok(machine))
        return false;
    machine->calculator.failed |= !ground_add_events(ground, &ground->faults, &machine->faults) ||
                                  !ground_add_events(ground, &ground->covered, &machine->covered);
    if (!machine_is_ok(machine))
        return false;
    if (made.fires != DD_FALSE || made.faults != DD_FALSE)
        ground_keep(ground, &made);
    return true;
}

static bool ground_rule_instances(struct ground_system *ground, struct machine *machine, const struct rule *rule)
{
    int32_t *parameters = memory_alloc((rule->parameter_count + 1) * sizeof *parameters);
    bool is_ok = true;
    for (uint64_t i = 0; is_ok && i < rule->instance_count; i++)
        is_ok = ground_instance(ground, machine, rule, i, parameters);
    free(parameters);
    return is_ok;
}

bool ground_create(struct ground_system *ground, struct encoding *encoding, struct refusal *refusal)
{
    const struct system *system = encoding->layout->system;
    struct machine machine;
    bool is_ok = true;
    *ground = (struct ground_system){.encoding = encoding};
    machine_open(&machine, encoding->layout, &encoding->algebra);
    for (size_t r = 0; is_ok && r < system->rules.count; r++) {
        is_ok = ground_rule_instances(ground, &machine, system->rules.items[r]);
        if (!is_ok)
            refusal_take(refusal, &machine, system->rules.items[r]->span);
    }
    machine_close(&machine);
    return is_ok;
}

static void events_destroy(struct dd_manager *m, event_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        dd_unref(m, list->items[i].when);
    VEC_FREE(list);
}

void ground_destroy(struct ground_system *ground)
{
    struct dd_manager *m = ground->encoding->m;
    for (size_t i = 0; i < ground->rules.count; i++) {
        const struct ground_rule *rule = &ground->rules.items[i];
        dd_unref(m, rule->step.relation);
        dd_unref(m, rule->step.changed);
        dd_unref(m, rule->fires);
        dd_unref(m, rule->alters);
        dd_unref(m, rule->faults);
    }
    events_destroy(m, &ground->faults);
    events_destroy(m, &ground->covered);
    VEC_FREE(&ground->rules);
}

/* In a machine with all that it needs beside the state; closes it. */
static bool ground_evaluate(struct machine *machine, const struct expr *formula, bool when_discarded,
                            struct formula_sets *sets, struct refusal *refusal)
{
    struct dd_manager *m = machine_encoding(machine)->m;
    dd wrong = DD_FALSE, holds = machine_formula(machine, formula, when_discarded);
    for (size_t i = 0; i < machine->faults.count; i++)
        wrong = calculate_or(&machine->calculator, wrong, machine->faults.items[i].when);
    bool is_ok = refusal_take(refusal, machine, formula->span);
    *sets = is_ok ? (struct formula_sets){dd_ref(m, holds), dd_ref(m, wrong)} : (struct formula_sets){0};
    machine_close(machine);
    return is_ok;
}

bool ground_formula(struct ground_system *ground, const struct expr *formula, bool when_discarded,
                    struct formula_sets *sets, struct refusal *refusal)
{
    struct machine machine;
    machine_open(&machine, ground->encoding->layout, &ground->encoding->algebra);
    return ground_evaluate(&machine, formula, when_discarded, sets, refusal);
}

bool ground_proposition(struct ground_system *ground, const struct proposition *proposition, const int32_t *values,
                        struct formula_sets *sets, struct refusal *refusal)
{
    struct machine machine;
    machine_open(&machine, ground->encoding->layout, &ground->encoding->algebra);
    for (uint32_t v = 0; v < proposition->variable_count; v++)
        if (proposition->variables[v]->address >= machine.system->state_cells)
            machine_set(&machine, proposition->variables[v]->address, number_constant(&machine.calculator, values[v]));
    return ground_evaluate(&machine, proposition->formula, false, sets, refusal);
}

bool ground_values(struct ground_system *ground, const struct expr *number, dd under, number_cases *cases, dd *wrong,
                   struct refusal *refusal)
{
    struct dd_manager *m = ground->encoding->m;
    struct machine machine;
    machine_open(&machine, ground->encoding->layout, &ground->encoding->algebra);
    machine_keep(&machine, under);
    const struct number *value = machine_expr(&machine, number);
    bool is_listed = machine_list(&machine, value, number->span, cases);
    *wrong = DD_FALSE;
    for (size_t i = 0; i < machine.faults.count; i++)
        *wrong = calculate_or(&machine.calculator, *wrong, machine.faults.items[i].when);
    bool is_ok = refusal_take(refusal, &machine, number->span) && is_listed;
    for (size_t i = 0; is_ok && i < cases->count; i++)
        dd_ref(m, cases->items[i].when);
    dd_ref(m, is_ok ? *wrong : DD_FALSE);
    machine_close(&machine);
    return is_ok;
}
