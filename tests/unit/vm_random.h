/* Random systems, well typed but with every chance to fault: the food of vm_test. Every node has a line of its own,
 * so that two steppers agree on a fault only when they agree on where it is. */
#ifndef NOETHER_TESTS_VM_RANDOM_H
#define NOETHER_TESTS_VM_RANDOM_H

#include "base/hash.h"
#include "ir/build.h"

struct random_system {
    struct system *s;
    uint64_t seed;
    uint32_t line;
    VEC(const struct variable *) scope;   /* readable here; the globals first */
    VEC(const struct variable *) fixed;   /* those of the scope that must not be written */
    VEC(const struct variable *) aliases; /* of the scope: may be bound again */
    const struct function *function;      /* whose body is made */
    const struct type *range, *small, *color, *node, *choice, *wide, *record, *row, *grid, *by_choice, *bag, *numbers;
};

static inline uint32_t pick(struct random_system *r, uint32_t below)
{
    r->seed = hash_mix(r->seed);
    return (uint32_t)(r->seed >> 33) % below;
}

static inline struct span here(struct random_system *r)
{
    return (struct span){.line = ++r->line, .column = 1, .length = 1};
}

static struct expr *any_truth(struct random_system *r, int depth);
static struct expr *any_number(struct random_system *r, int depth);
static struct expr *any_value(struct random_system *r, const struct type *type, int depth);
static struct block any_block(struct random_system *r, int depth);
static struct expr *any_call(struct random_system *r, const struct function *function, int depth);

static inline void random_types(struct random_system *r)
{
    struct system *s = r->s;
    static const char *const colors[] = {"red", "green", "blue"}, *const gap[] = {"gap"};
    r->range = type_range(s, "Range", -2, 5, here(r));
    r->small = type_range(s, "Small", 0, 2, here(r));
    r->color = type_enum(s, "Color", colors, 3, here(r));
    const struct type *between = type_enum(s, "Gap", gap, 1, here(r));
    r->node = type_index(s, "Node", 2, here(r));
    const struct type *members[] = {r->color, r->node, between};
    r->choice = type_union(s, "Choice", members, 2, here(r));
    r->wide = type_union(s, "Wide", members, 3, here(r));
    const struct field fields[] = {{"number", r->range, 0}, {"choice", r->choice, 0}, {"truth", s->boolean, 0}};
    r->record = type_record(s, "Record", fields, 3, here(r));
    r->row = type_array(s, "Row", r->small, r->range, here(r));
    r->grid = type_array(s, "Grid", r->node, r->row, here(r));
    r->by_choice = type_array(s, "ByChoice", r->choice, r->record, here(r));
    r->bag = type_multiset(s, "Bag", r->record, 2, here(r));
    r->numbers = type_multiset(s, "Numbers", r->range, 3, here(r));
}

/* A step from a whole to one of its parts. */
static inline struct place *any_part(struct random_system *r, struct place *place, int depth)
{
    switch (place->type->kind) {
    case TYPE_ARRAY:
        return place_element(r->s, place, any_value(r, place->type->index, depth - 1), here(r));
    case TYPE_RECORD:
        return place_field(r->s, place, &place->type->fields[pick(r, place->type->field_count)], here(r));
    case TYPE_MULTISET:
        return place_slot(r->s, place, any_number(r, depth - 1), here(r));
    default:
        return NULL;
    }
}

static inline bool is_fixed(const struct random_system *r, const struct variable *variable)
{
    for (size_t i = 0; i < r->fixed.count; i++)
        if (r->fixed.items[i] == variable)
            return true;
    return false;
}

/* A function that is complete and returns the type (NULL: any); NULL when there is none. */
static inline const struct function *any_function(struct random_system *r, const struct type *type)
{
    for (int tries = 0; tries < 6 && r->s->functions.count; tries++) {
        const struct function *f = r->s->functions.items[pick(r, (uint32_t)r->s->functions.count)];
        if (f != r->function && f->body.count && (!type || (f->result && f->result->type == type)))
            return f;
    }
    return NULL;
}

/* A place of the type, or NULL when none is found soon. */
static inline struct place *any_place(struct random_system *r, const struct type *type, bool is_written, int depth)
{
    const struct function *function = NULL;
    if (!is_written && depth > 0 && !type_is_scalar(type) && pick(r, 2))
        function = any_function(r, type);
    if (function)
        return place_call(r->s, any_call(r, function, depth - 1), here(r));
    for (int tries = 0; tries < 12; tries++) {
        uint32_t near = r->scope.count > 16 && pick(r, 2) ? 4 : (uint32_t)r->scope.count; /* locals half of the time */
        const struct variable *variable = r->scope.items[r->scope.count - 1 - pick(r, near)];
        if (is_written && is_fixed(r, variable))
            continue;
        struct place *place = place_variable(r->s, variable, here(r));
        while (place && place->type != type)
            place = depth > 0 || type_is_scalar(place->type) ? any_part(r, place, depth) : NULL;
        if (place)
            return place;
    }
    return NULL;
}

