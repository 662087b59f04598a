/* Long-run averages of birth-and-death chains, against the sums over their stationary distributions in long doubles: by
 * both methods, with states far away that are hardly ever visited. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/hash.h"
#include "numeric/bias.h"

enum { LEVELS = 120, STATES = 2 * LEVELS };

struct chain {
    struct matrix matrix;
    double rate[STATES], reward[STATES];
};

static double random_below(uint64_t *seed, double limit)
{
    *seed = hash_mix(*seed);
    return limit * (double)(*seed >> 11) * 0x1p-53;
}

/* Level k is idle (2k) or busy (2k + 1). Up from both; down from busy, to the idle state below; busy from idle. */
static struct chain chain_make(uint64_t seed)
{
    struct chain chain = {0};
    for (uint32_t s = 0; s < STATES; s++) {
        double up = s / 2 + 1 < LEVELS ? 0.5 + random_below(&seed, 0.3) : 0, other = s % 2 ? 2 : 10;
        chain.rate[s] = up + other;
        chain.reward[s] = random_below(&seed, 1);
        matrix_begin_state(&chain.matrix);
        matrix_begin_row(&chain.matrix);
        if (up > 0)
            matrix_add(&chain.matrix, s + 2, up / chain.rate[s]);
        matrix_add(&chain.matrix, s % 2 == 0 ? s + 1 : s > 1 ? s - 3 : 0, other / chain.rate[s]);
    }
    matrix_close(&chain.matrix);
    return chain;
}

/* By the distribution: many sweeps of Gauss and Seidel over its equations. */
static long double average_slowly(const struct chain *chain)
{
    const struct matrix *matrix = &chain->matrix;
    static long double flow[STATES], in[STATES]; /* flow: visits; in: what flows there */
    long double sum = 0, time = 0;
    for (uint32_t s = 0; s < STATES; s++)
        flow[s] = s == 0;
    for (int round = 0; round < 4000; round++) {
        for (uint32_t s = 0; s < STATES; s++)
            in[s] = 0;
        for (uint32_t s = 0; s < STATES; s++)
            for (uint64_t e = matrix->row_entry.items[s]; e < matrix->row_entry.items[s + 1]; e++)
                in[matrix->entries.items[e].target] += flow[s] * matrix->entries.items[e].value;
        for (uint32_t s = 0; s < STATES; s++)
            flow[s] = (flow[s] + in[s]) / 2;
    }
    for (uint32_t s = 0; s < STATES; s++) {
        sum += flow[s] / chain->rate[s] * chain->reward[s];
        time += flow[s] / chain->rate[s];
    }
    return sum / time;
}

typedef bool method(const struct fixpoint *problem, const double *row_rate, const uint32_t *states, uint32_t count,
                    double *lower, double *upper);

static void check(const struct chain *chain, method *find, long double right)
{
    struct fixpoint problem = {.matrix = &chain->matrix, .row_reward = chain->reward, .epsilon = 1e-7};
    uint32_t states[STATES];
    double lower = 0, upper = 1;
    for (uint32_t s = 0; s < STATES; s++)
        states[s] = STATES - 1 - s; /* in any order */
    bool is_done = find(&problem, chain->rate, states, STATES, &lower, &upper);
    assert_true(lower <= right * (1 + 1e-12L) && right <= upper * (1 + 1e-12L));
    if (find == bias_by_sweeps) {
        assert_true(is_done);
        assert_true(upper - lower <= 1e-7 * upper);
    }
}

static void test_averages(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        struct chain chain = chain_make(seed);
        long double right = average_slowly(&chain);
        check(&chain, bias_of_component, right);
        check(&chain, bias_by_sweeps, right);
        matrix_free(&chain.matrix);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_averages)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
