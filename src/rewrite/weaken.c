#include "rewrite/weaken.h"

#include <stdlib.h>

#include "base/memory.h"
#include "ir/build.h"
#include "ir/walk.h"
#include "rewrite/point.h"

struct system *weaken_begin(const struct system *system)
{
    return point_system(system, NULL, 0);
}

bool weaken_finish(struct system *copy)
{
    return copy->finished || system_finish(copy);
}

/* --- what may be left out --- */

struct weakening {
    struct system *system;
    const struct rule *rule;
    VEC(const struct variable *) bound; /* by quantifiers of the conjunct */
    struct expr *reads;                 /* true, and fails where the conjunct might; NULL: it cannot */
    const bool *is_constant;
    struct span span;
};

static bool weaken_is_set(const struct weakening *w, const struct variable *variable)
{
    for (uint32_t p = 0; p < w->rule->parameter_count; p++)
        if (w->rule->parameters[p].variable == variable)
            return true;
    for (size_t b = 0; b < w->bound.count; b++)
        if (w->bound.items[b] == variable)
            return true;
    return false;
}

static bool type_has_all(const struct type *type, const struct type *of)
{
    bool has_all = true;
    for (uint32_t b = 0; has_all && b < of->block_count; b++) {
        has_all = false;
        for (uint32_t t = 0; t < type->block_count; t++)
            has_all |= type->blocks[t].lo <= of->blocks[b].lo && of->blocks[b].hi <= type->blocks[t].hi;
    }
    return has_all;
}

/* Does it denote an element of the array in every state? */
static bool weaken_index(const struct weakening *w, const struct expr *index, const struct type *wanted)
{
    if (index->kind == EXPR_CONST)
        return type_has(wanted, index->value);
    return index->kind == EXPR_READ && index->place->kind == PLACE_VARIABLE &&
           weaken_is_set(w, index->place->variable) && type_has_all(wanted, index->place->variable->type);
}

/* The same place with a variable of its own for each index: they are added to `loops`. NULL: that cannot be done. */
static struct place *weaken_place(struct weakening *w, const struct place *place, struct domain *loops,
                                  const struct variable **variables, uint32_t *count, uint32_t most)
{
    struct system *system = w->system;
    struct place *base = NULL;
    if (place->kind == PLACE_VARIABLE)
        return place->variable->is_global ? place_variable(system, place->variable, w->span) : NULL;
    if (place->kind != PLACE_FIELD && place->kind != PLACE_ELEMENT)
        return NULL;
    base = weaken_place(w, place->base, loops, variables, count, most);
    if (!base || place->kind == PLACE_FIELD)
        return base ? place_field(system, base, place->field, w->span) : NULL;
    const struct type *index = place->base->type->index;
    if (*count == most || !weaken_index(w, place->index, index))
        return NULL;
    struct variable *variable = system_add_scratch(system, "element", index, w->span);
    loops[*count] = (struct domain){.type = index};
    variables[(*count)++] = variable;
    return place_element(system, base, expr_read(system, place_variable(system, variable, w->span), false, w->span),
                         w->span);
}

static bool weaken_is_constant(const struct system *system, const struct place *place, const bool *is_constant)
{
    const struct variable *variable = place_root(place)->variable;
    for (size_t g = 0; g < system->globals.count; g++)
        if (system->globals.items[g] == variable)
            return is_constant[g];
    return false;
}

/* forall e: v[e] is of its type */
static bool weaken_read(struct weakening *w, const struct place *place)
{
    enum { MOST = 4 };
    struct domain loops[MOST];
    const struct variable *variables[MOST];
    uint32_t count = 0;
    if (place->kind == PLACE_VARIABLE && !place->variable->is_global)
        return weaken_is_set(w, place->variable);
    struct place *left = weaken_place(w, place, loops, variables, &count, MOST);
    if (!left)
        return false;
    if (weaken_is_constant(w->system, left, w->is_constant))
        return true;
    struct expr *reads = expr_is_member(w->system, expr_read(w->system, left, false, w->span), place->type, w->span);
    while (count--)
        reads = expr_quantifier(w->system, OP_FORALL, variables[count], loops[count], reads, w->span);
    w->reads = w->reads ? expr_binary(w->system, OP_AND, w->reads, reads, w->span) : reads;
    return true;
}

