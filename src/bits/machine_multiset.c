/* Multisets: slots are looked at one by one, each for the states in which it is taken. */
#include <stdlib.h>

#include "bits/machine.h"

/* Runs `body` with the variable set to each slot of the multiset, for the states in which the slot is taken. */
static void machine_each_taken(struct machine *machine, const struct spots *multiset, const struct type *type,
                               const struct variable *variable,
                               void (*body)(struct machine *machine, uint32_t slot, void *data), void *data)
{
    struct calculator *calculator = &machine->calculator;
    for (uint32_t s = 0; s < type->capacity && machine->live != BIT_FALSE; s++) {
        bit taken = machine_truth(machine, machine_load(machine, multiset, s * multiset_stride(type)));
        bit others = calculate_and(calculator, machine->live, bit_not(taken));
        machine_keep(machine, taken);
        if (!type_has(variable->type, s))
            machine_fault(machine, NULL, BIT_TRUE);
        if (machine->live != BIT_FALSE) {
            machine_set(machine, variable->address, number_constant(calculator, s));
            body(machine, s, data);
        }
        machine->live = calculate_or(calculator, machine->live, others);
    }
}

struct machine_counted {
    const struct expr *predicate;
    const struct number *count;
};

static void machine_count_slot(struct machine *machine, uint32_t slot, void *data)
{
    struct machine_counted *counted = data;
    struct calculator *calculator = &machine->calculator;
    bit holds = calculate_and(calculator, machine_condition(machine, counted->predicate), machine->live);
    (void)slot;
    counted->count = number_add(calculator, counted->count, number_boolean(calculator, holds));
}

const struct number *machine_count(struct machine *machine, const struct expr *expr)
{
    struct spots spots = machine_place(machine, expr->place);
    struct machine_counted counted = {expr->left, number_constant(&machine->calculator, 0)};
    machine_each_taken(machine, &spots, expr->place->type, expr->variable, machine_count_slot, &counted);
    return counted.count;
}

/* The first free slot of each multiset it may be. */
static void machine_insert(struct machine *machine, const struct machine_spot *spot, const struct type *type,
                           const struct number *const *cells)
{
    struct calculator *calculator = &machine->calculator;
    bit searching = spot->when;
    for (uint32_t s = 0; s < type->capacity && searching != BIT_FALSE; s++) {
        uint32_t slot = spot->address + s * multiset_stride(type);
        bit taken = machine_truth(machine, machine_cell(machine, slot));
        bit here = calculate_and(calculator, searching, bit_not(taken));
        searching = calculate_and(calculator, searching, taken);
        machine_store(machine, slot, here, number_constant(calculator, 1));
        for (uint32_t c = 0; c < type->element->cells; c++)
            machine_store(machine, slot + 1 + c, here, cells[c]);
    }
}

static void machine_check_room(struct machine *machine, const struct spots *spots, const struct type *type)
{
    struct calculator *calculator = &machine->calculator;
    bit full = machine->live;
    for (uint32_t s = 0; s < type->capacity && full != BIT_FALSE; s++)
        full = calculate_and(calculator, full,
                             machine_truth(machine, machine_load(machine, spots, s * multiset_stride(type))));
    machine_fault(machine, NULL, full);
}

void machine_multiset_add(struct machine *machine, const struct stmt *stmt)
{
    const struct type *type = stmt->place->type;
    const struct number *scalar = NULL, *const *cells = &scalar;
    if (stmt->value) {
        scalar = machine_expr(machine, stmt->value);
    } else {
        struct spots source = machine_place(machine, stmt->source);
        cells = machine_load_all(machine, &source, type->element->cells);
    }
    struct spots spots = machine_place(machine, stmt->place);
    machine_check_room(machine, &spots, type);
    if (stmt->value)
        machine_check_storable(machine, stmt->value, type->element, scalar);
    for (size_t i = 0; i < spots.count; i++)
        machine_insert(machine, &spots.items[i], type, cells);
}

static void machine_free_slot(struct machine *machine, const struct spots *slot, const struct type *multiset)
{
    struct spots element = *slot;
    for (size_t i = 0; i < slot->count; i++)
        machine_store(machine, slot->items[i].address, slot->items[i].when, number_constant(&machine->calculator, 0));
    element.items = arena_copy(machine->calculator.arena, slot->items, slot->count * sizeof *slot->items);
    spots_shift(&element, 1);
    machine_fill(machine, &element, multiset->element, false);
}

void machine_multiset_remove(struct machine *machine, const struct stmt *stmt)
{
    struct calculator *calculator = &machine->calculator;
    const struct type *type = stmt->place->type;
    const struct number *number = machine_expr(machine, stmt->value);
    struct spots spots = machine_place(machine, stmt->place);
    machine_fault(machine, NULL, bit_not(number_within(calculator, number, 0, (int64_t)type->capacity - 1)));
    number_cases cases = {0};
    bit live = machine->live, after = BIT_FALSE;
    if (machine_list(machine, number, stmt->value->span, &cases))
        for (size_t i = 0; i < cases.count; i++) {
            struct spots slot = spots;
            if (cases.items[i].value < 0 || cases.items[i].value >= type->capacity)
                continue; /* in no live state */
            slot.items = arena_copy(calculator->arena, spots.items, spots.count * sizeof *spots.items);
            spots_shift(&slot, (uint32_t)cases.items[i].value * multiset_stride(type));
            machine->live = calculate_and(calculator, live, cases.items[i].when);
            machine_fault(machine, NULL, bit_not(machine_truth(machine, machine_load(machine, &slot, 0))));
            machine_free_slot(machine, &slot, type);
            after = calculate_or(calculator, after, machine->live);
        }
    machine->live = after;
    VEC_FREE(&cases);
}

