#include "numeric/laguerre.h"

#include <math.h>

#include "numeric/pair.h"

enum { PARTS_OF_AREA = 4096, BISECTIONS = 50 };

/* What one step of the recurrence is off by (2^-94) is multiplied by no more than L_k(-x) < 2^32 until the last. */
static void find_values(double x, uint32_t last, struct pair *values)
{
    values[0] = (struct pair){1, 0};
    values[1] = pair_sum(1, -x);
    for (uint32_t k = 1; k < last; k++) {
        struct pair now = pair_product(pair_sum(2.0 * k + 1, -x), values[k]);
        values[k + 1] = pair_over(pair_plus(now, pair_times(values[k - 1], -(double)k)), k + 1.0);
    }
}

void laguerre_rises(double x, uint32_t last, double *rise)
{
    struct pair values[LAGUERRE_MOST + 2];
    find_values(x, last, values);
    rise[0] = 1;
    for (uint32_t k = 1; k <= last; k++)
        rise[k] = pair_difference(values[k], values[k - 1]);
}

/* By the middles of many parts. |L_k| is at most e^(x/2), and its derivative k times that. */
void laguerre_areas(double x, uint32_t last, double *areas)
{
    struct pair values[LAGUERRE_MOST + 2];
    double width = x / PARTS_OF_AREA;
    for (uint32_t k = 0; k <= last; k++)
        areas[k] = 0;
    for (int part = 0; part < PARTS_OF_AREA; part++) {
        double steep = exp((part + 1) * width / 2) * width / 2;
        find_values((part + 0.5) * width, last, values);
        for (uint32_t k = 0; k <= last; k++)
            areas[k] += width * (fabs(values[k].high) + k * steep) * (1 + 0x1p-30);
    }
}

static double value_at(double x, uint32_t last)
{
    struct pair values[LAGUERRE_MOST + 2];
    find_values(x, last, values);
    return values[last].high;
}

static double root_between(double low, double high, uint32_t last)
{
    double sign = value_at(low, last) > 0 ? 1 : -1;
    for (int i = 0; i < BISECTIONS; i++) {
        double middle = (low + high) / 2;
        if (sign * value_at(middle, last) > 0)
            low = middle;
        else
            high = middle;
    }
    return low;
}

void laguerre_roots(uint32_t last, uint32_t count, double *roots)
{
    const double width = 1.0 / 64; /* the first two are further apart */
    uint32_t found = 0;
    for (double x = 0; found < count; x += width)
        if ((value_at(x, last) > 0) != (value_at(x + width, last) > 0))
            roots[found++] = root_between(x, x + width, last);
}
