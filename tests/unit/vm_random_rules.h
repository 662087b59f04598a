/* Random statements, functions, rules and states, on top of the expressions of vm_random.h. */
#ifndef NOETHER_TESTS_VM_RANDOM_RULES_H
#define NOETHER_TESTS_VM_RANDOM_RULES_H

#include "vm_random.h"

#include "ir/layout.h"

static inline struct stmt *any_claim(struct random_system *r, int depth)
{
    static const enum stmt_kind kinds[] = {STMT_ASSERT, STMT_ASSUME, STMT_COVER, STMT_ERROR};
    static const enum property_kind properties[] = {PROPERTY_ASSERTION, PROPERTY_ASSUMPTION, PROPERTY_COVER,
                                                    PROPERTY_ERROR};
    uint32_t which = pick(r, pick(r, 4) ? 3 : 4);
    struct stmt *stmt = stmt_new(r->s, kinds[which], here(r));
    if (kinds[which] != STMT_ERROR)
        stmt->value = any_truth(r, depth - 1);
    stmt->property = system_add_property(r->s, properties[which], "claim", NULL, here(r));
    return stmt;
}

static inline struct stmt *any_assignment(struct random_system *r, int depth)
{
    const struct type *const types[] = {r->range, r->range, r->small, r->color, r->node, r->choice, r->s->boolean};
    const struct type *type = types[pick(r, 7)];
    struct stmt *stmt = stmt_new(r->s, STMT_ASSIGN, here(r));
    stmt->place = any_place(r, type, true, depth);
    if (!stmt->place)
        return NULL;
    if (pick(r, 8) == 0)
        stmt->value = expr_undefined(r->s, type, here(r));
    else if (pick(r, 4) == 0)
        stmt->value = any_read(r, type == r->small ? r->range : type == r->choice ? r->wide : type, true, depth);
    else
        stmt->value = any_value(r, type, depth);
    return stmt;
}

static inline struct stmt *any_whole(struct random_system *r, int depth)
{
    const struct type *const types[] = {r->record, r->row, r->grid, r->bag, r->by_choice, r->numbers, r->range};
    struct stmt *stmt = stmt_new(r->s, pick(r, 2) ? STMT_COPY : pick(r, 2) ? STMT_CLEAR : STMT_UNDEFINE, here(r));
    const struct type *type = types[pick(r, stmt->kind == STMT_COPY ? 6 : 7)];
    stmt->place = any_place(r, type, true, depth);
    if (stmt->kind == STMT_COPY)
        stmt->source = any_place(r, type, false, depth);
    return stmt->place && (stmt->source || stmt->kind != STMT_COPY) ? stmt : NULL;
}

static inline struct stmt *any_multiset_stmt(struct random_system *r, int depth)
{
    static const enum stmt_kind kinds[] = {STMT_MULTISET_ADD, STMT_MULTISET_ADD, STMT_MULTISET_REMOVE,
                                           STMT_MULTISET_REMOVE_IF};
    struct stmt *stmt = stmt_new(r->s, kinds[pick(r, 4)], here(r));
    stmt->place = any_place(r, pick(r, 2) ? r->bag : r->numbers, true, depth);
    if (!stmt->place)
        return NULL;
    if (stmt->kind == STMT_MULTISET_REMOVE) {
        stmt->value = any_number(r, depth - 1);
    } else if (stmt->kind == STMT_MULTISET_REMOVE_IF) {
        struct variable *slot = system_add_scratch(r->s, "slot", r->small, here(r));
        stmt->variable = slot;
        VEC_PUSH(&r->scope, slot);
        VEC_PUSH(&r->fixed, slot);
        stmt->value = any_truth(r, depth - 1);
        (void)VEC_POP(&r->scope);
        (void)VEC_POP(&r->fixed);
    } else if (stmt->place->type == r->numbers) {
        stmt->value = pick(r, 2) ? any_number(r, depth - 1) : any_read(r, r->range, true, depth);
    } else {
        stmt->source = any_place(r, r->record, false, depth);
        if (!stmt->source)
            return NULL;
    }
    return stmt;
}

