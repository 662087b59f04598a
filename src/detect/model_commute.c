/* Sums, products, conjunctions, disjunctions and extremes of many operands, in no order.
 *
 * Only where nothing can go wrong: there the order of evaluation is not felt, so s1=0 & s2=0 & s3=0 and
 * s2=0 & s1=0 & s3=0 are the same term, whoever the copies of a module were written for. The variables of a chain
 * always have a value; of other models those that every start state sets and nothing undefines. There only conjunctions
 * and disjunctions are taken in this way. */
#include <math.h>
#include <stdlib.h>

#include "detect/model_term.h"

static const double most_magnitude = 4e18; /* below 2^63 */
static const double may_fault = INFINITY;

/* min(a, b) as front ends write it: (a < b ? a : b); max with >. */
static bool is_extreme(const struct expr *expr)
{
    const struct expr *condition = expr->condition;
    return expr->kind == EXPR_COND && condition->kind == EXPR_BINARY &&
           (condition->op == OP_LT || condition->op == OP_GT) && condition->left == expr->left &&
           condition->right == expr->right;
}

/* Does every cell of the variable always have a value? */
static bool is_definite(const struct sketch *s, const struct variable *variable)
{
    bool is_set = s->is_definite && variable->is_global && !s->is_start;
    if (system_is_ground(s->system))
        return true;
    for (uint32_t c = 0; is_set && c < variable->type->cells; c++)
        is_set = s->is_definite[variable->address + c];
    return is_set;
}

static bool is_in_range(struct sketch *s, const struct place *place)
{
    int64_t index;
    return sketch_fold(s, place->index, &index) && type_has(place->base->type->index, index);
}

/* One cell of the state, known by its place, that always has a value: the length of a channel whose messages may have
 * none. */
static bool is_definite_cell(struct sketch *s, const struct place *place)
{
    uint32_t cell;
    const struct variable *home = place_home(place);
    return s->is_definite && !s->is_start && type_is_scalar(place->type) && home && home->is_global &&
           sketch_cell(s, place, &cell) && s->is_definite[cell];
}

static double magnitude_of_type(const struct type *type)
{
    double most = 0;
    for (uint32_t b = 0; type_is_scalar(type) && b < type->block_count; b++)
        most = fmax(most, fmax(fabs((double)type->blocks[b].lo), fabs((double)type->blocks[b].hi)));
    return most;
}

static double magnitude_of_place(struct sketch *s, const struct place *place)
{
    if (is_definite_cell(s, place))
        return magnitude_of_type(place->type);
    if (place->kind == PLACE_ELEMENT) {
        if (!is_in_range(s, place) || magnitude_of_place(s, place->base) == may_fault)
            return may_fault;
    } else if (place->kind != PLACE_VARIABLE || !is_definite(s, place->variable)) {
        return may_fault;
    }
    return magnitude_of_type(place->type);
}

/* What the value cannot exceed; infinite: evaluation may fault, or nothing is known. */
static double magnitude(struct sketch *s, const struct expr *expr)
{
    double left, right, result;
    int64_t known;
    if (sketch_fold(s, expr, &known))
        return fabs((double)known);
    switch (expr->kind) {
    case EXPR_CONST:
        return expr->value == UNDEFINED ? may_fault : fabs((double)expr->value);
    case EXPR_READ:
        return expr->raw ? may_fault : magnitude_of_place(s, expr->place);
    case EXPR_UNARY:
        return expr->op == OP_NOT || expr->op == OP_NEGATE ? magnitude(s, expr->left) : may_fault;
    case EXPR_COND:
        result = fmax(magnitude(s, expr->left), magnitude(s, expr->right));
        return is_extreme(expr) || magnitude(s, expr->condition) < may_fault ? result : may_fault;
    case EXPR_BINARY:
        left = magnitude(s, expr->left);
        right = magnitude(s, expr->right);
        if (left == may_fault || right == may_fault || expr->op > OP_MUL)
            return may_fault;
        result = expr->op == OP_MUL ? left * right : expr->op >= OP_ADD ? left + right : 1;
        return result < most_magnitude ? result : may_fault;
    default:
        return may_fault;
    }
}

bool sketch_is_sure(struct sketch *s, const struct expr *expr)
{
    return magnitude(s, expr) < may_fault;
}

struct commute_operands {
    const struct expr **items;
    size_t count, capacity;
};