struct doomed {
    const struct expr *predicate;
    bit *slots; /* for which states the slot is to be freed */
};

static void machine_doom_slot(struct machine *machine, uint32_t slot, void *data)
{
    struct doomed *doomed = data;
    bit holds = machine_condition(machine, doomed->predicate);
    doomed->slots[slot] = calculate_and(&machine->calculator, holds, machine->live);
}

void machine_multiset_remove_if(struct machine *machine, const struct stmt *stmt)
{
    struct calculator *calculator = &machine->calculator;
    const struct type *type = stmt->place->type;
    struct spots spots = machine_place(machine, stmt->place);
    struct doomed doomed = {stmt->value, ARENA_ARRAY(calculator->arena, bit, type->capacity)};
    machine_each_taken(machine, &spots, type, stmt->variable, machine_doom_slot, &doomed);
    for (uint32_t s = 0; s < type->capacity; s++) {
        struct spots slot = {arena_copy(calculator->arena, spots.items, spots.count * sizeof *spots.items),
                             spots.count};
        spots_shift(&slot, s * multiset_stride(type));
        for (size_t i = 0; i < slot.count; i++)
            slot.items[i].when = calculate_and(calculator, slot.items[i].when, doomed.slots[s]);
        machine_free_slot(machine, &slot, type);
    }
}

/* For which states does the slot at b come before the one at a? Taken ones first, then by codes, undefined first. */
bit machine_slot_is_before(struct machine *machine, uint32_t b, uint32_t a, uint32_t stride)
{
    struct calculator *calculator = &machine->calculator;
    bit before = BIT_FALSE;
    for (uint32_t c = stride; c-- > 0;) {
        const struct number *x = machine_cell(machine, b + c), *y = machine_cell(machine, a + c);
        bit less = c ? number_less(calculator, x, y) : number_less(calculator, y, x);
        bit equal = number_equal(calculator, x, y);
        bit neither = bit_not(calculate_or(calculator, x->undefined, y->undefined));
        less = calculate_ite(calculator, neither, less, calculate_and(calculator, x->undefined, bit_not(y->undefined)));
        equal = calculate_ite(calculator, neither, equal, calculate_and(calculator, x->undefined, y->undefined));
        before = calculate_or(calculator, less, calculate_and(calculator, equal, before));
    }
    return before;
}

static void machine_exchange(struct machine *machine, uint32_t a, uint32_t b, uint32_t stride, bit when)
{
    for (uint32_t c = 0; c < stride; c++) {
        const struct number *x = machine_cell(machine, a + c), *y = machine_cell(machine, b + c);
        machine_store(machine, a + c, when, y);
        machine_store(machine, b + c, when, x);
    }
}

/* Bubbles: the least of the rest goes to the front. */
static void machine_sort_slots(struct machine *machine, const struct multiset_site *site)
{
    uint32_t stride = multiset_stride(site->type);
    for (uint32_t first = 0; first + 1 < site->type->capacity; first++)
        for (uint32_t s = site->type->capacity - 1; s > first; s--) {
            uint32_t b = site->address + s * stride, a = b - stride;
            bit wrong = machine_slot_is_before(machine, b, a, stride);
            wrong = calculate_and(&machine->calculator, wrong, machine->live);
            if (wrong != BIT_FALSE)
                machine_exchange(machine, a, b, stride, wrong);
        }
}

/* The states begin with their multisets in order: what happens to others does not matter. */
static void machine_assume_order(struct machine *machine, const struct multiset_site *site)
{
    uint32_t stride = multiset_stride(site->type);
    const struct number **kept = machine->memory;
    machine->memory = memory_zeroed((size_t)machine->system->memory_cells + 1, sizeof *kept);
    for (uint32_t s = 1; s < site->type->capacity; s++) {
        uint32_t slot = site->address + s * stride;
        machine_keep(machine, bit_not(machine_slot_is_before(machine, slot, slot - stride, stride)));
    }
    free(machine->memory);
    machine->memory = kept;
}

static bool machine_is_touched(const struct machine *machine, const struct multiset_site *site)
{
    for (uint32_t c = 0; c < site->type->cells; c++)
        if (machine->memory[site->address + c])
            return true;
    return false;
}

void machine_normalise(struct machine *machine)
{
    for (uint32_t i = 0; i < machine->layout->multiset_count; i++)
        if (!machine->algebra->has_only_states && machine_is_touched(machine, &machine->layout->multisets[i]))
            machine_assume_order(machine, &machine->layout->multisets[i]);
    for (uint32_t i = 0; i < machine->layout->multiset_count; i++)
        if (machine_is_touched(machine, &machine->layout->multisets[i]))
            machine_sort_slots(machine, &machine->layout->multisets[i]);
}