/* A reference stays in scope for the rest of the block. */
static inline struct stmt *any_binding(struct random_system *r, int depth)
{
    const struct type *const types[] = {r->record, r->row, r->range, r->choice, r->bag};
    struct stmt *stmt = stmt_new(r->s, STMT_BIND, here(r));
    if (r->aliases.count && pick(r, 3) == 0) {
        stmt->variable = r->aliases.items[pick(r, (uint32_t)r->aliases.count)];
        stmt->place = any_place(r, stmt->variable->type, pick(r, 3), depth);
        return stmt->place ? stmt : NULL;
    }
    const struct type *type = types[pick(r, 5)];
    stmt->place = any_place(r, type, pick(r, 3), depth);
    if (!stmt->place)
        return NULL;
    struct variable *reference = system_add_reference(r->s, "alias", stmt->place->type, here(r));
    stmt->variable = reference;
    VEC_PUSH(&r->scope, reference);
    VEC_PUSH(&r->aliases, reference);
    return stmt;
}

static inline struct stmt *any_loop(struct random_system *r, int depth)
{
    const struct type *type;
    struct stmt *stmt = stmt_new(r->s, pick(r, 3) ? STMT_FOR : STMT_WHILE, here(r));
    if (stmt->kind == STMT_WHILE) {
        stmt->value = any_truth(r, depth - 1);
        stmt->body = any_block(r, depth - 1);
        return stmt;
    }
    stmt->domain = any_domain(r, &type, depth);
    struct variable *variable = system_add_scratch(r->s, "loop", type, here(r));
    stmt->variable = variable;
    VEC_PUSH(&r->scope, variable);
    VEC_PUSH(&r->fixed, variable);
    stmt->body = any_block(r, depth - 1);
    (void)VEC_POP(&r->scope);
    (void)VEC_POP(&r->fixed);
    return stmt;
}

static inline struct stmt *any_return(struct random_system *r, int depth)
{
    struct stmt *stmt = stmt_new(r->s, STMT_RETURN, here(r));
    const struct variable *result = r->function ? r->function->result : NULL;
    if (result && type_is_scalar(result->type))
        stmt->value = any_value(r, result->type, depth);
    else if (result && !(stmt->source = any_place(r, result->type, false, depth)))
        return NULL;
    return stmt;
}

/* NULL when nothing came to mind. */
static struct stmt *any_stmt(struct random_system *r, int depth)
{
    const struct function *function;
    struct stmt *stmt;
    switch (pick(r, depth > 0 ? 14 : 4)) {
    case 4:
    case 5:
        stmt = stmt_new(r->s, STMT_IF, here(r));
        stmt->value = any_truth(r, depth - 1);
        stmt->body = any_block(r, depth - 1);
        if (pick(r, 2))
            stmt->otherwise = any_block(r, depth - 1);
        return stmt;
    case 6:
        return any_loop(r, depth);
    case 7:
        return pick(r, 3) ? NULL : any_claim(r, depth);
    case 8:
        return any_multiset_stmt(r, depth);
    case 9:
        function = any_function(r, NULL);
        if (!function)
            return NULL;
        stmt = stmt_new(r->s, STMT_CALL, here(r));
        stmt->value = any_call(r, function, depth - 1);
        return stmt;
    case 10:
        return any_binding(r, depth);
    case 11:
        return any_whole(r, depth);
    case 12:
        return pick(r, 3) ? NULL : any_return(r, depth);
    case 13:
        stmt = stmt_new(r->s, STMT_PUT, here(r));
        if (pick(r, 2))
            stmt->value = any_number(r, depth - 1);
        else
            stmt->source = any_place(r, r->record, false, depth);
        return stmt;
    default:
        return any_assignment(r, depth);
    }
}

