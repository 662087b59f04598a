#include "bits/circuit.h"

#include <stdlib.h>
#include <string.h>

#include "base/watch.h"
#include "ir/instance.h"

/* Values of a cell that have a variable each, at most: of index types, whose values are permuted, and of others. */
enum { CIRCUIT_MOST_LISTED = 12, CIRCUIT_POLL = 1 << 12 };

/* -- The algebra -- */

static bool circuit_is_over(struct circuit *circuit)
{
    if (++circuit->work % CIRCUIT_POLL == 0 && watch_is_up())
        circuit->is_over = true;
    return circuit->is_over;
}

static bit circuit_conjunction(void *data, bit f, bit g)
{
    struct circuit *circuit = data;
    return circuit_is_over(circuit) ? BIT_NONE : aig_and(&circuit->aig, f, g);
}

static bit circuit_difference(void *data, bit f, bit g)
{
    struct circuit *circuit = data;
    return circuit_is_over(circuit) ? BIT_NONE : aig_xor(&circuit->aig, f, g);
}

static bit circuit_choice(void *data, bit f, bit g, bit h)
{
    struct circuit *circuit = data;
    return circuit_is_over(circuit) ? BIT_NONE : aig_ite(&circuit->aig, f, g, h);
}

static bit circuit_value(void *data, uint32_t cell, uint32_t ordinal)
{
    const struct circuit *circuit = data;
    return circuit->is_listed[cell] ? circuit_variable(circuit->first[cell] + ordinal) : BIT_NONE;
}

/* Of a cell with a variable for each value: those whose packed form has the bit. */
static bit circuit_cell(void *data, uint32_t cell, uint32_t b)
{
    struct circuit *circuit = data;
    bit any = BIT_FALSE;
    if (!circuit->is_listed[cell])
        return circuit_variable(circuit->first[cell] + b);
    for (uint32_t o = 0; o < circuit->layout->cells[cell].type->size; o++)
        if ((o + 1) >> b & 1)
            any = aig_or(&circuit->aig, any, circuit_value(circuit, cell, o));
    return any;
}

static bool circuit_is_false(void *data, bit f)
{
    struct circuit *circuit = data;
    if (!circuit->solver) {
        circuit->solver = solver_create();
        cnf_open(&circuit->cnf, &circuit->aig, circuit->solver);
        for (size_t i = 0; i < circuit->states.count; i++)
            cnf_require(&circuit->cnf, circuit->states.items[i]);
    }
    solver_assume(circuit->solver, cnf_literal(&circuit->cnf, f));
    return solver_ask(circuit->solver, 0) == SOLVER_UNSATISFIABLE;
}

/* -- States -- */

static bool circuit_lists(const struct cell *cell)
{
    if (!cell->type || cell->type->size < 2)
        return false;
    return cell->type->size <= (type_has_index(cell->type) ? NUMBER_LISTED : CIRCUIT_MOST_LISTED);
}

static void circuit_add_variables(struct circuit *circuit)
{
    const struct layout *layout = circuit->layout;
    circuit->first = memory_zeroed((size_t)layout->cell_count + 1, sizeof *circuit->first);
    circuit->is_listed = memory_zeroed((size_t)layout->cell_count + 1, sizeof *circuit->is_listed);
    for (uint32_t c = 0; c < layout->cell_count; c++) {
        const struct cell *cell = &layout->cells[c];
        circuit->is_listed[c] = circuit_lists(cell);
        circuit->first[c + 1] = circuit->first[c] + (circuit->is_listed[c] ? cell->type->size : cell->bits);
    }
    circuit->variable_count = circuit->first[layout->cell_count];
    for (uint32_t v = 0; v < circuit->variable_count; v++)
        aig_input(&circuit->aig);
}

static void circuit_require_state(struct circuit *circuit, bit always)
{
    if (always != BIT_TRUE)
        VEC_PUSH(&circuit->states, always);
}

