/* Statements, calls and loops. */
#include <stdlib.h>
#include <string.h>

#include "exec/evaluate_symbolic.h"

enum { MOST_ROUNDS = 1000 }; /* of a while */

void symbolic_go_on(struct symbolic *symbolic, diagram before)
{
    struct diagrams *diagrams = symbolic->diagrams;
    diagram gone = diagram_or(diagrams, symbolic->returned, symbolic->dropped);
    symbolic->active =
        diagram_and(diagrams, before, diagram_not(diagrams, diagram_or(diagrams, gone, symbolic->disabled)));
}

static bool is_never(const struct diagrams *diagrams, diagram d)
{
    int64_t number;
    return diagram_is_leaf(diagrams, d, &number) && !number;
}

void symbolic_loop_begin(struct symbolic *symbolic, const struct domain *domain, struct span span,
                         struct symbolic_range *loop)
{
    struct diagrams *diagrams = symbolic->diagrams;
    size_t count;
    *loop = (struct symbolic_range){.type = domain->from ? NULL : domain->type, .by = 1};
    if (loop->type)
        return;
    loop->from = symbolic_expr(symbolic, domain->from);
    loop->to = symbolic_expr(symbolic, domain->to);
    diagram by = domain->by ? symbolic_expr(symbolic, domain->by) : diagram_leaf(diagrams, 1);
    if (!diagram_is_leaf(diagrams, by, &loop->by) || !loop->by ||
        (loop->by != 1 && !diagram_is_leaf(diagrams, loop->from, &loop->next)))
        symbolic_refuse(symbolic, span, "the steps of a loop depend on the state");
    const int64_t *leaves = diagram_leaves(diagrams, loop->from, &count);
    loop->next = leaves[0];
    leaves = diagram_leaves(diagrams, loop->to, &count);
    loop->last = loop->by > 0 ? leaves[count - 1] : leaves[0];
    /* A bound that is not defined fails, and has no iterations. */
    loop->next = loop->next < -SYSTEM_LOOP_LIMIT ? -SYSTEM_LOOP_LIMIT : loop->next;
    if (loop->last - loop->next > SYSTEM_LOOP_LIMIT)
        symbolic_refuse(symbolic, span, "a loop is too long");
}

bool symbolic_loop_next(struct symbolic *symbolic, struct symbolic_range *loop, const struct variable *variable)
{
    struct diagrams *diagrams = symbolic->diagrams;
    if (symbolic->refusal || diagrams->is_full)
        return false;
    if (loop->type) {
        if (loop->next >= loop->type->size)
            return false;
        symbolic->memory[variable->address] = diagram_leaf(diagrams, type_code(loop->type, (uint32_t)loop->next++));
        return true;
    }
    if (loop->by > 0 ? loop->next > loop->last : loop->next < loop->last)
        return false;
    diagram value = diagram_leaf(diagrams, loop->next), inside = symbolic->active;
    bool is_up = loop->by > 0;
    diagram after = diagram_apply(diagrams, is_up ? OP_LE : OP_GE, loop->from, value);
    diagram before = diagram_apply(diagrams, is_up ? OP_LE : OP_GE, value, loop->to);
    symbolic->active = diagram_and(diagrams, inside, diagram_and(diagrams, after, before));
    if (!type_has(variable->type, loop->next))
        symbolic_fail_where(symbolic, diagram_leaf(diagrams, 1));
    symbolic->memory[variable->address] = value;
    loop->next += loop->by;
    return true;
}

/* All arguments first: each is an address, a value or the cells of an aggregate. */
static void pass_arguments(struct symbolic *symbolic, const struct expr *call)
{
    const struct function *function = call->function;
    diagram **taken = memory_zeroed((size_t)function->parameter_count + 1, sizeof *taken);
    for (uint32_t p = 0; p < function->parameter_count; p++) {
        const struct variable *parameter = function->parameters[p];
        const struct argument *argument = &call->arguments[p];
        if (!parameter->is_reference && !type_is_scalar(parameter->type)) {
            taken[p] = symbolic_aggregate(symbolic, argument->place);
            continue;
        }
        diagram value = parameter->is_reference ? symbolic_place(symbolic, argument->place)
                                                : symbolic_storable(symbolic, argument->value, parameter->type);
        taken[p] = memory_alloc(sizeof **taken);
        *taken[p] = value;
    }
    for (uint32_t p = 0; p < function->parameter_count; p++) {
        const struct variable *parameter = function->parameters[p];
        uint32_t cells = parameter->is_reference ? 1 : parameter->type->cells;
        memcpy(symbolic->memory + parameter->address, taken[p], cells * sizeof **taken);
        free(taken[p]);
    }
    free(taken);
}

