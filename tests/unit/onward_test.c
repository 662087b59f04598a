/* Distributions of random chains after jumps, against the same ones in long doubles: what is left out, the early end
 * and giving up. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/hash.h"
#include "numeric/onward.h"
#include "sanitized.h"

enum { STATES = 60 };

struct chain {
    struct matrix matrix;
    double exit_rate[STATES];
    uint8_t active[STATES];
    double values[STATES], flows[STATES]; /* by state */
    double rate;
};

static double random_below(uint64_t *seed, double limit)
{
    *seed = hash_mix(*seed);
    return limit * (double)(*seed >> 11) * 0x1p-53;
}

/* A queue: up less often than down, so that high states hardly matter. The last state is not active if it `ends`. */
static struct chain chain_make(uint64_t seed, bool ends)
{
    struct chain chain = {.rate = 5.1};
    for (uint32_t s = 0; s < STATES; s++) {
        double up = 0.1 + random_below(&seed, 0.1);
        chain.exit_rate[s] = 3 + floor(random_below(&seed, 3));
        chain.active[s] = !ends || s + 1 < STATES;
        chain.values[s] = random_below(&seed, 1);
        chain.flows[s] = random_below(&seed, 2);
        matrix_begin_state(&chain.matrix);
        matrix_begin_row(&chain.matrix);
        matrix_add(&chain.matrix, s + 1 < STATES ? s + 1 : s, up);
        matrix_add(&chain.matrix, s > 0 ? s - 1 : 0, 1 - up);
    }
    matrix_close(&chain.matrix);
    return chain;
}

/* How often the jumps of a state are its own: the others stay. */
static void find_own(const struct chain *chain, long double *own)
{
    for (uint32_t s = 0; s < STATES; s++)
        own[s] = chain->active[s] ? (long double)chain->exit_rate[s] / chain->rate : 0;
}

static void jump_slowly(const struct chain *chain, const long double *own, const long double *now, long double *next)
{
    memset(next, 0, STATES * sizeof *next);
    for (uint32_t s = 0; s < STATES; s++) {
        next[s] += (1 - own[s]) * now[s];
        for (uint64_t i = chain->matrix.row_entry.items[s]; i < chain->matrix.row_entry.items[s + 1]; i++)
            next[chain->matrix.entries.items[i].target] += own[s] * chain->matrix.entries.items[i].value * now[s];
    }
}

static long double sum_slowly(const struct chain *chain, const struct poisson *poisson, uint32_t start)
{
    long double own[STATES], now[STATES] = {0}, next[STATES], sum = 0;
    find_own(chain, own);
    now[start] = 1;
    for (uint64_t k = 0; k <= poisson->last; k++) {
        bool is_early = k < poisson->first;
        for (uint32_t s = 0; s < STATES; s++) {
            sum += chain->active[s] && !is_early ? poisson->weights[k - poisson->first] * now[s] * chain->values[s] : 0;
            sum +=
                chain->active[s] ? (is_early ? 1 : poisson->tails[k - poisson->first]) * now[s] * chain->flows[s] : 0;
        }
        jump_slowly(chain, own, now, next);
        memcpy(now, next, sizeof now);
    }
    return sum;
}

static bool always(void *user)
{
    (void)user;
    return true;
}

struct trial {
    double mean, tiny, epsilon, most;
    uint32_t start, most_places;
    bool is_reverse, is_patient;
};

struct run {
    bool is_done, is_crowded, is_lossy;
    uint64_t steps;
    long double low, high, right; /* the sum is between these; and what it is */
};

static struct run run(const struct chain *chain, const struct trial *trial)
{
    struct jumps *jumps = (trial->is_reverse ? jumps_create_reverse : jumps_create)(&chain->matrix, chain->exit_rate,
                                                                                    chain->active, chain->rate);
    struct poisson poisson = poisson_make(trial->mean);
    double values[STATES], flows[STATES], most_value = 0, most_flow = 0;
    uint8_t ends[STATES];
    for (uint32_t s = 0; s < STATES; s++) {
        uint32_t place = jumps_place(jumps, s);
        values[place] = chain->values[s];
        flows[place] = chain->flows[s];
        ends[place] = !chain->active[s];
        most_value = fmax(most_value, chain->values[s]);
        most_flow = fmax(most_flow, chain->flows[s]);
    }
    struct onward onward = {.jumps = jumps,
                            .is_reverse = trial->is_reverse,
                            .threads = 1,
                            .poisson = &poisson,
                            .ends = ends,
                            .start = jumps_place(jumps, trial->start),
                            .tiny = trial->tiny,
                            .most_places = trial->most_places,
                            .values = values,
                            .flows = flows,
                            .epsilon = trial->epsilon,
                            .most = trial->most,
                            .is_patient = trial->is_patient,
                            .go_on = always};
    struct run found = {.is_done = onward_run(&onward)};
    found.steps = onward.steps;
    found.is_crowded = onward.is_crowded;
    found.is_lossy = onward.is_lossy;
    for (uint32_t i = 0; i < STATES; i++)
        found.low += onward.at_end[i] * values[i] + onward.on_the_way[i] * flows[i];
    long double off = onward.end_error * most_value + onward.way_error * most_flow;
    found.high = found.low + off + onward.lost * (most_value + most_flow * ((double)poisson.last + 1));
    found.low -= off;
    found.right = sum_slowly(chain, &poisson, trial->start);
    onward_free(&onward);
    poisson_free(&poisson);
    jumps_destroy(jumps);
    return found;
}

