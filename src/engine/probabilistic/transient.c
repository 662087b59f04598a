/* A CTMC after a time: uniformisation. The jumps of all states are made a little more frequent (rate q) than those of
 * the fastest, by jumps that stay; then the number of jumps within the time has the Poisson distribution with mean q *
 * time, and what is expected is a sum over that number. What is cut off on the right is added to the upper bound. */
#include <float.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "engine/probabilistic/formula.h"
#include "engine/probabilistic/stiff.h"
#include "numeric/poisson.h"
#include "numeric/share.h"

/* With it the chance to stay is never near 0, where one minus the chance to leave would have few digits. */
#define RATE_MARGIN 1.02

struct uniform {
    struct markov *markov;
    const uint8_t *active; /* the others keep their value */
    double rate;           /* q */
    double *now, *next;
    double *sums, weight;
    atomic_bool is_changed;
    bool is_settled; /* the sum ended early, since the values no longer changed */
};

static double uniform_jump(const struct uniform *uniform, uint32_t state)
{
    const struct matrix *matrix = &uniform->markov->matrix;
    double own = uniform->markov->exit_rate.items[state] / uniform->rate, sum = 0;
    uint32_t row = matrix->state_row.items[state];
    for (uint64_t i = matrix->row_entry.items[row]; i < matrix->row_entry.items[row + 1]; i++)
        sum += matrix->entries.items[i].value * uniform->now[matrix->entries.items[i].target];
    return own * sum + (1 - own) * uniform->now[state];
}

static void step_range(void *user, uint32_t from, uint32_t to)
{
    struct uniform *uniform = user;
    bool is_changed = false;
    for (uint32_t s = from; s < to; s++) {
        uniform->next[s] = uniform->active[s] ? uniform_jump(uniform, s) : uniform->now[s];
        is_changed |= uniform->next[s] != uniform->now[s];
    }
    if (is_changed)
        atomic_store(&uniform->is_changed, true);
}

/* False: nothing changes any more. */
static bool uniform_step(struct uniform *uniform)
{
    atomic_store(&uniform->is_changed, false);
    share_run(uniform->markov->threads, markov_count(uniform->markov), step_range, uniform);
    double *swap = uniform->now;
    uniform->now = uniform->next;
    uniform->next = swap;
    uniform->markov->sweeps++;
    return atomic_load(&uniform->is_changed);
}

static void add_range(void *user, uint32_t from, uint32_t to)
{
    const struct uniform *uniform = user;
    for (uint32_t s = from; s < to; s++)
        uniform->sums[s] += uniform->weight * uniform->now[s];
}

static void uniform_add(struct uniform *uniform, double weight)
{
    uniform->weight = weight;
    share_run(uniform->markov->threads, markov_count(uniform->markov), add_range, uniform);
}

static struct uniform uniform_begin(struct markov *markov, const uint8_t *active, const double *values)
{
    size_t count = markov_count(markov);
    struct uniform uniform = {.markov = markov, .active = active};
    uniform.now = memory_zeroed(count + 1, sizeof(double));
    uniform.next = memory_zeroed(count + 1, sizeof(double));
    uniform.sums = memory_zeroed(count + 1, sizeof(double));
    memcpy(uniform.now, values, count * sizeof(double));
    for (uint32_t s = 0; s < count; s++)
        uniform.rate = fmax(uniform.rate, active[s] ? RATE_MARGIN * markov->exit_rate.items[s] : 0);
    return uniform;
}

static void uniform_end(struct uniform *uniform)
{
    free(uniform->now);
    free(uniform->next);
    free(uniform->sums);
}

/* The weights of so many jumps would not fit. */
static bool is_too_long(struct markov *markov, double mean)
{
    return mean > 1e11 && !pctl_fail(&markov->evaluator, "more than 10^11 jumps are expected within the time");
}

static double greatest(const struct markov *markov, const double *values)
{
    double most = 0;
    for (uint32_t s = 0; s < markov_count(markov); s++)
        most = fmax(most, values[s]);
    return most;
}

/* By how much of the greatest value the sums may be off: each jump by a few roundings and by what its chances are off,
 * and there are `mean` of them, on average; then by what the weights are off. */
static double error_of(const struct markov *markov, double mean, const struct poisson *poisson)
{
    double jump = ((double)markov->most_outcomes + 10) * 0x1p-53 + 4 * markov->slack;
    return mean == 0 ? 0 : 1.1 * mean * jump + poisson->error + poisson->missing + 0x1p-50;
}

