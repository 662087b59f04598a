/* Statements and calls, as exec/evaluate_stmt.c has them, of unknowns. */
#include "symmetry/commuting.h"

enum { COMMUTING_MOST_CALLS = 32, COMMUTING_MOST_ROUNDS = 1000 };

static bool fits_blocks(const struct type *from, const struct type *type)
{
    bool fits = true;
    for (uint32_t b = 0; b < from->block_count; b++) {
        bool is_inside = false;
        for (uint32_t t = 0; t < type->block_count; t++)
            is_inside |= from->blocks[b].lo >= type->blocks[t].lo && from->blocks[b].hi <= type->blocks[t].hi;
        fits &= is_inside;
    }
    return fits;
}

/* What a cell held in the beginning, and nothing done to it. */
static const struct type *held_origin(const struct commuting *c, const struct held *held)
{
    const struct linear_sum *number = &held->number;
    if (held->kind == HELD_UNKNOWN)
        return c->origins.items[held->unknown].type;
    bool is_plain = number->count == 1 && number->terms[0].factor == 1 && !number->constant;
    return is_plain ? c->origins.items[number->terms[0].unknown].type : NULL;
}

static enum path_end fit_between(struct commuting *c, const struct linear_sum *number, const struct code_block *block)
{
    bool holds = false;
    struct linear_sum sum = *number;
    sum.constant -= block->hi;
    enum path_end end = commuting_is_at_most(c, sum, &holds);
    if (end != PATH_OK || !holds)
        return end == PATH_OK ? PATH_FAULT : end;
    sum = linear_negate(*number);
    sum.constant += block->lo;
    end = commuting_is_at_most(c, sum, &holds);
    return end == PATH_OK && !holds ? PATH_FAULT : end;
}

/* May the value be stored in a variable of the type? Else it fails. */
static enum path_end commuting_fit(struct commuting *c, struct held *held, const struct type *type)
{
    const struct type *origin = held->kind == HELD_UNDEFINED ? NULL : held_origin(c, held);
    int64_t value = 0;
    if (held->kind == HELD_UNDEFINED || (origin && fits_blocks(origin, type)))
        return PATH_OK;
    enum path_end end = commuting_resolve(c, held);
    if (end != PATH_OK || held->kind == HELD_UNDEFINED)
        return end;
    if (type->block_count == 1)
        return fit_between(c, &held->number, &type->blocks[0]);
    end = commuting_settle(c, held->number, &value);
    return end == PATH_OK && !type_has(type, value) ? PATH_FAULT : end;
}

/* --- calls --- */

static enum path_end call_take(struct commuting *c, const struct variable *parameter, const struct argument *argument,
                               struct held *cells)
{
    uint32_t address;
    enum path_end end;
    if (!parameter->is_reference && type_is_scalar(parameter->type)) {
        end = commuting_expr(c, argument->value, cells);
        return end == PATH_OK ? commuting_fit(c, cells, parameter->type) : end;
    }
    end = commuting_place(c, argument->place, &address);
    if (end != PATH_OK)
        return end;
    if (parameter->is_reference) {
        cells[0] = (struct held){.number = linear_constant(address)};
        return PATH_OK;
    }
    for (uint32_t i = 0; i < parameter->type->cells; i++)
        cells[i] = commuting_load(c, address + i, commuting_cell_type(parameter->type, i));
    return PATH_OK;
}

static uint32_t call_cells(const struct variable *parameter)
{
    return parameter->is_reference ? 1 : parameter->type->cells;
}

static void call_give(struct commuting *c, const struct variable *parameter, const struct held *cells)
{
    for (uint32_t i = 0; i < call_cells(parameter); i++)
        commuting_store(c, parameter->address + i,
                        parameter->is_reference ? c->owner : commuting_cell_type(parameter->type, i), cells[i]);
}