static struct block any_block(struct random_system *r, int depth)
{
    struct stmt **items = ARENA_ARRAY(r->s->arena, struct stmt *, 4);
    size_t scope = r->scope.count, aliases = r->aliases.count;
    uint32_t count = 0;
    for (uint32_t i = 0, wanted = 1 + pick(r, 3); i < wanted; i++) {
        struct stmt *stmt = any_stmt(r, depth);
        if (stmt)
            items[count++] = stmt;
    }
    r->scope.count = scope;
    r->aliases.count = aliases;
    return (struct block){.items = items, .count = count};
}

/* A body: locals that are undefined first, statements, perhaps a return. */
static inline struct block any_body(struct random_system *r, int depth)
{
    const struct type *const types[] = {r->range, r->record, r->row};
    VEC(struct stmt *) items = {0};
    size_t scope = r->scope.count, aliases = r->aliases.count;
    for (uint32_t i = 0, locals = pick(r, 3); i < locals; i++) {
        struct variable *local = system_add_scratch(r->s, "local", types[pick(r, 3)], here(r));
        struct stmt *stmt = stmt_new(r->s, STMT_UNDEFINE, here(r));
        stmt->place = place_variable(r->s, local, here(r));
        VEC_PUSH(&items, stmt);
        VEC_PUSH(&r->scope, local);
    }
    for (uint32_t i = 0, wanted = 1 + pick(r, 4); i < wanted; i++) {
        struct stmt *stmt = any_stmt(r, depth);
        if (stmt)
            VEC_PUSH(&items, stmt);
    }
    struct stmt *last = r->function && pick(r, 8) ? any_return(r, depth) : NULL;
    if (last)
        VEC_PUSH(&items, last);
    r->scope.count = scope;
    r->aliases.count = aliases;
    uint32_t count = (uint32_t)items.count;
    return (struct block){.items = VEC_SEAL(&items, r->s->arena), .count = count};
}

static inline void any_new_function(struct random_system *r)
{
    const struct type *const types[] = {r->range, r->s->boolean, r->record, r->row, r->choice, r->small};
    struct system *s = r->s;
    struct function *function = system_add_function(s, "function", here(r));
    uint32_t result = pick(r, 5);
    function->parameter_count = pick(r, 4);
    const struct variable **parameters = ARENA_ARRAY(s->arena, const struct variable *, function->parameter_count + 1);
    size_t scope = r->scope.count;
    for (uint32_t p = 0; p < function->parameter_count; p++) {
        const struct type *type = types[pick(r, 6)];
        parameters[p] = pick(r, 2) ? system_add_reference(s, "by_reference", type, here(r))
                                   : system_add_scratch(s, "by_value", type, here(r));
        VEC_PUSH(&r->scope, parameters[p]);
    }
    function->parameters = parameters;
    if (result < 4)
        function->result = system_add_scratch(s, "result", types[result], here(r));
    r->function = function;
    function->body = any_body(r, 1 + (int)pick(r, 3));
    r->function = NULL;
    r->scope.count = scope;
}