/* By how much of itself a sum may be off. All numbers are at least 0, so a jump makes no error that is large beside its
 * own result, except that the chance to stay, at least 1 - 1/RATE_MARGIN, is off by up to 51 times what the chance to
 * leave is off. A sum that ended early is what it would be if it had gone on with values that no longer change, but for
 * its last weight: that is a difference. */
static double relative_error_of(const struct uniform *uniform, const struct poisson *poisson)
{
    const struct markov *markov = uniform->markov;
    double jump = ((double)markov->most_outcomes + 120) * 0x1p-53 + 60 * markov->slack;
    double error = 1.1 * (double)(poisson->last + 2) * jump + poisson->error + poisson->missing;
    return error > 0.05 ? INFINITY : error;
}

/* What the last weight of a sum that ended early may be off by: all weights are so much together, and each of them was
 * added. */
static double error_of_rest(const struct uniform *uniform, const struct poisson *poisson, double total)
{
    double count = (double)(poisson->last + 2);
    return uniform->is_settled ? total * (poisson->error + poisson->missing + count * 0x1p-52) : 0;
}

/* What may be lost where numbers are too small for all their digits. */
#define UNDERFLOW_ERROR 0x1p-900

/* What the sums of the states may be off by. */
struct sum_error {
    double absolute; /* the same in all states */
    double relative; /* or by so much of itself, */
    double rest;     /* and so much of the value that a sum ended with */
};

static double sum_from_below(const struct uniform *uniform, uint32_t state, const struct sum_error *error)
{
    double sum = uniform->sums[state], off = error->rest * uniform->now[state];
    return fmax(0, fmax(sum - error->absolute, (sum - off) * (1 - fmin(error->relative, 1)) - UNDERFLOW_ERROR));
}

static double sum_from_above(const struct uniform *uniform, uint32_t state, const struct sum_error *error)
{
    double sum = uniform->sums[state], off = error->rest * uniform->now[state];
    return fmin(sum + error->absolute, (sum + off) * (1 + error->relative) + UNDERFLOW_ERROR);
}

/* Sums weight(k) * (k jumps of the values); the sum of all weights is `total`, and *left is what is left of it.
 * `is_tail`: the weight of k is the chance of more than k jumps. */
static bool sum_jumps(struct uniform *uniform, const struct poisson *poisson, bool is_tail, double total, double *left)
{
    double seen = 0;
    bool goes_on = true, is_changed = true;
    for (uint64_t k = 0; goes_on && !uniform->is_settled && k <= poisson->last; k++) {
        const double *weights = is_tail ? poisson->tails : poisson->weights;
        double weight = k >= poisson->first ? weights[k - poisson->first] : is_tail;
        uniform->is_settled = !is_changed;
        if (!is_changed)
            weight = fmax(0, total - seen);
        if (weight > 0)
            uniform_add(uniform, weight);
        seen += weight;
        goes_on = (k + 1) % 64 || markov_may_go_on(uniform->markov);
        is_changed = !uniform->is_settled && uniform->rate > 0 && uniform_step(uniform);
    }
    *left = (goes_on ? 0 : fmax(0, total - seen)) + poisson->missing * (1 + total);
    return goes_on;
}

/* The states from which something positive can be reached through the active ones. */
static uint8_t *find_positive(struct markov *markov, const uint8_t *active, const double *values)
{
    uint8_t *goal = numbers_new_set(markov, false);
    for (uint32_t s = 0; s < markov_count(markov); s++)
        goal[s] = values[s] > 0;
    uint8_t *set = markov_some_until(markov, active, goal);
    free(goal);
    return set;
}

/* What the graph decides: where it is 0, and, if no more is wanted, where it is not. */
static void decide_signs(const struct markov *markov, const uint8_t *may, const uint8_t *must, bool is_sign,
                         struct bounds *bounds)
{
    for (uint32_t s = 0; s < markov_count(markov); s++) {
        if (!may[s])
            bounds->lower[s] = bounds->upper[s] = 0;
        else if (is_sign && must[s] && bounds->lower[s] == 0)
            bounds->lower[s] = DBL_TRUE_MIN;
    }
}