/* All arguments first, then all parameters: an argument may call the same function. */
static enum path_end call_pass(struct commuting *c, const struct expr *call)
{
    const struct function *function = call->function;
    size_t total = 1, at = 0;
    enum path_end end = PATH_OK;
    for (uint32_t p = 0; p < function->parameter_count && end == PATH_OK; p++) {
        total += call_cells(function->parameters[p]);
        if (!function->parameters[p]->is_reference)
            end = commuting_is_copied(c, function->parameters[p]->type);
    }
    if (end != PATH_OK)
        return end;
    struct held *taken = memory_zeroed(total, sizeof *taken);
    for (uint32_t p = 0; p < function->parameter_count && end == PATH_OK; p++) {
        end = call_take(c, function->parameters[p], &call->arguments[p], taken + at);
        at += call_cells(function->parameters[p]);
    }
    at = 0;
    for (uint32_t p = 0; p < function->parameter_count && end == PATH_OK; p++) {
        call_give(c, function->parameters[p], taken + at);
        at += call_cells(function->parameters[p]);
    }
    free(taken);
    return end;
}

/* Variables have one address each: a function that is running cannot be entered. */
static bool call_is_open(const struct commuting *c, const struct function *function)
{
    bool is_open = function == c->effects->function;
    for (const struct commuting_frame *frame = c->frame; frame; frame = frame->caller)
        is_open |= frame->function == function;
    return is_open;
}

enum path_end commuting_call(struct commuting *c, const struct expr *call)
{
    struct commuting_frame frame = {c->frame, call->function};
    enum path_end end = call_pass(c, call);
    if (end != PATH_OK)
        return end;
    if (call_is_open(c, call->function) || c->depth == COMMUTING_MOST_CALLS)
        return commuting_stuck(c, "its calls are too deep");
    const struct function *caller = c->function;
    c->function = call->function;
    c->frame = &frame;
    c->depth++;
    end = commuting_block(c, &call->function->body);
    c->depth--;
    c->frame = frame.caller;
    c->function = caller;
    if (end == PATH_OK && call->function->result)
        return PATH_FAULT;
    return end == PATH_RETURNED ? PATH_OK : end;
}

/* --- statements --- */

static enum path_end stmt_assign(struct commuting *c, const struct stmt *stmt)
{
    struct held held;
    uint32_t address = 0;
    enum path_end end = commuting_expr(c, stmt->value, &held);
    if (end == PATH_OK)
        end = commuting_place(c, stmt->place, &address);
    if (end == PATH_OK)
        end = commuting_fit(c, &held, stmt->place->type);
    if (end == PATH_OK)
        commuting_store(c, address, stmt->place->type, held);
    return end;
}

/* Takes all cells before it gives any: the places may overlap. */
static void stmt_move(struct commuting *c, uint32_t from, uint32_t to, const struct type *type)
{
    struct held *taken = memory_alloc((type->cells + 1) * sizeof *taken);
    for (uint32_t i = 0; i < type->cells; i++)
        taken[i] = commuting_load(c, from + i, commuting_cell_type(type, i));
    for (uint32_t i = 0; i < type->cells; i++)
        commuting_store(c, to + i, commuting_cell_type(type, i), taken[i]);
    free(taken);
}

/* The source is a value: taken before the place is found, which may call what writes it. */
static enum path_end stmt_copy(struct commuting *c, const struct stmt *stmt)
{
    const struct type *type = stmt->place->type;
    uint32_t from = 0, to = 0;
    enum path_end end = commuting_is_copied(c, type);
    if (end == PATH_OK)
        end = commuting_place(c, stmt->source, &from);
    if (end != PATH_OK)
        return end;
    struct held *taken = memory_alloc((type->cells + 1) * sizeof *taken);
    for (uint32_t i = 0; i < type->cells; i++)
        taken[i] = commuting_load(c, from + i, commuting_cell_type(type, i));
    end = commuting_place(c, stmt->place, &to);
    for (uint32_t i = 0; end == PATH_OK && i < type->cells; i++)
        commuting_store(c, to + i, commuting_cell_type(type, i), taken[i]);
    free(taken);
    return end;
}

