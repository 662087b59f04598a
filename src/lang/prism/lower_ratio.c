#include "ir/idiom.h"
#include "lang/prism/lower.h"

static bool refuse(struct prism_lowering *lower, struct span span, const char *what)
{
    prism_error(lower->reader, span, "%s is not supported where it depends on the state", what);
    return false;
}

static const struct rational *number(struct prism_lowering *lower, int64_t numerator, uint64_t denominator)
{
    struct rational *rational = prism_values_new(&lower->reader->values),
                    *made = rational_create(numerator, denominator);
    rational_copy(rational, made);
    rational_destroy(made);
    return rational;
}

struct prism_ratio prism_ratio_one(struct prism_lowering *lower)
{
    return (struct prism_ratio){.factor = number(lower, 1, 1)};
}

static struct expr *integer(struct prism_lowering *lower, int64_t value, struct span span)
{
    return expr_const(lower->system, lower->system->integer, value, span);
}

/* The product of two expressions, NULL standing for 1. */
static struct expr *times(struct prism_lowering *lower, struct span span, struct expr *left, struct expr *right)
{
    return !left ? right : !right ? left : expr_binary(lower->system, OP_MUL, left, right, span);
}

static struct expr *scaled(struct prism_lowering *lower, struct span span, int64_t scale, struct expr *expr)
{
    if (scale == 1 && expr)
        return expr;
    return times(lower, span, integer(lower, scale, span), expr);
}

bool prism_ratio_multiply(struct prism_lowering *lower, struct span span, const struct prism_ratio *left,
                          const struct prism_ratio *right, struct prism_ratio *product)
{
    struct rational *factor = prism_values_new(&lower->reader->values);
    rational_copy(factor, left->factor);
    rational_multiply(factor, right->factor);
    *product =
        (struct prism_ratio){factor, left->is_rounded || right->is_rounded, times(lower, span, left->top, right->top),
                             times(lower, span, left->bottom, right->bottom)};
    return true;
}

static bool divide(struct prism_lowering *lower, struct span span, const struct prism_ratio *left,
                   const struct prism_ratio *right, struct prism_ratio *quotient)
{
    if (!rational_sign(right->factor)) {
        prism_error(lower->reader, span, "division by zero");
        return false;
    }
    struct rational *factor = prism_values_new(&lower->reader->values);
    rational_copy(factor, left->factor);
    rational_divide(factor, right->factor);
    *quotient = (struct prism_ratio){factor, left->is_rounded || right->is_rounded,
                                     times(lower, span, left->top, right->bottom),
                                     times(lower, span, left->bottom, right->top)};
    return true;
}

/* The two over one denominator: left = lefts / (scale * bottom), right = rights / (scale * bottom), with integer
 * expressions for lefts and rights. */
struct common {
    int64_t left_scale, right_scale;
    const struct rational *unit; /* 1 / scale */
    struct expr *left, *right, *bottom;
};

static bool find_common(struct prism_lowering *lower, struct span span, const struct prism_ratio *left,
                        const struct prism_ratio *right, struct common *common)
{
    int64_t left_top, right_top;
    uint64_t left_bottom, right_bottom;
    bool is_small = rational_fits_fraction(left->factor, &left_top, &left_bottom) &&
                    rational_fits_fraction(right->factor, &right_top, &right_bottom);
    uint64_t scale = 0;
    if (is_small) {
        uint64_t a = left_bottom, b = right_bottom;
        while (b) {
            uint64_t rest = a % b;
            a = b;
            b = rest;
        }
        is_small = !__builtin_mul_overflow(left_bottom / a, right_bottom, &scale) && scale <= INT64_MAX &&
                   !__builtin_mul_overflow(left_top, (int64_t)(scale / left_bottom), &common->left_scale) &&
                   !__builtin_mul_overflow(right_top, (int64_t)(scale / right_bottom), &common->right_scale);
    }
    if (!is_small) {
        prism_error(lower->reader, span, "these numbers have no common denominator of 63 bits");
        return false;
    }
    common->unit = number(lower, 1, scale);
    struct expr *left_over = left->bottom == right->bottom ? NULL : right->bottom;
    struct expr *right_over = left->bottom == right->bottom ? NULL : left->bottom;
    common->left = scaled(lower, span, common->left_scale, times(lower, span, left->top, left_over));
    common->right = scaled(lower, span, common->right_scale, times(lower, span, right->top, right_over));
    common->bottom = left->bottom == right->bottom ? left->bottom : times(lower, span, left->bottom, right->bottom);
    return true;
}

