/* Functions of numbers: extremes, roundings, powers, remainders and logarithms. */
#include <math.h>
#include <stdlib.h>

#include "pctl/number.h"

enum { MOST_FACTORS = 100000 };

static const char infinite[] = "a function of something infinite";
static const char by_zero[] = "division by something that may be 0";

static const char *leave_open(bool *is_open, const char *problem)
{
    *is_open = true;
    return problem;
}

/* Anything a libm may be off by. */
static double below(double value)
{
    return nextafter(nextafter(value, -INFINITY), -INFINITY);
}

static double above(double value)
{
    return nextafter(nextafter(value, INFINITY), INFINITY);
}

/* --- rounding --- */

/* x + 0.5 might be rounded itself. */
static double rounded(enum pctl_function function, double x)
{
    if (function == PCTL_FLOOR)
        return floor(x);
    if (function == PCTL_CEIL)
        return ceil(x);
    return floor(x) + (x - floor(x) >= 0.5);
}

static void round_fraction(enum pctl_function function, struct rational *number)
{
    struct rational *half = rational_create(function == PCTL_ROUND ? 1 : 0, 2);
    if (function == PCTL_CEIL)
        rational_negate(number);
    rational_add(number, half);
    rational_floor(number);
    if (function == PCTL_CEIL)
        rational_negate(number);
    rational_destroy(half);
}

static const char *round_number(enum pctl_function function, struct pctl_number *number, bool *is_open)
{
    if (number->is_exact ? !number->exact : isinf(number->upper) || isinf(number->lower))
        return infinite;
    if (number->is_exact) {
        round_fraction(function, number->exact);
        return NULL;
    }
    *number = pctl_interval(rounded(function, number->lower), rounded(function, number->upper));
    return number->lower == number->upper ? NULL : leave_open(is_open, "the bounds do not settle how it is rounded");
}

/* --- powers --- */

static struct pctl_number one_like(const struct pctl_number *number)
{
    return number->is_exact ? pctl_fraction(rational_create(1, 1)) : pctl_interval(1, 1);
}

/* By squaring; a power below 0 divides by them. */
static const char *multiply_out(struct pctl_number *base, int64_t exponent, bool *is_open)
{
    struct pctl_number power = one_like(base), square = pctl_number_copy(base);
    enum operator op = exponent<0 ? OP_DIV : OP_MUL;
    bool is_even = exponent % 2 == 0;
    const char *problem = NULL;
    for (int64_t left = llabs(exponent); left && !problem; left /= 2) {
        if (left % 2)
            problem = pctl_number_calculate(op, &power, &square);
        if (left > 1 && !problem) {
            struct pctl_number same = pctl_number_copy(&square);
            problem = pctl_number_calculate(OP_MUL, &square, &same);
            pctl_number_free(&same);
        }
    }
    if (is_even && !power.is_exact)
        power.lower = fmax(power.lower, 0);
    pctl_number_free(&square);
    pctl_number_free(base);
    *base = power;
    *is_open = problem && !base->is_exact;
    return problem;
}

/* Its extremes are at the ends: the base is not negative. */
static const char *power_of_interval(struct pctl_number *base, const struct pctl_number *exponent, bool *is_open)
{
    if (base->upper < 0)
        return "a root of a negative number";
    if (base->lower < 0)
        return leave_open(is_open, "a root of a number that may be negative");
    if (base->lower == 0 && exponent->lower < 0)
        return leave_open(is_open, by_zero);
    double ends[] = {pow(base->lower, exponent->lower), pow(base->lower, exponent->upper),
                     pow(base->upper, exponent->lower), pow(base->upper, exponent->upper)};
    *base = pctl_interval(INFINITY, 0);
    for (int i = 0; i < 4; i++) {
        base->lower = fmin(base->lower, fmax(0, below(ends[i])));
        base->upper = fmax(base->upper, above(ends[i]));
    }
    return NULL;
}

static bool is_integer(const struct pctl_number *number, int64_t *value)
{
    if (number->is_exact)
        return number->exact && rational_fits_i64(number->exact, value);
    bool is_one =
        number->lower == number->upper && fabs(number->lower) < 0x1p53 && floor(number->lower) == number->lower;
    *value = is_one ? (int64_t)number->lower : 0;
    return is_one;
}

static const char *raise_number(bool is_whole, struct pctl_number *base, const struct pctl_number *exponent,
                                bool *is_open)
{
    int64_t factors;
    bool is_infinite =
        base->is_exact ? !base->exact || !exponent->exact
                       : isinf(base->lower) || isinf(base->upper) || isinf(exponent->lower) || isinf(exponent->upper);
    if (is_infinite)
        return infinite;
    bool is_plain = is_integer(exponent, &factors);
    if (is_whole && is_plain && factors < 0)
        return "a negative power of an integer";
    if (is_plain && llabs(factors) <= MOST_FACTORS)
        return multiply_out(base, factors, is_open);
    if (base->is_exact)
        return is_plain ? "a power of more than 10^5 factors" : "a root: not supported in exact arithmetic (--exact)";
    return power_of_interval(base, exponent, is_open);
}

/* --- remainders and logarithms --- */

static const char *divide_with_rest(struct pctl_number *left, const struct pctl_number *right, bool *is_open)
{
    int64_t top, bottom;
    if (!is_integer(left, &top) || !is_integer(right, &bottom))
        return leave_open(is_open, "the remainder of what is no integer for certain");
    if (bottom <= 0)
        return bottom ? "the remainder of a division by a negative number" : "division by 0";
    int64_t rest = top % bottom + (top % bottom < 0 ? bottom : 0);
    if (left->is_exact)
        rational_set(left->exact, rest);
    else
        *left = pctl_interval((double)rest, (double)rest);
    return NULL;
}

static const char *logarithm_of(struct pctl_number *number, bool *is_open)
{
    if (number->upper <= 0)
        return "a logarithm of a number that is not positive";
    if (number->lower <= 0)
        return leave_open(is_open, "a logarithm of a number that may be 0");
    bool is_one = number->lower == 1 && number->upper == 1;
    *number = is_one ? pctl_interval(0, 0) : pctl_interval(below(log(number->lower)), above(log(number->upper)));
    return NULL;
}

static const char *take_logarithm(struct pctl_number *number, const struct pctl_number *base, bool *is_open)
{
    struct pctl_number divisor = *base;
    const char *problem = logarithm_of(number, is_open);
    problem = problem ? problem : logarithm_of(&divisor, is_open);
    return problem ? problem : pctl_number_calculate(OP_DIV, number, &divisor);
}

const char *pctl_number_apply(enum pctl_function function, bool is_whole, struct pctl_number *left,
                              const struct pctl_number *right, bool *is_open)
{
    switch (function) {
    case PCTL_MIN:
    case PCTL_MAX:
        pctl_number_take(left, right, function == PCTL_MIN);
        return NULL;
    case PCTL_POWER:
        return raise_number(is_whole, left, right, is_open);
    case PCTL_REMAINDER:
        return divide_with_rest(left, right, is_open);
    case PCTL_LOGARITHM:
        return take_logarithm(left, right, is_open);
    default:
        return round_number(function, left, is_open);
    }
}
