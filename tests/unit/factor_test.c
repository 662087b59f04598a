/* The incomplete elimination: with nothing left out it solves the equations, also of chains
 * that are left with tiny probability or fall into parts nearly; what is left out keeps pivots above 0; it gives up
 * where it may not go on. And the averages of large chains that were out of reach of sweeps. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/hash.h"
#include "numeric/bias.h"
#include "numeric/factor.h"

enum { STATES = 60, WAYS = 4, KINDS = 4 };

static double random_below(uint64_t *seed, double limit)
{
    *seed = hash_mix(*seed + 1);
    return limit * (double)(*seed >> 11) * 0x1p-53;
}

static uint32_t random_state(uint64_t *seed, uint32_t count)
{
    return (uint32_t)random_below(seed, count);
}

/* State 0 is outside; all others lead to some, and to the one before. Kinds: left soon; left with 2^-40 from one state;
 * in two halves, with 2^-30 between them; or two steps that swing to and fro. */
static struct matrix random_chain(uint64_t seed, int kind)
{
    struct matrix matrix = {0};
    for (uint32_t s = 0; s < STATES; s++) {
        double out = s == 0 ? 0 : kind == 0 ? 0x1p-4 : s == 1 ? 0x1p-40 : 0, left = 1 - out;
        uint32_t half = s < STATES / 2 ? 1 : STATES / 2;
        matrix_begin_state(&matrix);
        matrix_begin_row(&matrix);
        if (s == 0) {
            matrix_add(&matrix, 0, 1);
            continue;
        }
        if (out > 0)
            matrix_add(&matrix, 0, out);
        for (int i = 0; i < WAYS && s > 1; i++) {
            double share = kind == 2 && i == 0 ? 0x1p-30 : left / 4;
            uint32_t to = kind == 2 && i == 0 ? 1 + random_state(&seed, STATES - 1)
                          : kind == 3         ? s % 2             ? s - 1
                                                : s == STATES - 1 ? s - 1
                                                                  : s + 1
                          : kind == 2         ? half + random_state(&seed, STATES / 2 - 1)
                                              : 1 + random_state(&seed, STATES - 1);
            matrix_add(&matrix, to, share);
            left -= share;
        }
        matrix_add(&matrix, s == 1 ? STATES - 1 : s - 1, left);
    }
    matrix_close(&matrix);
    return matrix;
}

static struct krylov_chain chain_of(const struct matrix *matrix, uint32_t towards)
{
    uint32_t states[STATES];
    for (uint32_t s = 1; s < STATES; s++)
        states[s - 1] = s;
    struct krylov_numbering numbering = krylov_number_as_found(matrix, states, STATES - 1);
    krylov_number_towards(matrix, &numbering, towards);
    assert_int_equal(numbering.state[STATES - 2], towards);
    for (uint32_t i = 0; i < STATES - 1; i++)
        assert_int_equal(numbering.number[numbering.state[i]], i + 1);
    struct krylov_chain chain = krylov_chain_create(matrix, NULL, &numbering);
    krylov_numbering_free(&numbering);
    return chain;
}

/* out = x - row * x. */
static void apply(const struct krylov_chain *chain, const double *x, double *out)
{
    for (uint32_t i = 0; i < chain->count; i++)
        out[i] = chain->away[i] * x[i];
    for (uint32_t i = 0; i < chain->count; i++)
        for (uint64_t e = chain->first[i]; e < chain->first[i + 1]; e++)
            out[i] -= chain->value[e] * x[chain->target[e]];
}

static void solves(const struct krylov_chain *chain, const struct chain_factor *factor, uint64_t seed)
{
    double right[STATES], x[STATES], back[STATES];
    for (uint32_t i = 0; i < chain->count; i++)
        x[i] = right[i] = random_below(&seed, 1);
    factor_solve(factor, x);
    apply(chain, x, back);
    for (uint32_t i = 0; i < chain->count; i++) {
        assert_true(x[i] > 0);
        /* The solution is exact in every digit but a few; the difference loses those that all have in common. */
        double most = 0;
        for (uint32_t j = 0; j < chain->count; j++)
            most = fmax(most, x[j]);
        assert_true(fabs(back[i] - right[i]) <= 1e-12 * (most + 1));
    }
}

