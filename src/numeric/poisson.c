#include "numeric/poisson.h"

#include <math.h>

#include "base/vec.h"

/* Of the weight of the likeliest number: less does not matter. */
static const double USUALLY_NEGLIGIBLE = 1e-24;
/* Products of these must not become 0. */
static const double LEAST_NEGLIGIBLE = 1e-300;

struct side {
    double *items;
    size_t count, capacity;
};

/* Upwards from the likeliest number, without it: the ratio to the next is mean / k, less and less. What is left out is
 * bounded by a geometric series. */
static struct side climb(double mean, double mode, double negligible, double *left_out)
{
    struct side side = {0};
    double weight = 1, k = mode;
    for (;;) {
        double ratio = mean / (k + 1);
        if (weight < negligible && ratio < 1) {
            *left_out = weight * ratio / (1 - ratio);
            return side;
        }
        weight *= ratio;
        k++;
        VEC_PUSH(&side, weight);
    }
}

static struct side descend(double mean, double mode, double negligible, double *left_out)
{
    struct side side = {0};
    double weight = 1;
    *left_out = 0;
    for (double k = mode; k > 0; k--) {
        double ratio = k / mean;
        if (weight < negligible && ratio < 1) {
            *left_out = weight * ratio / (1 - ratio);
            break;
        }
        weight *= ratio;
        VEC_PUSH(&side, weight);
    }
    return side;
}

struct poisson poisson_make_to(double mean, double negligible)
{
    double mode = floor(mean), above, below, sum = 0;
    negligible = fmax(negligible, LEAST_NEGLIGIBLE);
    struct side up = climb(mean, mode, negligible, &above), down = descend(mean, mode, negligible, &below);
    size_t count = down.count + 1 + up.count;
    struct poisson poisson = {.first = (uint64_t)mode - down.count,
                              .last = (uint64_t)mode + up.count,
                              .weights = memory_zeroed(count, sizeof(double)),
                              .tails = memory_zeroed(count, sizeof(double))};
    for (size_t i = 0; i < down.count; i++)
        poisson.weights[down.count - 1 - i] = down.items[i];
    poisson.weights[down.count] = 1;
    for (size_t i = 0; i < up.count; i++)
        poisson.weights[down.count + 1 + i] = up.items[i];
    for (size_t i = 0; i < count; i++)
        sum += poisson.weights[i];
    for (size_t i = count; i-- > 0;) {
        poisson.weights[i] /= sum;
        poisson.tails[i] = i + 1 < count ? poisson.tails[i + 1] + poisson.weights[i + 1] : 0;
    }
    /* Two operations for each neighbour, one for each summand, here and there. */
    poisson.error = (4 * (double)count + 8) * 0x1p-53;
    poisson.missing = (above + below) / sum * 1.01;
    VEC_FREE(&up);
    VEC_FREE(&down);
    return poisson;
}

struct poisson poisson_make(double mean)
{
    return poisson_make_to(mean, USUALLY_NEGLIGIBLE);
}

/* 1 + ratio + ... + ratio^(count - 1) */
static double geometric_sum(double ratio, double count)
{
    return ratio == 1 ? count : expm1(count * log1p(ratio - 1)) / (ratio - 1);
}

double poisson_rest(const struct poisson *poisson, bool is_tail, uint64_t k, double ratio)
{
    const double *weights = is_tail ? poisson->tails : poisson->weights;
    uint64_t first = k > poisson->first ? k : poisson->first;
    double skipped = (double)(first - k), power = skipped > 0 ? exp(skipped * log1p(ratio - 1)) : 1;
    double sum = skipped > 0 && is_tail ? geometric_sum(ratio, skipped) : 0;
    for (uint64_t i = first; i <= poisson->last; i++, power *= ratio)
        sum += weights[i - poisson->first] * power;
    return sum;
}

void poisson_free(struct poisson *poisson)
{
    free(poisson->weights);
    free(poisson->tails);
}