static void check(const struct run *found)
{
    assert_true(found->is_done);
    assert_true(found->low <= found->right * (1 + 1e-9L) && found->right <= found->high * (1 + 1e-9L));
}

/* What is left out is allowed for, and it does happen. */
static void test_tiny(void **state)
{
    (void)state;
    long double widest = 0;
    for (uint64_t seed = 1; seed <= FEWER(30); seed++) {
        struct chain chain = chain_make(seed, seed % 2);
        struct trial trial = {.mean = 5 + (double)(seed * 13), .tiny = 1e-5, .most_places = STATES};
        struct run found = run(&chain, &trial);
        check(&found);
        widest = fmaxl(widest, found.high - found.low);
        trial.tiny = 0;
        found = run(&chain, &trial);
        check(&found);
        assert_true(found.high - found.low <= 1e-12L * found.high);
        matrix_free(&chain.matrix);
    }
    assert_true(widest > 1e-6L);
}

/* A long time: it ends where the distribution only shrinks, or stays. (Few chains: long doubles may be slow.) */
static void test_early_end(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        struct chain chain = chain_make(seed, seed % 2);
        struct trial trial = {.mean = 20000, .tiny = 1e-30, .epsilon = 1e-8, .most_places = STATES};
        struct run found = run(&chain, &trial);
        check(&found);
        assert_true(found.steps < 20000 / 4);
        assert_true(found.high - found.low <= 1e-7L * found.high);
        matrix_free(&chain.matrix);
    }
}

/* In the last state but one it leaves soon: x shrinks by a factor that is not near 1. */
static void test_start_at_end(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        struct chain chain = chain_make(seed, true);
        struct trial trial = {.mean = 3000, .tiny = 1e-40, .epsilon = 1e-8, .most_places = STATES, .start = STATES - 2};
        struct run found = run(&chain, &trial);
        check(&found);
        matrix_free(&chain.matrix);
    }
}

/* All places at once: nothing is left out, whatever `tiny` is, and it ends early, too. */
static void test_all_places(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= FEWER(10); seed++) {
        struct chain chain = chain_make(seed, seed % 2);
        struct trial trial = {.mean = 5 + (double)(seed * 13), .tiny = 1, .is_reverse = true, .start = seed % 7};
        struct run found = run(&chain, &trial);
        check(&found);
        assert_true(found.high - found.low <= 1e-12L * found.high);
        trial.mean = 6000;
        trial.epsilon = 1e-8;
        found = run(&chain, &trial);
        check(&found);
        assert_true(found.steps < 6000 / 2);
        assert_true(found.high - found.low <= 1e-7L * found.high);
        matrix_free(&chain.matrix);
    }
}

static void test_giving_up(void **state)
{
    (void)state;
    struct chain chain = chain_make(3, false);
    struct trial trial = {.mean = 20000, .tiny = 1e-30, .epsilon = 1e-30, .most_places = 5};
    struct run found = run(&chain, &trial);
    assert_true(!found.is_done && found.is_crowded); /* more places matter */
    trial.most_places = STATES;
    assert_true(run(&chain, &trial).is_done);
    trial.most = 1e20;
    found = run(&chain, &trial);
    assert_true(!found.is_done && !found.is_crowded && found.is_lossy); /* what is left out is worth too much */
    trial.is_patient = true;
    found = run(&chain, &trial);
    check(&found);
    matrix_free(&chain.matrix);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_tiny), cmocka_unit_test(test_early_end),
                                       cmocka_unit_test(test_start_at_end), cmocka_unit_test(test_all_places),
                                       cmocka_unit_test(test_giving_up)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
