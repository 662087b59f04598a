/* Places: an index that is not the same for all states makes a list of spots, each with the states it is meant for. */
#include <stdlib.h>

#include "bits/machine.h"

static struct spots spots_one(struct machine *machine, uint32_t address)
{
    struct spots spots = {ARENA_NEW(machine->calculator.arena, struct machine_spot), 1};
    spots.items[0] = (struct machine_spot){address, BIT_TRUE};
    return spots;
}

void spots_shift(struct spots *spots, uint32_t offset)
{
    for (size_t i = 0; i < spots->count; i++)
        spots->items[i].address += offset;
}

/* Every spot combined with every value of the index, `stride` cells apart. */
static struct spots spots_multiply(struct machine *machine, const struct spots *base, const number_cases *cases,
                                   const struct type *index, uint32_t stride, int64_t limit)
{
    size_t room = base->count * cases->count;
    struct spots spots = {ARENA_ARRAY(machine->calculator.arena, struct machine_spot, room ? room : 1), 0};
    for (size_t b = 0; b < base->count; b++)
        for (size_t c = 0; c < cases->count; c++) {
            bit when = base->count == 1
                           ? cases->items[c].when
                           : calculate_and(&machine->calculator, base->items[b].when, cases->items[c].when);
            int64_t value = cases->items[c].value, ordinal = index ? type_ordinal(index, value) : value;
            if (when != BIT_FALSE && ordinal >= 0 && ordinal < limit) /* no live state has another */
                spots.items[spots.count++] =
                    (struct machine_spot){base->items[b].address + (uint32_t)ordinal * stride, when};
        }
    return spots;
}

/* base[index], the index checked by the caller: what is live has a good one. */
static struct spots machine_indexed(struct machine *machine, const struct spots *base, const struct number *index,
                                    const struct expr *expr, const struct type *type, uint32_t stride, int64_t limit)
{
    number_cases cases = {0};
    struct spots spots = {0};
    if (machine_list(machine, index, expr->span, &cases))
        spots = spots_multiply(machine, base, &cases, type, stride, limit);
    if (cases.count == 1 && spots.count == 1)
        spots.items[0].when = BIT_TRUE; /* wherever anybody looks */
    VEC_FREE(&cases);
    return spots;
}

static struct spots machine_element(struct machine *machine, const struct place *place)
{
    struct spots base = machine_place(machine, place->base);
    const struct type *index_type = place->base->type->index;
    const struct number *index = machine_expr(machine, place->index);
    machine_fault(machine, NULL, bit_not(machine_has(machine, index_type, index)));
    return machine_indexed(machine, &base, index, place->index, index_type, place->type->cells, index_type->size);
}

struct spots machine_slot(struct machine *machine, const struct place *multiset, const struct expr *slot)
{
    struct spots base = machine_place(machine, multiset);
    const struct number *number = machine_expr(machine, slot);
    bit exists = number_within(&machine->calculator, number, 0, (int64_t)multiset->type->capacity - 1);
    machine_fault(machine, NULL, bit_not(exists));
    return machine_indexed(machine, &base, number, slot, NULL, multiset_stride(multiset->type),
                           multiset->type->capacity);
}

static struct spots machine_slot_element(struct machine *machine, const struct place *place)
{
    struct spots spots = machine_slot(machine, place->base, place->index);
    const struct number *taken = machine_load(machine, &spots, 0);
    machine_fault(machine, NULL, bit_not(machine_truth(machine, taken)));
    spots_shift(&spots, 1);
    return spots;
}

static struct spots machine_deref(struct machine *machine, const struct place *place)
{
    number_cases cases = {0};
    struct spots none = {0}, zero = spots_one(machine, 0);
    const struct number *address = machine_cell(machine, place->variable->address);
    int64_t constant;
    if (number_is_constant(address, &constant))
        return spots_one(machine, (uint32_t)constant);
    if (machine_list(machine, address, place->span, &cases))
        none = spots_multiply(machine, &zero, &cases, NULL, 1, machine->system->memory_cells);
    VEC_FREE(&cases);
    return none;
}

struct spots machine_place(struct machine *machine, const struct place *place)
{
    struct spots spots;
    switch (place->kind) {
    case PLACE_VARIABLE:
        return spots_one(machine, place->variable->address);
    case PLACE_DEREF:
        return machine_deref(machine, place);
    case PLACE_ELEMENT:
        return machine_element(machine, place);
    case PLACE_FIELD:
        spots = machine_place(machine, place->base);
        spots_shift(&spots, place->field->offset);
        return spots;
    case PLACE_SLOT:
        return machine_slot_element(machine, place);
    case PLACE_CALL:
        machine_call(machine, place->call);
        return spots_one(machine, place->call->function->result->address);
    }
    UNREACHABLE("place kind");
}

const struct number *machine_load(struct machine *machine, const struct spots *spots, uint32_t offset)
{
    const struct number *value = NULL;
    bit before = machine->live, kept = BIT_FALSE;
    for (size_t i = 0; i < spots->count; i++) {
        /* Only for the states that look there must the cell make sense. */
        machine->live = calculate_and(&machine->calculator, before, spots->items[i].when);
        if (machine->live == BIT_FALSE)
            continue;
        const struct number *here = machine_cell(machine, spots->items[i].address + offset);
        value = value ? number_select(&machine->calculator, spots->items[i].when, here, value) : here;
        kept = calculate_or(&machine->calculator, kept, machine->live);
    }
    machine->live = kept;
    return value ? value : number_constant(&machine->calculator, 0);
}

const struct number **machine_load_all(struct machine *machine, const struct spots *spots, uint32_t cells)
{
    const struct number **values = ARENA_ARRAY(machine->calculator.arena, const struct number *, cells + 1);
    for (uint32_t c = 0; c < cells; c++)
        values[c] = machine_load(machine, spots, c);
    return values;
}

const struct number *machine_address(struct machine *machine, const struct spots *spots)
{
    struct number_case *cases = ARENA_ARRAY(machine->calculator.arena, struct number_case, spots->count + 1);
    for (size_t i = 0; i < spots->count; i++)
        cases[i] = (struct number_case){spots->items[i].address, spots->items[i].when};
    return number_from_cases(&machine->calculator, cases, spots->count);
}
