/* Powers. One with an exponent that varies is chosen among those for the values that the exponent may have. */
#include "ir/bounds.h"
#include "lang/prism/lower.h"

enum { MOST_FACTORS = 63 };

static struct expr *integer(struct prism_lowering *lower, int64_t value, struct span span)
{
    return expr_const(lower->system, lower->system->integer, value, span);
}

static bool refuse(struct prism_lowering *lower, struct span span, const char *what)
{
    prism_error(lower->reader, span, "%s is not supported where it depends on the state", what);
    return false;
}

/* A constant as long as it fits; beyond that the run-time error is that of the product. */
static struct expr *times(struct prism_lowering *lower, struct expr *left, struct expr *right, struct span span)
{
    int64_t product;
    bool is_constant = left->kind == EXPR_CONST && right->kind == EXPR_CONST;
    if (is_constant && !__builtin_mul_overflow(left->value, right->value, &product))
        return integer(lower, product, span);
    return prism_share(lower, expr_binary(lower->system, OP_MUL, left, right, span));
}

static struct expr *multiply_out(struct prism_lowering *lower, struct expr *base, int64_t count, struct span span)
{
    struct expr *product = integer(lower, 1, span);
    for (prism_share(lower, base); count > 0; count--)
        product = times(lower, product, base, span);
    return product;
}

/* The exponent lies between these. Below 0 it is a run-time error, as in PRISM. */
static struct expr *choose_power(struct prism_lowering *lower, struct expr *base, struct expr *exponent, int64_t low,
                                 int64_t high, struct span span)
{
    struct system *system = lower->system;
    struct expr *zero = integer(lower, 0, span), *one = integer(lower, 1, span);
    prism_share(lower, base);
    prism_share(lower, exponent);
    struct expr *power = multiply_out(lower, base, low > 0 ? low : 0, span), *chosen = power;
    if (low < 0) {
        struct expr *is_below = expr_binary(system, OP_LT, exponent, zero, span);
        chosen = expr_cond(system, is_below, expr_binary(system, OP_DIV, one, zero, span), power, span);
    }
    for (int64_t k = low > 0 ? low + 1 : 1; k <= high; k++) {
        power = times(lower, power, base, span);
        struct expr *is_it = expr_binary(system, OP_EQ, exponent, integer(lower, k, span), span);
        chosen = expr_cond(system, is_it, power, chosen, span);
    }
    return chosen;
}

/* False: reported. */
static bool find_range(struct prism_lowering *lower, const struct expr *exponent, struct span span, int64_t *low,
                       int64_t *high)
{
    struct expr_bounds bounds = {0};
    if (expr_bounds_as_integers(expr_bounds_of(&bounds, exponent), low, high) && *low >= -MOST_FACTORS &&
        *high <= MOST_FACTORS)
        return true;
    return refuse(lower, span, "a power whose exponent may be above 63 or below -63");
}

struct expr *prism_lower_power(struct prism_lowering *lower, const struct prism_expr *base,
                               const struct prism_expr *exponent, struct span span)
{
    struct expr *factor = prism_lower_expr(lower, base), *count = prism_lower_expr(lower, exponent);
    int64_t low, high;
    if (!factor || !count || !find_range(lower, count, span, &low, &high))
        return NULL;
    if (high < 0) {
        prism_error(lower->reader, span,
                    "a negative power of an integer is no integer; a real base has one, as in pow(2.0, -3)");
        return NULL;
    }
    return choose_power(lower, factor, count, low, high, span);
}

/* --- of reals --- */

/* The exponent as an integer expression. NULL: it is not one, which is reported. */
static struct expr *lower_exponent(struct prism_lowering *lower, const struct prism_expr *exponent, struct span span)
{
    struct prism_ratio ratio;
    int64_t scale;
    if (!prism_lower_ratio(lower, exponent, &ratio))
        return NULL;
    if (ratio.bottom || ratio.is_rounded || !rational_fits_i64(ratio.factor, &scale)) {
        refuse(lower, span, "a root");
        return NULL;
    }
    struct expr *factor = integer(lower, scale, span);
    return ratio.top && scale != 1 ? expr_binary(lower->system, OP_MUL, factor, ratio.top, span)
           : ratio.top             ? ratio.top
                                   : factor;
}