static inline struct expr *any_read(struct random_system *r, const struct type *type, bool raw, int depth)
{
    struct place *place = any_place(r, type, false, depth);
    if (place)
        return expr_read(r->s, place, raw, here(r));
    return expr_const(r->s, type, type_code(type, pick(r, type->size)), here(r));
}

static inline struct expr *any_call(struct random_system *r, const struct function *function, int depth)
{
    struct argument *arguments = ARENA_ARRAY(r->s->arena, struct argument, function->parameter_count + 1);
    for (uint32_t p = 0; p < function->parameter_count; p++) {
        const struct variable *parameter = function->parameters[p];
        if (!parameter->is_reference && type_is_scalar(parameter->type)) {
            arguments[p].value =
                pick(r, 2) ? any_read(r, parameter->type, true, depth) : any_value(r, parameter->type, depth);
            continue;
        }
        arguments[p].place = any_place(r, parameter->type, parameter->is_reference && pick(r, 3), depth);
        for (size_t g = 0; !arguments[p].place; g++) /* there is a global of every type */
            if (r->s->globals.items[g]->type == parameter->type)
                arguments[p].place = place_variable(r->s, r->s->globals.items[g], here(r));
    }
    return expr_call(r->s, function, arguments, here(r));
}

/* Mostly small; else so large that little is needed to overflow. */
static int64_t any_constant(struct random_system *r)
{
    switch (pick(r, 12)) {
    case 0:
        return (int64_t)INT32_MAX << pick(r, 32);
    case 1:
        if (pick(r, 4) == 0)
            return INT32_MIN; /* the code of "undefined", which a constant cannot hold */
        return pick(r, 2) ? INT64_MAX - pick(r, 2) : INT64_MIN + pick(r, 2);
    default:
        return (int64_t)pick(r, 7) - 2;
    }
}

static struct expr *any_number(struct random_system *r, int depth)
{
    static const enum operator ops[] = {OP_ADD, OP_ADD,     OP_SUB,    OP_SUB,     OP_MUL, OP_DIV,
                                        OP_MOD, OP_BIT_AND, OP_BIT_OR, OP_BIT_XOR, OP_SHL, OP_SHR};
    struct system *s = r->s;
    if (depth <= 0 || pick(r, 3) == 0)
        return pick(r, 3) ? any_read(r, pick(r, 2) ? r->range : r->small, false, depth)
                          : expr_const(s, s->integer, any_constant(r), here(r));
    const struct function *function;
    struct expr *left, *right;
    struct variable *variable;
    struct place *place;
    switch (pick(r, 8)) {
    case 0:
        left = any_number(r, depth - 1);
        return expr_unary(s, pick(r, 2) ? OP_NEGATE : OP_BIT_NOT, left, here(r));
    case 1:
        left = any_truth(r, depth - 1);
        right = any_number(r, depth - 1);
        return expr_cond(s, left, right, any_number(r, depth - 1), here(r));
    case 2:
    case 4:
        function = any_function(r, r->range);
        if (function)
            return any_call(r, function, depth - 1);
        break;
    case 3:
        place = any_place(r, pick(r, 2) ? r->bag : r->numbers, false, depth);
        if (!place)
            break;
        variable = system_add_scratch(s, "slot", r->small, here(r));
        VEC_PUSH(&r->scope, variable);
        VEC_PUSH(&r->fixed, variable);
        left = expr_count(s, place, variable, any_truth(r, depth - 1), here(r));
        (void)VEC_POP(&r->scope);
        (void)VEC_POP(&r->fixed);
        return left;
    default:
        break;
    }
    left = any_number(r, depth - 1);
    right = any_number(r, depth - 1);
    return expr_binary(s, ops[pick(r, sizeof ops / sizeof *ops)], left, right, here(r));
}

