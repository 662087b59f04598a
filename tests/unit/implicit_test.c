/* Distributions of stiff random chains after a time, by long steps, against uniformisation in pairs of doubles: the
 * error that is stated is never less than the one that there is. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/hash.h"
#include "numeric/bessel.h"
#include "numeric/chebyshev.h"
#include "numeric/implicit.h"
#include "numeric/laguerre.h"
#include "numeric/pair.h"
#include "numeric/poisson.h"
#include "sanitized.h"

enum { STATES = 64, FAST = 400 };

struct chain {
    struct matrix matrix;
    double exit_rate[STATES];
    uint8_t active[STATES];
};

static double random_below(uint64_t *seed, double limit)
{
    *seed = hash_mix(*seed);
    return limit * (double)(*seed >> 11) * 0x1p-53;
}

/* Even states are slow; from odd ones it goes on at once. Some stay for a while, by entries to themselves. */
static struct chain chain_make(uint64_t seed)
{
    struct chain chain = {0};
    for (uint32_t s = 0; s < STATES; s++) {
        double first = 0.25 + floor(random_below(&seed, 2)) / 4, own = s % 5 == 3 ? 0.125 : 0;
        chain.exit_rate[s] = s % 2 ? FAST : 1 + floor(random_below(&seed, 3));
        chain.active[s] = s + 1 < STATES;
        matrix_begin_state(&chain.matrix);
        matrix_begin_row(&chain.matrix);
        matrix_add(&chain.matrix, (uint32_t)random_below(&seed, STATES - 0.5), first);
        matrix_add(&chain.matrix, (s + 1) % STATES, 1 - first - own);
        if (own > 0)
            matrix_add(&chain.matrix, s, own);
    }
    matrix_close(&chain.matrix);
    return chain;
}

/* It hardly ever gets far: most states do not matter. */
static struct chain chain_make_near(uint64_t seed)
{
    struct chain chain = {0};
    for (uint32_t s = 0; s < STATES; s++) {
        double on = 0x1p-6 * (1 + floor(random_below(&seed, 6)));
        chain.exit_rate[s] = s % 3 == 1 ? FAST : 1 + floor(random_below(&seed, 9));
        chain.active[s] = s != 6;
        matrix_begin_state(&chain.matrix);
        matrix_begin_row(&chain.matrix);
        matrix_add(&chain.matrix, (s + 1) % STATES, on);
        matrix_add(&chain.matrix, s ? s - 1 : 2, 1 - on);
    }
    matrix_close(&chain.matrix);
    return chain;
}

struct right {
    double at_end[STATES], on_the_way[STATES];
};

/* All that gets to a state that is not active stays there. */
static struct right follow(const struct chain *chain, const uint8_t *active, double time)
{
    struct right right = {0};
    struct poisson poisson = poisson_make(FAST * time);
    struct pair now[STATES] = {{1, 0}}, end[STATES] = {{0, 0}}, way[STATES] = {{0, 0}};
    for (uint64_t k = 0; k <= poisson.last; k++) {
        struct pair next[STATES] = {{0, 0}};
        for (uint32_t s = 0; s < STATES; s++) {
            bool is_early = k < poisson.first;
            end[s] = pair_plus(end[s], pair_times(now[s], is_early ? 0 : poisson.weights[k - poisson.first]));
            way[s] = pair_plus(way[s], pair_times(now[s], is_early ? 1 : poisson.tails[k - poisson.first]));
            double rate = !active || active[s] ? chain->exit_rate[s] : 0;
            struct pair leaves = pair_over(pair_times(now[s], rate), FAST);
            next[s] = pair_plus(next[s], pair_plus(now[s], (struct pair){-leaves.high, -leaves.low}));
            for (uint64_t i = chain->matrix.row_entry.items[s]; i < chain->matrix.row_entry.items[s + 1]; i++) {
                const struct entry *entry = &chain->matrix.entries.items[i];
                next[entry->target] = pair_plus(next[entry->target], pair_times(leaves, entry->value));
            }
        }
        memcpy(now, next, sizeof now);
    }
    for (uint32_t s = 0; s < STATES; s++) {
        right.at_end[s] = end[s].high;
        right.on_the_way[s] = way[s].high / FAST;
    }
    poisson_free(&poisson);
    return right;
}

static void forget(struct implicit *implicit)
{
    free(implicit->at_end);
    free(implicit->on_the_way);
}

/* What the reference itself may be off by: the weights of the Poisson distribution. */
#define REFERENCE 1e-12

typedef bool run_function(struct implicit *implicit);

