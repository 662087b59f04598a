#include "ir/definite.h"

#include <string.h>

#include "ir/walk.h"

enum { DEFINITE_MOST_LOOPS = 8, DEFINITE_MOST_PLACES = 1 << 16 };

/* --- variables of loops, quantifiers and rules --- */

/* By address: bound by a loop, quantifier or rule, so it has a value, and nothing else writes it. */
struct binders {
    bool *is_binder, *is_written;
};

static bool binders_on_stmt(void *user, const struct stmt *stmt)
{
    struct binders *binders = user;
    if (stmt->kind == STMT_FOR)
        binders->is_binder[stmt->variable->address] = true;
    if (stmt->kind == STMT_BIND && stmt->place->kind == PLACE_VARIABLE)
        binders->is_written[stmt->place->variable->address] = true;
    return true;
}

static bool binders_on_expr(void *user, const struct expr *expr)
{
    if (expr->kind == EXPR_QUANTIFIER)
        ((struct binders *)user)->is_binder[expr->variable->address] = true;
    return true;
}

static bool binders_on_place(void *user, const struct place *place, bool is_written)
{
    if (is_written && place->kind == PLACE_VARIABLE)
        ((struct binders *)user)->is_written[place->variable->address] = true;
    return true;
}

static void binders_add_parameters(struct binders *binders, const struct rule *rule)
{
    for (uint32_t p = 0; p < rule->parameter_count; p++)
        binders->is_binder[rule->parameters[p].variable->address] = true;
}

static bool *binders_find(const struct system *system)
{
    struct binders binders = {memory_zeroed((size_t)system->memory_cells + 1, 1),
                              memory_zeroed((size_t)system->memory_cells + 1, 1)};
    struct walker walker = {binders_on_stmt, binders_on_expr, binders_on_place, &binders};
    walk_system(&walker, system);
    for (size_t r = 0; r < system->rules.count; r++)
        binders_add_parameters(&binders, system->rules.items[r]);
    for (size_t r = 0; r < system->starts.count; r++)
        binders_add_parameters(&binders, system->starts.items[r]);
    for (uint32_t c = 0; c < system->memory_cells; c++)
        binders.is_binder[c] &= !binders.is_written[c];
    free(binders.is_written);
    return binders.is_binder;
}

/* Is the value that is stored certain to be one? */
static bool definite_is_value(const bool *is_binder, const struct expr *value)
{
    if (value->kind == EXPR_READ && value->raw)
        return value->place->kind == PLACE_VARIABLE && is_binder[value->place->variable->address];
    return value->kind != EXPR_CONST || value->value != UNDEFINED;
}

/* Of a place: the cells of one value at these addresses. */
struct spread {
    uint32_t *items;
    size_t count, capacity;
};

struct late_copies {
    const struct stmt **items;
    size_t count, capacity;
};

/* The cells at which the place can be: fields are known, indices that are no constants may be any. False: not known,
 * or too many. */
static bool definite_spread(const struct place *place, struct spread *spread)
{
    if (place->kind == PLACE_VARIABLE) {
        VEC_PUSH(spread, place->variable->address);
        return true;
    }
    if ((place->kind != PLACE_FIELD && place->kind != PLACE_ELEMENT) || !definite_spread(place->base, spread))
        return false;
    bool is_element = place->kind == PLACE_ELEMENT;
    const struct type *index = is_element ? place->base->type->index : NULL;
    size_t before = spread->count;
    if (is_element && !(place->index->kind == EXPR_CONST && type_has(index, place->index->value))) {
        if (before * index->size > DEFINITE_MOST_PLACES)
            return false;
        for (uint32_t o = 1; o < index->size; o++)
            for (size_t i = 0; i < before; i++)
                VEC_PUSH(spread, spread->items[i] + o * place->type->cells);
        return true;
    }
    uint32_t offset =
        is_element ? (uint32_t)type_ordinal(index, place->index->value) * place->type->cells : place->field->offset;
    for (size_t i = 0; i < before; i++)
        spread->items[i] += offset;
    return true;
}

