/* Components that are left with tiny probability: the bounds that are verified contain the exact values and are narrow.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>
#include <string.h>

#include <cmocka.h>

#include "numeric/absorption.h"
#include "numeric/average.h"
#include "numeric/policy.h"
#include "numeric/settle.h"

enum { MOST = 40, MOST_ROWS = 4 * MOST };

static uint32_t next_random(uint64_t *seed, uint32_t below)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(*seed >> 35) % below;
}

/* The states 0 and 1 are known. Every row of the others, up to so many of each, leads there with a probability of
 * 2^-`least`, or down to 2^-30 of that, and the rest of it to two others: all numbers are doubles exactly. */
static struct matrix leaking(uint32_t states, uint32_t most_rows, int least, uint64_t *seed)
{
    struct matrix matrix = {0};
    for (uint32_t s = 0; s < states; s++) {
        matrix_begin_state(&matrix);
        for (uint32_t r = 0, rows = s < 2 ? 1 : 1 + next_random(seed, most_rows); r < rows; r++) {
            matrix_begin_row(&matrix);
            if (s < 2) {
                matrix_add(&matrix, s, 1);
                continue;
            }
            double leak = ldexp(1, -least - (int)next_random(seed, 31)),
                   half = ldexp(1, -1 - (int)next_random(seed, 3));
            matrix_add(&matrix, next_random(seed, 2), leak);
            matrix_add(&matrix, 2 + next_random(seed, states - 2), half);
            matrix_add(&matrix, 2 + next_random(seed, states - 2), 1 - half - leak);
        }
    }
    matrix_close(&matrix);
    return matrix;
}

static struct rational **rationals(const double *values, uint32_t count)
{
    struct rational **all = memory_zeroed((size_t)count + 1, sizeof *all);
    for (uint32_t i = 0; i < count; i++) {
        all[i] = rational_create(0, 1);
        rational_set_double(all[i], values[i]);
    }
    return all;
}

static void free_rationals(struct rational **all, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        rational_destroy(all[i]);
    free(all);
}

/* By policy iteration in rationals. */
static struct rational **exact_values(const struct matrix *matrix, const uint8_t *unknown, const double *rewards,
                                      enum extreme extreme)
{
    uint32_t entries = (uint32_t)matrix->entries.count, rows[MOST];
    double *chances = memory_zeroed((size_t)entries + 1, sizeof *chances);
    for (uint32_t i = 0; i < entries; i++)
        chances[i] = matrix->entries.items[i].value;
    struct rational **chance = rationals(chances, entries);
    struct rational **reward = rewards ? rationals(rewards, matrix_rows(matrix)) : NULL;
    struct rational **values = memory_zeroed(MOST, sizeof *values);
    struct reverse *reverse = reverse_create(matrix);
    struct policy_problem problem = {.matrix = matrix,
                                     .chances = (const struct rational *const *)chance,
                                     .row_reward = (const struct rational *const *)reward,
                                     .unknown = unknown,
                                     .extreme = extreme};
    values[0] = rational_create(0, 1);
    values[1] = rational_create(1, 1);
    memcpy(rows, matrix->state_row.items, matrix_states(matrix) * sizeof *rows);
    assert_true(policy_solve(&problem, reverse, rows, values));
    reverse_destroy(reverse);
    free_rationals(chance, entries);
    if (reward)
        free_rationals(reward, matrix_rows(matrix));
    free(chances);
    return values;
}

static void check_bounds(const struct fixpoint *problem, uint32_t count, double width, const struct bounds *bounds)
{
    struct rational **exact = exact_values(problem->matrix, problem->unknown, problem->row_reward, problem->extreme);
    for (uint32_t s = 2; s < count; s++) {
        assert_true(bounds->lower[s] <= rational_to_double_above(exact[s]));
        assert_true(bounds->upper[s] >= rational_to_double_below(exact[s]));
        assert_true(bounds->upper[s] - bounds->lower[s] <= width * bounds->upper[s]);
    }
    free_rationals(exact, count);
}

