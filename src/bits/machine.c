#include "bits/machine.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/watch.h"

enum { MACHINE_POLL = 1 << 8 };

void machine_open(struct machine *machine, const struct layout *layout, const struct algebra *algebra)
{
    const struct system *system = layout->system;
    *machine = (struct machine){.system = system, .layout = layout, .algebra = algebra};
    machine->memory = memory_zeroed((size_t)system->memory_cells + 1, sizeof *machine->memory);
    machine->initial = memory_zeroed((size_t)system->state_cells + 1, sizeof *machine->initial);
    calculator_open(&machine->calculator, algebra);
    machine->live = BIT_TRUE;
}

void machine_close(struct machine *machine)
{
    calculator_close(&machine->calculator);
    VEC_FREE(&machine->faults);
    VEC_FREE(&machine->covered);
    text_free(&machine->refusal);
    free(machine->memory);
    free(machine->initial);
}

void machine_reset(struct machine *machine)
{
    bool failed = machine->calculator.failed;
    memset(machine->memory, 0, machine->system->memory_cells * sizeof *machine->memory);
    memset(machine->initial, 0, machine->system->state_cells * sizeof *machine->initial);
    calculator_close(&machine->calculator);
    calculator_open(&machine->calculator, machine->algebra);
    machine->calculator.failed = failed;
    machine->live = BIT_TRUE;
    machine->returned = machine->discarded = BIT_FALSE;
    machine->function = NULL;
    VEC_CLEAR(&machine->faults);
    VEC_CLEAR(&machine->covered);
}

bool machine_is_ok(const struct machine *machine)
{
    return !machine->is_refused && !machine->calculator.failed && !machine->calculator.is_too_wide;
}

bool machine_goes_on(struct machine *machine)
{
    if (++machine->work % MACHINE_POLL == 0 && watch_is_up())
        machine->calculator.failed = true;
    return machine_is_ok(machine);
}

bool refusal_take(struct refusal *refusal, struct machine *machine, struct span span)
{
    if (machine_is_ok(machine))
        return true;
    refusal->is_refused = machine->is_refused || machine->calculator.is_too_wide;
    refusal->span = machine->is_refused ? machine->refusal_span : span;
    text_append(&refusal->words,
                machine->is_refused ? text_chars(&machine->refusal) : "numbers here are further apart than 62 bits");
    return false;
}

/* The first reason is the reason. Nothing is live any more, so that the rest is over soon. */
void machine_refuse(struct machine *machine, struct span span, const char *format, ...)
{
    machine->live = BIT_FALSE;
    if (machine->is_refused)
        return;
    machine->is_refused = true;
    machine->refusal_span = span;
    va_list arguments;
    va_start(arguments, format);
    text_vformat(&machine->refusal, format, arguments);
    va_end(arguments);
}

void machine_note(struct machine *machine, event_list *list, const struct property *property, bit when)
{
    if (when == BIT_FALSE)
        return;
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].property == property) {
            list->items[i].when = calculate_or(&machine->calculator, list->items[i].when, when);
            return;
        }
    struct machine_event event = {.property = property, .when = when};
    VEC_PUSH(list, event);
}

void machine_fault(struct machine *machine, const struct property *property, bit when)
{
    bit hit = calculate_and(&machine->calculator, machine->live, when);
    if (hit == BIT_FALSE)
        return;
    if (!property)
        property = machine->system->properties.items[SYSTEM_RUNTIME];
    machine_note(machine, &machine->faults, property, hit);
    machine_keep(machine, bit_not(hit));
}

void machine_keep(struct machine *machine, bit condition)
{
    machine->live = calculate_and(&machine->calculator, machine->live, condition);
}

static void machine_cell_bits(struct machine *machine, uint32_t cell, bit *bits)
{
    for (uint32_t b = 0; b < machine->layout->cells[cell].bits; b++) {
        bits[b] = machine->algebra->cell(machine->algebra->data, cell, b);
        machine->calculator.failed |= bits[b] == BIT_NONE;
        bits[b] = bits[b] == BIT_NONE ? BIT_FALSE : bits[b];
    }
}

bit machine_valid(struct machine *machine, uint32_t cell)
{
    const struct cell *about = &machine->layout->cells[cell];
    bit bits[64], most[64];
    if (machine->algebra->has_only_states || !about->type || ((about->type->size + 1) & about->type->size) == 0)
        return BIT_TRUE;
    machine_cell_bits(machine, cell, bits);
    bits_constant(most, about->bits, about->type->size);
    return bit_not(bits_less(&machine->calculator, most, bits, about->bits));
}

/* A union's blocks one after the other: ordinals from `begin` on are codes from block->lo on. */
static const struct number *machine_initial_union(struct machine *machine, const struct type *type,
                                                  const struct number *packed)
{
    struct calculator *calculator = &machine->calculator;
    const struct number *value = NULL;
    int64_t begin = 0;
    for (uint32_t b = 0; b < type->block_count; b++) {
        const struct code_block *block = &type->blocks[b];
        int64_t size = (int64_t)block->hi - block->lo + 1;
        const struct number *shifted =
            number_make(calculator, block->lo - begin - 1, block->hi, packed->undefined, packed->width, packed->bits);
        bit later = bit_not(number_less(calculator, packed, number_constant(calculator, begin + 1)));
        value = value ? number_select(calculator, later, shifted, value) : shifted;
        begin += size;
    }
    return value;
}