/* Has every cell of the place, wherever it is, the mark? */
static bool definite_has_all(const struct place *place, const bool *marks)
{
    struct spread spread = {0};
    const struct variable *root = place_home(place);
    bool has_all = root && root->is_global && definite_spread(place, &spread);
    for (size_t i = 0; has_all && i < spread.count; i++)
        for (uint32_t c = 0; has_all && c < place->type->cells; c++)
            has_all = marks[spread.items[i] + c];
    VEC_FREE(&spread);
    return has_all;
}

/* What a statement copies, where that may be undefined; or NULL. */
static const struct place *definite_source(const bool *is_binder, const struct stmt *stmt)
{
    if (stmt->kind == STMT_COPY)
        return stmt->source;
    bool is_read = stmt->kind == STMT_ASSIGN && stmt->value->kind == EXPR_READ;
    return is_read && !definite_is_value(is_binder, stmt->value) ? stmt->value->place : NULL;
}

/* --- what start states write --- */

struct covering {
    const struct system *system;
    const bool *is_binder;    /* by address, see below */
    bool *is_covered;         /* by cell */
    struct late_copies *late; /* of all start states: copies of what is covered before them */
    /* The loops around here that run over all values of a type. */
    const struct variable *variables[DEFINITE_MOST_LOOPS];
    const struct type *types[DEFINITE_MOST_LOOPS];
    uint32_t depth;
    bool is_over; /* after a return */
};

static const struct type *covering_loop(const struct covering *covering, const struct expr *index)
{
    if (index->kind != EXPR_READ || index->place->kind != PLACE_VARIABLE ||
        !covering->is_binder[index->place->variable->address])
        return NULL;
    for (uint32_t i = 0; i < covering->depth; i++)
        if (covering->variables[i] == index->place->variable)
            return covering->types[i];
    return NULL;
}

/* Is the index the variable of a loop over all of the array's index type, and of no index nearer to the root? */
static bool covering_is_all(const struct covering *covering, const struct place *place)
{
    const struct type *loop = covering_loop(covering, place->index), *index = place->base->type->index;
    if (!loop || loop->size != index->size)
        return false;
    for (uint32_t o = 0; o < index->size; o++)
        if (type_code(loop, o) != type_code(index, o))
            return false;
    for (const struct place *p = place->base; p; p = p->base)
        if (p->kind == PLACE_ELEMENT && p->index->kind == EXPR_READ && p->index->place->kind == PLACE_VARIABLE &&
            p->index->place->variable == place->index->place->variable)
            return false;
    return true;
}

/* The addresses of the place over all iterations; false: not known. */
static bool covering_spread(const struct covering *covering, const struct place *place, struct spread *spread)
{
    if (place->kind == PLACE_VARIABLE) {
        VEC_PUSH(spread, place->variable->address);
        return place->variable->is_global;
    }
    if ((place->kind != PLACE_FIELD && place->kind != PLACE_ELEMENT) || !covering_spread(covering, place->base, spread))
        return false;
    if (place->kind == PLACE_FIELD) {
        for (size_t i = 0; i < spread->count; i++)
            spread->items[i] += place->field->offset;
        return true;
    }
    size_t before = spread->count;
    if (place->index->kind == EXPR_CONST && type_has(place->base->type->index, place->index->value)) {
        for (size_t i = 0; i < before; i++)
            spread->items[i] +=
                (uint32_t)type_ordinal(place->base->type->index, place->index->value) * place->type->cells;
        return true;
    }
    if (!covering_is_all(covering, place) || before * place->base->type->index->size > covering->system->state_cells)
        return false;
    for (uint32_t o = 1; o < place->base->type->index->size; o++)
        for (size_t i = 0; i < before; i++)
            VEC_PUSH(spread, spread->items[i] + o * place->type->cells);
    return true;
}

static void covering_write(struct covering *covering, const struct place *place)
{
    struct spread spread = {0};
    if (covering_spread(covering, place, &spread))
        for (size_t i = 0; i < spread.count; i++)
            memset(covering->is_covered + spread.items[i], 1, place->type->cells);
    VEC_FREE(&spread);
}

static void covering_block(struct covering *covering, const struct block *block);