static void check(const struct fixpoint *problem, uint32_t count)
{
    uint32_t states[MOST] = {0}, place[MOST] = {0};
    double lower[MOST] = {0, 1}, upper[MOST] = {0, 1};
    struct bounds bounds = {lower, upper};
    for (uint32_t s = 2; s < count; s++) {
        states[s - 2] = s;
        upper[s] = problem->limit;
    }
    bool is_chain = matrix_rows(problem->matrix) == count;
    struct settle_limits limits = {1000, 1e-9};
    assert_true(is_chain ? settle_chain(problem, states, count - 2, &limits, place, &bounds)
                         : settle_component(problem, states, count - 2, UINT64_MAX, place, &bounds));
    check_bounds(problem, count, 1e-9, &bounds);
    for (uint32_t s = 2; s < count; s++)
        assert_int_equal(place[s], 0);
}

static void what_leaks_slowly_is_enclosed(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (int round = 0; round < 200; round++) {
        uint32_t count = 4 + (uint32_t)round % 20;
        struct matrix matrix = leaking(count, 3, 20, &seed);
        uint8_t unknown[MOST] = {0};
        double rewards[MOST_ROWS];
        for (uint32_t r = 0; r < matrix_rows(&matrix); r++)
            rewards[r] = next_random(&seed, 4);
        memset(unknown + 2, 1, count - 2);
        struct fixpoint problem = {.matrix = &matrix,
                                   .unknown = unknown,
                                   .row_reward = round % 4 < 2 ? rewards : NULL,
                                   .extreme = round % 2 ? EXTREME_LEAST : EXTREME_GREATEST,
                                   .limit = round % 4 < 2 ? INFINITY : 1,
                                   .epsilon = 1e-6};
        check(&problem, count);
        matrix_free(&matrix);
    }
}

/* Of a chain, by the Krylov method: whenever it says that it is done, and it often is where the leaks are not tiny. */
static void what_a_krylov_method_finds_is_enclosed(void **state)
{
    (void)state;
    uint64_t seed = 9;
    int done = 0;
    for (int round = 0; round < 300; round++) {
        uint32_t count = 4 + (uint32_t)round % 30, states[MOST] = {0};
        struct matrix matrix = leaking(count, 1, 1 + round % 10, &seed);
        uint8_t unknown[MOST] = {0};
        double rewards[MOST_ROWS], lower[MOST] = {0, 1}, upper[MOST] = {0, 1};
        struct bounds bounds = {lower, upper};
        for (uint32_t s = 2; s < count; s++) {
            states[s - 2] = s;
            unknown[s] = 1;
            rewards[s] = 1 + next_random(&seed, 4);
            upper[s] = round % 2 ? INFINITY : 1;
        }
        struct fixpoint problem = {.matrix = &matrix,
                                   .unknown = unknown,
                                   .row_reward = round % 2 ? rewards : NULL,
                                   .limit = round % 2 ? INFINITY : 1,
                                   .epsilon = 1e-6};
        if (settle_by_krylov(&problem, states, count - 2, &bounds)) {
            check_bounds(&problem, count, 1e-6, &bounds);
            done++;
        }
        matrix_free(&matrix);
    }
    assert_true(done >= 150);
}

static bool has_no_room(void *user, uint64_t bytes)
{
    (void)user;
    (void)bytes;
    return false;
}

/* Steps of a walk to and fro until it is at an end: i * (LENGTH - i). */
static void a_long_walk_by_a_krylov_method(void **state)
{
    (void)state;
    enum { LENGTH = 600 };
    static double rewards[LENGTH + 1], lower[LENGTH + 1], upper[LENGTH + 1];
    static uint32_t states[LENGTH];
    static uint8_t unknown[LENGTH + 1];
    struct matrix matrix = {0};
    struct bounds bounds = {lower, upper};
    for (uint32_t i = 0; i <= LENGTH; i++) {
        bool is_end = i % LENGTH == 0;
        matrix_begin_state(&matrix);
        matrix_begin_row(&matrix);
        matrix_add(&matrix, is_end ? i : i - 1, is_end ? 1 : 0.5);
        if (is_end)
            continue;
        matrix_add(&matrix, i + 1, 0.5);
        states[i - 1] = LENGTH - i; /* in any order */
        unknown[i] = rewards[i] = 1;
        upper[i] = INFINITY;
    }
    matrix_close(&matrix);
    struct fixpoint problem = {
        .matrix = &matrix, .unknown = unknown, .row_reward = rewards, .limit = INFINITY, .epsilon = 1e-6};
    problem.has_room = has_no_room;
    assert_false(settle_by_krylov(&problem, states, LENGTH - 1, &bounds));
    problem.has_room = NULL;
    assert_true(settle_by_krylov(&problem, states, LENGTH - 1, &bounds));
    for (uint32_t i = 1; i < LENGTH; i++) {
        double right = (double)i * (LENGTH - i);
        assert_true(lower[i] <= right && right <= upper[i] && upper[i] - lower[i] <= 1e-6 * right);
    }
    matrix_free(&matrix);
}