/* A cell that is known by its values; NULL: it is not. */
static const struct number *machine_initial_listed(struct machine *machine, uint32_t cell)
{
    const struct algebra *algebra = machine->algebra;
    const struct type *type = machine->layout->cells[cell].type;
    if (!algebra->value || !type || type->size > NUMBER_LISTED || algebra->value(algebra->data, cell, 0) == BIT_NONE)
        return NULL;
    struct number_case cases[NUMBER_LISTED];
    bit defined = BIT_FALSE;
    for (uint32_t o = 0; o < type->size; o++) {
        cases[o] = (struct number_case){type_code(type, o), algebra->value(algebra->data, cell, o)};
        defined = calculate_or(&machine->calculator, defined, cases[o].when);
    }
    return number_from_all_cases(&machine->calculator, cases, type->size, bit_not(defined));
}

static const struct number *machine_make_initial(struct machine *machine, uint32_t cell)
{
    const struct cell *about = &machine->layout->cells[cell];
    const struct number *listed = machine_initial_listed(machine, cell);
    bit bits[64];
    if (listed)
        return listed;
    machine_cell_bits(machine, cell, bits);
    if (!about->type)
        return number_make(&machine->calculator, 0, 1, BIT_FALSE, about->bits, bits);
    bit undefined = bits_are(&machine->calculator, bits, about->bits, 0);
    if (about->type->block_count == 1) {
        const struct code_block *block = about->type->blocks;
        return number_make(&machine->calculator, (int64_t)block->lo - 1, block->hi, undefined, about->bits, bits);
    }
    const struct number *packed = number_make(&machine->calculator, 0, about->type->size, undefined, about->bits, bits);
    return machine_initial_union(machine, about->type, packed);
}

const struct number *machine_initial(struct machine *machine, uint32_t cell)
{
    if (!machine->initial[cell])
        machine->initial[cell] = machine_make_initial(machine, cell);
    return machine->initial[cell];
}

void machine_pack(struct machine *machine, uint32_t cell, const struct number *value, bit *bits)
{
    struct calculator *calculator = &machine->calculator;
    const struct cell *about = &machine->layout->cells[cell];
    if (!about->type) {
        number_bits(calculator, value, 0, about->bits, bits);
        return;
    }
    int64_t begin = 0;
    for (uint32_t b = 0; b < about->type->block_count; b++) {
        const struct code_block *block = &about->type->blocks[b];
        bit packed[64];
        number_bits(calculator, value, block->lo - begin - 1, about->bits, packed);
        bit here = b ? number_within(calculator, value, block->lo, block->hi) : BIT_TRUE;
        for (uint32_t i = 0; i < about->bits; i++)
            bits[i] = b ? calculate_ite(calculator, here, packed[i], bits[i]) : packed[i];
        begin += (int64_t)block->hi - block->lo + 1;
    }
    for (uint32_t i = 0; i < about->bits; i++)
        bits[i] = calculate_and(calculator, bits[i], bit_not(value->undefined));
}

/* The states with codes that are no values do not exist: they are dropped when such a cell is looked at, so that they
 * cause no endless loops and a relation mentions no more cells than it reads. */
const struct number *machine_cell(struct machine *machine, uint32_t address)
{
    const struct number *number = machine->memory[address];
    if (address < machine->system->state_cells)
        machine_keep(machine, machine_valid(machine, address));
    if (number)
        return number_restrict(&machine->calculator, number, machine->live);
    return address < machine->system->state_cells ? machine_initial(machine, address)
                                                  : number_undefined(&machine->calculator);
}

void machine_store(struct machine *machine, uint32_t address, bit when, const struct number *value)
{
    struct calculator *calculator = &machine->calculator;
    bit condition = calculate_and(calculator, machine->live, when);
    const struct number *old = machine->memory[address];
    if (condition == BIT_FALSE)
        return;
    if (!old && condition != BIT_TRUE)
        old = address < machine->system->state_cells ? machine_initial(machine, address) : number_undefined(calculator);
    machine->memory[address] = old ? number_select(calculator, condition, value, old) : value;
}

void machine_set(struct machine *machine, uint32_t address, const struct number *value)
{
    machine->memory[address] = value;
}

bit machine_has(struct machine *machine, const struct type *type, const struct number *value)
{
    bit has = BIT_FALSE;
    for (uint32_t b = 0; b < type->block_count && has != BIT_TRUE; b++)
        has = calculate_or(&machine->calculator, has,
                           number_within(&machine->calculator, value, type->blocks[b].lo, type->blocks[b].hi));
    return calculate_and(&machine->calculator, has, bit_not(value->undefined));
}

bit machine_truth(struct machine *machine, const struct number *value)
{
    if (value->high <= 1)
        return number_is(&machine->calculator, value, 1);
    return bit_not(number_is(&machine->calculator, value, 0));
}

void machine_fire(struct machine *machine, const struct rule *rule, const int32_t *parameters)
{
    for (uint32_t p = 0; p < rule->parameter_count; p++)
        machine_set(machine, rule->parameters[p].variable->address,
                    number_constant(&machine->calculator, parameters[p]));
    machine_block(machine, &rule->prelude);
    if (rule->guard)
        machine_keep(machine, machine_condition(machine, rule->guard));
    machine_block(machine, &rule->body);
    machine->live = calculate_or(&machine->calculator, machine->live, machine->returned);
    machine_normalise(machine);
}

bit machine_formula(struct machine *machine, const struct expr *formula, bool when_discarded)
{
    bit holds = machine_condition(machine, formula);
    holds = calculate_and(&machine->calculator, holds, machine->live);
    return when_discarded ? calculate_or(&machine->calculator, holds, machine->discarded) : holds;
}
