/* A CTMC after a time: uniformisation. The jumps of all states are made as frequent as those of the fastest (rate q), by
 * jumps that stay; then the number of jumps within the time has the Poisson distribution with mean q * time, and what
 * is expected is a sum over that number. What is cut off on the right is added to the upper bound. */
#include <math.h>
#include <string.h>

#include "engine/probabilistic/formula.h"

struct uniform {
    struct markov *markov;
    const uint8_t *active; /* the others keep their value */
    double rate;           /* q */
    double *now, *next;
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

static void uniform_step(struct uniform *uniform)
{
    for (uint32_t s = 0; s < markov_count(uniform->markov); s++)
        uniform->next[s] = uniform->active[s] ? uniform_jump(uniform, s) : uniform->now[s];
    double *swap = uniform->now;
    uniform->now = uniform->next;
    uniform->next = swap;
    uniform->markov->sweeps++;
}

static struct uniform uniform_begin(struct markov *markov, const uint8_t *active, const double *values)
{
    size_t count = markov_count(markov);
    struct uniform uniform = {.markov = markov, .active = active};
    uniform.now = memory_zeroed(count + 1, sizeof(double));
    uniform.next = memory_zeroed(count + 1, sizeof(double));
    memcpy(uniform.now, values, count * sizeof(double));
    for (uint32_t s = 0; s < count; s++)
        uniform.rate = fmax(uniform.rate, active[s] ? markov->exit_rate.items[s] : 0);
    return uniform;
}

static void uniform_end(struct uniform *uniform)
{
    free(uniform->now);
    free(uniform->next);
}

/* The weight of k jumps when `mean` are expected. */
static double poisson(double mean, double k)
{
    return mean == 0 ? k == 0 : exp(k * log(mean) - mean - lgamma(k + 1));
}

static double greatest(const struct markov *markov, const double *values)
{
    double most = 0;
    for (uint32_t s = 0; s < markov_count(markov); s++)
        most = fmax(most, values[s]);
    return most;
}

/* What lgamma, exp and the sums may be off by, relative to the greatest value; and what jumps at rates that are off do. */
static double slack_of(const struct markov *markov, double mean)
{
    return mean == 0 ? 0 : 1e-13 * (1 + sqrt(mean)) + 3 * markov->slack * mean;
}

/* Sums weight(k) * (k jumps of the values) until at most `rest` of the weights, whose sum is `total`, is left; *left is
 * what is left. `is_tail`: the weight of k is the chance of more than k jumps. */
static bool sum_jumps(struct uniform *uniform, double mean, bool is_tail, double total, double rest, double *sums,
                      double *left)
{
    double seen = 0, below = 0;
    bool goes_on = true;
    for (uint64_t k = 0; goes_on && total - seen > rest; k++) {
        double chance = poisson(mean, (double)k);
        below += chance;
        double weight = is_tail ? fmax(0, 1 - below) : chance;
        for (uint32_t s = 0; s < markov_count(uniform->markov); s++)
            sums[s] += weight * uniform->now[s];
        seen += weight;
        if ((double)k > mean && chance < 1e-20)
            break;
        goes_on = (k + 1) % 64 || markov_may_go_on(uniform->markov);
        if (uniform->rate > 0)
            uniform_step(uniform);
    }
    *left = fmax(0, total - seen);
    return goes_on;
}

bool pctl_transient(struct markov *markov, const uint8_t *active, double time, const struct accuracy *accuracy,
                    struct bounds *bounds)
{
    uint32_t count = markov_count(markov);
    bool goes_on = true;
    double *ends[2] = {bounds->lower, bounds->upper};
    for (int end = 0; end < 2 && goes_on; end++) {
        struct uniform uniform = uniform_begin(markov, active, ends[end]);
        double mean = uniform.rate * time, most = greatest(markov, ends[end]), left;
        double *sums = memory_zeroed((size_t)count + 1, sizeof *sums);
        goes_on = sum_jumps(&uniform, mean, false, 1, slack_of(markov, mean) + accuracy->epsilon * 1e-3, sums, &left);
        double error = slack_of(markov, mean) * most;
        for (uint32_t s = 0; s < count; s++)
            if (active[s])
                ends[end][s] = end ? fmin(most, sums[s] + left * most + error) : fmax(0, sums[s] - error);
        uniform_end(&uniform);
        free(sums);
    }
    return goes_on;
}

bool pctl_accumulate(struct markov *markov, const double *rates, double time, const struct accuracy *accuracy,
                     struct bounds *bounds)
{
    uint32_t count = markov_count(markov);
    uint8_t *all = pctl_new_truth(markov);
    memset(all, 1, count);
    struct uniform uniform = uniform_begin(markov, all, rates);
    double mean = uniform.rate * time, most = greatest(markov, rates), left = 0;
    bool goes_on = true;
    if (uniform.rate > 0) {
        goes_on = sum_jumps(&uniform, mean, true, mean, mean * (slack_of(markov, mean) + accuracy->epsilon * 1e-3),
                            bounds->lower, &left);
        double error = slack_of(markov, mean) * most * time;
        for (uint32_t s = 0; s < count; s++) {
            double sum = bounds->lower[s] / uniform.rate;
            bounds->lower[s] = fmax(0, sum - error);
            bounds->upper[s] = sum + left * most / uniform.rate + error;
        }
    } else
        for (uint32_t s = 0; s < count; s++)
            bounds->lower[s] = bounds->upper[s] = rates[s] * time;
    uniform_end(&uniform);
    free(all);
    return goes_on;
}