static bool weaken_operator(enum operator op)
{
    return op <= OP_SUB && op != OP_BIT_NOT;
}

static bool weaken_expr(struct weakening *w, const struct expr *expr)
{
    switch (expr->kind) {
    case EXPR_CONST: /* sums of larger numbers may overflow */
        return expr->value >= -(int64_t)UINT32_MAX && expr->value <= (int64_t)UINT32_MAX;
    case EXPR_READ:
        return weaken_read(w, expr->place);
    case EXPR_UNARY:
        return weaken_operator(expr->op) && weaken_expr(w, expr->left);
    case EXPR_BINARY:
        return weaken_operator(expr->op) && weaken_expr(w, expr->left) && weaken_expr(w, expr->right);
    case EXPR_COND:
        return weaken_expr(w, expr->condition) && weaken_expr(w, expr->left) && weaken_expr(w, expr->right);
    case EXPR_QUANTIFIER:
        if (!expr->domain.type)
            return false;
        VEC_PUSH(&w->bound, expr->variable);
        return weaken_expr(w, expr->left);
    default:
        return false;
    }
}

/* --- the guard --- */

static uint64_t span_end(struct span span)
{
    return (uint64_t)span.column + span.length;
}

struct weaken_search {
    struct span place;
    bool is_found;
};

static bool weaken_look(void *user, const struct expr *expr)
{
    struct weaken_search *search = user;
    search->is_found |= expr->span.line == search->place.line && expr->span.column <= search->place.column &&
                        span_end(expr->span) >= span_end(search->place);
    return !search->is_found;
}

static bool weaken_has(const struct expr *expr, struct span place)
{
    struct weaken_search search = {.place = place};
    walk_expr(&(struct walker){.on_expr = weaken_look, .user = &search}, expr);
    return search.is_found;
}

/* Without the conjunct; NULL: it stays as it is. */
static struct expr *weaken_conjunct(struct weakening *w, struct expr *guard, struct span place)
{
    if (!weaken_has(guard, place))
        return NULL;
    if (guard->kind == EXPR_BINARY && guard->op == OP_AND) {
        struct expr *left = weaken_conjunct(w, guard->left, place);
        struct expr *right = left ? NULL : weaken_conjunct(w, guard->right, place);
        return left || right ? expr_binary(w->system, OP_AND, left ? left : guard->left, right ? right : guard->right,
                                           guard->span)
                             : NULL;
    }
    w->span = guard->span;
    if (!weaken_expr(w, guard))
        return NULL;
    return w->reads ? w->reads : expr_const(w->system, w->system->boolean, 1, guard->span);
}

bool weaken_guard(struct system *copy, struct rule *rule, struct span place, const bool *is_constant)
{
    struct weakening w = {.system = copy, .rule = rule, .is_constant = is_constant};
    copy->finished = false; /* variables of quantifiers are added */
    struct expr *weak = rule->guard ? weaken_conjunct(&w, rule->guard, place) : NULL;
    VEC_FREE(&w.bound);
    if (!weak)
        return false;
    if (!rule->own_guard)
        rule->own_guard = rule->guard;
    rule->guard = weak;
    return true;
}

/* --- constants --- */

struct weaken_mention {
    const struct variable *variable;
    bool is_found;
};

static bool weaken_mentions(void *user, const struct place *place, bool is_written)
{
    struct weaken_mention *mention = user;
    (void)is_written;
    mention->is_found |= place->variable == mention->variable;
    return !mention->is_found;
}

/* An assignment to a part of the variable. */
static bool weaken_sets(const struct stmt *stmt, const struct variable *variable)
{
    bool sets = stmt->kind == STMT_ASSIGN || stmt->kind == STMT_CLEAR || stmt->kind == STMT_UNDEFINE;
    return sets && place_home(stmt->place) == variable;
}

