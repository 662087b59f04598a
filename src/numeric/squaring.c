#include "numeric/squaring.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { TERMS = 24 };

uint32_t squaring_rounds(double mean)
{
    uint32_t rounds = 0;
    while (ldexp(mean, -(int)rounds) > 0.25)
        rounds++;
    return rounds;
}

/* e^-m * m^k / k!, for k < TERMS. */
static void find_weights(double m, struct pair *weights)
{
    struct pair power = {1, 0}, sum = {1, 0};
    for (int k = 1; k < 2 * TERMS; k++) {
        power = pair_over(pair_times(power, -m), k);
        sum = pair_plus(sum, power);
    }
    for (int k = 0; k < TERMS; k++) {
        weights[k] = sum;
        sum = pair_over(pair_times(sum, m), k + 1);
    }
}

/* into = left * right; zeros are skipped, of which P has many. */
static void multiply(const struct pair *left, const struct pair *right, uint32_t n, struct pair *into)
{
    memset(into, 0, (size_t)n * n * sizeof *into);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < n; k++) {
            struct pair factor = left[(size_t)i * n + k];
            const struct pair *row = right + (size_t)k * n;
            for (uint32_t j = 0; j < n && factor.high != 0; j++)
                if (row[j].high != 0)
                    into[(size_t)i * n + j] = pair_plus(into[(size_t)i * n + j], pair_product(factor, row[j]));
        }
}

/* The exponential for the mean m, at most 1/4, by Horner's rule; the result is in one of the two. */
static struct pair *small_step(const struct pair *matrix, uint32_t n, double m, struct pair *now, struct pair *next)
{
    struct pair weights[TERMS];
    find_weights(m, weights);
    memset(now, 0, (size_t)n * n * sizeof *now);
    for (int k = TERMS; k-- > 0;) {
        if (k < TERMS - 1) {
            multiply(matrix, now, n, next);
            struct pair *swap = now;
            now = next;
            next = swap;
        }
        for (uint32_t i = 0; i < n; i++)
            now[(size_t)i * n + i] = pair_plus(now[(size_t)i * n + i], weights[k]);
    }
    return now;
}

static void apply(const struct pair *matrix, uint32_t n, double *values)
{
    struct pair *sums = memory_zeroed((size_t)n + 1, sizeof *sums);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++)
            sums[i] = pair_plus(sums[i], pair_times(matrix[(size_t)i * n + j], values[j]));
    for (uint32_t i = 0; i < n; i++)
        values[i] = sums[i].high;
    free(sums);
}

bool squaring_apply(const struct pair *matrix, uint32_t count, double mean, double *values, double *relative,
                    double *absolute, bool (*go_on)(void *user), void *user)
{
    size_t size = (size_t)count * count + 1;
    struct pair *first = memory_zeroed(size, sizeof *first), *second = memory_zeroed(size, sizeof *second);
    uint32_t rounds = squaring_rounds(mean);
    struct pair *now = small_step(matrix, count, ldexp(mean, -(int)rounds), first, second);
    bool goes_on = true;
    for (uint32_t k = 0; k < rounds && goes_on; k++) {
        struct pair *next = now == first ? second : first;
        multiply(now, now, count, next);
        now = next;
        goes_on = !go_on || go_on(user);
    }
    apply(now, count, values);
    free(first);
    free(second);
    /* Of each product and sum less than 2^-98; the weights of a step sum up some 60 terms. What the series leaves out
     * is less than 2^-120 of a row, also where a column adds up, and so is what was too small for all its digits. */
    double steps = ldexp(1, (int)rounds);
    *relative = steps * (double)(TERMS * (count + 4) + count + 64) * 0x1p-98 + 0x1p-51;
    *absolute = steps * 0x1p-118;
    return goes_on;
}