/* Parameters that are not used in an order that helps, a prelude, a guard of several conjuncts. */
static inline void any_rule(struct random_system *r, struct rule *rule)
{
    const struct type *const types[] = {r->small, r->color, r->node, r->choice};
    struct system *s = r->s;
    size_t scope = r->scope.count, fixed = r->fixed.count;
    rule->parameter_count = pick(r, 4);
    rule->parameters = ARENA_ARRAY(s->arena, struct parameter, rule->parameter_count + 1);
    for (uint32_t p = 0; p < rule->parameter_count; p++) {
        const struct type *type = types[pick(r, 4)];
        const struct variable *variable = system_add_scratch(s, "parameter", type, here(r));
        rule->parameters[p] = (struct parameter){.variable = variable, .type = type};
        VEC_PUSH(&r->scope, variable);
        VEC_PUSH(&r->fixed, variable);
    }
    rule->prelude.items = ARENA_ARRAY(s->arena, struct stmt *, 4);
    for (uint32_t i = 0, wanted = pick(r, 3); i < wanted; i++) {
        struct stmt *stmt = pick(r, 2) ? any_binding(r, 2) : stmt_new(s, STMT_REQUIRE, here(r));
        if (stmt && stmt->kind == STMT_REQUIRE)
            stmt->value = any_truth(r, 2);
        if (stmt)
            rule->prelude.items[rule->prelude.count++] = stmt;
    }
    for (uint32_t i = 0, wanted = pick(r, 5); i < wanted; i++) {
        struct expr *conjunct = pick(r, 3) ? any_comparison(r, 2) : any_truth(r, 2);
        rule->guard = rule->guard ? expr_binary(s, OP_AND, rule->guard, conjunct, here(r)) : conjunct;
    }
    rule->body = any_body(r, 3);
    r->scope.count = scope;
    r->fixed.count = fixed;
    r->aliases.count = 0;
}

static inline struct system *random_system(uint64_t seed)
{
    struct random_system r = {.s = system_create("random"), .seed = seed};
    random_types(&r);
    const struct type *const types[] = {r.range, r.small, r.color, r.node,    r.choice,    r.s->boolean, r.record,
                                        r.row,   r.grid,  r.bag,   r.numbers, r.by_choice, r.wide};
    for (uint32_t g = 0; g < sizeof types / sizeof *types; g++)
        VEC_PUSH(&r.scope, system_add_global(r.s, "global", types[g], here(&r)));
    if (pick(&r, 2)) /* a state of many cells */
        VEC_PUSH(&r.scope,
                 system_add_global(r.s, "large", type_array(r.s, NULL, r.range, r.by_choice, here(&r)), here(&r)));
    r.s->loop_limit = 5;
    for (uint32_t f = 0, wanted = pick(&r, 6); f < wanted; f++)
        any_new_function(&r);
    for (uint32_t i = 0, wanted = 1 + pick(&r, 3); i < wanted; i++)
        any_rule(&r, system_add_rule(r.s, "rule", here(&r)));
    any_rule(&r, system_add_start(r.s, "start", here(&r)));
    static const enum property_kind kinds[] = {PROPERTY_INVARIANT, PROPERTY_COVER, PROPERTY_ASSUMPTION};
    for (uint32_t p = 0; p < 3; p++) {
        struct expr *formula = any_truth(&r, 3);
        system_add_property(r.s, kinds[p], "property", formula, here(&r));
    }
    VEC_FREE(&r.scope);
    VEC_FREE(&r.fixed);
    VEC_FREE(&r.aliases);
    ENSURE(system_finish(r.s));
    return r.s;
}

/* Any state, with some cells undefined; multisets not always in normal order. */
static inline void random_state(const struct layout *layout, uint64_t *seed, int32_t *cells)
{
    struct random_system r = {.seed = *seed};
    layout_blank(layout, cells);
    for (uint32_t c = 0; c < layout->cell_count; c++)
        if (!layout->cells[c].type)
            cells[c] = (int32_t)pick(&r, 2);
        else if (pick(&r, 12))
            cells[c] = type_code(layout->cells[c].type, pick(&r, layout->cells[c].type->size));
    for (uint32_t m = 0; m < layout->multiset_count; m++) { /* a free slot holds nothing */
        const struct type *type = layout->multisets[m].type;
        for (uint32_t s = 0; s < type->capacity; s++) {
            int32_t *slot = cells + layout->multisets[m].address + s * multiset_stride(type);
            for (uint32_t c = 1; !slot[0] && c < multiset_stride(type); c++)
                slot[c] = UNDEFINED;
        }
    }
    if (pick(&r, 4))
        layout_normalise(layout, cells);
    *seed = r.seed;
}

#endif
