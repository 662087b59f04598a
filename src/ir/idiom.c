#include "ir/idiom.h"

static struct expr *idiom_number(struct system *system, int64_t value, struct span span)
{
    return expr_const(system, system->integer, value, span);
}

static struct expr *make_extreme(struct system *system, enum operator op, struct expr *best, struct expr *other,
                                 struct span span)
{
    expr_share(system, best);
    expr_share(system, other);
    return expr_cond(system, expr_binary(system, op, other, best, span), other, best, span);
}

/* The IR's remainder has the sign of the dividend. */
static struct expr *make_remainder(struct system *system, struct expr *left, struct expr *right, struct span span)
{
    expr_share(system, right);
    struct expr *rest = expr_binary(system, OP_MOD, left, right, span);
    expr_share(system, rest);
    struct expr *is_negative = expr_binary(system, OP_LT, rest, idiom_number(system, 0, span), span);
    return expr_cond(system, is_negative, expr_binary(system, OP_ADD, rest, right, span), rest, span);
}

/* The IR's division is towards zero. */
static struct expr *make_floor(struct system *system, struct expr *n, struct expr *d, struct span span)
{
    ENSURE(d->kind == EXPR_CONST && d->value > 0);
    if (d->value == 1)
        return n;
    expr_share(system, n);
    struct expr *is_negative = expr_binary(system, OP_LT, n, idiom_number(system, 0, span), span);
    struct expr *lowered = expr_binary(system, OP_SUB, n, idiom_number(system, d->value - 1, span), span);
    return expr_cond(system, is_negative, expr_binary(system, OP_DIV, lowered, d, span),
                     expr_binary(system, OP_DIV, n, d, span), span);
}

struct expr *expr_idiom(struct system *system, enum idiom idiom, struct expr *left, struct expr *right,
                        struct span span)
{
    switch (idiom) {
    case IDIOM_MIN:
    case IDIOM_MAX:
        return make_extreme(system, idiom == IDIOM_MIN ? OP_LT : OP_GT, left, right, span);
    case IDIOM_REMAINDER:
        return make_remainder(system, left, right, span);
    case IDIOM_FLOOR:
        return make_floor(system, left, right, span);
    default:
        UNREACHABLE("no idiom");
    }
}

static bool is_operator(const struct expr *expr, enum operator op)
{
    return expr->kind == EXPR_BINARY && expr->op == op;
}

static bool is_number(const struct expr *expr, int64_t value)
{
    return expr->kind == EXPR_CONST && expr->value == value;
}

static enum idiom idiom_of_quotient(const struct expr *expr, struct expr **left, struct expr **right)
{
    struct expr *top = expr->condition->left, *lower = expr->left, *rest = expr->right;
    if (rest == top && is_operator(rest, OP_MOD) && is_operator(lower, OP_ADD) && lower->left == rest &&
        lower->right == rest->right) {
        *left = rest->left;
        *right = rest->right;
        return IDIOM_REMAINDER;
    }
    bool is_floor = is_operator(rest, OP_DIV) && rest->left == top && is_operator(lower, OP_DIV) &&
                    lower->right == rest->right && rest->right->kind == EXPR_CONST && is_operator(lower->left, OP_SUB);
    if (!is_floor || lower->left->left != top || !is_number(lower->left->right, rest->right->value - 1))
        return IDIOM_NONE;
    *left = top;
    *right = rest->right;
    return IDIOM_FLOOR;
}

enum idiom idiom_of(const struct expr *expr, struct expr **left, struct expr **right)
{
    if (expr->kind != EXPR_COND || expr->condition->kind != EXPR_BINARY)
        return IDIOM_NONE;
    const struct expr *condition = expr->condition;
    bool is_ordered = condition->op == OP_LT || condition->op == OP_GT;
    if (is_ordered && condition->left == expr->left && condition->right == expr->right) {
        *left = expr->right;
        *right = expr->left;
        return condition->op == OP_LT ? IDIOM_MIN : IDIOM_MAX;
    }
    if (condition->op == OP_LT && is_number(condition->right, 0))
        return idiom_of_quotient(expr, left, right);
    return IDIOM_NONE;
}
