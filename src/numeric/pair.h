/* Inside numeric/: numbers of about twice the digits of a double, as the unevaluated sum of two doubles (Dekker 1971;
 * Joldes, Muller, Popescu 2017). Rounding to nearest must be set. */
#ifndef NOETHER_NUMERIC_PAIR_H
#define NOETHER_NUMERIC_PAIR_H

#include <math.h>

struct pair {
    double high, low; /* high is the sum, rounded */
};

/* By this share of the larger operand a difference may be off, besides 4 units in its own last place. */
#define PAIR_ERROR 0x1p-103

/* a + b exactly: the sum and what its rounding lost (Knuth). */
static inline struct pair pair_sum(double a, double b)
{
    double sum = a + b, rest = sum - a;
    return (struct pair){sum, (a - (sum - rest)) + (b - rest)};
}

static inline struct pair pair_add(struct pair a, double b)
{
    struct pair sum = pair_sum(a.high, b);
    return pair_sum(sum.high, sum.low + a.low);
}

static inline struct pair pair_plus(struct pair a, struct pair b)
{
    struct pair sum = pair_sum(a.high, b.high);
    return pair_sum(sum.high, sum.low + (a.low + b.low));
}

static inline struct pair pair_times(struct pair a, double b)
{
    double high = a.high * b;
    return pair_sum(high, fma(a.high, b, -high) + a.low * b);
}

static inline struct pair pair_product(struct pair a, struct pair b)
{
    double high = a.high * b.high;
    return pair_sum(high, fma(a.high, b.high, -high) + (a.high * b.low + a.low * b.high));
}

static inline struct pair pair_over(struct pair a, double b)
{
    double high = a.high / b;
    return pair_sum(high, (fma(-high, b, a.high) + a.low) / b);
}

/* a - b as a double. */
static inline double pair_difference(struct pair a, struct pair b)
{
    struct pair high = pair_sum(a.high, -b.high);
    return high.high + (high.low + (a.low - b.low));
}

#endif