static bool is_constant(const struct prism_ratio *ratio)
{
    return !ratio->top && !ratio->bottom;
}

static bool add(struct prism_lowering *lower, struct span span, enum operator op, const struct prism_ratio *left,
                const struct prism_ratio *right, struct prism_ratio *sum)
{
    sum->is_rounded = left->is_rounded || right->is_rounded;
    if (is_constant(left) && is_constant(right)) {
        struct rational *factor = prism_values_new(&lower->reader->values);
        rational_copy(factor, left->factor);
        (op == OP_ADD ? rational_add : rational_subtract)(factor, right->factor);
        sum->factor = factor;
        return true;
    }
    struct common common;
    if (!find_common(lower, span, left, right, &common))
        return false;
    sum->factor = common.unit;
    sum->top = expr_binary(lower->system, op, common.left, common.right, span);
    sum->bottom = common.bottom;
    return true;
}

/* The same with a divisor above 0, for what is to be compared. Division by 0 is a run-time error. */
static struct prism_ratio with_positive_divisor(struct prism_lowering *lower, struct span span,
                                                const struct prism_ratio *ratio)
{
    struct prism_ratio positive = *ratio;
    struct system *system = lower->system;
    if (!ratio->bottom)
        return positive;
    struct expr *divisor = prism_share(lower, ratio->bottom), *zero = integer(lower, 0, span);
    struct expr *top = prism_share(lower, ratio->top ? ratio->top : integer(lower, 1, span));
    struct expr *is_below = prism_share(lower, expr_binary(system, OP_LT, divisor, zero, span));
    struct expr *is_zero = expr_binary(system, OP_EQ, divisor, zero, span);
    struct expr *never = expr_binary(system, OP_DIV, integer(lower, 1, span), divisor, span);
    positive.top = expr_cond(system, is_below, expr_unary(system, OP_NEGATE, top, span), top, span);
    positive.bottom = expr_cond(system, is_below, expr_unary(system, OP_NEGATE, divisor, span),
                                expr_cond(system, is_zero, never, divisor, span), span);
    prism_share(lower, positive.bottom);
    return positive;
}

struct expr *prism_ratio_compare(struct prism_lowering *lower, struct span span, enum operator op,
                                 const struct prism_ratio *left, const struct prism_ratio *right)
{
    struct common common;
    struct prism_ratio a = with_positive_divisor(lower, span, left), b = with_positive_divisor(lower, span, right);
    if (left->bottom == right->bottom)
        b.bottom = a.bottom;
    if (!find_common(lower, span, &a, &b, &common))
        return NULL;
    return expr_binary(lower->system, op, common.left, common.right, span);
}

static struct expr *floor_of(struct prism_lowering *lower, struct span span, struct expr *n, int64_t d)
{
    return expr_idiom(lower->system, IDIOM_FLOOR, n, integer(lower, d, span), span);
}

struct expr *prism_ratio_round(struct prism_lowering *lower, struct span span, enum prism_function function,
                               const struct prism_ratio *ratio)
{
    int64_t top;
    uint64_t bottom;
    if (ratio->bottom) {
        refuse(lower, span, "rounding the result of a division by something that varies");
        return NULL;
    }
    if (!rational_fits_fraction(ratio->factor, &top, &bottom) || bottom > INT32_MAX || top == INT64_MIN) {
        prism_error(lower->reader, span, "the denominator of this number does not fit 32 bits");
        return NULL;
    }
    struct system *system = lower->system;
    struct expr *n = scaled(lower, span, function == PRISM_CEIL ? -top : top, ratio->top);
    if (function == PRISM_FLOOR)
        return floor_of(lower, span, n, (int64_t)bottom);
    if (function == PRISM_CEIL)
        return expr_unary(system, OP_NEGATE, floor_of(lower, span, n, (int64_t)bottom), span);
    struct expr *twice =
        expr_binary(system, OP_ADD, scaled(lower, span, 2, n), integer(lower, (int64_t)bottom, span), span);
    return floor_of(lower, span, twice, 2 * (int64_t)bottom);
}

static bool choose(struct prism_lowering *lower, struct span span, struct expr *condition,
                   const struct prism_ratio *left, const struct prism_ratio *right, struct prism_ratio *chosen)
{
    struct common common;
    if (!condition || !find_common(lower, span, left, right, &common))
        return false;
    *chosen = (struct prism_ratio){common.unit, left->is_rounded || right->is_rounded,
                                   expr_cond(lower->system, condition, common.left, common.right, span), common.bottom};
    return true;
}