static void it_solves_if_nothing_is_left_out(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        struct matrix matrix = random_chain(seed, (int)(seed % KINDS));
        struct krylov_chain chain = chain_of(&matrix, 1 + (uint32_t)seed % (STATES - 1));
        struct chain_factor *factor = factor_create(&chain, &(struct factor_limits){.most_entries = STATES * STATES});
        assert_non_null(factor);
        solves(&chain, factor, seed);
        factor_destroy(factor);
        krylov_chain_free(&chain);
        matrix_free(&matrix);
    }
}

/* What is left out changes the values, but no more than that: all numbers stay finite and above 0. */
static void it_stays_above_0_whatever_is_left_out(void **state)
{
    static const double tolerances[] = {1e-6, 1e-3, 0.1, 0.5};
    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        struct matrix matrix = random_chain(seed, (int)(seed % KINDS));
        struct krylov_chain chain = chain_of(&matrix, 1);
        struct factor_limits limits = {.tolerance = tolerances[seed / KINDS % 4], .most_entries = STATES * STATES};
        struct chain_factor *factor = factor_create(&chain, &limits);
        double x[STATES];
        for (uint32_t i = 0; i < chain.count; i++)
            x[i] = 1;
        factor_solve(factor, x);
        for (uint32_t i = 0; i < chain.count; i++)
            assert_true(x[i] > 0 && isfinite(x[i]));
        factor_destroy(factor);
        krylov_chain_free(&chain);
        matrix_free(&matrix);
    }
}

static bool never(void *user)
{
    (void)user;
    return false;
}

static void it_gives_up(void **state)
{
    (void)state;
    struct matrix matrix = random_chain(1, 0);
    struct krylov_chain chain = chain_of(&matrix, 1);
    assert_null(factor_create(&chain, &(struct factor_limits){.most_entries = 10}));
    assert_null(factor_create(&chain, &(struct factor_limits){.most_entries = STATES * STATES, .go_on = never}));
    krylov_chain_free(&chain);
    matrix_free(&matrix);
}

/* --- a network of two queues --- */

enum { PLACES = 40, LEVEL = PLACES + 1, QUEUES = LEVEL * LEVEL };

/* The first queue is nearly always full: customers come at `rate`; from it at 2 to the second, which serves at 4. */
static void add_queues(struct matrix *matrix, double rate, double *rates, double *rewards)
{
    for (uint32_t s = 0; s < QUEUES; s++) {
        uint32_t a = s / LEVEL, b = s % LEVEL;
        double come = a < PLACES ? rate : 0, pass = a > 0 && b < PLACES ? 2 : 0, go = b > 0 ? 4 : 0;
        rates[s] = come + pass + go;
        rewards[s] = a + b;
        matrix_begin_state(matrix);
        matrix_begin_row(matrix);
        if (come > 0)
            matrix_add(matrix, s + LEVEL, come / rates[s]);
        if (pass > 0)
            matrix_add(matrix, s - LEVEL + 1, pass / rates[s]);
        if (go > 0)
            matrix_add(matrix, s - 1, go / rates[s]);
    }
    matrix_close(matrix);
}

static bool few_sweeps(void *user)
{
    return ++*(int *)user < 200;
}

/* The share of each state, by elimination from the last state to the first (Grassmann, Taksar and Heyman): nothing is
 * subtracted, so that every share is right in nearly all its digits. Steps lead at most LEVEL states away, and so do
 * those that the elimination adds. */
