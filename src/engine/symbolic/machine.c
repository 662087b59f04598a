#include "engine/symbolic/machine.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void machine_open(struct machine *machine, struct encoding *encoding)
{
    const struct system *system = encoding->layout->system;
    *machine = (struct machine){.system = system, .layout = encoding->layout, .encoding = encoding};
    machine->memory = memory_zeroed((size_t)system->memory_cells + 1, sizeof *machine->memory);
    machine->initial = memory_zeroed((size_t)system->state_cells + 1, sizeof *machine->initial);
    calculator_open(&machine->calculator, encoding->m);
    machine->live = DD_TRUE;
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
    calculator_open(&machine->calculator, machine->encoding->m);
    machine->calculator.failed = failed;
    machine->live = DD_TRUE;
    machine->returned = machine->discarded = DD_FALSE;
    machine->function = NULL;
    VEC_CLEAR(&machine->faults);
    VEC_CLEAR(&machine->covered);
}

bool machine_is_ok(const struct machine *machine)
{
    return !machine->is_refused && !machine->calculator.failed && !machine->calculator.is_too_wide;
}

/* The first reason is the reason. Nothing is live any more, so that the rest is over soon. */
void machine_refuse(struct machine *machine, struct span span, const char *format, ...)
{
    machine->live = DD_FALSE;
    if (machine->is_refused)
        return;
    machine->is_refused = true;
    machine->refusal_span = span;
    va_list arguments;
    va_start(arguments, format);
    text_vformat(&machine->refusal, format, arguments);
    va_end(arguments);
}

void machine_note(struct machine *machine, event_list *list, const struct property *property, dd when)
{
    if (when == DD_FALSE)
        return;
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].property == property) {
            list->items[i].when = calculate_or(&machine->calculator, list->items[i].when, when);
            return;
        }
    struct machine_event event = {.property = property, .when = when};
    VEC_PUSH(list, event);
}

void machine_fault(struct machine *machine, const struct property *property, dd when)
{
    dd hit = calculate_and(&machine->calculator, machine->live, when);
    if (hit == DD_FALSE)
        return;
    if (!property)
        property = machine->system->properties.items[SYSTEM_RUNTIME];
    machine_note(machine, &machine->faults, property, hit);
    machine_keep(machine, dd_not(hit));
}

void machine_keep(struct machine *machine, dd condition)
{
    machine->live = calculate_and(&machine->calculator, machine->live, condition);
}

dd machine_valid(struct machine *machine, uint32_t cell)
{
    const struct cell *about = &machine->layout->cells[cell];
    dd bits[64], most[64];
    if (!about->type || ((about->type->size + 1) & about->type->size) == 0)
        return DD_TRUE;
    for (uint32_t b = 0; b < about->bits; b++)
        bits[b] = dd_variable(machine->encoding->m, encoding_variable(machine->encoding, cell, b));
    dd_bits_constant(most, about->bits, about->type->size);
    dd valid = dd_bits_less_equal(machine->encoding->m, bits, most, about->bits);
    if (valid == DD_NONE)
        machine->calculator.failed = true;
    return valid == DD_NONE ? DD_FALSE : valid;
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
        dd later = dd_not(number_less(calculator, packed, number_constant(calculator, begin + 1)));
        value = value ? number_select(calculator, later, shifted, value) : shifted;
        begin += size;
    }
    return value;
}

static const struct number *machine_make_initial(struct machine *machine, uint32_t cell)
{
    struct encoding *encoding = machine->encoding;
    const struct cell *about = &machine->layout->cells[cell];
    dd bits[64];
    for (uint32_t b = 0; b < about->bits; b++)
        bits[b] = dd_variable(encoding->m, encoding_variable(encoding, cell, b));
    if (!about->type)
        return number_make(&machine->calculator, 0, 1, DD_FALSE, about->bits, bits);
    dd undefined = dd_bits_is(encoding->m, bits, about->bits, 0);
    if (undefined == DD_NONE) {
        machine->calculator.failed = true;
        undefined = DD_FALSE;
    }
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

void machine_pack(struct machine *machine, uint32_t cell, const struct number *value, dd *bits)
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
        dd packed[64];
        number_bits(calculator, value, block->lo - begin - 1, about->bits, packed);
        dd here = b ? number_within(calculator, value, block->lo, block->hi) : DD_TRUE;
        for (uint32_t i = 0; i < about->bits; i++)
            bits[i] = b ? calculate_ite(calculator, here, packed[i], bits[i]) : packed[i];
        begin += (int64_t)block->hi - block->lo + 1;
    }
    for (uint32_t i = 0; i < about->bits; i++)
        bits[i] = calculate_and(calculator, bits[i], dd_not(value->undefined));
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

void machine_store(struct machine *machine, uint32_t address, dd when, const struct number *value)
{
    struct calculator *calculator = &machine->calculator;
    dd condition = calculate_and(calculator, machine->live, when);
    const struct number *old = machine->memory[address];
    if (condition == DD_FALSE)
        return;
    if (!old && condition != DD_TRUE)
        old = address < machine->system->state_cells ? machine_initial(machine, address) : number_undefined(calculator);
    machine->memory[address] = old ? number_select(calculator, condition, value, old) : value;
}

void machine_set(struct machine *machine, uint32_t address, const struct number *value)
{
    machine->memory[address] = value;
}

dd machine_has(struct machine *machine, const struct type *type, const struct number *value)
{
    dd has = DD_FALSE;
    for (uint32_t b = 0; b < type->block_count && has != DD_TRUE; b++)
        has = calculate_or(&machine->calculator, has,
                           number_within(&machine->calculator, value, type->blocks[b].lo, type->blocks[b].hi));
    return calculate_and(&machine->calculator, has, dd_not(value->undefined));
}

dd machine_truth(struct machine *machine, const struct number *value)
{
    if (value->high <= 1)
        return number_is(&machine->calculator, value, 1);
    return dd_not(number_is(&machine->calculator, value, 0));
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

dd machine_formula(struct machine *machine, const struct expr *formula, bool when_discarded)
{
    dd holds = machine_condition(machine, formula);
    holds = calculate_and(&machine->calculator, holds, machine->live);
    return when_discarded ? calculate_or(&machine->calculator, holds, machine->discarded) : holds;
}
