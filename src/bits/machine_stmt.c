/* Statements. */
#include "bits/machine.h"

static void machine_write(struct machine *machine, const struct spots *spots, uint32_t offset,
                          const struct number *value)
{
    for (size_t i = 0; i < spots->count; i++)
        machine_store(machine, spots->items[i].address + offset, spots->items[i].when, value);
}

void machine_fill(struct machine *machine, const struct spots *spots, const struct type *type, bool is_cleared)
{
    struct spots part = *spots;
    struct calculator *calculator = &machine->calculator;
    part.items = arena_copy(calculator->arena, spots->items, spots->count * sizeof *spots->items);
    switch (type->kind) {
    case TYPE_ARRAY:
        for (uint32_t i = 0; i < type->index->size; i++) {
            machine_fill(machine, &part, type->element, is_cleared);
            spots_shift(&part, type->element->cells);
        }
        return;
    case TYPE_RECORD:
        for (uint32_t f = 0; f < type->field_count; f++) {
            machine_fill(machine, &part, type->fields[f].type, is_cleared);
            spots_shift(&part, type->fields[f].type->cells);
        }
        return;
    case TYPE_MULTISET:
        for (uint32_t s = 0; s < type->capacity; s++) {
            machine_write(machine, &part, 0, number_constant(calculator, 0));
            spots_shift(&part, 1);
            machine_fill(machine, &part, type->element, false);
            spots_shift(&part, type->element->cells);
        }
        return;
    default:
        machine_write(machine, &part, 0,
                      is_cleared ? number_constant(calculator, type_code(type, 0)) : number_undefined(calculator));
        return;
    }
}

static void machine_assign(struct machine *machine, const struct stmt *stmt)
{
    const struct number *value = machine_expr(machine, stmt->value);
    struct spots spots = machine_place(machine, stmt->place);
    machine_check_storable(machine, stmt->value, stmt->place->type, value);
    machine_write(machine, &spots, 0, value);
}

static void machine_copy(struct machine *machine, const struct stmt *stmt)
{
    uint32_t cells = stmt->place->type->cells;
    struct spots source = machine_place(machine, stmt->source);
    const struct number **taken = machine_load_all(machine, &source, cells);
    struct spots spots = machine_place(machine, stmt->place);
    for (uint32_t c = 0; c < cells; c++)
        machine_write(machine, &spots, c, taken[c]);
}

static void machine_if(struct machine *machine, const struct stmt *stmt)
{
    bit holds = machine_condition(machine, stmt->value), before = machine->live;
    machine_keep(machine, holds);
    machine_block(machine, &stmt->body);
    bit after = machine->live;
    machine->live = calculate_and(&machine->calculator, before, bit_not(holds));
    machine_block(machine, &stmt->otherwise);
    machine->live = calculate_or(&machine->calculator, machine->live, after);
}

static void machine_for_body(struct machine *machine, void *data)
{
    machine_block(machine, data);
}

static void machine_for(struct machine *machine, const struct stmt *stmt)
{
    struct block body = stmt->body;
    machine_iterate(machine, &stmt->domain, stmt->variable, stmt->span, machine_for_body, &body, NULL);
}

/* ASSERT, ASSUME, COVER, REQUIRE: what a condition leads to. */
static void machine_demand(struct machine *machine, const struct stmt *stmt)
{
    struct calculator *calculator = &machine->calculator;
    bit holds = machine_condition(machine, stmt->value);
    if (stmt->kind == STMT_COVER) {
        machine_note(machine, &machine->covered, stmt->property, calculate_and(calculator, machine->live, holds));
    } else if (stmt->kind == STMT_ASSERT) {
        machine_fault(machine, stmt->property, bit_not(holds));
    } else {
        bit lost = calculate_and(calculator, machine->live, bit_not(holds));
        if (stmt->kind == STMT_ASSUME)
            machine->discarded = calculate_or(calculator, machine->discarded, lost);
        machine_keep(machine, holds);
    }
}

static void machine_put(struct machine *machine, const struct stmt *stmt)
{
    if (stmt->value)
        machine_expr(machine, stmt->value);
    else if (stmt->source)
        machine_place(machine, stmt->source);
}

/* The reference is set for all states: only what follows in its scope looks at it. */
static void machine_bind(struct machine *machine, const struct stmt *stmt)
{
    struct spots spots = machine_place(machine, stmt->place);
    machine_set(machine, stmt->variable->address, machine_address(machine, &spots));
}

static void machine_reset_place(struct machine *machine, const struct stmt *stmt)
{
    struct spots spots = machine_place(machine, stmt->place);
    machine_fill(machine, &spots, stmt->place->type, stmt->kind == STMT_CLEAR);
}

static void machine_stmt(struct machine *machine, const struct stmt *stmt)
{
    switch (stmt->kind) {
    case STMT_ASSIGN:
        machine_assign(machine, stmt);
        return;
    case STMT_COPY:
        machine_copy(machine, stmt);
        return;
    case STMT_IF:
        machine_if(machine, stmt);
        return;
    case STMT_FOR:
        machine_for(machine, stmt);
        return;
    case STMT_WHILE:
        machine_while(machine, stmt);
        return;
    case STMT_CALL:
        machine_call(machine, stmt->value);
        return;
    case STMT_RETURN:
        machine_return(machine, stmt);
        return;
    case STMT_ASSERT:
    case STMT_ASSUME:
    case STMT_COVER:
    case STMT_REQUIRE:
        machine_demand(machine, stmt);
        return;
    case STMT_ERROR:
        machine_fault(machine, stmt->property, BIT_TRUE);
        return;
    case STMT_PUT:
        machine_put(machine, stmt);
        return;
    case STMT_CLEAR:
    case STMT_UNDEFINE:
        machine_reset_place(machine, stmt);
        return;
    case STMT_BIND:
        machine_bind(machine, stmt);
        return;
    case STMT_MULTISET_ADD:
        machine_multiset_add(machine, stmt);
        return;
    case STMT_MULTISET_REMOVE:
        machine_multiset_remove(machine, stmt);
        return;
    case STMT_MULTISET_REMOVE_IF:
        machine_multiset_remove_if(machine, stmt);
        return;
    default:
        machine_refuse(machine, stmt->span, "the symbolic engine does not know this kind of statement");
    }
}

void machine_block(struct machine *machine, const struct block *block)
{
    for (uint32_t s = 0; s < block->count && machine->live != BIT_FALSE && machine_goes_on(machine); s++)
        machine_stmt(machine, block->items[s]);
}
