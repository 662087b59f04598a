/* Statements as terms. */
#include "ir/walk.h"
#include "detect/model_term.h"

static struct model_term term_stmt(struct sketch *s, const struct stmt *stmt);

/* The elements that clear picks, in the order of the cells. */
static struct model_term term_firsts(struct sketch *s, const struct type *type, struct span span)
{
    struct model_term parts[2];
    uint32_t carrier;
    switch (type->kind) {
    case TYPE_ARRAY:
        return term_firsts(s, type->element, span);
    case TYPE_RECORD:
        parts[0] = term_empty(s);
        for (uint32_t f = 0; f < type->field_count; f++) {
            parts[1] = term_firsts(s, type->fields[f].type, span);
            parts[0] = term_make(s, TERM_SEQUENCE, NULL, 0, parts, 2);
        }
        return parts[0];
    case TYPE_MULTISET:
        return term_empty(s);
    default:
        carrier = sketch_carrier(s, type->blocks[0].owner);
        if (carrier == NO_CARRIER || !sketch_break(s, carrier, span, "clear picks the first element of %s"))
            return term_empty(s);
        return term_element(s, carrier, type->blocks[0].lo);
    }
}

static struct model_term term_loop(struct sketch *s, const struct stmt *stmt)
{
    const struct type *type = stmt->domain.type;
    if (!sketch_unrolls(s, &stmt->domain, stmt->variable)) {
        uint32_t words[] = {stmt->kind};
        struct model_term parts[] = {term_domain(s, &stmt->domain, stmt->variable, stmt->span),
                                     term_block(s, &stmt->body)};
        return term_make(s, TERM_STMT, words, 1, parts, 2);
    }
    struct model_term *parts = memory_zeroed(type->size, sizeof *parts), term;
    for (uint32_t i = 0; i < type->size && !sketch_is_spent(s); i++) {
        sketch_know(s, stmt->variable, type_code(type, i));
        parts[i] = term_block(s, &stmt->body);
    }
    sketch_forget(s, stmt->variable);
    term = s->graph->gave_up ? term_empty(s) : term_bag(s, STMT_FOR, parts, type->size);
    free(parts);
    return term;
}

static struct model_term term_if(struct sketch *s, const struct stmt *stmt)
{
    int64_t known;
    if (sketch_fold(s, stmt->value, &known))
        return term_block(s, known ? &stmt->body : &stmt->otherwise);
    struct model_term parts[] = {term_expr(s, stmt->value, NO_CARRIER), term_block(s, &stmt->body),
                                 term_block(s, &stmt->otherwise)};
    uint32_t words[] = {stmt->kind};
    return term_make(s, TERM_STMT, words, 1, parts, 3);
}

/* What the value is stored as. A return's is known where the function is: see term_stmt's caller. */
static uint32_t stmt_wants(struct sketch *s, const struct stmt *stmt)
{
    if (stmt->kind == STMT_ASSIGN)
        return sketch_carrier(s, stmt->place->type);
    if (stmt->kind == STMT_MULTISET_ADD)
        return sketch_carrier(s, stmt->place->type->element);
    if (stmt->kind == STMT_RETURN && s->function && s->function->result)
        return sketch_carrier(s, s->function->result->type);
    return stmt->kind == STMT_PUT ? sketch_carrier_of(s, stmt->value) : NO_CARRIER;
}

static struct model_term term_stmt(struct sketch *s, const struct stmt *stmt)
{
    struct model_term parts[5];
    uint32_t words[3] = {stmt->kind, stmt->property ? stmt->property->id + 1 : 0}, count = 0;
    if (sketch_is_spent(s))
        return term_empty(s);
    if (stmt->kind == STMT_FOR)
        return term_loop(s, stmt);
    if (stmt->kind == STMT_IF)
        return term_if(s, stmt);
    if (stmt->value) {
        words[2] |= 1;
        parts[count++] = term_expr(s, stmt->value, stmt_wants(s, stmt));
    }
    if (stmt->source) {
        words[2] |= 2;
        parts[count++] = term_place(s, stmt->source);
    }
    if (stmt->place) {
        words[2] |= 4;
        parts[count++] = term_place(s, stmt->place);
    }
    if (stmt->variable)
        parts[count++] = term_variable(s, stmt->variable);
    if (stmt->kind == STMT_WHILE)
        parts[count++] = term_block(s, &stmt->body);
    if (stmt->kind == STMT_CLEAR)
        parts[count++] = term_firsts(s, stmt->place->type, stmt->span);
    return term_make(s, TERM_STMT, words, 3, parts, count);
}

