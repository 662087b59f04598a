/* Building IR by hand in few words, for the tests of ir/ and exec/. */
#ifndef NOETHER_TESTS_IR_SHORTHAND_H
#define NOETHER_TESTS_IR_SHORTHAND_H

#include <stdlib.h>

#include "ir/build.h"
#include "ir/layout.h"

static const struct span NOWHERE = {0};

static inline struct place *ir_at(struct system *s, const struct variable *variable)
{
    return place_variable(s, variable, NOWHERE);
}

static inline struct place *ir_element(struct system *s, struct place *base, struct expr *index)
{
    return place_element(s, base, index, NOWHERE);
}

static inline struct place *ir_slot(struct system *s, struct place *base, struct expr *index)
{
    return place_slot(s, base, index, NOWHERE);
}

static inline struct place *ir_field(struct system *s, struct place *base, uint32_t field)
{
    return place_field(s, base, &base->type->fields[field], NOWHERE);
}

static inline struct expr *ir_number(struct system *s, int64_t value)
{
    return expr_const(s, s->integer, value, NOWHERE);
}

static inline struct expr *ir_truth(struct system *s, bool value)
{
    return expr_const(s, s->boolean, value, NOWHERE);
}

static inline struct expr *ir_read(struct system *s, struct place *place)
{
    return expr_read(s, place, false, NOWHERE);
}

static inline struct expr *ir_raw(struct system *s, struct place *place)
{
    return expr_read(s, place, true, NOWHERE);
}

static inline struct expr *ir_get(struct system *s, const struct variable *variable)
{
    return ir_read(s, ir_at(s, variable));
}

static inline struct expr *ir_unary(struct system *s, enum operator op, struct expr *operand)
{
    return expr_unary(s, op, operand, NOWHERE);
}

static inline struct expr *ir_binary(struct system *s, enum operator op, struct expr *left, struct expr *right)
{
    return expr_binary(s, op, left, right, NOWHERE);
}

static inline struct block ir_block(struct system *s, uint32_t count, struct stmt *const *items)
{
    return (struct block){.items = arena_copy(s->arena, items, count * sizeof *items), .count = count};
}

#define IR_BLOCK(s, ...)                                                                                               \
    ir_block((s), sizeof((struct stmt *[]){__VA_ARGS__}) / sizeof(struct stmt *), (struct stmt *[]){__VA_ARGS__})

static inline struct stmt *ir_stmt(struct system *s, enum stmt_kind kind, struct place *place, struct expr *value)
{
    struct stmt *stmt = stmt_new(s, kind, NOWHERE);
    stmt->place = place;
    stmt->value = value;
    return stmt;
}

static inline struct stmt *ir_assign(struct system *s, struct place *place, struct expr *value)
{
    return ir_stmt(s, STMT_ASSIGN, place, value);
}

static inline struct stmt *ir_set(struct system *s, const struct variable *variable, struct expr *value)
{
    return ir_assign(s, ir_at(s, variable), value);
}

/* COPY, MULTISET_ADD or RETURN of an aggregate. */
static inline struct stmt *ir_move(struct system *s, enum stmt_kind kind, struct place *place, struct place *source)
{
    struct stmt *stmt = ir_stmt(s, kind, place, NULL);
    stmt->source = source;
    return stmt;
}

static inline struct stmt *ir_bind(struct system *s, const struct variable *reference, struct place *place)
{
    struct stmt *stmt = ir_stmt(s, STMT_BIND, place, NULL);
    stmt->variable = reference;
    return stmt;
}

static inline struct stmt *ir_if(struct system *s, struct expr *condition, struct block body)
{
    struct stmt *stmt = ir_stmt(s, STMT_IF, NULL, condition);
    stmt->body = body;
    return stmt;
}

static inline struct stmt *ir_while(struct system *s, struct expr *condition, struct block body)
{
    struct stmt *stmt = ir_stmt(s, STMT_WHILE, NULL, condition);
    stmt->body = body;
    return stmt;
}

static inline struct stmt *ir_for(struct system *s, const struct variable *variable, struct domain domain,
                                  struct block body)
{
    struct stmt *stmt = ir_stmt(s, STMT_FOR, NULL, NULL);
    stmt->variable = variable;
    stmt->domain = domain;
    stmt->body = body;
    return stmt;
}

/* ASSERT, ASSUME, COVER, ERROR with a property of its own. */
static inline struct stmt *ir_claim(struct system *s, enum stmt_kind kind, struct expr *value)
{
    enum property_kind property = kind == STMT_ASSERT   ? PROPERTY_ASSERTION
                                  : kind == STMT_ASSUME ? PROPERTY_ASSUMPTION
                                  : kind == STMT_COVER  ? PROPERTY_COVER
                                                        : PROPERTY_ERROR;
    struct stmt *stmt = ir_stmt(s, kind, NULL, value);
    stmt->property = system_add_property(s, property, NULL, NULL, NOWHERE);
    return stmt;
}

/* v := v + 1 */
static inline struct stmt *ir_increment(struct system *s, const struct variable *variable)
{
    return ir_set(s, variable, ir_binary(s, OP_ADD, ir_get(s, variable), ir_number(s, 1)));
}

static inline struct expr *ir_call(struct system *s, const struct function *function, struct argument *arguments)
{
    struct argument *kept = arena_copy(s->arena, arguments, function->parameter_count * sizeof *arguments);
    return expr_call(s, function, kept, NOWHERE);
}

static inline struct stmt *ir_call_stmt(struct system *s, const struct function *function, struct argument *arguments)
{
    return ir_stmt(s, STMT_CALL, NULL, ir_call(s, function, arguments));
}

static inline struct function *ir_function(struct system *s, const char *name, const struct variable *result,
                                           uint32_t count, const struct variable *const *parameters)
{
    struct function *function = system_add_function(s, name, NOWHERE);
    function->result = result;
    function->parameter_count = count;
    function->parameters = arena_copy(s->arena, parameters, count * sizeof *parameters);
    return function;
}

static inline void ir_add_parameter(struct system *s, struct rule *rule, const struct variable *variable,
                                    const struct type *type)
{
    struct parameter *more = ARENA_ARRAY(s->arena, struct parameter, rule->parameter_count + 1);
    for (uint32_t p = 0; p < rule->parameter_count; p++)
        more[p] = rule->parameters[p];
    more[rule->parameter_count++] = (struct parameter){.variable = variable, .type = type};
    rule->parameters = more;
}

#endif
