/* Chances within a time, in a CTMC: uniformisation. The jumps of all states are made as frequent as those of the
 * fastest (rate q); then the number of jumps within the time has the Poisson distribution with mean q * time, and the
 * chance is a sum over that number. What is cut off on the right is the distance between the bounds. */
#include <fenv.h>
#include <math.h>

#include "engine/probabilistic/formula.h"

struct uniform {
    struct markov *markov;
    const uint8_t *left, *goal;
    double rate; /* q */
    double *now, *next;
};

static double jump(const struct uniform *uniform, uint32_t state)
{
    const struct matrix *matrix = &uniform->markov->matrix;
    double own = uniform->markov->exit_rate.items[state] / uniform->rate, sum = 0;
    uint32_t row = matrix->state_row.items[state];
    for (uint64_t i = matrix->row_entry.items[row]; i < matrix->row_entry.items[row + 1]; i++)
        sum += matrix->entries.items[i].value * uniform->now[matrix->entries.items[i].target];
    return own * sum + (1 - own) * uniform->now[state];
}

static void step(struct uniform *uniform)
{
    for (uint32_t s = 0; s < markov_count(uniform->markov); s++)
        uniform->next[s] = uniform->goal[s] ? 1 : uniform->left[s] ? jump(uniform, s) : 0;
    double *swap = uniform->now;
    uniform->now = uniform->next;
    uniform->next = swap;
}

/* The weight of k jumps when `mean` are expected. */
static double poisson(double mean, double k)
{
    return mean == 0 ? k == 0 : exp(k * log(mean) - mean - lgamma(k + 1));
}

bool pctl_transient_until(struct markov *markov, const uint8_t *left, const uint8_t *goal, double time,
                     const struct accuracy *accuracy, struct bounds *bounds)
{
    uint32_t count = markov_count(markov);
    struct uniform uniform = {.markov = markov, .left = left, .goal = goal};
    uniform.now = memory_zeroed((size_t)count + 1, sizeof(double));
    uniform.next = memory_zeroed((size_t)count + 1, sizeof(double));
    for (uint32_t s = 0; s < count; s++) {
        uniform.rate = fmax(uniform.rate, left[s] && !goal[s] ? markov->exit_rate.items[s] : 0);
        uniform.now[s] = goal[s];
    }
    /* what lgamma and the sums may be off by */
    double mean = uniform.rate * time, slack = 1e-13 * (1 + sqrt(mean)), seen = 0;
    bool goes_on = true;
    for (uint64_t k = 0; goes_on && (seen < 1 - slack - accuracy->epsilon * 1e-3 || k == 0); k++) {
        double weight = poisson(mean, (double)k);
        for (uint32_t s = 0; s < count; s++)
            bounds->lower[s] += weight * uniform.now[s];
        seen += weight;
        if ((double)k > mean && weight < 1e-18)
            break;
        goes_on = k % 64 || markov_may_go_on(markov);
        if (uniform.rate > 0)
            step(&uniform);
        markov->sweeps++;
    }
    /* the chance after any number of further jumps is at least what it is now, and at most 1 */
    double rest = fmax(0, 1 - seen);
    for (uint32_t s = 0; s < count; s++) {
        double sum = bounds->lower[s];
        bounds->lower[s] = goal[s] ? 1 : fmax(0, sum + rest * uniform.now[s] - slack);
        bounds->upper[s] = goal[s] ? 1 : !left[s] ? 0 : fmin(1, sum + rest + slack);
        if (bounds->lower[s] > bounds->upper[s])
            bounds->lower[s] = bounds->upper[s];
    }
    free(uniform.now);
    free(uniform.next);
    return goes_on;
}