static void find_shares(const struct matrix *matrix, long double *share)
{
    static long double step[QUEUES][2 * LEVEL + 1]; /* from s to s - LEVEL + column */
    memset(step, 0, sizeof step);
    for (uint32_t s = 0; s < QUEUES; s++)
        for (uint64_t e = matrix->row_entry.items[s]; e < matrix->row_entry.items[s + 1]; e++)
            step[s][matrix->entries.items[e].target + LEVEL - s] += matrix->entries.items[e].value;
    for (uint32_t last = QUEUES - 1; last > 0; last--) {
        uint32_t first = last > LEVEL ? last - LEVEL : 0;
        long double away = 0;
        for (uint32_t to = first; to < last; to++)
            away += step[last][to + LEVEL - last];
        for (uint32_t from = first; from < last; from++) {
            long double *into = &step[from][last + LEVEL - from];
            *into /= away;
            for (uint32_t to = first; to < last; to++)
                step[from][to + LEVEL - from] += *into * step[last][to + LEVEL - last];
        }
    }
    share[0] = 1;
    for (uint32_t s = 1; s < QUEUES; s++) {
        share[s] = 0;
        for (uint32_t from = s > LEVEL ? s - LEVEL : 0; from < s; from++)
            share[s] += share[from] * step[from][s + LEVEL - from];
    }
}

static long double average_exactly(const struct matrix *matrix, const double *rates, const double *rewards)
{
    static long double share[QUEUES];
    long double sum = 0, time = 0;
    find_shares(matrix, share);
    for (uint32_t s = 0; s < QUEUES; s++) {
        sum += share[s] / rates[s] * rewards[s];
        time += share[s] / rates[s];
    }
    return sum / time;
}

/* A few steps are enough, whichever queue is the slow one. */
static void queues_in_a_row(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        struct matrix matrix = {0};
        static double rates[QUEUES], rewards[QUEUES];
        static uint32_t states[QUEUES];
        add_queues(&matrix, i == 0 ? 4 * PLACES : i == 1 ? 2 : 0.5, rates, rewards);
        for (uint32_t s = 0; s < QUEUES; s++)
            states[s] = s;
        int asked = 0;
        double lower = 0, upper = 2 * PLACES;
        struct fixpoint problem = {
            .matrix = &matrix, .row_reward = rewards, .epsilon = 1e-8, .go_on = few_sweeps, .user = &asked};
        assert_true(bias_of_component(&problem, rates, states, QUEUES, &lower, &upper));
        long double right = average_exactly(&matrix, rates, rewards);
        assert_true(upper - lower <= 1e-8 * upper);
        assert_true(lower <= right * (1 + 1e-10L) && right <= upper * (1 + 1e-10L));
        matrix_free(&matrix);
    }
}

/* Without room for the elimination, sweeps do it; without any, it is left. */
static bool room_for(void *user, uint64_t bytes)
{
    return bytes <= *(uint64_t *)user;
}

static void room_is_asked_for(void **state)
{
    (void)state;
    struct matrix matrix = {0};
    static double rates[QUEUES], rewards[QUEUES];
    static uint32_t states[QUEUES];
    add_queues(&matrix, 2, rates, rewards);
    for (uint32_t s = 0; s < QUEUES; s++)
        states[s] = s;
    uint64_t room = 1000;
    double lower = 0, upper = 2 * PLACES;
    struct fixpoint problem = {
        .matrix = &matrix, .row_reward = rewards, .epsilon = 1e-6, .user = &room, .has_room = room_for};
    assert_false(bias_of_component(&problem, rates, states, QUEUES, &lower, &upper));
    assert_true(lower == 0 && upper == 2 * PLACES);
    room = 1000000;
    assert_true(bias_of_component(&problem, rates, states, QUEUES, &lower, &upper));
    assert_true(upper - lower <= 1e-6 * upper);
    matrix_free(&matrix);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_solves_if_nothing_is_left_out), cmocka_unit_test(it_stays_above_0_whatever_is_left_out),
        cmocka_unit_test(it_gives_up), cmocka_unit_test(queues_in_a_row), cmocka_unit_test(room_is_asked_for)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