static void check(run_function *run, const struct chain *chain, const uint8_t *active, double time, double wanted)
{
    struct implicit implicit = {.matrix = &chain->matrix,
                                .exit_rate = chain->exit_rate,
                                .active = active,
                                .time = time,
                                .wanted = wanted,
                                .most_sweeps = 1e6};
    struct right right = follow(chain, active, time);
    double end = 0, way = 0;
    assert_true(run(&implicit));
    for (uint32_t s = 0; s < STATES; s++) {
        end += fabs(implicit.at_end[s] - right.at_end[s]);
        way += fabs(implicit.on_the_way[s] - right.on_the_way[s]);
    }
    assert_true(end <= implicit.end_error + implicit.lost + REFERENCE);
    assert_true(way <= implicit.way_error + (implicit.lost + REFERENCE) * (1 + time));
    assert_true(implicit.end_error <= 4 * wanted);
    assert_true(implicit.way_error <= 4 * wanted * (1 + time));
    assert_true(implicit.lost <= 8 * wanted);
    assert_true(time < 10 || implicit.sweeps < FAST * time); /* far fewer than there are jumps, if it takes long */
    forget(&implicit);
}

/* With errors that can be seen, and with as little as there can be. */
static void check_random(run_function *run)
{
    for (uint64_t seed = 1; seed <= FEWER(12); seed++) {
        struct chain chain = chain_make(seed);
        double length = (double)(1 + seed % 12);
        check(run, &chain, NULL, 0.01 * length, 1e-4);
        check(run, &chain, NULL, length, 1e-10);
        check(run, &chain, chain.active, 2 * length, seed % 2 ? 1e-3 : 1e-9);
        matrix_free(&chain.matrix);
        chain = chain_make_near(seed);
        check(run, &chain, seed % 2 ? chain.active : NULL, 3 * length, seed % 3 ? 1e-6 : 1e-10);
        matrix_free(&chain.matrix);
    }
}

static void test_random(void **state)
{
    (void)state;
    check_random(implicit_run);
}

static void test_random_polynomials(void **state)
{
    (void)state;
    check_random(chebyshev_run);
}

static void test_long(void **state)
{
    (void)state;
    struct chain chain = chain_make(99);
    check(implicit_run, &chain, NULL, 60, 1e-9);
    check(chebyshev_run, &chain, NULL, 60, 1e-9);
    matrix_free(&chain.matrix);
}

/* Rows that add up to more than 1: as much is made as gets out of a window, to states that get next to nothing each. So
 * nothing is missing in the end, and what was lost is known by what may have been made only. */
static void test_made(void **state)
{
    (void)state;
    enum { HUB = 8, OUTER = 512, ALL = HUB + OUTER };
    static const double more = 0x1p-24, time = 100, wanted = 1e-6;
    struct matrix matrix = {0};
    double *exit_rate = calloc(ALL, sizeof *exit_rate), outside = 0;
    for (uint32_t s = 0; s < ALL; s++) {
        exit_rate[s] = s < HUB ? 40 : 0;
        matrix_begin_state(&matrix);
        matrix_begin_row(&matrix);
        matrix_add(&matrix, s < HUB ? (s + 1) % HUB : s, 1);
        for (uint32_t t = HUB; s < HUB && t < ALL; t++)
            matrix_add(&matrix, t, more / OUTER);
    }
    matrix_close(&matrix);
    struct implicit implicit = {.matrix = &matrix, .exit_rate = exit_rate, .time = time, .wanted = wanted};
    implicit.slack = more;
    implicit.most_sweeps = 1e6;
    assert_true(chebyshev_run(&implicit));
    for (uint32_t s = HUB; s < ALL; s++)
        outside += implicit.at_end[s];
    double gone = 40 * time * more; /* of the hub, where there is always 1 */
    assert_true(outside < gone / 2 && gone > 8 * (implicit.end_error + wanted));
    assert_true(gone - outside <= implicit.end_error + implicit.lost);
    forget(&implicit);
    free(exit_rate);
    matrix_free(&matrix);
}

/* No state of the window is ever left. */
static void test_absorbed(void **state)
{
    (void)state;
    struct matrix matrix = {0};
    double exit_rate[2] = {400, 400};
    uint8_t active[2] = {true, false};
    for (uint32_t s = 0; s < 2; s++) {
        matrix_begin_state(&matrix);
        matrix_begin_row(&matrix);
        matrix_add(&matrix, 1, 1);
    }
    matrix_close(&matrix);
    for (uint32_t start = 0; start < 2; start++) {
        struct implicit implicit = {.matrix = &matrix, .exit_rate = exit_rate, .active = active, .start = start};
        implicit.time = 1000;
        implicit.wanted = 1e-6;
        implicit.most_sweeps = 1e6;
        assert_true(chebyshev_run(&implicit));
        assert_true(fabs(implicit.at_end[1] - 1) <= implicit.end_error + implicit.lost);
        assert_true(fabs(implicit.on_the_way[1] - (start ? 1000 : 1000 - 1.0 / 400)) <=
                    implicit.way_error + 1000 * implicit.lost);
        assert_true(implicit.end_error < 1e-5 && implicit.lost < 1e-5);
        forget(&implicit);
    }
    matrix_free(&matrix);
}

