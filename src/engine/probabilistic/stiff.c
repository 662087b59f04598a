#include "engine/probabilistic/stiff.h"

#include <math.h>
#include <string.h>

#include "engine/probabilistic/exact.h"
#include "numeric/squaring.h"
#include "numeric/vector.h"

enum { MOST_STATES = 256, FEW_JUMPS = 10000 };

struct stiff {
    struct markov *markov;
    const uint8_t *active;
    struct pair *matrix; /* of (count + 1) states: the last one is for what is earned */
    uint32_t count;
    double rate, time; /* the rate is a power of 2, at least twice that of any state */
    double error;      /* by how much of itself a number of the matrix may be off */
};

/* A squaring multiplies all pairs of numbers twenty times as slowly as a jump multiplies an entry. */
static bool is_worth_it(const struct markov *markov, double jumps)
{
    double n = markov_count(markov), entries = (double)markov->matrix.entries.count + n;
    return n <= MOST_STATES && jumps > FEW_JUMPS && 20 * n * n * n * (squaring_rounds(jumps) + 1.0) < jumps * entries;
}

static struct pair pair_of(const struct rational *number, struct rational *scratch)
{
    struct pair pair = {rational_to_double(number), 0};
    rational_set_double(scratch, pair.high);
    rational_subtract(scratch, number);
    pair.low = -rational_to_double(scratch);
    return pair;
}

static void fill_row(struct stiff *stiff, uint32_t state, struct rational *scratch)
{
    const struct markov *markov = stiff->markov;
    const struct matrix *matrix = &markov->matrix;
    const struct exact_chain *exact = markov->exact;
    struct pair *row = stiff->matrix + (size_t)state * (stiff->count + 1), away = {0};
    bool is_still = !stiff->active[state] || markov->is_deadlock.items[state];
    uint32_t r = matrix->state_row.items[state];
    for (uint64_t i = matrix->row_entry.items[r]; i < matrix->row_entry.items[r + 1] && !is_still; i++) {
        uint32_t target = matrix->entries.items[i].target;
        struct pair rate = {markov->exit_rate.items[state], 0}, chance = {matrix->entries.items[i].value, 0};
        if (target == state)
            continue;
        if (exact) {
            rate = pair_of(exact->exit_rates[state], scratch);
            chance = pair_of(exact->chances[i], scratch);
        }
        struct pair share = pair_times(pair_product(rate, chance), 1 / stiff->rate);
        row[target] = pair_plus(row[target], share);
        away = pair_plus(away, share);
    }
    row[state] = pair_plus((struct pair){1, 0}, (struct pair){-away.high, -away.low});
}

/* Fractions, unless some number of the model is none: then what the doubles are off counts. */
static void fill(struct stiff *stiff)
{
    struct markov *markov = stiff->markov;
    struct rational *scratch = rational_create(0, 1);
    bool is_exact = exact_chain_build(markov);
    stiff->error = is_exact ? 0x1p-96 : 3 * markov->slack + 0x1p-96;
    if (!is_exact) {
        exact_chain_destroy(markov->exact);
        markov->exact = NULL;
        stop_free(&markov->evaluator.failure);
        markov->evaluator.failure = (struct stop){0};
    }
    for (uint32_t s = 0; s < stiff->count; s++)
        fill_row(stiff, s, scratch);
    stiff->matrix[(size_t)(stiff->count + 1) * (stiff->count + 1) - 1] = (struct pair){1, 0};
    exact_chain_destroy(markov->exact);
    markov->exact = NULL;
    rational_destroy(scratch);
}

struct stiff *stiff_create(struct markov *markov, const uint8_t *active, double rate, double time)
{
    if (!is_worth_it(markov, rate * time))
        return NULL;
    struct stiff *stiff = memory_zeroed(1, sizeof *stiff);
    size_t count = markov_count(markov);
    *stiff = (struct stiff){.markov = markov,
                            .active = active,
                            .count = (uint32_t)count,
                            .time = time,
                            .rate = exp2(ceil(log2(rate)) + 1),
                            .matrix = memory_zeroed((count + 1) * (count + 1), sizeof *stiff->matrix)};
    fill(stiff);
    return stiff;
}

void stiff_destroy(struct stiff *stiff)
{
    if (!stiff)
        return;
    free(stiff->matrix);
    free(stiff);
}

/* Each jump is off by so much, on average over their number; `all` and `*part` get what all together are off. */
static bool apply(const struct stiff *stiff, double *values, double *all, double *part)
{
    double mean = stiff->rate * stiff->time, relative, absolute;
    if (!squaring_apply(stiff->matrix, stiff->count + 1, mean, values, &relative, &absolute, markov_may_go_on,
                        stiff->markov))
        return false;
    *all = relative + 1.1 * expm1(2 * mean * stiff->error + 0x1p-50);
    *part = absolute;
    return true;
}

bool stiff_transient(struct stiff *stiff, bool is_upper, double *values)
{
    double *now = memory_zeroed((size_t)stiff->count + 1, sizeof *now), most = vector_greatest(values, stiff->count);
    double relative = 0, absolute = 0;
    memcpy(now, values, stiff->count * sizeof *now);
    bool is_done = apply(stiff, now, &relative, &absolute);
    for (uint32_t s = 0; s < stiff->count && is_done; s++)
        if (stiff->active[s])
            values[s] = is_upper ? fmin(most, nextafter(now[s] * (1 + relative) + absolute * most, INFINITY))
                                 : fmax(0, nextafter(now[s] * (1 - fmin(1, relative)) - absolute * most, -INFINITY));
    free(now);
    return is_done;
}

/* The last state collects what the others earn at each jump, as a share of the most that any of them does. */
bool stiff_accumulate(struct stiff *stiff, const double *rates, struct bounds *bounds)
{
    uint32_t size = stiff->count + 1;
    double *now = memory_zeroed((size_t)size, sizeof *now), most = vector_greatest(rates, stiff->count);
    double relative = 0, absolute = 0, jumps = stiff->rate * stiff->time;
    for (uint32_t s = 0; s < stiff->count && most > 0; s++)
        stiff->matrix[(size_t)s * size + stiff->count] = (struct pair){rates[s] / most, 0};
    now[stiff->count] = 1;
    bool is_done = apply(stiff, now, &relative, &absolute);
    relative += 4 * stiff->markov->slack + 0x1p-48;
    for (uint32_t s = 0; s < stiff->count && is_done; s++) {
        double sum = now[s] * (most / stiff->rate), off = absolute * (1 + jumps) * (most / stiff->rate);
        bounds->lower[s] = fmax(0, nextafter(sum * (1 - fmin(1, relative)) - off, -INFINITY));
        bounds->upper[s] = nextafter(sum * (1 + relative) + off, INFINITY);
    }
    free(now);
    return is_done;
}