/* A component that nothing leaves has no such values. */
static void what_is_never_left_has_no_krylov_method(void **state)
{
    (void)state;
    struct matrix matrix = {0};
    for (uint32_t i = 0; i < 2; i++) {
        matrix_begin_state(&matrix);
        matrix_begin_row(&matrix);
        matrix_add(&matrix, 1 - i, 1);
    }
    matrix_close(&matrix);
    uint32_t states[] = {0, 1};
    double lower[2] = {0}, upper[2] = {1, 1};
    struct bounds bounds = {lower, upper};
    struct fixpoint problem = {.matrix = &matrix, .unknown = (const uint8_t[]){1, 1}, .limit = 1, .epsilon = 1e-6};
    assert_false(settle_by_krylov(&problem, states, 2, &bounds));
    assert_true(lower[0] == 0 && upper[0] == 1);
    matrix_free(&matrix);
}

/* From state 2 into one of two arms, and on to its end with 2^-50 for each step, else back: no double has the digits to
 * verify what becomes of it. */
static struct matrix two_arms(uint32_t length, double first)
{
    struct matrix matrix = {0};
    for (uint32_t s = 0; s < 3 + 2 * length; s++) {
        bool is_end = s == 2 + length || s == 2 + 2 * length;
        matrix_begin_state(&matrix);
        matrix_begin_row(&matrix);
        if (s < 2) {
            matrix_add(&matrix, s, 1);
        } else if (s == 2) {
            matrix_add(&matrix, 3, first);
            matrix_add(&matrix, 3 + length, 1 - first);
        } else {
            matrix_add(&matrix, !is_end ? s + 1 : s == 2 + length ? 1 : 0, 0x1p-50);
            matrix_add(&matrix, 2, 1 - 0x1p-50);
        }
    }
    matrix_close(&matrix);
    return matrix;
}

static void chains_that_hardly_end_are_enclosed(void **state)
{
    (void)state;
    for (int round = 0; round < 20; round++) {
        struct matrix matrix = two_arms(3 + (uint32_t)round % 10, 1 - ldexp(1, -1 - round % 7));
        uint32_t count = matrix_states(&matrix);
        uint8_t unknown[MOST] = {0};
        double rewards[MOST_ROWS];
        for (uint32_t r = 0; r < matrix_rows(&matrix); r++)
            rewards[r] = r % 3;
        memset(unknown + 2, 1, count - 2);
        struct fixpoint problem = {.matrix = &matrix,
                                   .unknown = unknown,
                                   .row_reward = round % 2 ? rewards : NULL,
                                   .limit = round % 2 ? INFINITY : 1,
                                   .epsilon = 1e-6};
        check(&problem, count);
        matrix_free(&matrix);
    }
}

/* Numbers that become too small have lost digits: nothing is said then. */
static void chains_beyond_doubles_are_not_enclosed(void **state)
{
    (void)state;
    struct matrix matrix = two_arms(25, 0.5);
    uint32_t count = matrix_states(&matrix), states[2 * MOST], place[2 * MOST] = {0};
    double lower[2 * MOST] = {0, 1}, upper[2 * MOST] = {0, 1};
    struct bounds bounds = {lower, upper};
    struct fixpoint problem = {.matrix = &matrix, .limit = 1, .epsilon = 1e-6};
    for (uint32_t s = 2; s < count; s++) {
        states[s - 2] = s;
        upper[s] = 1;
    }
    struct settle_limits limits = {1000, INFINITY};
    assert_false(settle_component(&problem, states, count - 2, UINT64_MAX, place, &bounds));
    assert_false(settle_chain(&problem, states, count - 2, &limits, place, &bounds));
    for (uint32_t s = 2; s < count; s++)
        assert_true(lower[s] == 0 && upper[s] == 1);
    matrix_free(&matrix);
}