/* --- assignments that have nothing to do with each other --- */

bool sketch_cell(struct sketch *s, const struct place *place, uint32_t *cell)
{
    int64_t index;
    switch (place->kind) {
    case PLACE_VARIABLE:
        *cell = place->variable->address;
        return true;
    case PLACE_FIELD:
        if (!sketch_cell(s, place->base, cell))
            return false;
        *cell += place->field->offset;
        return true;
    case PLACE_ELEMENT:
        if (!sketch_cell(s, place->base, cell) || !sketch_fold(s, place->index, &index) ||
            !type_has(place->base->type->index, index))
            return false;
        *cell += (uint32_t)type_ordinal(place->base->type->index, index) * place->type->cells;
        return true;
    default:
        return false;
    }
}

struct model_run {
    struct sketch *sketch;
    VEC(uint32_t) cells;                    /* written so far */
    VEC(const struct variable *) variables; /* their variables */
    bool is_met;
};

static bool run_on_place(void *user, const struct place *place, bool is_written)
{
    struct model_run *run = user;
    (void)is_written;
    run->is_met |= place->kind == PLACE_CALL || place->kind == PLACE_DEREF;
    for (size_t i = 0; place->kind == PLACE_VARIABLE && i < run->variables.count; i++)
        run->is_met |= run->variables.items[i] == place->variable;
    return true;
}

static bool run_on_expr(void *user, const struct expr *expr)
{
    ((struct model_run *)user)->is_met |= expr->kind == EXPR_CALL;
    return true;
}

/* May the statement join those before it, in any order? It is a scalar assignment to another cell, and reads no
 * variable that they write. (What they read it must not write: they read only variables nobody in the run writes, so
 * its variable must be among those written or read by none; see run_takes.) */
static bool run_takes(struct model_run *run, const struct stmt *stmt)
{
    uint32_t cell;
    if (stmt->kind != STMT_ASSIGN || !sketch_cell(run->sketch, stmt->place, &cell))
        return false;
    for (size_t i = 0; i < run->cells.count; i++)
        if (run->cells.items[i] == cell)
            return false;
    VEC_PUSH(&run->variables, place_root(stmt->place)->variable);
    struct walker walker = {.on_place = run_on_place, .on_expr = run_on_expr, .user = run};
    run->is_met = false;
    walk_expr(&walker, stmt->value);
    if (run->is_met) {
        run->variables.count--;
        return false;
    }
    VEC_PUSH(&run->cells, cell);
    return true;
}

/* Do the values of the run read the variables it writes? The last one may be written by it alone. */
static bool run_is_apart(struct model_run *run, const struct block *block, uint32_t from, uint32_t to)
{
    struct walker walker = {.on_place = run_on_place, .on_expr = run_on_expr, .user = run};
    run->is_met = false;
    for (uint32_t i = from; i < to; i++)
        walk_expr(&walker, block->items[i]->value);
    return !run->is_met;
}

/* How many statements from here on can be done in any order. */
static uint32_t block_run(struct sketch *s, const struct block *block, uint32_t from)
{
    struct model_run run = {.sketch = s};
    uint32_t to = from;
    while (to < block->count && run_takes(&run, block->items[to])) {
        to++;
        if (!run_is_apart(&run, block, from, to)) {
            to--;
            break;
        }
    }
    VEC_FREE(&run.cells);
    VEC_FREE(&run.variables);
    return to - from;
}

struct model_term term_block(struct sketch *s, const struct block *block)
{
    struct model_term *parts = memory_zeroed((size_t)block->count + 1, sizeof *parts), term;
    uint32_t count = 0;
    for (uint32_t run, i = 0; i < block->count && !sketch_is_spent(s); i += run, count++) {
        run = block_run(s, block, i);
        run = run ? run : 1;
        for (uint32_t k = 0; k < run; k++)
            parts[count + k] = term_stmt(s, block->items[i + k]);
        if (run > 1)
            parts[count] = term_set(s, STMT_ASSIGN, parts + count, run);
    }
    term = term_make(s, TERM_SEQUENCE, NULL, 0, parts, count);
    free(parts);
    return term;
}