static void covering_for(struct covering *covering, const struct stmt *stmt)
{
    if (stmt->domain.from || covering->depth == DEFINITE_MOST_LOOPS)
        return;
    covering->variables[covering->depth] = stmt->variable;
    covering->types[covering->depth++] = stmt->domain.type;
    covering_block(covering, &stmt->body);
    covering->depth--;
}

static bool definite_find_return(void *user, const struct stmt *stmt)
{
    *(bool *)user |= stmt->kind == STMT_RETURN;
    return true;
}

static bool definite_returns(const struct stmt *stmt)
{
    bool has_return = false;
    walk_stmt(&(struct walker){.on_stmt = definite_find_return, .user = &has_return}, stmt);
    return has_return;
}

/* What was covered before it is copied has a value by then. (In a loop others than those of this iteration may not.) */
static void covering_copy(struct covering *covering, const struct stmt *stmt)
{
    const struct place *source = definite_source(covering->is_binder, stmt);
    if (!source || covering->depth || !definite_has_all(source, covering->is_covered))
        return;
    VEC_PUSH(covering->late, stmt);
    covering_write(covering, stmt->place);
}

/* What always runs, in order. What undefines a cell anywhere, also here, makes it no candidate at all. */
static void covering_block(struct covering *covering, const struct block *block)
{
    for (uint32_t s = 0; s < block->count && !covering->is_over; s++) {
        const struct stmt *stmt = block->items[s];
        if (definite_returns(stmt))
            covering->is_over = true;
        else if (stmt->kind == STMT_FOR)
            covering_for(covering, stmt);
        else if (stmt->kind == STMT_CLEAR ||
                 (stmt->kind == STMT_ASSIGN && definite_is_value(covering->is_binder, stmt->value)))
            covering_write(covering, stmt->place);
        else
            covering_copy(covering, stmt);
    }
}

/* --- what makes cells undefined --- */

struct definite_cells {
    const struct system *system;
    const bool *is_binder;
    bool *is_definite;       /* by cell */
    bool *is_exposed;        /* by first cell of a global variable: a reference may lead to it */
    bool is_early;           /* this may run in a start state, before it has written all that it writes */
    struct late_copies late; /* copies there that come behind what they copy */
    bool has_unknown;        /* something undefines, or copies what may be undefined to, what a reference leads to */
    bool has_changed;
};

static void definite_lose_cells(struct definite_cells *d, uint32_t from, uint32_t count)
{
    for (uint32_t c = from; c < from + count; c++) {
        d->has_changed |= d->is_definite[c];
        d->is_definite[c] = false;
    }
}

static void definite_lose(struct definite_cells *d, const struct variable *variable)
{
    if (variable && variable->is_global && variable->type->cells)
        definite_lose_cells(d, variable->address, variable->type->cells);
}

/* The part of its variable that the place may be: the messages of a channel, not its length. */
static void definite_lose_place(struct definite_cells *d, const struct place *place)
{
    const struct variable *root = place_home(place);
    struct spread spread = {0};
    if (!root->is_global || !root->type->cells)
        return;
    if (definite_spread(place, &spread))
        for (size_t i = 0; i < spread.count; i++)
            definite_lose_cells(d, spread.items[i], place->type->cells);
    else
        definite_lose(d, root);
    VEC_FREE(&spread);
}

static bool definite_is_late(const struct definite_cells *d, const struct stmt *stmt)
{
    for (size_t i = 0; i < d->late.count; i++)
        if (d->late.items[i] == stmt)
            return true;
    return false;
}

static bool definite_on_stmt(void *user, const struct stmt *stmt)
{
    struct definite_cells *d = user;
    const struct place *source = definite_source(d->is_binder, stmt);
    bool loses = stmt->kind == STMT_UNDEFINE;
    if (stmt->kind == STMT_ASSIGN && !source)
        loses = !definite_is_value(d->is_binder, stmt->value);
    if (source)
        loses = !definite_has_all(source, d->is_definite) || (d->is_early && !definite_is_late(d, stmt));
    if (loses && place_home(stmt->place))
        definite_lose_place(d, stmt->place);
    else if (loses)
        d->has_unknown = true;
    if (stmt->kind == STMT_BIND && place_home(stmt->place) && place_home(stmt->place)->is_global)
        d->is_exposed[place_home(stmt->place)->address] = true;
    return true;
}

