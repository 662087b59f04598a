/* Values of a run. */
#include "reduce/inner.h"

struct reduce_value value_of(struct expr *expr)
{
    return expr->kind == EXPR_CONST ? value_known(expr->value) : value_residual(expr);
}

struct expr *value_expr(struct reduce_run *run, const struct reduce_value *value, const struct type *type,
                        struct span span)
{
    if (value->kind == VALUE_RESIDUAL)
        return value->expr;
    ENSURE(value->kind == VALUE_KNOWN);
    /* A union that holds elements is not in the reduced system; the code says whose it is. */
    for (uint32_t b = 0; type_is_scalar(type) && b < type->block_count; b++)
        if (type->kind == TYPE_UNION && value->code >= type->blocks[b].lo && value->code <= type->blocks[b].hi)
            type = type->blocks[b].owner;
    if (value->code == UNDEFINED)
        return expr_undefined(run->out, make_type(run->reducer, type), span);
    return make_const(run, type, value->code, span);
}

enum reduce_go value_force(struct reduce_run *run, struct reduce_value *value, const struct type *type,
                           struct span span, const char *what)
{
    if (value->kind != VALUE_RESIDUAL)
        return GO_OK;
    const struct expr *expr = value->expr;
    if (expr->kind == EXPR_READ && expr->raw) {
        bool is_undefined;
        enum reduce_go go = run_branch(run, expr_is_undefined(run->out, expr->place, span), &is_undefined);
        if (go == GO_OK && is_undefined)
            *value = value_known(UNDEFINED);
        if (go != GO_OK || is_undefined)
            return go;
        value->expr = expr_read(run->out, expr->place, false, expr->span);
    }
    bool is_evaluated = expr->raw;
    /* Of the type's values, only those that the expression's type has: no elements. */
    const struct type *own = value->expr->type;
    uint32_t last = 0;
    for (uint32_t i = 0; i < type->size; i++)
        if (type_has(own, type_code(type, i)))
            last = i;
    for (uint32_t i = 0; i < type->size; i++) {
        bool is_it = true, has_rest = true;
        int32_t code = type_code(type, i);
        if (!type_has(own, code))
            continue;
        /* The last value needs no test when there is no other. */
        if (i == last) {
            has_rest = false;
            for (uint32_t b = 0; b < own->block_count; b++)
                has_rest |= !type_has(type, own->blocks[b].lo) || !type_has(type, own->blocks[b].hi);
        }
        if (has_rest) {
            struct expr *test = expr_binary(run->out, OP_EQ, value->expr, expr_const(run->out, own, code, span), span);
            enum reduce_go go = run_branch(run, test, &is_it);
            if (go != GO_OK)
                return go;
            is_evaluated = true;
        }
        if (is_it) {
            if (!is_evaluated)
                touch_value(run, value);
            *value = value_known(code);
            return GO_OK;
        }
    }
    return run_fault(run, span, what);
}

/* An element and what may be one. */
static enum reduce_go value_equal_element(struct reduce_run *run, struct reduce_value left, struct reduce_value right,
                                          struct reduce_value *result)
{
    if (left.kind == VALUE_ELSEWHERE && right.kind == VALUE_ELSEWHERE) {
        if (left.number == right.number) {
            *result = value_known(1);
            return GO_OK;
        }
        uint32_t high = left.number > right.number ? left.number : right.number;
        uint32_t low = left.number > right.number ? right.number : left.number;
        if (left.family != right.family)
            *result = value_known(0);
        else
            *result = value_residual(make_same(run, high, low));
        return GO_OK;
    }
    if (left.kind == VALUE_ELEMENT && right.kind == VALUE_ELEMENT) {
        *result = value_known(left.number == right.number);
        return GO_OK;
    }
    /* One of a crowd could be the one that the pointer holds. */
    const struct reduce_value *named = left.kind == VALUE_ELEMENT ? &left : &right;
    struct reduce_value *elsewhere = left.kind == VALUE_ELSEWHERE ? &left : &right;
    if (named->kind == VALUE_ELEMENT && elsewhere->kind == VALUE_ELSEWHERE && named->family == elsewhere->family &&
        run->elements.items[named->number].is_crowd)
        return ask_name(run, elsewhere);
    *result = value_known(0);
    return GO_OK;
}

static bool value_types_meet(const struct type *a, const struct type *b)
{
    for (uint32_t i = 0; i < a->block_count; i++)
        for (uint32_t j = 0; j < b->block_count; j++)
            if (a->blocks[i].lo <= b->blocks[j].hi && b->blocks[j].lo <= a->blocks[i].hi)
                return true;
    return a->kind == TYPE_RANGE || b->kind == TYPE_RANGE;
}

/* Two values one of which is residual: are they never equal, being an element and none, or of two members of a union?
 */
static bool value_is_foreign(const struct reduce_value *left, const struct reduce_value *right)
{
    const struct reduce_value *residual = left->kind == VALUE_RESIDUAL ? left : right;
    const struct reduce_value *other = left->kind == VALUE_RESIDUAL ? right : left;
    if (other->kind == VALUE_KNOWN)
        return residual->expr->type->kind != TYPE_RANGE && !type_has(residual->expr->type, other->code);
    return other->kind != VALUE_RESIDUAL || !value_types_meet(residual->expr->type, other->expr->type);
}

enum reduce_go value_equal(struct reduce_run *run, struct reduce_value left, struct reduce_value right,
                           const struct type *type, struct span span, struct reduce_value *result)
{
    if (left.kind == VALUE_KNOWN && right.kind == VALUE_KNOWN) {
        *result = value_known(left.code == right.code);
        return GO_OK;
    }
    bool has_residual = left.kind == VALUE_RESIDUAL || right.kind == VALUE_RESIDUAL;
    if (!has_residual)
        return value_equal_element(run, left, right, result);
    if (value_is_foreign(&left, &right)) {
        touch_value(run, &left);
        touch_value(run, &right);
        *result = value_known(0);
        return GO_OK;
    }
    *result = value_of(
        expr_binary(run->out, OP_EQ, value_expr(run, &left, type, span), value_expr(run, &right, type, span), span));
    return GO_OK;
}