diagram symbolic_call(struct symbolic *symbolic, const struct expr *call)
{
    const struct function *caller = symbolic->function, *function = call->function;
    struct diagrams *diagrams = symbolic->diagrams;
    diagram none = diagram_leaf(diagrams, 0);
    if (symbolic->refusal)
        return none;
    pass_arguments(symbolic, call);
    diagram returned = symbolic->returned, before = symbolic->active;
    symbolic->returned = none;
    symbolic->function = function;
    symbolic_block(symbolic, &function->body);
    if (function->result)
        symbolic_fail_where(symbolic, symbolic->active);
    symbolic->function = caller;
    symbolic->returned = returned;
    symbolic_go_on(symbolic, before);
    return function->result ? symbolic->memory[function->result->address] : none;
}

static void if_stmt(struct symbolic *symbolic, const struct stmt *stmt)
{
    struct diagrams *diagrams = symbolic->diagrams;
    diagram condition = symbolic_expr(symbolic, stmt->value), before = symbolic->active;
    symbolic->active = diagram_and(diagrams, before, condition);
    symbolic_block(symbolic, &stmt->body);
    symbolic->active = diagram_and(diagrams, before, diagram_not(diagrams, condition));
    symbolic_block(symbolic, &stmt->otherwise);
    symbolic_go_on(symbolic, before);
}

static void for_stmt(struct symbolic *symbolic, const struct stmt *stmt)
{
    struct symbolic_range loop;
    diagram before = symbolic->active;
    symbolic_loop_begin(symbolic, &stmt->domain, stmt->span, &loop);
    while (symbolic_loop_next(symbolic, &loop, stmt->variable)) {
        symbolic_block(symbolic, &stmt->body);
        symbolic_go_on(symbolic, before);
    }
}

static void while_stmt(struct symbolic *symbolic, const struct stmt *stmt)
{
    struct diagrams *diagrams = symbolic->diagrams;
    diagram before = symbolic->active;
    for (uint32_t round = 0; !is_never(diagrams, symbolic->active) && !symbolic->refusal && !diagrams->is_full;
         round++) {
        diagram holds = symbolic_expr(symbolic, stmt->value);
        symbolic->active = diagram_and(diagrams, symbolic->active, holds);
        if (round == MOST_ROUNDS)
            symbolic_refuse(symbolic, stmt->span, "a while takes too many rounds");
        symbolic_block(symbolic, &stmt->body);
    }
    symbolic_go_on(symbolic, before);
}

static void store_all(struct symbolic *symbolic, diagram address, const diagram *cells, uint32_t count)
{
    for (uint32_t c = 0; c < count; c++)
        symbolic_store(symbolic, address, c, cells[c]);
}

static void copy_stmt(struct symbolic *symbolic, const struct place *source, const struct place *place,
                      const struct variable *variable)
{
    diagram *cells = symbolic_aggregate(symbolic, source);
    diagram address = place ? symbolic_place(symbolic, place) : diagram_leaf(symbolic->diagrams, variable->address);
    store_all(symbolic, address, cells, source->type->cells);
    free(cells);
}

static void return_stmt(struct symbolic *symbolic, const struct stmt *stmt)
{
    const struct variable *result = symbolic->function ? symbolic->function->result : NULL;
    struct diagrams *diagrams = symbolic->diagrams;
    if (stmt->source)
        copy_stmt(symbolic, stmt->source, NULL, result);
    else if (stmt->value) {
        diagram value = symbolic_expr(symbolic, stmt->value);
        symbolic_fail_where(symbolic,
                            diagram_apply(diagrams, DIAGRAM_OUTSIDE, value, diagram_leaf(diagrams, result->type->id)));
        symbolic_store(symbolic, diagram_leaf(diagrams, result->address), 0, value);
    }
    symbolic->returned = diagram_or(diagrams, symbolic->returned, symbolic->active);
    symbolic->active = diagram_leaf(diagrams, 0);
}

/* ASSERT, ASSUME, COVER, REQUIRE */
static void condition_stmt(struct symbolic *symbolic, const struct stmt *stmt)
{
    struct diagrams *diagrams = symbolic->diagrams;
    diagram wrong = diagram_not(diagrams, symbolic_expr(symbolic, stmt->value)), before = symbolic->active;
    diagram *where = stmt->kind == STMT_ASSUME    ? &symbolic->dropped
                     : stmt->kind == STMT_REQUIRE ? &symbolic->disabled
                                                  : NULL;
    if (stmt->kind == STMT_ASSERT)
        symbolic_fail_where(symbolic, wrong);
    if (where) {
        *where = diagram_or(diagrams, *where, diagram_and(diagrams, before, wrong));
        symbolic_go_on(symbolic, before);
    }
}