static bool definite_on_expr(void *user, const struct expr *expr)
{
    struct definite_cells *d = user;
    for (uint32_t p = 0; expr->kind == EXPR_CALL && p < expr->function->parameter_count; p++) {
        if (!expr->function->parameters[p]->is_reference)
            continue;
        const struct variable *root = place_home(expr->arguments[p].place);
        if (root && root->is_global)
            d->is_exposed[root->address] = true;
    }
    return true;
}

static bool definite_find_call(void *user, const struct expr *expr)
{
    *(bool *)user |= expr->kind == EXPR_CALL;
    return true;
}

/* All that writes; what may run in a start state apart. */
static void definite_walk(struct definite_cells *d, bool has_calls)
{
    const struct system *system = d->system;
    struct walker walker = {.on_stmt = definite_on_stmt, .on_expr = definite_on_expr, .user = d};
    for (size_t r = 0; r < system->rules.count; r++)
        walk_rule(&walker, system->rules.items[r]);
    d->is_early = has_calls;
    for (size_t f = 0; f < system->functions.count; f++)
        walk_block(&walker, &system->functions.items[f]->body);
    d->is_early = true;
    walk_starts(&walker, system);
    d->is_early = false;
}

/* A copy of what is lost is lost: until nothing changes. */
static void definite_settle(struct definite_cells *d)
{
    const struct system *system = d->system;
    bool has_calls = false; /* start states, of functions */
    walk_starts(&(struct walker){.on_expr = definite_find_call, .user = &has_calls}, system);
    d->has_changed = true;
    while (d->has_changed) {
        d->has_changed = false;
        definite_walk(d, has_calls);
        for (size_t g = 0; g < system->globals.count; g++)
            if (d->has_unknown && system->globals.items[g]->type->cells &&
                d->is_exposed[system->globals.items[g]->address])
                definite_lose(d, system->globals.items[g]);
    }
}

/* Elements of multisets are undefined while their slots are free. */
static void definite_lose_multisets(struct definite_cells *d, const struct type *type, uint32_t address)
{
    if (!type_has_multiset(type))
        return;
    if (type->kind == TYPE_MULTISET)
        definite_lose_cells(d, address, type->cells);
    for (uint32_t i = 0; type->kind == TYPE_ARRAY && i < type->index->size; i++)
        definite_lose_multisets(d, type->element, address + i * type->element->cells);
    for (uint32_t f = 0; type->kind == TYPE_RECORD && f < type->field_count; f++)
        definite_lose_multisets(d, type->fields[f].type, address + type->fields[f].offset);
}

bool *definite_find(const struct system *system, struct arena *arena)
{
    bool *is_definite = ARENA_ARRAY(arena, bool, system->state_cells + 1);
    bool *is_covered = memory_alloc(system->state_cells + 1), *is_binder = binders_find(system);
    struct definite_cells d = {.system = system, .is_binder = is_binder, .is_definite = is_definite};
    memset(is_definite, system->starts.count > 0, system->state_cells);
    for (size_t s = 0; s < system->starts.count; s++) {
        struct covering covering = {system, is_binder, is_covered, &d.late, .depth = 0};
        memset(is_covered, 0, system->state_cells + 1);
        covering_block(&covering, &system->starts.items[s]->body);
        for (uint32_t i = 0; i < system->state_cells; i++)
            is_definite[i] &= is_covered[i];
    }
    free(is_covered);
    for (size_t g = 0; g < system->globals.count; g++)
        definite_lose_multisets(&d, system->globals.items[g]->type, system->globals.items[g]->address);
    d.is_exposed = memory_zeroed(system->state_cells + 1, sizeof *d.is_exposed);
    definite_settle(&d);
    free(d.is_exposed);
    VEC_FREE(&d.late);
    free(is_binder);
    return is_definite;
}

bool definite_place(const bool *is_definite, const struct place *place)
{
    return definite_has_all(place, is_definite);
}