static bool is_same_operation(const struct expr *expr, const struct expr *outer)
{
    if (expr->kind != outer->kind)
        return false;
    if (expr->kind == EXPR_BINARY)
        return expr->op == outer->op;
    return is_extreme(expr) && expr->condition->op == outer->condition->op;
}

static void collect(const struct expr *expr, const struct expr *outer, struct commute_operands *operands)
{
    if (!is_same_operation(expr, outer)) {
        VEC_PUSH(operands, expr);
        return;
    }
    collect(expr->left, outer, operands);
    collect(expr->right, outer, operands);
}

enum { SET_AND = 100, SET_OR, SET_LEAST, SET_GREATEST, BAG_SUM, BAG_PRODUCT };

static uint32_t kind_of(const struct expr *expr)
{
    if (is_extreme(expr))
        return expr->condition->op == OP_LT ? SET_LEAST : SET_GREATEST;
    if (expr->kind != EXPR_BINARY)
        return 0;
    return expr->op == OP_AND   ? SET_AND
           : expr->op == OP_OR  ? SET_OR
           : expr->op == OP_ADD ? BAG_SUM
           : expr->op == OP_MUL ? BAG_PRODUCT
                                : 0;
}

static bool commutes(const struct expr *expr)
{
    uint32_t kind = kind_of(expr);
    if (kind < BAG_SUM)
        return kind;
    struct commute_operands operands = {0};
    size_t varying = 0;
    collect(expr, expr, &operands);
    for (size_t i = 0; i < operands.count; i++)
        varying += operands.items[i]->kind != EXPR_CONST;
    VEC_FREE(&operands);
    return varying > 1;
}

static bool has_commuting(const struct expr *expr)
{
    return expr && (commutes(expr) || has_commuting(expr->condition) || has_commuting(expr->left) ||
                    has_commuting(expr->right));
}

static bool has_logic(const struct expr *expr)
{
    return expr && (kind_of(expr) == SET_AND || kind_of(expr) == SET_OR || has_logic(expr->condition) ||
                    has_logic(expr->left) || has_logic(expr->right));
}

/* Where rules are written out, a table of `a = C & b = C` would tell a from b: b may be undefined if a differs from C.
 */
bool sketch_commutes(const struct sketch *s, const struct expr *expr)
{
    return system_is_ground(s->system) ? has_commuting(expr) : s->system->original_cells && has_logic(expr);
}

/* a > b is b < a. */
static bool term_turned(struct sketch *s, const struct expr *expr, struct model_term *term)
{
    if (expr->kind != EXPR_BINARY || (expr->op != OP_GT && expr->op != OP_GE) || magnitude(s, expr) == may_fault)
        return false;
    uint32_t words[] = {EXPR_BINARY, expr->op == OP_GT ? OP_LT : OP_LE};
    struct model_term parts[] = {term_expr(s, expr->right, NO_CARRIER), term_expr(s, expr->left, NO_CARRIER)};
    *term = term_make(s, TERM_EXPR, words, 2, parts, 2);
    return true;
}

bool term_commuting(struct sketch *s, const struct expr *expr, struct model_term *term)
{
    uint32_t kind = kind_of(expr), count = 0;
    if (!system_is_ground(s->system) && kind != SET_AND && kind != SET_OR)
        return false;
    if (!kind)
        return term_turned(s, expr, term);
    if (magnitude(s, expr) == may_fault)
        return false;
    struct commute_operands operands = {0};
    collect(expr, expr, &operands);
    struct model_term *parts = memory_alloc((operands.count + 1) * sizeof *parts);
    bool is_logic = kind == SET_AND || kind == SET_OR, decides = false;
    for (size_t i = 0; i < operands.count && !sketch_is_spent(s); i++) {
        int64_t value;
        if (is_logic && sketch_fold(s, operands.items[i], &value)) {
            decides |= value == (kind == SET_OR);
            continue; /* it does not matter, or nothing else does */
        }
        parts[count++] = term_expr(s, operands.items[i], NO_CARRIER);
    }
    uint32_t words[] = {kind == SET_OR ? decides : !decides, 0};
    if (is_logic && (decides || !count))
        *term = term_make(s, TERM_VALUE, words, 2, NULL, 0);
    else if (count == 1)
        *term = parts[0];
    else
        *term = kind < BAG_SUM ? term_set(s, kind, parts, count) : term_bag(s, kind, parts, count);
    free(parts);
    VEC_FREE(&operands);
    return true;
}
