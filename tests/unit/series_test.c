/* Sums over the jumps of random chains, against the same sums one by one in long doubles: with the early end, which
 * must happen, and without. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/hash.h"
#include "numeric/series.h"
#include "sanitized.h"

enum { STATES = 40 };

struct chain {
    struct matrix matrix;
    double exit_rate[STATES];
    uint8_t active[STATES];
    double rate;
};

static double random_below(uint64_t *seed, double limit)
{
    *seed = hash_mix(*seed);
    return limit * (double)(*seed >> 11) * 0x1p-53;
}

/* A ring with jumps across it. The last state is not active, and is rarely reached where `is_rare`. */
static struct chain chain_make(uint64_t seed, bool is_rare)
{
    struct chain chain = {.rate = 10.2};
    for (uint32_t s = 0; s < STATES; s++) {
        uint32_t across = (uint32_t)random_below(&seed, STATES - 1);
        double last = is_rare ? 1e-6 : 0.01;
        chain.exit_rate[s] = s % 3 ? 10 : 4 + floor(random_below(&seed, 6));
        chain.active[s] = s + 1 < STATES;
        matrix_begin_state(&chain.matrix);
        matrix_begin_row(&chain.matrix);
        matrix_add(&chain.matrix, (s + 1) % (STATES - 1), 0.25);
        matrix_add(&chain.matrix, across, 0.75 - last);
        matrix_add(&chain.matrix, STATES - 1, last);
    }
    matrix_close(&chain.matrix);
    return chain;
}

static void jump_slowly(const struct chain *chain, const long double *now, long double *next)
{
    for (uint32_t s = 0; s < STATES; s++) {
        long double own = chain->active[s] ? (long double)chain->exit_rate[s] / chain->rate : 0, sum = 0;
        for (uint64_t i = chain->matrix.row_entry.items[s]; i < chain->matrix.row_entry.items[s + 1]; i++)
            sum += chain->matrix.entries.items[i].value * now[chain->matrix.entries.items[i].target];
        next[s] = own * sum + (1 - own) * now[s];
    }
}

static void sum_slowly(const struct chain *chain, const struct series *series, const double *begin, long double *sums)
{
    long double now[STATES], next[STATES];
    const struct poisson *poisson = series->poisson;
    for (uint32_t s = 0; s < STATES; s++) {
        now[s] = begin[s];
        sums[s] = 0;
    }
    for (uint64_t k = 0; k <= poisson->last; k++) {
        const double *weights = series->is_tail ? poisson->tails : poisson->weights;
        double weight = k >= poisson->first ? weights[k - poisson->first] : series->is_tail;
        for (uint32_t s = 0; s < STATES; s++)
            sums[s] += weight * now[s];
        jump_slowly(chain, now, next);
        memcpy(now, next, sizeof now);
    }
}

static bool always(void *user)
{
    (void)user;
    return true;
}

static bool never(void *user)
{
    (void)user;
    return false;
}

static struct series series_of(const struct jumps *jumps, const struct poisson *poisson, const double *begin)
{
    struct series series = {.jumps = jumps, .poisson = poisson, .total = 1, .threads = 1, .go_on = always};
    series_open(&series);
    for (uint32_t s = 0; s < STATES; s++)
        series.now[jumps_place(jumps, s)] = begin[s];
    return series;
}

/* The sum is where it must be; returns the steps. */
static uint64_t compare(const struct chain *chain, const double *begin, double mean, bool is_tail, double epsilon)
{
    struct jumps *jumps = jumps_create(&chain->matrix, chain->exit_rate, chain->active, chain->rate);
    struct poisson poisson = poisson_make(mean);
    struct series series = series_of(jumps, &poisson, begin);
    long double sums[STATES];
    series.is_tail = is_tail;
    series.total = is_tail ? mean : 1;
    series.epsilon = epsilon;
    sum_slowly(chain, &series, begin, sums);
    assert_true(series_sum(&series));
    for (uint32_t s = 0; s < STATES; s++) {
        uint32_t place = jumps_place(jumps, s);
        long double low = series.sums[place], high = low + series.spread * series.now[place];
        assert_true(low <= sums[s] * (1 + 1e-10L) && sums[s] <= high * (1 + 1e-10L));
        assert_true(high - low <= epsilon * high + 1e-300L);
    }
    uint64_t steps = series.steps;
    series_close(&series);
    poisson_free(&poisson);
    jumps_destroy(jumps);
    return steps;
}

/* What the first jump adds to 1 in the last state and 0 elsewhere. */
static void first_addition(const struct chain *chain, double *begin)
{
    for (uint32_t s = 0; s < STATES; s++) {
        begin[s] = 0;
        for (uint64_t i = chain->matrix.row_entry.items[s]; i < chain->matrix.row_entry.items[s + 1]; i++)
            if (chain->matrix.entries.items[i].target == STATES - 1 && chain->active[s])
                begin[s] = chain->exit_rate[s] / chain->rate * chain->matrix.entries.items[i].value;
    }
}

static void test_rare_failures(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= FEWER(20); seed++) {
        struct chain chain = chain_make(seed, seed % 2);
        double begin[STATES];
        first_addition(&chain, begin);
        uint64_t whole = compare(&chain, begin, 5000, true, 0);
        assert_true(whole > 5000);
        assert_true(compare(&chain, begin, 5000, true, 1e-8) < whole / 4);
        matrix_free(&chain.matrix);
    }
}

static void test_weights(void **state)
{
    (void)state;
    for (uint64_t seed = 30; seed <= 50; seed++) {
        struct chain chain = chain_make(seed, true);
        double begin[STATES], mean = 3 + random_below(&seed, 900);
        for (uint32_t s = 0; s < STATES; s++)
            begin[s] = random_below(&seed, 1) < 0.3 ? random_below(&seed, 7) : 0;
        compare(&chain, begin, mean, false, 1e-6);
        compare(&chain, begin, mean, true, 1e-6);
        compare(&chain, begin, mean, seed % 2, 0);
        matrix_free(&chain.matrix);
    }
}

/* A limit: what is left is at least what is missing. */
static void test_limit(void **state)
{
    (void)state;
    struct chain chain = chain_make(7, true);
    struct jumps *jumps = jumps_create(&chain.matrix, chain.exit_rate, chain.active, chain.rate);
    struct poisson poisson = poisson_make(1000);
    double begin[STATES];
    long double sums[STATES];
    for (uint32_t s = 0; s < STATES; s++)
        begin[s] = s % 5;
    struct series series = series_of(jumps, &poisson, begin);
    series.go_on = never;
    sum_slowly(&chain, &series, begin, sums);
    assert_false(series_sum(&series));
    for (uint32_t s = 0; s < STATES; s++) {
        double sum = series.sums[jumps_place(jumps, s)];
        assert_true(sum <= sums[s] && sums[s] <= (sum + series.left * 4) * (1 + 1e-12L));
    }
    series_close(&series);
    poisson_free(&poisson);
    jumps_destroy(jumps);
    matrix_free(&chain.matrix);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rare_failures), cmocka_unit_test(test_weights),
                                       cmocka_unit_test(test_limit)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