/* One of the bounds, from the values it had before. */
static bool transient_side(struct markov *markov, const uint8_t *active, double time, bool is_upper, double *values)
{
    struct uniform uniform = uniform_begin(markov, active, values);
    double mean = uniform.rate * time, most = greatest(markov, values), left;
    struct poisson poisson = poisson_make(mean);
    bool goes_on = sum_jumps(&uniform, &poisson, false, 1, &left);
    struct sum_error error = {error_of(markov, mean, &poisson) * most, relative_error_of(&uniform, &poisson),
                              error_of_rest(&uniform, &poisson, 1)};
    for (uint32_t s = 0; s < markov_count(markov); s++)
        if (active[s] && mean > 0)
            values[s] = is_upper ? fmin(most, sum_from_above(&uniform, s, &error) + left * most)
                                 : sum_from_below(&uniform, s, &error);
    poisson_free(&poisson);
    uniform_end(&uniform);
    return goes_on;
}

static double rate_of(const struct markov *markov, const uint8_t *active)
{
    double rate = 0;
    for (uint32_t s = 0; s < markov_count(markov); s++)
        rate = fmax(rate, active[s] ? RATE_MARGIN * markov->exit_rate.items[s] : 0);
    return rate;
}

bool transient_mean(struct markov *markov, const uint8_t *active, double time, bool is_sign, struct bounds *bounds)
{
    uint8_t *may = find_positive(markov, active, bounds->upper), *must = find_positive(markov, active, bounds->lower);
    double most = greatest(markov, bounds->upper), rate = rate_of(markov, active);
    struct stiff *stiff = stiff_create(markov, active, rate, time);
    bool is_short = stiff || !is_too_long(markov, rate * time);
    bool is_below = stiff ? stiff_transient(stiff, false, bounds->lower)
                          : is_short && transient_side(markov, active, time, false, bounds->lower);
    bool is_above = is_below && (stiff ? stiff_transient(stiff, true, bounds->upper)
                                       : transient_side(markov, active, time, true, bounds->upper));
    is_short = is_short && (!stiff || is_below);
    stiff_destroy(stiff);
    for (uint32_t s = 0; s < markov_count(markov) && !is_below; s++) {
        bounds->lower[s] = is_short || !active[s] ? bounds->lower[s] : 0;
        bounds->upper[s] = active[s] ? most : bounds->upper[s];
    }
    if (time > 0)
        decide_signs(markov, may, must, is_sign, bounds);
    free(may);
    free(must);
    return is_above;
}

bool transient_sum(struct markov *markov, const double *rates, double time, bool is_sign, struct bounds *bounds)
{
    uint32_t count = markov_count(markov);
    uint8_t *all = numbers_new_set(markov, true);
    uint8_t *earns = find_positive(markov, all, rates);
    struct uniform uniform = uniform_begin(markov, all, rates);
    double mean = uniform.rate * time, most = greatest(markov, rates), left = 0;
    struct stiff *stiff = stiff_create(markov, all, uniform.rate, time);
    bool is_squared = stiff && stiff_accumulate(stiff, rates, bounds);
    bool goes_on = stiff ? is_squared : !is_too_long(markov, mean);
    stiff_destroy(stiff);
    if (is_squared)
        ;
    else if (goes_on && mean > 0) {
        struct poisson poisson = poisson_make(mean);
        goes_on = sum_jumps(&uniform, &poisson, true, mean, &left);
        struct sum_error error = {error_of(markov, mean, &poisson) * most * mean, relative_error_of(&uniform, &poisson),
                                  error_of_rest(&uniform, &poisson, mean)};
        for (uint32_t s = 0; s < count; s++) {
            bounds->lower[s] = nextafter(sum_from_below(&uniform, s, &error) / uniform.rate * (1 - 0x1p-50), 0);
            bounds->upper[s] =
                nextafter((sum_from_above(&uniform, s, &error) + left * most) / uniform.rate * (1 + 0x1p-50), INFINITY);
        }
        poisson_free(&poisson);
    } else
        for (uint32_t s = 0; s < count; s++) {
            bounds->lower[s] = mean > 0 ? 0 : nextafter(rates[s] * time * (1 - 4 * markov->slack), 0);
            bounds->upper[s] = nextafter((mean > 0 ? most : rates[s]) * time * (1 + 4 * markov->slack), INFINITY);
        }
    if (time > 0)
        decide_signs(markov, earns, earns, is_sign, bounds);
    else
        memset(bounds->upper, 0, count * sizeof(double));
    uniform_end(&uniform);
    free(all);
    free(earns);
    return goes_on;
}