/* A function may read and write what it likes. */
static bool weaken_calls(void *user, const struct expr *expr)
{
    struct weaken_mention *mention = user;
    mention->is_found |= expr->kind == EXPR_CALL;
    return !mention->is_found;
}

/* Do not look into what only sets it, unless it reads it, too. */
static bool weaken_enters(void *user, const struct stmt *stmt)
{
    struct weaken_mention *mention = user, read = {.variable = mention->variable};
    struct walker walker = {.on_expr = weaken_calls, .on_place = weaken_mentions, .user = &read};
    if (!weaken_sets(stmt, mention->variable))
        return true;
    if (stmt->value)
        walk_expr(&walker, stmt->value);
    for (const struct place *place = stmt->place; place; place = place->base)
        if (place->index)
            walk_expr(&walker, place->index);
    mention->is_found |= read.is_found;
    return false;
}

static bool weaken_is_only_set(const struct system *copy, const struct variable *variable)
{
    struct weaken_mention mention = {.variable = variable};
    if (system_is_internal(copy, variable)) /* the steppers read it */
        return false;
    walk_all_but_starts(&(struct walker){.on_place = weaken_mentions, .user = &mention}, copy);
    walk_starts(&(struct walker){.on_stmt = weaken_enters, .on_place = weaken_mentions, .user = &mention}, copy);
    return !mention.is_found;
}

static struct block weaken_block(struct system *copy, const struct block *block, const struct variable *variable)
{
    struct block weak = {.items = ARENA_ARRAY(copy->arena, struct stmt *, block->count + 1)};
    for (uint32_t s = 0; s < block->count; s++) {
        if (weaken_sets(block->items[s], variable))
            continue;
        struct stmt *stmt = ARENA_NEW(copy->arena, struct stmt);
        *stmt = *block->items[s];
        stmt->body = weaken_block(copy, &stmt->body, variable);
        stmt->otherwise = weaken_block(copy, &stmt->otherwise, variable);
        weak.items[weak.count++] = stmt;
    }
    return weak;
}

void weaken_constants(struct system *copy, const bool *is_constant)
{
    for (size_t g = 0; g < copy->globals.count; g++) {
        const struct variable *variable = copy->globals.items[g];
        if (!is_constant[g] || !weaken_is_only_set(copy, variable))
            continue;
        for (size_t s = 0; s < copy->starts.count; s++) {
            struct rule *start = copy->starts.items[s];
            if (!start->own_body.count)
                start->own_body = start->body;
            start->body = weaken_block(copy, &start->body, variable);
        }
    }
}

/* --- back --- */

static struct rule *weaken_own(const struct rule *weak)
{
    struct rule *rule = memory_alloc(sizeof *rule);
    *rule = *weak;
    if (weak->own_guard)
        rule->guard = weak->own_guard;
    if (weak->own_body.count)
        rule->body = weak->own_body;
    rule->own_guard = NULL;
    rule->own_body = (struct block){0};
    return rule;
}

struct system *weaken_undo(const struct system *copy)
{
    struct system *system = memory_alloc(sizeof *system);
    *system = *copy;
    system->rules.items = memory_alloc((copy->rules.count + 1) * sizeof *system->rules.items);
    system->starts.items = memory_alloc((copy->starts.count + 1) * sizeof *system->starts.items);
    for (size_t r = 0; r < copy->rules.count; r++)
        system->rules.items[r] = weaken_own(copy->rules.items[r]);
    for (size_t s = 0; s < copy->starts.count; s++)
        system->starts.items[s] = weaken_own(copy->starts.items[s]);
    return system;
}

void weaken_undo_free(struct system *system)
{
    if (!system)
        return;
    for (size_t r = 0; r < system->rules.count; r++)
        free(system->rules.items[r]);
    for (size_t s = 0; s < system->starts.count; s++)
        free(system->starts.items[s]);
    free(system->rules.items);
    free(system->starts.items);
    free(system);
}