/* A random chain of one of the hard kinds. Blocks with exits of 2^-40 (nearly decomposable); probabilities from 1/2
 * down to 2^-60 (stiff); steps to the next of three classes only (periodic); states that cannot come back to others
 * (reducible). All probabilities are doubles exactly, and every state can get to the states 0 and 1. */
static struct matrix hard_chain(uint32_t states, int kind, uint64_t *seed)
{
    struct matrix matrix = {0};
    for (uint32_t s = 0; s < states; s++) {
        double rest = 1;
        matrix_begin_state(&matrix);
        matrix_begin_row(&matrix);
        for (int i = 0; s >= 2 && i < 3; i++) {
            uint32_t any = 2 + next_random(seed, states - 2), block = (s / 5) * 5 + next_random(seed, 5);
            uint32_t next = any - any % 3 + (s + 1) % 3, above = s + next_random(seed, states - s);
            uint32_t targets[] = {i ? block : any, any, next, above};
            int exponents[] = {i ? -2 : -40, -2 - (int)next_random(seed, 60), -2, -3};
            uint32_t target = targets[kind] < states ? targets[kind] : next_random(seed, 2);
            double chance = ldexp(1, exponents[kind]);
            matrix_add(&matrix, target, chance);
            rest -= chance;
        }
        if (s >= 2 && next_random(seed, 2)) {
            matrix_add(&matrix, next_random(seed, 2), rest / 2); /* rest has few digits, or is rounded: to the same */
            rest -= rest / 2;
        }
        matrix_add(&matrix, s < 2 ? s : s + 1 < states ? s + 1 : 1, rest);
    }
    matrix_close(&matrix);
    return matrix;
}

static void hard_chains_are_eliminated(void **state)
{
    (void)state;
    uint64_t seed = 17;
    for (int round = 0; round < 400; round++) {
        uint32_t count = 4 + (uint32_t)round % 35, states[MOST], place[MOST] = {0};
        struct matrix matrix = hard_chain(count, round % 4, &seed);
        uint8_t unknown[MOST] = {0};
        double rewards[MOST_ROWS], lower[MOST] = {0, 1}, upper[MOST] = {0, 1};
        struct bounds bounds = {lower, upper};
        struct settle_limits limits = {1000, 1e-11};
        bool has_rewards = round / 4 % 2;
        for (uint32_t s = 2; s < count; s++) {
            states[s - 2] = s;
            unknown[s] = 1;
            rewards[s] = next_random(&seed, 4);
            upper[s] = has_rewards ? INFINITY : 1;
        }
        struct fixpoint problem = {.matrix = &matrix,
                                   .unknown = unknown,
                                   .row_reward = has_rewards ? rewards : NULL,
                                   .limit = has_rewards ? INFINITY : 1,
                                   .epsilon = 1e-6};
        assert_true(settle_chain(&problem, states, count - 2, &limits, place, &bounds));
        check_bounds(&problem, count, 1e-10, &bounds);
        matrix_free(&matrix);
    }
}

/* The bound on the error grows with the operations, not with the cube of the number of states; what is too wide is not
 * taken. Steps of a fair walk until it is at an end. */
static void elimination_says_how_far_off_it_is(void **state)
{
    (void)state;
    enum { STATES = 50000 };
    struct matrix matrix = {0};
    uint32_t *states = memory_zeroed(STATES, sizeof *states), *place = memory_zeroed(STATES, sizeof *place);
    double *lower = memory_zeroed(STATES, sizeof *lower), *upper = memory_zeroed(STATES, sizeof *upper);
    double *rewards = memory_zeroed(STATES, sizeof *rewards);
    struct bounds bounds = {lower, upper};
    for (uint32_t s = 0; s < STATES; s++) {
        bool is_end = s == 0 || s + 1 == STATES;
        matrix_begin_state(&matrix);
        matrix_begin_row(&matrix);
        matrix_add(&matrix, is_end ? s : s - 1, is_end ? 1 : 0.5);
        if (is_end)
            continue;
        matrix_add(&matrix, s + 1, 0.5);
        states[s - 1] = s;
        rewards[s] = 1;
        upper[s] = INFINITY;
    }
    matrix_close(&matrix);
    struct fixpoint problem = {.matrix = &matrix, .row_reward = rewards, .limit = INFINITY, .epsilon = 1e-6};
    struct settle_limits narrow = {STATES, 1e-9}, narrowest = {10 * STATES, 1e-16}, limits = {10 * STATES, 1e-9};
    assert_false(settle_chain(&problem, states, STATES - 2, &narrow, place, &bounds));
    assert_false(settle_chain(&problem, states, STATES - 2, &narrowest, place, &bounds));
    assert_true(upper[1] == INFINITY && place[1] == 0);
    assert_true(settle_chain(&problem, states, STATES - 2, &limits, place, &bounds));
    for (uint32_t s = 1; s + 1 < STATES; s++) {
        double right = (double)s * (STATES - 1 - s);
        assert_true(lower[s] <= right && right <= upper[s] && upper[s] - lower[s] <= 2e-9 * right);
    }
    free(states);
    free(place);
    free(lower);
    free(upper);
    free(rewards);
    matrix_free(&matrix);
}