static bool never(void *user)
{
    (void)user;
    return false;
}

static void check_giving_up(run_function *run)
{
    struct chain chain = chain_make(5);
    struct implicit implicit = {.matrix = &chain.matrix, .exit_rate = chain.exit_rate, .time = 5, .wanted = 1e-9};
    assert_false(run(&implicit));
    forget(&implicit);
    implicit.most_sweeps = 1e6;
    implicit.go_on = never;
    assert_false(run(&implicit));
    forget(&implicit);
    matrix_free(&chain.matrix);
}

static void test_giving_up(void **state)
{
    (void)state;
    check_giving_up(implicit_run);
    check_giving_up(chebyshev_run);
}

/* Many blocks: the same numbers for any number of threads. */
static void test_threads(void **state)
{
    (void)state;
    enum { MANY = 100000 };
    struct matrix matrix = {0};
    double *exit_rate = calloc(MANY, sizeof *exit_rate);
    for (uint32_t s = 0; s < MANY; s++) {
        exit_rate[s] = 1 + s % 7;
        matrix_begin_state(&matrix);
        matrix_begin_row(&matrix);
        matrix_add(&matrix, s ? s - 1 : 0, 0.5);
        matrix_add(&matrix, s + 1 < MANY ? s + 1 : s, 0.5);
    }
    matrix_close(&matrix);
    struct implicit one = {.matrix = &matrix, .exit_rate = exit_rate, .time = 20, .wanted = 1e-9, .most_sweeps = 1e6};
    struct implicit two = one;
    two.threads = 2;
    assert_true(chebyshev_run(&one) && chebyshev_run(&two));
    assert_memory_equal(one.at_end, two.at_end, MANY * sizeof(double));
    assert_memory_equal(one.on_the_way, two.on_the_way, MANY * sizeof(double));
    assert_true(one.end_error == two.end_error && one.way_error == two.way_error && one.end_error < 1e-8);
    forget(&one);
    forget(&two);
    free(exit_rate);
    matrix_free(&matrix);
}

/* By the tables of Abramowitz and Stegun (9.8): exp(-1) I_0(1), exp(-1) I_1(1); and the integral of exp(-t) I_0(t) is
 * z exp(-z) (I_0(z) + I_1(z)). */
static void test_bessel(void **state)
{
    (void)state;
    for (double z = 0.001; z < 1e6; z *= 7) {
        struct bessel bessel = bessel_make(z);
        double sum = bessel.values[0], area = bessel.areas[0];
        for (uint32_t k = 1; k < bessel.count; k++) {
            sum += 2 * bessel.values[k];
            area += 2 * bessel.areas[k];
        }
        assert_true(fabs(sum - 1) < 1e-12 && fabs(area - z) < 1e-12 * z);
        assert_true(fabs(bessel.areas[0] - z * (bessel.values[0] + bessel.values[1])) < 1e-12 * bessel.areas[0]);
        assert_true(bessel.values[bessel.count - 1] < 1e-50 && bessel.error < 1e-11);
        bessel_free(&bessel);
    }
    struct bessel bessel = bessel_make(1);
    assert_true(fabs(bessel.values[0] - 0.46575960759364) < 1e-13 && fabs(bessel.values[1] - 0.20791041534971) < 1e-13);
    bessel_free(&bessel);
}

/* L_2 = 1 - 2x + x^2/2, L_3 = 1 - 3x + 3x^2/2 - x^3/6. */
static void test_laguerre(void **state)
{
    (void)state;
    double rise[4], areas[4], roots[2];
    laguerre_rises(0.5, 3, rise);
    assert_true(rise[0] == 1 && rise[1] == -0.5);
    assert_true(fabs(rise[2] + 0.375) < 1e-16 && fabs(rise[3] + 0.2708333333333333) < 1e-15);
    laguerre_areas(1, 3, areas);
    assert_true(areas[0] >= 1 && areas[0] < 1.001 && areas[1] >= 0.5 && areas[1] < 0.501);
    laguerre_roots(2, 2, roots);
    assert_true(fabs(roots[0] - (2 - sqrt(2))) < 1e-9 && fabs(roots[1] - (2 + sqrt(2))) < 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random),   cmocka_unit_test(test_random_polynomials),
                                       cmocka_unit_test(test_long),     cmocka_unit_test(test_made),
                                       cmocka_unit_test(test_absorbed), cmocka_unit_test(test_giving_up),
                                       cmocka_unit_test(test_threads),  cmocka_unit_test(test_bessel),
                                       cmocka_unit_test(test_laguerre)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