static enum path_end stmt_if(struct commuting *c, const struct stmt *stmt)
{
    bool holds = false;
    enum path_end end = commuting_truth(c, stmt->value, &holds);
    return end == PATH_OK ? commuting_block(c, holds ? &stmt->body : &stmt->otherwise) : end;
}

static enum path_end stmt_iterate(struct commuting *c, void *user, bool *is_over)
{
    const struct stmt *stmt = user;
    *is_over = false;
    return commuting_block(c, &stmt->body);
}

static enum path_end stmt_for(struct commuting *c, const struct stmt *stmt)
{
    return commuting_each(c, &stmt->domain, stmt->variable,
                          &(struct commuting_walk){stmt_iterate, (void *)(uintptr_t)stmt});
}

static enum path_end stmt_while(struct commuting *c, const struct stmt *stmt)
{
    for (int round = 0; round < COMMUTING_MOST_ROUNDS; round++) {
        bool holds = false;
        enum path_end end = commuting_truth(c, stmt->value, &holds);
        if (end == PATH_OK && holds)
            end = commuting_block(c, &stmt->body);
        if (end != PATH_OK || !holds)
            return end;
    }
    return commuting_stuck(c, "a while loop has too many rounds");
}

static enum path_end stmt_return(struct commuting *c, const struct stmt *stmt)
{
    const struct variable *result = c->function ? c->function->result : NULL;
    struct held held;
    uint32_t from = 0;
    enum path_end end = PATH_OK;
    if (stmt->source) {
        end = commuting_is_copied(c, stmt->source->type);
        if (end == PATH_OK)
            end = commuting_place(c, stmt->source, &from);
        if (end == PATH_OK)
            stmt_move(c, from, result->address, stmt->source->type);
    } else if (stmt->value) {
        end = commuting_expr(c, stmt->value, &held);
        if (end == PATH_OK && held.kind != HELD_NUMBER)
            end = commuting_stuck(c, "it returns an undefined value");
        if (end == PATH_OK)
            end = commuting_fit(c, &held, result->type);
        if (end == PATH_OK)
            commuting_store(c, result->address, result->type, held);
    }
    return end == PATH_OK ? PATH_RETURNED : end;
}

/* ASSERT, ASSUME, REQUIRE */
static enum path_end stmt_condition(struct commuting *c, const struct stmt *stmt)
{
    bool holds = false;
    enum path_end end = commuting_truth(c, stmt->value, &holds);
    if (end != PATH_OK || holds)
        return end;
    return stmt->kind == STMT_ASSERT ? PATH_FAULT : PATH_DISCARDED;
}

static enum path_end stmt_put(struct commuting *c, const struct stmt *stmt)
{
    struct held held;
    uint32_t address;
    if (stmt->value)
        return commuting_expr(c, stmt->value, &held);
    return stmt->source ? commuting_place(c, stmt->source, &address) : PATH_OK;
}

/* CLEAR, UNDEFINE */
static enum path_end stmt_fill(struct commuting *c, const struct stmt *stmt)
{
    const struct type *type = stmt->place->type;
    uint32_t address;
    enum path_end end = commuting_is_copied(c, type);
    if (end == PATH_OK)
        end = commuting_place(c, stmt->place, &address);
    for (uint32_t i = 0; end == PATH_OK && i < type->cells; i++) {
        const struct type *cell = commuting_cell_type(type, i);
        struct held held = {.kind = stmt->kind == STMT_CLEAR ? HELD_NUMBER : HELD_UNDEFINED,
                            .number = linear_constant(type_code(cell, 0))};
        commuting_store(c, address + i, cell, held);
    }
    return end;
}

static enum path_end stmt_bind(struct commuting *c, const struct stmt *stmt)
{
    uint32_t address;
    enum path_end end = commuting_place(c, stmt->place, &address);
    if (end == PATH_OK)
        commuting_store(c, stmt->variable->address, c->owner, (struct held){.number = linear_constant(address)});
    return end;
}

