#include "numeric/series.h"

#include <math.h>

enum { STEPS_BETWEEN_TESTS = 32 };

void series_open(struct series *series)
{
    size_t count = (size_t)jumps_count(series->jumps) + 1;
    series->now = memory_zeroed(count, sizeof(double));
    series->next = memory_zeroed(count, sizeof(double));
    series->sums = memory_zeroed(count, sizeof(double));
}

void series_close(struct series *series)
{
    free(series->now);
    free(series->next);
    free(series->sums);
}

static double weight_at(const struct series *series, uint64_t k)
{
    const struct poisson *poisson = series->poisson;
    if (k < poisson->first)
        return series->is_tail;
    return (series->is_tail ? poisson->tails : poisson->weights)[k - poisson->first];
}

/* By which factors the last jump changed the places, at least and at most; `next` is from before. False: some by any.
 */
static bool find_factors(const struct series *series, double *least, double *most)
{
    *least = 1;
    *most = 0;
    for (uint32_t i = 0; i < jumps_count(series->jumps); i++) {
        double before = series->next[i], now = series->now[i];
        if (before < SERIES_TINY && now >= SERIES_TINY)
            return false;
        if (before < SERIES_TINY)
            continue;
        *least = fmin(*least, now / before);
        *most = fmax(*most, now / before);
    }
    *most = fmax(*most, *least);
    return true;
}

static bool is_narrow(const struct series *series, double least, double most)
{
    for (uint32_t i = 0; i < jumps_count(series->jumps); i++) {
        double now = series->now[i];
        if (now >= SERIES_TINY && !(now * (most - least) <= series->epsilon * (series->sums[i] + now * least)))
            return false;
    }
    return true;
}

static void add(struct series *series, double weight)
{
    for (uint32_t i = 0; i < jumps_count(series->jumps); i++)
        series->sums[i] += weight * series->now[i];
}

/* The sums are those before k, and x(k) is there. Growth is limited: what is tiny stays so. */
static void try_end(struct series *series, uint64_t k)
{
    static const double ROUNDING = 0x1p-40;
    double a, b;
    if (!find_factors(series, &a, &b) || b > 2 || (double)(series->poisson->last - k) * log1p(b - 1) > 1)
        return;
    double least = poisson_rest(series->poisson, series->is_tail, k, a) * (1 - ROUNDING);
    double most = poisson_rest(series->poisson, series->is_tail, k, b) * (1 + ROUNDING);
    if (!is_narrow(series, least, most))
        return;
    add(series, least);
    series->spread = most - least;
    series->is_regular = true;
}

/* Adds x(k), which becomes x(k + 1). Is that another one? */
static bool step(struct series *series, double weight)
{
    bool is_changed = jumps_step(series->jumps, series->threads, series->now, weight, series->sums, series->next);
    double *swap = series->now;
    series->now = series->next;
    series->next = swap;
    series->steps++;
    return is_changed;
}

/* What all weights together are off by: those of numbers of jumps by what the Poisson distribution lacks; of tails each
 * one by that, and those behind the last by no more than as many again. */
static double missing_weight(const struct series *series)
{
    double most_weights = series->is_tail ? (double)(series->poisson->last + 2) : 1;
    return 2 * most_weights * series->poisson->missing;
}

/* A place takes some 20 ns: a look at the limits after so many of them, and after so many steps. */
static bool may_go_on(const struct series *series, uint64_t k)
{
    enum { PLACES_BETWEEN_LOOKS = 1 << 21, STEPS_BETWEEN_LOOKS = 64 };
    bool is_enough = series->most_steps && series->steps >= series->most_steps && k < series->poisson->last;
    uint64_t steps = PLACES_BETWEEN_LOOKS / ((uint64_t)jumps_count(series->jumps) + 1) + 1;
    return !is_enough &&
           ((k + 1) % (steps < STEPS_BETWEEN_LOOKS ? steps : STEPS_BETWEEN_LOOKS) || series->go_on(series->user));
}

bool series_sum(struct series *series)
{
    uint64_t last = series->poisson->last;
    double seen = 0;
    bool goes_on = true;
    for (uint64_t k = 0; goes_on && !series->is_settled && !series->is_regular && k <= last; k++) {
        double weight = weight_at(series, k);
        series->is_settled = !step(series, weight);
        seen += weight;
        if (series->is_settled)
            add(series, fmax(0, series->total - seen));
        else if ((k + 1) % STEPS_BETWEEN_TESTS == 0 && k < last)
            try_end(series, k + 1);
        goes_on = may_go_on(series, k);
    }
    bool is_whole = goes_on || series->is_settled || series->is_regular;
    series->missing = missing_weight(series);
    series->left = (is_whole ? 0 : fmax(0, series->total - seen)) + series->missing;
    return is_whole;
}
