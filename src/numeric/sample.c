#include "numeric/sample.h"

#include <math.h>

#include "base/hash.h"

/* So many runs; and so few are too few. All runs together look at no more than so many entries, as a few sweeps do. */
enum { RUNS = 256, FEW_RUNS = 32, MOST_LOOKS = 2 };
/* A jump takes up to 100 ns. */
enum { JUMPS_BETWEEN_LOOKS = 1 << 16 };

struct sampler {
    const struct sampling *sampling;
    uint64_t seed, looks;
};

/* Between 0 and 1, without these. */
static double draw(struct sampler *sampler)
{
    sampler->seed = hash_mix(sampler->seed + 1);
    return ((double)(sampler->seed >> 12) + 0.5) * 0x1p-52;
}

static uint32_t next_of(struct sampler *sampler, uint32_t state)
{
    const struct matrix *matrix = sampler->sampling->matrix;
    uint32_t row = matrix->state_row.items[state], next = state;
    double number = draw(sampler);
    for (uint64_t e = matrix->row_entry.items[row]; e < matrix->row_entry.items[row + 1] && number >= 0; e++) {
        next = matrix->entries.items[e].target;
        number -= matrix->entries.items[e].value;
        sampler->looks++;
    }
    return next;
}

static bool may_go_on(const struct sampling *sampling, uint64_t jump)
{
    return jump % JUMPS_BETWEEN_LOOKS || sampling->go_on(sampling->user);
}

/* Where it is cut off it is worth nothing. */
static double run(struct sampler *sampler, uint64_t most_looks)
{
    const struct sampling *sampling = sampler->sampling;
    uint32_t state = sampling->start;
    double left = sampling->time, worth = 0;
    for (uint64_t jump = 0; sampling->active[state] && left > 0 && sampler->looks < most_looks; jump++) {
        if (!may_go_on(sampling, jump)) {
            sampler->looks = most_looks;
            break;
        }
        double rate = sampling->exit_rate[state], stay = rate > 0 ? -log(draw(sampler)) / rate : left;
        worth += sampling->gains ? sampling->gains[state] * fmin(stay, left) : 0;
        left -= stay;
        sampler->looks++;
        if (left > 0)
            state = next_of(sampler, state);
    }
    return worth + (sampling->values ? sampling->values[state] : 0);
}

/* The mean, less two standard errors. */
double sample_worth(const struct sampling *sampling)
{
    struct sampler sampler = {.sampling = sampling, .seed = 1};
    uint64_t most_looks = MOST_LOOKS * (uint64_t)sampling->matrix->entries.count, runs = 0;
    double sum = 0, squares = 0;
    for (; runs < RUNS; runs++) {
        double worth = run(&sampler, most_looks);
        if (sampler.looks >= most_looks)
            break;
        sum += worth;
        squares += worth * worth;
    }
    double mean = sum / (double)runs, variance = squares / (double)runs - mean * mean;
    return runs < FEW_RUNS ? 0 : fmax(0, mean - 2 * sqrt(fmax(0, variance) / (double)runs));
}