/* part^exponent, for exponents that are not below 0; NULL is 1. */
static struct expr *raise_part(struct prism_lowering *lower, struct expr *part, struct expr *exponent, int64_t low,
                               int64_t high, struct span span)
{
    if (!part || (part->kind == EXPR_CONST && part->value == 1))
        return integer(lower, 1, span);
    return choose_power(lower, part, exponent, low, high, span);
}

struct parts {
    struct expr *top, *bottom;
};

/* (top / bottom)^exponent: below 0 with the two exchanged. */
static struct parts raise_parts(struct prism_lowering *lower, struct parts base, struct expr *exponent, int64_t low,
                                int64_t high, struct span span)
{
    struct system *system = lower->system;
    struct parts up = {0}, down = {0};
    if (high >= 0)
        up = (struct parts){raise_part(lower, base.top, exponent, low, high, span),
                            raise_part(lower, base.bottom, exponent, low, high, span)};
    if (low >= 0)
        return up;
    struct expr *opposite = prism_share(lower, expr_unary(system, OP_NEGATE, exponent, span));
    down = (struct parts){raise_part(lower, base.bottom, opposite, -high, -low, span),
                          raise_part(lower, base.top, opposite, -high, -low, span)};
    if (high < 0)
        return down;
    struct expr *is_up = prism_share(lower, expr_binary(system, OP_GE, exponent, integer(lower, 0, span), span));
    return (struct parts){expr_cond(system, is_up, up.top, down.top, span),
                          expr_cond(system, is_up, up.bottom, down.bottom, span)};
}

/* Does the power of a constant fit, up to the largest exponent? */
static bool fits(const struct expr *part, int64_t count)
{
    int64_t product = 1;
    for (; part->kind == EXPR_CONST && count > 0; count--)
        if (__builtin_mul_overflow(product, part->value, &product))
            return false;
    return true;
}

static struct expr *scaled(struct prism_lowering *lower, int64_t scale, struct expr *expr, struct span span)
{
    struct expr *factor = integer(lower, scale, span);
    return !expr ? factor : scale == 1 ? expr : expr_binary(lower->system, OP_MUL, factor, expr, span);
}

bool prism_ratio_power(struct prism_lowering *lower, const struct prism_expr *base, const struct prism_expr *exponent,
                       struct span span, struct prism_ratio *ratio)
{
    struct prism_ratio factor;
    struct expr *count = lower_exponent(lower, exponent, span);
    int64_t low, high, top;
    uint64_t bottom;
    if (!count || !prism_lower_ratio(lower, base, &factor) || !find_range(lower, count, span, &low, &high))
        return false;
    if (factor.is_rounded)
        return refuse(lower, span, "a power of a logarithm or a root");
    bool is_small = rational_fits_fraction(factor.factor, &top, &bottom) && bottom <= INT64_MAX;
    struct parts parts = {0};
    if (is_small) {
        parts =
            (struct parts){scaled(lower, top, factor.top, span), scaled(lower, (int64_t)bottom, factor.bottom, span)};
        int64_t most = high > -low ? high : -low;
        is_small = fits(parts.top, most) && fits(parts.bottom, most);
    }
    if (!is_small) {
        prism_error(lower->reader, span, "this power does not fit 63 bits, as a fraction");
        return false;
    }
    prism_share(lower, count);
    parts = raise_parts(lower, parts, count, low, high, span);
    *ratio = prism_ratio_one(lower);
    ratio->top = prism_share(lower, parts.top);
    bool is_whole = parts.bottom->kind == EXPR_CONST && parts.bottom->value == 1;
    ratio->bottom = is_whole ? NULL : prism_share(lower, parts.bottom);
    return true;
}