/* CLEAR, UNDEFINE: what the cells become, in order. */
static uint32_t fill(struct diagrams *diagrams, const struct type *type, bool is_cleared, diagram *cells)
{
    uint32_t at = 0;
    if (type->kind == TYPE_ARRAY)
        for (uint32_t i = 0; i < type->index->size; i++)
            at += fill(diagrams, type->element, is_cleared, cells + at);
    else if (type->kind == TYPE_RECORD)
        for (uint32_t f = 0; f < type->field_count; f++)
            at += fill(diagrams, type->fields[f].type, is_cleared, cells + at);
    else if (type->kind == TYPE_MULTISET)
        for (uint32_t s = 0; s < type->capacity; s++) {
            cells[at++] = diagram_leaf(diagrams, 0);
            at += fill(diagrams, type->element, false, cells + at);
        }
    else
        cells[at++] = diagram_leaf(diagrams, is_cleared ? type_code(type, 0) : UNDEFINED);
    return at;
}

static void reset_place(struct symbolic *symbolic, diagram address, const struct type *type, bool is_cleared)
{
    diagram *cells = memory_alloc((type->cells + 1) * sizeof *cells);
    store_all(symbolic, address, cells, fill(symbolic->diagrams, type, is_cleared, cells));
    free(cells);
}

/* A slot of a multiset becomes free, where active. */
static void free_slot(struct symbolic *symbolic, const struct type *type, diagram address, uint32_t slot)
{
    diagram at = diagram_leaf(symbolic->diagrams, slot * multiset_stride(type));
    address = diagram_apply(symbolic->diagrams, OP_ADD, address, at);
    symbolic_store(symbolic, address, 0, diagram_leaf(symbolic->diagrams, 0));
    reset_place(symbolic, diagram_apply(symbolic->diagrams, OP_ADD, address, diagram_leaf(symbolic->diagrams, 1)),
                type->element, false);
}

static void remove_stmt(struct symbolic *symbolic, const struct stmt *stmt)
{
    struct diagrams *diagrams = symbolic->diagrams;
    const struct type *type = stmt->place->type;
    diagram number = stmt->kind == STMT_MULTISET_REMOVE ? symbolic_expr(symbolic, stmt->value) : 0;
    diagram address = symbolic_place(symbolic, stmt->place), before = symbolic->active, missing = before;
    diagram *doomed = memory_alloc((type->capacity + 1) * sizeof *doomed);
    for (uint32_t s = 0; s < type->capacity; s++) {
        diagram taken = symbolic_fetch(symbolic, address, s * multiset_stride(type));
        symbolic->active = diagram_and(diagrams, before, taken);
        if (stmt->kind == STMT_MULTISET_REMOVE)
            doomed[s] = diagram_and(diagrams, taken, diagram_is(diagrams, number, s));
        else {
            symbolic->memory[stmt->variable->address] = diagram_leaf(diagrams, s);
            doomed[s] = diagram_and(diagrams, taken, symbolic_expr(symbolic, stmt->value));
        }
        missing = diagram_and(diagrams, missing, diagram_not(diagrams, doomed[s]));
        symbolic_go_on(symbolic, before);
    }
    if (stmt->kind == STMT_MULTISET_REMOVE)
        symbolic_fail_where(symbolic, missing);
    for (uint32_t s = 0; s < type->capacity; s++) {
        symbolic->active = diagram_and(diagrams, before, doomed[s]);
        free_slot(symbolic, type, address, s);
    }
    symbolic_go_on(symbolic, before);
    free(doomed);
}

/* The multiset at one address is full: so many slots are taken, and elements added. */
static diagram is_full(struct symbolic *symbolic, const struct type *type, uint32_t address)
{
    struct diagrams *diagrams = symbolic->diagrams;
    diagram sum = diagram_leaf(diagrams, 0);
    for (uint32_t s = 0; s < type->capacity; s++)
        sum = diagram_apply(diagrams, OP_ADD, sum, symbolic->memory[address + s * multiset_stride(type)]);
    for (size_t a = 0; a < symbolic->adds.count; a++)
        if (symbolic->adds.items[a].address == address)
            sum = diagram_apply(diagrams, OP_ADD, sum, symbolic->adds.items[a].condition);
    return diagram_apply(diagrams, OP_GE, sum, diagram_leaf(diagrams, type->capacity));
}

