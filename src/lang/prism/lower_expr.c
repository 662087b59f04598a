/* Expressions of type bool and int. */
#include "ir/idiom.h"
#include "lang/prism/lower.h"

struct place *prism_lower_variable(struct prism_lowering *lower, const struct prism_variable *variable,
                                   struct span span)
{
    const struct prism_home *home = &lower->homes[variable->number];
    if (lower->substitutes)
        return place_variable(lower->system, lower->substitutes[variable->number], span);
    struct place *place = place_variable(lower->system, home->variable, span);
    if (!home->index)
        return place;
    return place_element(lower->system, place, expr_const(lower->system, home->index, home->element, span), span);
}

static struct expr *integer(struct prism_lowering *lower, int64_t value, struct span span)
{
    return expr_const(lower->system, lower->system->integer, value, span);
}

static struct expr *lower_value(struct prism_lowering *lower, const struct prism_expr *expr)
{
    int64_t value = expr->value->integer;
    if (expr->type == PRISM_TYPE_INT)
        return integer(lower, value, expr->span);
    return expr_const(lower->system, lower->system->boolean, value, expr->span);
}

static const enum operator operators[] = {
    [PRISM_OP_NOT] = OP_NOT,         [PRISM_OP_MINUS] = OP_NEGATE, [PRISM_OP_AND] = OP_AND, [PRISM_OP_OR] = OP_OR,
    [PRISM_OP_IMPLIES] = OP_IMPLIES, [PRISM_OP_IFF] = OP_EQ,       [PRISM_OP_EQ] = OP_EQ,   [PRISM_OP_NE] = OP_NE,
    [PRISM_OP_LT] = OP_LT,           [PRISM_OP_LE] = OP_LE,        [PRISM_OP_GT] = OP_GT,   [PRISM_OP_GE] = OP_GE,
    [PRISM_OP_ADD] = OP_ADD,         [PRISM_OP_SUB] = OP_SUB,      [PRISM_OP_MUL] = OP_MUL,
};

struct expr *prism_share(struct prism_lowering *lower, struct expr *expr)
{
    if (expr)
        expr_share(lower->system, expr);
    return expr;
}

/* A comparison in which a real takes part. */
static struct expr *lower_real_comparison(struct prism_lowering *lower, const struct prism_expr *expr)
{
    struct prism_ratio left, right;
    if (!prism_lower_ratio(lower, expr->left, &left) || !prism_lower_ratio(lower, expr->right, &right))
        return NULL;
    return prism_ratio_compare(lower, expr->span, operators[expr->op], &left, &right);
}

static struct expr *lower_binary(struct prism_lowering *lower, const struct prism_expr *expr)
{
    if (expr->left->type == PRISM_TYPE_REAL || expr->right->type == PRISM_TYPE_REAL)
        return lower_real_comparison(lower, expr);
    if (expr->op == PRISM_OP_POW)
        return prism_lower_power(lower, expr->left, expr->right, expr->span);
    struct expr *left = prism_lower_expr(lower, expr->left), *right = prism_lower_expr(lower, expr->right);
    return left && right ? expr_binary(lower->system, operators[expr->op], left, right, expr->span) : NULL;
}

static struct expr *lower_extreme(struct prism_lowering *lower, const struct prism_expr *expr)
{
    struct expr *best = prism_lower_expr(lower, expr->arguments.items[0]);
    for (uint32_t i = 1; best && i < expr->arguments.count; i++) {
        struct expr *other = prism_lower_expr(lower, expr->arguments.items[i]);
        if (!other)
            return NULL;
        best = expr_idiom(lower->system, expr->function == PRISM_MIN ? IDIOM_MIN : IDIOM_MAX, best, other, expr->span);
    }
    return best;
}

/* A negative divisor is as wrong as 0. */
static struct expr *lower_mod(struct prism_lowering *lower, const struct prism_expr *expr)
{
    struct system *system = lower->system;
    struct expr *left = prism_lower_expr(lower, expr->arguments.items[0]);
    struct expr *right = prism_share(lower, prism_lower_expr(lower, expr->arguments.items[1]));
    if (!left || !right)
        return NULL;
    if (expr->arguments.items[1]->kind != PRISM_EXPR_VALUE) {
        struct expr *zero = integer(lower, 0, expr->span);
        right = expr_cond(system, expr_binary(system, OP_GT, right, zero, expr->span), right, zero, expr->span);
    }
    return expr_idiom(system, IDIOM_REMAINDER, left, right, expr->span);
}

static struct expr *lower_call(struct prism_lowering *lower, const struct prism_expr *expr)
{
    struct prism_ratio ratio;
    switch (expr->function) {
    case PRISM_MIN:
    case PRISM_MAX:
        return lower_extreme(lower, expr);
    case PRISM_MOD:
        return lower_mod(lower, expr);
    case PRISM_POW:
        return prism_lower_power(lower, expr->arguments.items[0], expr->arguments.items[1], expr->span);
    default:
        return prism_lower_ratio(lower, expr->arguments.items[0], &ratio)
                   ? prism_ratio_round(lower, expr->span, expr->function, &ratio)
                   : NULL;
    }
}

static struct expr *lower_kind(struct prism_lowering *lower, const struct prism_expr *expr)
{
    struct expr *left, *right, *condition;
    switch (expr->kind) {
    case PRISM_EXPR_VALUE:
        return lower_value(lower, expr);
    case PRISM_EXPR_VARIABLE:
        return expr_read(lower->system, prism_lower_variable(lower, expr->variable, expr->span), false, expr->span);
    case PRISM_EXPR_UNARY:
        left = prism_lower_expr(lower, expr->left);
        return left ? expr_unary(lower->system, operators[expr->op], left, expr->span) : NULL;
    case PRISM_EXPR_BINARY:
        return lower_binary(lower, expr);
    case PRISM_EXPR_COND:
        condition = prism_lower_expr(lower, expr->condition);
        left = prism_lower_expr(lower, expr->left);
        right = prism_lower_expr(lower, expr->right);
        return condition && left && right ? expr_cond(lower->system, condition, left, right, expr->span) : NULL;
    case PRISM_EXPR_CALL:
        return lower_call(lower, expr);
    default:
        prism_error(lower->reader, expr->span, "this belongs to properties");
        return NULL;
    }
}

/* Immutable from then on, so that what is shared here is shared there. */
struct expr *prism_lower_expr(struct prism_lowering *lower, const struct prism_expr *expr)
{
    if (expr->shared && lower->shared[expr->shared])
        return lower->shared[expr->shared];
    struct expr *lowered = lower_kind(lower, expr);
    if (expr->shared) {
        lower->shared[expr->shared] = lowered;
        prism_share(lower, lowered);
    }
    return lowered;
}