/* A cell has at most one value, or its bits are those of one. */
static void circuit_require_value(struct circuit *circuit, struct machine *machine, uint32_t cell)
{
    if (!circuit->is_listed[cell]) {
        circuit->algebra.has_only_states = false;
        circuit_require_state(circuit, machine_valid(machine, cell));
        circuit->algebra.has_only_states = true;
        return;
    }
    bit before = BIT_FALSE;
    for (uint32_t v = circuit->first[cell]; v < circuit->first[cell + 1]; v++) {
        bit both = aig_and(&circuit->aig, before, circuit_variable(v));
        circuit_require_state(circuit, bit_not(both));
        before = aig_or(&circuit->aig, before, circuit_variable(v));
    }
}

/* Slots are in order, and the elements of free ones are undefined. */
static void circuit_require_order(struct circuit *circuit, struct machine *machine, const struct multiset_site *site)
{
    uint32_t stride = multiset_stride(site->type);
    for (uint32_t s = 0; s < site->type->capacity; s++) {
        uint32_t slot = site->address + s * stride;
        bit taken = machine_truth(machine, machine_cell(machine, slot));
        if (s)
            circuit_require_state(circuit, bit_not(machine_slot_is_before(machine, slot, slot - stride, stride)));
        for (uint32_t c = slot + 1; c < slot + stride; c++) {
            bool is_flag = !circuit->layout->cells[c].type;
            bit empty = is_flag ? bit_not(machine_truth(machine, machine_cell(machine, c)))
                                : machine_cell(machine, c)->undefined;
            circuit_require_state(circuit, aig_or(&circuit->aig, taken, empty));
        }
    }
}

static void circuit_require_states(struct circuit *circuit, struct machine *machine)
{
    for (uint32_t c = 0; c < circuit->layout->cell_count; c++)
        circuit_require_value(circuit, machine, c);
    for (uint32_t m = 0; m < circuit->layout->multiset_count; m++)
        circuit_require_order(circuit, machine, &circuit->layout->multisets[m]);
}

/* -- Steps -- */

static void circuit_add_change(struct circuit *circuit, struct circuit_step *step, uint32_t variable, bit value)
{
    struct circuit_change change = {variable, value};
    bit differs = aig_and(&circuit->aig, step->fires, aig_xor(&circuit->aig, value, circuit_variable(variable)));
    if (differs == BIT_FALSE)
        return;
    step->alters = aig_or(&circuit->aig, step->alters, differs);
    step->change_count++;
    VEC_PUSH(&circuit->changes, change);
}

static void circuit_add_cell(struct circuit *circuit, struct circuit_step *step, struct machine *machine, uint32_t cell)
{
    const struct number *value = machine->memory[cell];
    const struct cell *about = &circuit->layout->cells[cell];
    bit bits[64];
    if (!circuit->is_listed[cell]) {
        machine_pack(machine, cell, value, bits);
        for (uint32_t b = 0; b < about->bits; b++)
            circuit_add_change(circuit, step, circuit->first[cell] + b, bits[b]);
        return;
    }
    for (uint32_t o = 0; o < about->type->size; o++) {
        bit is = number_is(&machine->calculator, value, type_code(about->type, o));
        is = calculate_and(&machine->calculator, is, bit_not(value->undefined));
        circuit_add_change(circuit, step, circuit->first[cell] + o, is);
    }
}

static void circuit_add_events(struct circuit *circuit, event_list *to, const event_list *from)
{
    for (size_t i = 0; i < from->count; i++) {
        size_t at = 0;
        while (at < to->count && to->items[at].property != from->items[i].property)
            at++;
        if (at < to->count)
            to->items[at].when = aig_or(&circuit->aig, to->items[at].when, from->items[i].when);
        else
            VEC_PUSH(to, from->items[i]);
    }
}

static bool circuit_add_step(struct circuit *circuit, struct machine *machine, const struct rule *rule,
                             uint64_t instance, int32_t *parameters)
{
    struct circuit_step step = {.rule = rule, .instance = instance, .first_change = (uint32_t)circuit->changes.count};
    machine_reset(machine);
    instance_values(rule, instance, parameters);
    machine_fire(machine, rule, parameters);
    step.fires = machine->live;
    for (uint32_t c = 0; c < circuit->system->state_cells && step.fires != BIT_FALSE; c++)
        if (machine->memory[c])
            circuit_add_cell(circuit, &step, machine, c);
    for (size_t i = 0; i < machine->faults.count; i++)
        step.faults = calculate_or(&machine->calculator, step.faults, machine->faults.items[i].when);
    circuit_add_events(circuit, &circuit->faults, &machine->faults);
    circuit_add_events(circuit, &circuit->covered, &machine->covered);
    if (step.fires != BIT_FALSE || step.faults != BIT_FALSE)
        VEC_PUSH(&circuit->steps, step);
    return machine_is_ok(machine);
}