/* A walk on a line between the states 0 and 1, where both rows of a state are fair but one of them stays for a while.
 */
static struct matrix long_walk(uint32_t states)
{
    struct matrix matrix = {0};
    for (uint32_t s = 0; s < states; s++) {
        matrix_begin_state(&matrix);
        for (uint32_t r = 0; r < (s < 2 ? 1 : 2); r++) {
            matrix_begin_row(&matrix);
            if (s < 2) {
                matrix_add(&matrix, s, 1);
                continue;
            }
            double step = ldexp(0.5, -(int)r);
            matrix_add(&matrix, s == 2 ? 0 : s - 1, step);
            matrix_add(&matrix, s + 1 == states ? 1 : s + 1, step);
            if (r)
                matrix_add(&matrix, s, 1 - 2 * step);
        }
    }
    matrix_close(&matrix);
    return matrix;
}

/* It would take the square of the number of states in sweeps. */
static void long_walks_end_after_few_sweeps(void **state)
{
    (void)state;
    enum { STATES = 30000 };
    struct matrix matrix = long_walk(STATES);
    uint8_t *unknown = memory_zeroed(STATES, 1);
    double *lower = memory_zeroed(STATES, sizeof *lower), *upper = memory_zeroed(STATES, sizeof *upper);
    struct bounds bounds = {lower, upper};
    memset(unknown + 2, 1, STATES - 2);
    lower[1] = upper[1] = 1;
    for (int round = 0; round < 2; round++) {
        struct fixpoint problem = {.matrix = &matrix,
                                   .unknown = unknown,
                                   .extreme = round ? EXTREME_LEAST : EXTREME_GREATEST,
                                   .limit = 1,
                                   .epsilon = 1e-6,
                                   .most_sweeps = 3000};
        assert_true(fixpoint_enclose(&problem, &bounds));
        for (uint32_t s = 2; s < STATES; s++) {
            double exact = (s - 1.0) / (STATES - 1.0);
            assert_true(lower[s] <= exact * (1 + 1e-15) && upper[s] >= exact * (1 - 1e-15));
            assert_true(upper[s] - lower[s] <= 1e-6 * upper[s]);
        }
    }
    free(unknown);
    free(lower);
    free(upper);
    matrix_free(&matrix);
}

/* What is too much work is given up, and nothing is said. */
static void work_is_bounded(void **state)
{
    (void)state;
    enum { STATES = 40 };
    struct matrix matrix = long_walk(STATES);
    uint32_t states[STATES], place[STATES] = {0};
    double lower[STATES] = {0, 1}, upper[STATES] = {0, 1};
    struct bounds bounds = {lower, upper};
    struct fixpoint problem = {.matrix = &matrix, .limit = 1, .epsilon = 1e-6};
    for (uint32_t s = 2; s < STATES; s++) {
        states[s - 2] = s;
        upper[s] = 1;
    }
    assert_false(settle_component(&problem, states, STATES - 2, 10, place, &bounds));
    assert_true(lower[5] == 0 && upper[5] == 1 && place[5] == 0);
    assert_true(settle_component(&problem, states, STATES - 2, UINT64_MAX, place, &bounds));
    matrix_free(&matrix);
}