/* Is there room for one more? How many elements there were in the beginning is not known. */
static enum path_end insert_find_room(struct commuting *c, uint32_t address, const struct type *type)
{
    int64_t added = 1;
    bool has_room = false;
    for (size_t i = 0; i < c->now->insertions.count; i++)
        added += c->now->insertions.items[i].multiset == address;
    struct linear_sum sum = linear_unknown(commuting_size(c, address, type));
    sum.constant = added - (int64_t)type->capacity;
    enum path_end end = commuting_is_at_most(c, sum, &has_room);
    return end == PATH_OK && !has_room ? PATH_FAULT : end;
}

static enum path_end insert_take(struct commuting *c, const struct stmt *stmt, const struct type *element)
{
    struct held held;
    uint32_t from;
    enum path_end end = commuting_is_copied(c, element);
    if (end != PATH_OK)
        return end;
    if (stmt->value) {
        end = commuting_expr(c, stmt->value, &held);
        VEC_PUSH(&c->now->taken, held);
        return end;
    }
    end = commuting_place(c, stmt->source, &from);
    for (uint32_t i = 0; end == PATH_OK && i < element->cells; i++) {
        held = commuting_load(c, from + i, commuting_cell_type(element, i));
        VEC_PUSH(&c->now->taken, held);
    }
    return end;
}

static enum path_end stmt_insert(struct commuting *c, const struct stmt *stmt)
{
    const struct type *type = stmt->place->type;
    struct insertion insertion = {.first = c->now->taken.count, .cells = type->element->cells};
    enum path_end end = insert_take(c, stmt, type->element);
    if (end == PATH_OK)
        end = commuting_place(c, stmt->place, &insertion.multiset);
    if (end == PATH_OK)
        end = insert_find_room(c, insertion.multiset, type);
    if (end == PATH_OK && stmt->value)
        end = commuting_fit(c, &c->now->taken.items[insertion.first], type->element);
    if (end == PATH_OK)
        VEC_PUSH(&c->now->insertions, insertion);
    return end;
}

static enum path_end commuting_stmt(struct commuting *c, const struct stmt *stmt)
{
    switch (stmt->kind) {
    case STMT_ASSIGN:
        return stmt_assign(c, stmt);
    case STMT_COPY:
        return stmt_copy(c, stmt);
    case STMT_IF:
        return stmt_if(c, stmt);
    case STMT_FOR:
        return stmt_for(c, stmt);
    case STMT_WHILE:
        return stmt_while(c, stmt);
    case STMT_CALL:
        return commuting_call(c, stmt->value);
    case STMT_RETURN:
        return stmt_return(c, stmt);
    case STMT_ASSERT:
    case STMT_ASSUME:
    case STMT_REQUIRE:
        return stmt_condition(c, stmt);
    case STMT_COVER:
        return commuting_stuck(c, "it has a cover statement");
    case STMT_ERROR:
        return PATH_FAULT;
    case STMT_PUT:
        return stmt_put(c, stmt);
    case STMT_CLEAR:
    case STMT_UNDEFINE:
        return stmt_fill(c, stmt);
    case STMT_BIND:
        return stmt_bind(c, stmt);
    case STMT_MULTISET_ADD:
        return stmt_insert(c, stmt);
    case STMT_MULTISET_REMOVE:
    case STMT_MULTISET_REMOVE_IF:
        return commuting_stuck(c, "it removes elements of a multiset");
    default:
        return commuting_stuck(c, "it has a statement that is not analysed");
    }
}

enum path_end commuting_block(struct commuting *c, const struct block *block)
{
    enum path_end end = PATH_OK;
    for (uint32_t s = 0; end == PATH_OK && s < block->count; s++) {
        c->at = block->items[s]->span;
        end = commuting_step(c);
        if (end == PATH_OK)
            end = commuting_stmt(c, block->items[s]);
    }
    return end;
}