static bool circuit_add_rule(struct circuit *circuit, struct machine *machine, const struct rule *rule)
{
    int32_t *parameters = memory_alloc((rule->parameter_count + 1) * sizeof *parameters);
    bool is_ok = true;
    for (uint64_t i = 0; is_ok && i < rule->instance_count; i++)
        is_ok = circuit_add_step(circuit, machine, rule, i, parameters);
    free(parameters);
    return is_ok || refusal_take(&circuit->refusal, machine, rule->span);
}

bool circuit_open(struct circuit *circuit, const struct layout *layout)
{
    struct machine machine;
    bool is_ok = true;
    *circuit = (struct circuit){.layout = layout, .system = layout->system};
    circuit->algebra = (struct algebra){
        .engine = "the sat engine",
        .conjunction = circuit_conjunction,
        .difference = circuit_difference,
        .choice = circuit_choice,
        .cell = circuit_cell,
        .value = circuit_value,
        .is_false = circuit_is_false,
        .has_only_states = true,
        .data = circuit,
    };
    aig_create(&circuit->aig);
    circuit_add_variables(circuit);
    machine_open(&machine, layout, &circuit->algebra);
    circuit_require_states(circuit, &machine);
    for (size_t r = 0; is_ok && r < layout->system->rules.count; r++)
        is_ok = circuit_add_rule(circuit, &machine, layout->system->rules.items[r]);
    machine_close(&machine);
    return is_ok && !circuit->is_over;
}

void circuit_close(struct circuit *circuit)
{
    cnf_close(&circuit->cnf);
    solver_destroy(circuit->solver);
    aig_destroy(&circuit->aig);
    VEC_FREE(&circuit->states);
    VEC_FREE(&circuit->steps);
    VEC_FREE(&circuit->changes);
    VEC_FREE(&circuit->faults);
    VEC_FREE(&circuit->covered);
    text_free(&circuit->refusal.words);
    free(circuit->first);
    free(circuit->is_listed);
}

bool circuit_formula(struct circuit *circuit, const struct expr *formula, bool when_discarded, bit *holds, bit *wrong)
{
    struct machine machine;
    machine_open(&machine, circuit->layout, &circuit->algebra);
    *wrong = BIT_FALSE;
    *holds = machine_formula(&machine, formula, when_discarded);
    for (size_t i = 0; i < machine.faults.count; i++)
        *wrong = calculate_or(&machine.calculator, *wrong, machine.faults.items[i].when);
    bool is_ok = refusal_take(&circuit->refusal, &machine, formula->span);
    machine_close(&machine);
    return is_ok;
}

void circuit_encode(const struct circuit *circuit, const int32_t *cells, bool *values)
{
    for (uint32_t c = 0; c < circuit->layout->cell_count; c++) {
        const struct cell *cell = &circuit->layout->cells[c];
        uint64_t packed = !cell->type             ? (uint64_t)cells[c]
                          : cells[c] == UNDEFINED ? 0
                                                  : (uint64_t)type_ordinal(cell->type, cells[c]) + 1;
        for (uint32_t v = circuit->first[c], i = 0; v < circuit->first[c + 1]; v++, i++)
            values[v] = circuit->is_listed[c] ? packed == i + 1 : packed >> i & 1;
    }
}

void circuit_decode(const struct circuit *circuit, const bool *values, int32_t *cells)
{
    for (uint32_t c = 0; c < circuit->layout->cell_count; c++) {
        const struct cell *cell = &circuit->layout->cells[c];
        uint64_t packed = 0;
        for (uint32_t v = circuit->first[c], i = 0; v < circuit->first[c + 1]; v++, i++)
            if (values[v])
                packed |= circuit->is_listed[c] ? i + 1 : UINT64_C(1) << i;
        cells[c] = !cell->type ? (int32_t)packed : packed ? type_code(cell->type, (uint32_t)packed - 1) : UNDEFINED;
    }
}