/* min and max of several. */
static bool extreme(struct prism_lowering *lower, const struct prism_expr *expr, struct prism_ratio *ratio)
{
    if (!prism_lower_ratio(lower, expr->arguments.items[0], ratio))
        return false;
    for (uint32_t i = 1; i < expr->arguments.count; i++) {
        struct prism_ratio other, best = *ratio;
        if (!prism_lower_ratio(lower, expr->arguments.items[i], &other))
            return false;
        struct common common;
        best = with_positive_divisor(lower, expr->span, &best);
        other = with_positive_divisor(lower, expr->span, &other);
        if (!find_common(lower, expr->span, &other, &best, &common))
            return false;
        struct expr *chosen = expr_idiom(lower->system, expr->function == PRISM_MIN ? IDIOM_MIN : IDIOM_MAX,
                                         common.right, common.left, expr->span);
        *ratio = (struct prism_ratio){common.unit, other.is_rounded || best.is_rounded, chosen, common.bottom};
    }
    return true;
}

static bool lower_call(struct prism_lowering *lower, const struct prism_expr *expr, struct prism_ratio *ratio)
{
    if (expr->function == PRISM_MIN || expr->function == PRISM_MAX)
        return extreme(lower, expr, ratio);
    if (expr->function == PRISM_POW)
        return prism_ratio_power(lower, expr->arguments.items[0], expr->arguments.items[1], expr->span, ratio);
    return refuse(lower, expr->span, "this function");
}

static bool lower_binary(struct prism_lowering *lower, const struct prism_expr *expr, struct prism_ratio *ratio)
{
    if (expr->op == PRISM_OP_POW)
        return prism_ratio_power(lower, expr->left, expr->right, expr->span, ratio);
    struct prism_ratio left, right;
    if (!prism_lower_ratio(lower, expr->left, &left) || !prism_lower_ratio(lower, expr->right, &right))
        return false;
    switch (expr->op) {
    case PRISM_OP_MUL:
        return prism_ratio_multiply(lower, expr->span, &left, &right, ratio);
    case PRISM_OP_DIV:
        return divide(lower, expr->span, &left, &right, ratio);
    default:
        return add(lower, expr->span, expr->op == PRISM_OP_ADD ? OP_ADD : OP_SUB, &left, &right, ratio);
    }
}

static bool lower_kind(struct prism_lowering *lower, const struct prism_expr *expr, struct prism_ratio *ratio)
{
    *ratio = (struct prism_ratio){0};
    if (expr->kind == PRISM_EXPR_VALUE) {
        const struct prism_value *value = prism_value_widen(&lower->reader->values, expr->value);
        *ratio = (struct prism_ratio){value->real, value->is_rounded, NULL, NULL};
        return true;
    }
    if (expr->type == PRISM_TYPE_INT) {
        *ratio = prism_ratio_one(lower);
        ratio->top = prism_lower_expr(lower, expr);
        return ratio->top;
    }
    struct prism_ratio left, right;
    switch (expr->kind) {
    case PRISM_EXPR_UNARY:
        if (!prism_lower_ratio(lower, expr->left, &left))
            return false;
        right = (struct prism_ratio){.factor = number(lower, -1, 1)};
        return prism_ratio_multiply(lower, expr->span, &left, &right, ratio);
    case PRISM_EXPR_BINARY:
        return lower_binary(lower, expr, ratio);
    case PRISM_EXPR_COND:
        return prism_lower_ratio(lower, expr->left, &left) && prism_lower_ratio(lower, expr->right, &right) &&
               choose(lower, expr->span, prism_lower_expr(lower, expr->condition), &left, &right, ratio);
    case PRISM_EXPR_CALL:
        return lower_call(lower, expr, ratio);
    default:
        return refuse(lower, expr->span, "this expression");
    }
}

bool prism_lower_ratio(struct prism_lowering *lower, const struct prism_expr *expr, struct prism_ratio *ratio)
{
    if (expr->shared && lower->ratios[expr->shared].factor) {
        *ratio = lower->ratios[expr->shared];
        return true;
    }
    if (!lower_kind(lower, expr, ratio))
        return false;
    if (expr->shared) {
        prism_share(lower, ratio->top);
        prism_share(lower, ratio->bottom);
        lower->ratios[expr->shared] = *ratio;
    }
    return true;
}

const struct weight *prism_ratio_weight(struct prism_lowering *lower, const struct prism_ratio *ratio)
{
    struct weight *weight = ARENA_NEW(lower->system->arena, struct weight);
    *weight = (struct weight){chain_keep(lower->system->chain, ratio->factor), rational_to_double(ratio->factor),
                              ratio->is_rounded, ratio->top, ratio->bottom};
    return weight;
}
