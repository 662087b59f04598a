#include "numeric/bessel.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

/* Where a recurrence that began with next to nothing is scaled down again. */
#define LARGE 1e250L

static void scale(long double *values, uint32_t from, uint32_t to)
{
    for (uint32_t k = from; k < to; k++)
        values[k] /= LARGE;
}

/* Downwards, I_(k-1) = I_(k+1) + 2k/z I_k adds what is above 0 only, and forgets how it began (Miller). Their sum, each
 * but the first twice, is exp(z). */
static void find_values(double z, uint32_t count, long double *values)
{
    long double sum = 0;
    values[count] = 0;
    values[count - 1] = 1e-250L;
    for (uint32_t k = count - 1; k > 0; k--) {
        values[k - 1] = values[k + 1] + 2 * (long double)k / z * values[k];
        if (values[k - 1] > LARGE)
            scale(values, k - 1, count);
    }
    for (uint32_t k = count - 1; k > 0; k--)
        sum += 2 * values[k];
    sum += values[0];
    for (uint32_t k = 0; k < count; k++)
        values[k] /= sum;
}

/* The areas a_k have a_(k+1) - 2 a_k + a_(k-1) = 2 i_k, which is the derivative of i_k: a_k is the sum over j > k of
 * 2 (j - k) i_j. */
static void find_areas(const long double *values, struct bessel *bessel)
{
    long double tail = 0, area = 0;
    for (uint32_t k = bessel->count; k-- > 0;) {
        area += tail;
        bessel->areas[k] = (double)area;
        bessel->values[k] = (double)values[k];
        tail += 2 * values[k];
    }
}

/* i_k is less than exp(-k^2 / (2 (z + k))), nearly: that of `count` is less than 1e-60. */
static uint32_t count_for(double z)
{
    static const double DIGITS = 140;
    return (uint32_t)ceil(DIGITS + sqrt(DIGITS * DIGITS + 2 * DIGITS * z)) + 16;
}

struct bessel bessel_make(double z)
{
    struct bessel bessel = {.count = count_for(z)};
    long double *values = memory_zeroed((size_t)bessel.count + 1, sizeof *values);
    bessel.values = memory_zeroed(bessel.count, sizeof(double));
    bessel.areas = memory_zeroed(bessel.count, sizeof(double));
    find_values(z, bessel.count, values);
    find_areas(values, &bessel);
    bessel.error = DBL_EPSILON + 8 * ((double)bessel.count + 8) * (double)LDBL_EPSILON;
    free(values);
    return bessel;
}

void bessel_free(struct bessel *bessel)
{
    free(bessel->values);
    free(bessel->areas);
}