static struct expr *any_value(struct random_system *r, const struct type *type, int depth)
{
    if (type->kind == TYPE_BOOL)
        return any_truth(r, depth);
    if (type->kind == TYPE_RANGE)
        return pick(r, 3) ? any_read(r, type, false, depth) : any_number(r, depth);
    if (depth > 0 && pick(r, 6) == 0) {
        struct expr *condition = any_truth(r, depth - 1), *left = any_value(r, type, depth - 1);
        return expr_cond(r->s, condition, left, any_value(r, type, depth - 1), here(r));
    }
    if (pick(r, 5) == 0)
        return expr_const(r->s, type, type_code(type, pick(r, type->size)), here(r));
    /* A member of a union may stand for it, and the other way round it may fault. */
    const struct type *other = type;
    if (type == r->choice && pick(r, 2))
        other = pick(r, 2) ? r->color : pick(r, 2) ? r->node : r->wide;
    else if (type != r->choice && pick(r, 4) == 0)
        other = r->choice;
    return any_read(r, other, false, depth);
}

static inline struct domain any_domain(struct random_system *r, const struct type **type, int depth)
{
    struct domain domain = {0};
    if (pick(r, 3)) {
        const struct type *const types[] = {r->small, r->color, r->node, r->choice, r->s->boolean};
        domain.type = *type = types[pick(r, 5)];
        return domain;
    }
    *type = r->range;
    domain.from = any_number(r, depth - 1);
    domain.to = any_number(r, depth - 1);
    if (pick(r, 2))
        domain.by = any_number(r, depth - 2);
    return domain;
}

static struct expr *any_quantifier(struct random_system *r, int depth)
{
    const struct type *type;
    struct domain domain = any_domain(r, &type, depth);
    struct variable *variable = system_add_scratch(r->s, "q", type, here(r));
    VEC_PUSH(&r->scope, variable);
    VEC_PUSH(&r->fixed, variable);
    struct expr *body = any_truth(r, depth - 1);
    (void)VEC_POP(&r->scope);
    (void)VEC_POP(&r->fixed);
    return expr_quantifier(r->s, pick(r, 2) ? OP_FORALL : OP_EXISTS, variable, domain, body, here(r));
}

static struct expr *any_comparison(struct random_system *r, int depth)
{
    if (pick(r, 2)) {
        struct expr *left = any_number(r, depth - 1), *right = any_number(r, depth - 1);
        return expr_binary(r->s, (enum operator)(OP_EQ + pick(r, 6)), left, right, here(r));
    }
    const struct type *const types[] = {r->color, r->node, r->choice, r->s->boolean};
    const struct type *type = types[pick(r, 4)];
    struct expr *left = any_value(r, type, depth - 1), *right = any_value(r, type, depth - 1);
    return expr_binary(r->s, pick(r, 2) ? OP_EQ : OP_NE, left, right, here(r));
}

static struct expr *any_truth(struct random_system *r, int depth)
{
    struct system *s = r->s;
    const struct type *const wholes[] = {r->record, r->row, r->grid, r->range, r->choice};
    struct place *place, *other;
    struct expr *left, *right;
    const struct function *function;
    if (depth <= 0)
        return any_read(r, s->boolean, false, depth);
    switch (pick(r, 13)) {
    case 0:
        return expr_unary(s, OP_NOT, any_truth(r, depth - 1), here(r));
    case 1:
    case 2:
        left = any_truth(r, depth - 1);
        right = any_truth(r, depth - 1);
        return expr_binary(s, (enum operator)(OP_AND + pick(r, 3)), left, right, here(r));
    case 3:
        return any_quantifier(r, depth);
    case 4:
        place = any_place(r, wholes[pick(r, 5)], false, depth);
        return place ? expr_is_undefined(s, place, here(r)) : any_comparison(r, depth);
    case 5:
        left = any_read(r, r->choice, false, depth);
        return expr_is_member(s, left, pick(r, 2) ? r->color : pick(r, 2) ? r->node : r->choice, here(r));
    case 6:
        place = any_place(r, wholes[pick(r, 3)], false, depth);
        other = place ? any_place(r, place->type, false, depth) : NULL;
        return other ? expr_equal(s, place, other, here(r)) : any_comparison(r, depth);
    case 7:
        place = any_place(r, pick(r, 2) ? r->bag : r->numbers, false, depth);
        return place ? expr_slot_taken(s, place, any_number(r, depth - 1), here(r)) : any_comparison(r, depth);
    case 8:
    case 10:
        function = any_function(r, s->boolean);
        return function ? any_call(r, function, depth - 1) : any_comparison(r, depth);
    case 9:
        left = any_truth(r, depth - 1);
        right = any_truth(r, depth - 1);
        return expr_cond(s, left, right, any_truth(r, depth - 1), here(r));
    default:
        return any_comparison(r, depth);
    }
}

#endif
