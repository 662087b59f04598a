#include "pctl/number.h"

#include <math.h>

void pctl_number_free(struct pctl_number *number)
{
    rational_destroy(number->exact);
    number->exact = NULL;
}

struct pctl_number pctl_number_copy(const struct pctl_number *number)
{
    struct pctl_number copy = *number;
    if (number->exact) {
        copy.exact = rational_create(0, 1);
        rational_copy(copy.exact, number->exact);
    }
    return copy;
}

/* --- comparisons --- */

int pctl_compare_bounds(enum operator op, double low, double high, double other_low, double other_high)
{
    switch (op) {
    case OP_LT:
        return high < other_low ? 1 : low >= other_high ? -1 : 0;
    case OP_LE:
        return high <= other_low ? 1 : low > other_high ? -1 : 0;
    case OP_GT:
        return pctl_compare_bounds(OP_LT, other_low, other_high, low, high);
    case OP_GE:
        return pctl_compare_bounds(OP_LE, other_low, other_high, low, high);
    default: {
        bool is_point = low == high && other_low == other_high;
        int equal = high < other_low || low > other_high ? -1 : is_point ? 1 : 0;
        return op == OP_EQ ? equal : -equal;
    }
    }
}

static int order_of(const struct rational *a, const struct rational *b)
{
    return a && b ? rational_compare(a, b) : !a - !b;
}

int pctl_number_compare(enum operator op, const struct pctl_number *left, const struct pctl_number *right)
{
    if (!left->is_exact)
        return pctl_compare_bounds(op, left->lower, left->upper, right->lower, right->upper);
    int order = order_of(left->exact, right->exact);
    return pctl_compare_bounds(op, order, order, 0, 0);
}

void pctl_number_take(struct pctl_number *number, const struct pctl_number *other, bool is_least)
{
    number->lower = is_least ? fmin(number->lower, other->lower) : fmax(number->lower, other->lower);
    number->upper = is_least ? fmin(number->upper, other->upper) : fmax(number->upper, other->upper);
    if (!number->is_exact || pctl_number_compare(is_least ? OP_LE : OP_GE, number, other) > 0)
        return;
    pctl_number_free(number);
    *number = pctl_number_copy(other);
}

/* --- arithmetic --- */

static const char *const infinite = "arithmetic with something infinite";

/* What is infinite stays so when something is added. */
static const char *calculate_fraction(enum operator op, struct pctl_number *left, const struct rational *right)
{
    if (op == OP_ADD && (!left->exact || !right)) {
        pctl_number_free(left);
        return NULL;
    }
    if (!left->exact || !right)
        return infinite;
    if (op == OP_DIV && !rational_sign(right))
        return "division by 0";
    (op == OP_ADD   ? rational_add
     : op == OP_SUB ? rational_subtract
     : op == OP_MUL ? rational_multiply
                    : rational_divide)(left->exact, right);
    return NULL;
}

static double calculate_double(enum operator op, double left, double right)
{
    return op == OP_ADD ? left + right : op == OP_SUB ? left - right : op == OP_MUL ? left * right : left / right;
}

/* Is the result not rounded at all? What is lost is a double itself, unless it is too small for one. */
static bool is_precise(enum operator op, double left, double right, double result)
{
    if (isinf(left) || isinf(right))
        return true;
    if (op == OP_ADD || op == OP_SUB)
        return op == OP_ADD ? result - left == right && result - right == left
                            : left - result == right && result + right == left;
    bool is_product = op == OP_MUL;
    if (left == 0 || (is_product && right == 0))
        return true;
    double loss = is_product ? fma(left, right, -result) : fma(result, right, -left);
    return loss == 0 && fabs(result) > 1e-150 && fabs(is_product ? result : left) > 1e-150;
}

/* The extremes are at the ends (a divisor that may be 0 is refused). */
const char *pctl_number_calculate(enum operator op, struct pctl_number *left, const struct pctl_number *right)
{
    if (left->is_exact)
        return calculate_fraction(op, left, right->exact);
    double ends[2][2] = {{left->lower, left->upper}, {right->lower, right->upper}};
    if (op == OP_DIV && ends[1][0] <= 0 && ends[1][1] >= 0)
        return "division by something that may be 0";
    *left = pctl_interval(INFINITY, -INFINITY);
    for (int i = 0; i < 4; i++) {
        double result = calculate_double(op, ends[0][i / 2], ends[1][i % 2]);
        if (isnan(result))
            return infinite;
        bool is_sharp = is_precise(op, ends[0][i / 2], ends[1][i % 2], result);
        left->lower = fmin(left->lower, is_sharp ? result : nextafter(result, -INFINITY));
        left->upper = fmax(left->upper, is_sharp ? result : nextafter(result, INFINITY));
    }
    return NULL;
}

const char *pctl_number_negate(struct pctl_number *number)
{
    if (number->is_exact && !number->exact)
        return infinite;
    if (number->is_exact)
        rational_negate(number->exact);
    else
        *number = pctl_interval(-number->upper, -number->lower);
    return NULL;
}

/* --- sums over states --- */

/* sum + number * size, rounded down or up. What is infinite because something was stays so. */
static double add_times(double sum, double number, double size, double direction)
{
    bool is_plain = size == 1 || isinf(number);
    double product = is_plain ? number : nextafter(nextafter(number * size, direction), direction);
    return isinf(sum) || isinf(product) ? sum + product : nextafter(sum + product, direction);
}

void pctl_number_add_times(struct pctl_number *number, const struct pctl_number *other, double size)
{
    if (!number->is_exact) {
        number->lower = add_times(number->lower, other->lower, size, -INFINITY);
        number->upper = add_times(number->upper, other->upper, size, INFINITY);
        return;
    }
    struct pctl_number product = pctl_number_copy(other);
    if (product.exact && size != 1) {
        rational_set_double(product.exact, size);
        rational_multiply(product.exact, other->exact);
    }
    pctl_number_calculate(OP_ADD, number, &product);
    pctl_number_free(&product);
}

static double share(double number, double count, double direction)
{
    return isinf(number) ? number : nextafter(number / count, direction);
}

void pctl_number_share(struct pctl_number *number, double least, double most)
{
    number->lower = share(number->lower, number->lower < 0 ? least : most, -INFINITY);
    number->upper = share(number->upper, number->upper < 0 ? most : least, INFINITY);
    if (!number->exact)
        return;
    struct rational *count = rational_create((int64_t)most, 1);
    rational_divide(number->exact, count);
    rational_destroy(count);
}

/* --- bounds --- */

struct pctl_number pctl_limit(const struct weight *threshold)
{
    double least = rational_to_double_below(threshold->factor), most = rational_to_double_above(threshold->factor);
    return threshold->is_rounded ? pctl_interval(nextafter(least, -INFINITY), nextafter(most, INFINITY))
                                 : pctl_interval(least, most);
}

void pctl_complement(double *lower, double *upper)
{
    double least = *lower, most = *upper;
    bool is_plain = (least == 0 || least == 1) && (most == 0 || most == 1);
    *lower = is_plain || most == 1 ? 1 - most : nextafter(1 - most, 0);
    *upper = is_plain || least == 0 ? 1 - least : nextafter(1 - least, 1);
}

bool pctl_is_narrow(double lower, double upper, double epsilon)
{
    return lower == upper || (isfinite(upper) && upper - lower <= epsilon * fabs(upper));
}

bool pctl_is_tiny(double lower, double upper, double absolute)
{
    return absolute > 0 && upper <= lower + absolute && upper - lower <= absolute;
}
