/* Statements. */
#include "smt/machine.h"

static void stmt_assign(struct smt_machine *machine, const struct stmt *stmt)
{
    const struct smt_value *value = smt_expr(machine, stmt->value);
    struct smt_spots spots = smt_place(machine, stmt->place);
    value = smt_storable(machine, value, stmt->place->type, stmt->value->span);
    smt_store(machine, &spots, 0, NULL, 0, value);
}

static void stmt_copy(struct smt_machine *machine, const struct stmt *stmt)
{
    struct smt_spots source = smt_place(machine, stmt->source);
    uint32_t leaves = leaf_count_of(stmt->place->type);
    term variables[SMT_MOST_DIMENSIONS];
    if (!source.count || machine->is_refused)
        return;
    /* All is read before the target is looked at, or anything written: the two may overlap. */
    const struct smt_value **values = ARENA_ARRAY(machine->terms->arena, const struct smt_value *, leaves);
    term(*opened)[SMT_MOST_DIMENSIONS] = arena_alloc(machine->terms->arena, leaves * sizeof(term[SMT_MOST_DIMENSIONS]));
    uint32_t *counts = ARENA_ARRAY(machine->terms->arena, uint32_t, leaves);
    for (uint32_t l = 0; l < leaves && !machine->is_refused; l++) {
        counts[l] = spot_open(machine, &source.items[0], l, variables);
        for (uint32_t i = 0; i < counts[l]; i++)
            opened[l][i] = variables[i];
        values[l] = smt_load(machine, &source, l, variables, counts[l]);
    }
    struct smt_spots target = smt_place(machine, stmt->place);
    for (uint32_t l = 0; l < leaves && !machine->is_refused; l++)
        smt_store(machine, &target, l, opened[l], counts[l], values[l]);
}

static void stmt_if(struct smt_machine *machine, const struct stmt *stmt)
{
    term condition = smt_condition(machine, stmt->value);
    smt_push_path(machine, condition);
    smt_block(machine, &stmt->body);
    machine->paths.count--;
    smt_push_path(machine, fol_not(machine->terms, condition));
    smt_block(machine, &stmt->otherwise);
    machine->paths.count--;
}

static void stmt_return(struct smt_machine *machine, const struct stmt *stmt)
{
    const struct variable *result = machine->function ? machine->function->result : NULL;
    if (stmt->source) {
        smt_refuse(machine, stmt->span, "a function that returns an aggregate");
    } else if (stmt->value) {
        const struct smt_value *value = smt_expr(machine, stmt->value);
        if (result) {
            value = smt_storable(machine, value, result->type, stmt->value->span);
            content_write(machine, machine->first[result->address], NULL, NULL, 0, smt_active(machine), value);
        }
    }
    machine->returned = fol_or(machine->terms, machine->returned, smt_active(machine));
}

/* ASSERT, ASSUME, COVER, REQUIRE */
static void stmt_condition(struct smt_machine *machine, const struct stmt *stmt)
{
    struct fol_store *terms = machine->terms;
    term fails = fol_not(terms, smt_condition(machine, stmt->value));
    term here = fol_and(terms, smt_active(machine), fails);
    if (stmt->kind == STMT_ASSERT)
        smt_fault(machine, stmt->property, stmt->span, fails);
    else if (stmt->kind == STMT_ASSUME)
        machine->gone = fol_or(terms, machine->gone, here);
    else if (stmt->kind == STMT_REQUIRE) {
        machine->disabled = fol_or(terms, machine->disabled, here);
        smt_push_path(machine, fol_not(terms, fails)); /* to the end of the rule */
    }
}

static void stmt_put(struct smt_machine *machine, const struct stmt *stmt)
{
    if (stmt->value)
        smt_expr(machine, stmt->value);
    else if (stmt->source)
        smt_place(machine, stmt->source);
}

static void clear_leaves(struct smt_machine *machine, const struct stmt *stmt, const struct smt_spots *spots)
{
    term variables[SMT_MOST_DIMENSIONS];
    uint32_t leaves = leaf_count_of(stmt->place->type);
    for (uint32_t l = 0; spots->count && l < leaves; l++) {
        const struct type *type = machine->leaves.items[spots->items[0].leaf + l].type;
        if (type->blocks[0].owner->kind == TYPE_INDEX)
            smt_refuse(machine, stmt->span, "clear gives a certain element of an index type");
        uint32_t count = spot_open(machine, &spots->items[0], l, variables);
        smt_store(machine, spots, l, variables, count, smt_code(machine, type_code(type, 0)));
    }
}

static void stmt_reset(struct smt_machine *machine, const struct stmt *stmt)
{
    struct smt_spots spots = smt_place(machine, stmt->place);
    if (stmt->kind == STMT_CLEAR)
        clear_leaves(machine, stmt, &spots);
    else
        smt_fill(machine, &spots, stmt->place->type, smt_undefined(machine));
}

static void smt_stmt(struct smt_machine *machine, const struct stmt *stmt)
{
    /* What a function in a quantifier writes is forgotten after it: it must be the function's own. */
    if (machine->quantifiers && stmt->kind != STMT_BIND && stmt->place && place_root(stmt->place)->kind == PLACE_DEREF)
        smt_refuse(machine, stmt->span, "a quantifier over a function that changes its argument");
    switch (stmt->kind) {
    case STMT_ASSIGN:
        stmt_assign(machine, stmt);
        return;
    case STMT_COPY:
        stmt_copy(machine, stmt);
        return;
    case STMT_IF:
        stmt_if(machine, stmt);
        return;
    case STMT_FOR:
        smt_for(machine, stmt);
        return;
    case STMT_CALL:
        smt_call(machine, stmt->value);
        return;
    case STMT_RETURN:
        stmt_return(machine, stmt);
        return;
    case STMT_ASSERT:
    case STMT_ASSUME:
    case STMT_COVER:
    case STMT_REQUIRE:
        stmt_condition(machine, stmt);
        return;
    case STMT_ERROR:
        smt_fault(machine, stmt->property, stmt->span, TERM_TRUE);
        return;
    case STMT_PUT:
        stmt_put(machine, stmt);
        return;
    case STMT_CLEAR:
    case STMT_UNDEFINE:
        stmt_reset(machine, stmt);
        return;
    case STMT_BIND:
        machine->references[stmt->variable->address] = smt_place(machine, stmt->place);
        return;
    case STMT_WHILE:
        smt_refuse(machine, stmt->span, "a while loop");
        return;
    default: /* what is not known is refused */
        smt_refuse(machine, stmt->span, "a change of a multiset");
        return;
    }
}

void smt_block(struct smt_machine *machine, const struct block *block)
{
    for (uint32_t s = 0; s < block->count && !machine->is_refused; s++)
        smt_stmt(machine, block->items[s]);
}