static void add_stmt(struct symbolic *symbolic, const struct stmt *stmt)
{
    struct diagrams *diagrams = symbolic->diagrams;
    const struct type *type = stmt->place->type;
    diagram *cells = stmt->source ? symbolic_aggregate(symbolic, stmt->source) : memory_alloc(sizeof *cells);
    if (!stmt->source)
        *cells = symbolic_storable(symbolic, stmt->value, type->element);
    diagram address = symbolic_place(symbolic, stmt->place), before = symbolic->active;
    size_t count;
    const int64_t *found = diagram_leaves(diagrams, address, &count);
    int64_t *addresses = memory_alloc((count + 1) * sizeof *addresses);
    memcpy(addresses, found, count * sizeof *addresses);
    for (size_t a = 0; a < count; a++) {
        if (addresses[a] < 0 || addresses[a] >= symbolic->system->memory_cells)
            continue;
        if (addresses[a] >= symbolic->system->state_cells)
            symbolic_refuse(symbolic, stmt->span, "a local multiset is added to");
        symbolic->active = diagram_and(diagrams, before, diagram_is(diagrams, address, addresses[a]));
        symbolic_fail_where(symbolic, is_full(symbolic, type, (uint32_t)addresses[a]));
        struct symbolic_add add = {type, (uint32_t)addresses[a], symbolic->active, NULL};
        add.cells = memory_alloc((type->element->cells + 1) * sizeof *cells);
        for (uint32_t c = 0; c < type->element->cells; c++) /* elsewhere it does not matter what they are */
            add.cells[c] = diagram_choose(diagrams, add.condition, cells[c], diagram_leaf(diagrams, UNDEFINED));
        VEC_PUSH(&symbolic->adds, add);
    }
    symbolic->active = before;
    free(addresses);
    free(cells);
}

static void run_stmt(struct symbolic *symbolic, const struct stmt *stmt)
{
    struct diagrams *diagrams = symbolic->diagrams;
    diagram value;
    symbolic->at = stmt->span;
    switch (stmt->kind) {
    case STMT_ASSIGN:
        value = symbolic_storable(symbolic, stmt->value, stmt->place->type);
        symbolic_store(symbolic, symbolic_place(symbolic, stmt->place), 0, value);
        return;
    case STMT_COPY:
        copy_stmt(symbolic, stmt->source, stmt->place, NULL);
        return;
    case STMT_IF:
        if_stmt(symbolic, stmt);
        return;
    case STMT_FOR:
        for_stmt(symbolic, stmt);
        return;
    case STMT_WHILE:
        while_stmt(symbolic, stmt);
        return;
    case STMT_CALL:
        symbolic_call(symbolic, stmt->value);
        return;
    case STMT_RETURN:
        return_stmt(symbolic, stmt);
        return;
    case STMT_ASSERT:
    case STMT_ASSUME:
    case STMT_COVER:
    case STMT_REQUIRE:
        condition_stmt(symbolic, stmt);
        return;
    case STMT_ERROR:
        symbolic_fail_where(symbolic, diagram_leaf(diagrams, 1));
        return;
    case STMT_PUT:
        if (stmt->value)
            symbolic_expr(symbolic, stmt->value);
        else if (stmt->source)
            symbolic_place(symbolic, stmt->source);
        return;
    case STMT_CLEAR:
    case STMT_UNDEFINE:
        reset_place(symbolic, symbolic_place(symbolic, stmt->place), stmt->place->type, stmt->kind == STMT_CLEAR);
        return;
    case STMT_BIND:
        symbolic->memory[stmt->variable->address] = symbolic_place(symbolic, stmt->place);
        return;
    case STMT_MULTISET_ADD:
        add_stmt(symbolic, stmt);
        return;
    case STMT_MULTISET_REMOVE:
    case STMT_MULTISET_REMOVE_IF:
        remove_stmt(symbolic, stmt);
        return;
    default: /* a new kind may be too much for the verifier, but is never skipped */
        symbolic_refuse(symbolic, stmt->span, "a statement of a kind that is not known here");
    }
}

void symbolic_block(struct symbolic *symbolic, const struct block *block)
{
    for (uint32_t s = 0; s < block->count && !symbolic->refusal && !symbolic->diagrams->is_full; s++)
        if (!is_never(symbolic->diagrams, symbolic->active))
            run_stmt(symbolic, block->items[s]);
}