/* Every state leads on to the next with a tiny probability, by one of its rows anywhere else: one end component. */
static struct matrix going_round(uint32_t states, uint64_t *seed)
{
    struct matrix matrix = {0};
    for (uint32_t s = 0; s < states; s++) {
        matrix_begin_state(&matrix);
        for (uint32_t r = 0, rows = 1 + next_random(seed, 3); r < rows; r++) {
            double tiny = ldexp(1, -10 - (int)next_random(seed, 31));
            matrix_begin_row(&matrix);
            matrix_add(&matrix, r ? next_random(seed, states) : (s + 1) % states, tiny);
            matrix_add(&matrix, s, 1 - tiny);
        }
    }
    matrix_close(&matrix);
    return matrix;
}

static void averages_of_slow_rounds_are_enclosed(void **state)
{
    (void)state;
    uint64_t seed = 9;
    for (int round = 0; round < 100; round++) {
        uint32_t count = 2 + (uint32_t)round % 12, entries;
        struct matrix matrix = going_round(count, &seed);
        double rewards[MOST_ROWS], lower[MOST] = {0}, upper[MOST] = {0}, chances[4 * MOST_ROWS];
        struct bounds bounds = {lower, upper};
        for (uint32_t r = 0; r < matrix_rows(&matrix); r++)
            rewards[r] = 1 + next_random(&seed, 4);
        entries = (uint32_t)matrix.entries.count;
        for (uint32_t i = 0; i < entries; i++)
            chances[i] = matrix.entries.items[i].value;
        struct fixpoint problem = {.matrix = &matrix,
                                   .row_reward = rewards,
                                   .limit = INFINITY,
                                   .epsilon = 1e-9,
                                   .extreme = round % 2 ? EXTREME_LEAST : EXTREME_GREATEST};
        assert_true(average_enclose(&problem, &bounds));
        struct rational **chance = rationals(chances, entries), **reward = rationals(rewards, matrix_rows(&matrix));
        struct rational **exact = memory_zeroed(MOST, sizeof *exact);
        struct policy_problem same = {.matrix = &matrix,
                                      .chances = (const struct rational *const *)chance,
                                      .row_reward = (const struct rational *const *)reward,
                                      .extreme = problem.extreme};
        assert_true(average_solve(&same, NULL, exact));
        for (uint32_t s = 0; s < count; s++) {
            assert_true(lower[s] <= rational_to_double_above(exact[s]));
            assert_true(upper[s] >= rational_to_double_below(exact[s]));
            assert_true(upper[s] - lower[s] <= 4e-9 * upper[s]);
        }
        free_rationals(exact, count);
        free_rationals(chance, entries);
        free_rationals(reward, matrix_rows(&matrix));
        matrix_free(&matrix);
    }
}

static void two_states(void *user, uint32_t state, struct absorption *into)
{
    const double *leak = user;
    absorption_add(into, state, 1 - state, 1 - *leak);
    absorption_add_exit(into, state, *leak);
}

static void elimination_loses_no_digits(void **state)
{
    (void)state;
    for (int k = 1; k < 1000; k += 37) {
        double leak = ldexp(1, -k), values[2] = {leak, leak};
        struct absorption *absorption = absorption_create(2, two_states, &leak, 100, NULL, NULL);
        absorption_solve(absorption, values);
        assert_true(fabs(values[0] - 1) < 1e-14 && fabs(values[1] - 1) < 1e-14);
        absorption_destroy(absorption);
    }
}

static void elimination_finds_that_nothing_is_left(void **state)
{
    (void)state;
    double leak = 0;
    assert_null(absorption_create(2, two_states, &leak, 100, NULL, NULL));
    leak = 0.5;
    assert_null(absorption_create(2, two_states, &leak, 1, NULL, NULL)); /* too many terms */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_leaks_slowly_is_enclosed),
        cmocka_unit_test(what_a_krylov_method_finds_is_enclosed),
        cmocka_unit_test(a_long_walk_by_a_krylov_method),
        cmocka_unit_test(what_is_never_left_has_no_krylov_method),
        cmocka_unit_test(chains_that_hardly_end_are_enclosed),
        cmocka_unit_test(chains_beyond_doubles_are_not_enclosed),
        cmocka_unit_test(hard_chains_are_eliminated),
        cmocka_unit_test(elimination_says_how_far_off_it_is),
        cmocka_unit_test(long_walks_end_after_few_sweeps),
        cmocka_unit_test(work_is_bounded),
        cmocka_unit_test(averages_of_slow_rounds_are_enclosed),
        cmocka_unit_test(elimination_loses_no_digits),
        cmocka_unit_test(elimination_finds_that_nothing_is_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
