/* Sparse chances: what the graph decides, components, and enclosures of least fixed points. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>

#include <cmocka.h>

#include "numeric/components.h"
#include "numeric/elimination.h"
#include "numeric/fixpoint.h"

enum { MOST = 40 };

/* A small random decision process; state 0 is the goal, state 1 a trap. */
static struct matrix random_matrix(uint32_t states, uint64_t *seed)
{
    struct matrix matrix = {0};
    for (uint32_t s = 0; s < states; s++) {
        matrix_begin_state(&matrix);
        *seed = *seed * 6364136223846793005u + 1442695040888963407u;
        uint32_t rows = s < 2 ? 1 : 1 + (uint32_t)(*seed >> 40) % 3;
        for (uint32_t r = 0; r < rows; r++) {
            matrix_begin_row(&matrix);
            if (s < 2) {
                matrix_add(&matrix, s, 1);
                continue;
            }
            uint32_t parts = 1 + (uint32_t)(*seed >> 33) % 4;
            for (uint32_t i = 0; i < parts; i++) {
                *seed = *seed * 6364136223846793005u + 1442695040888963407u;
                matrix_add(&matrix, (uint32_t)(*seed >> 35) % states, 1.0 / parts);
            }
        }
    }
    matrix_close(&matrix);
    return matrix;
}

static double best_row(const struct matrix *matrix, uint32_t s, const double *x, const double *rewards,
                       enum extreme extreme)
{
    double best = extreme == EXTREME_LEAST ? INFINITY : -INFINITY;
    for (uint32_t r = matrix->state_row.items[s]; r < matrix->state_row.items[s + 1]; r++) {
        double sum = rewards ? rewards[r] : 0;
        for (uint64_t i = matrix->row_entry.items[r]; i < matrix->row_entry.items[r + 1]; i++)
            sum += matrix->entries.items[i].value * x[matrix->entries.items[i].target];
        best = extreme == EXTREME_LEAST ? fmin(best, sum) : fmax(best, sum);
    }
    return best;
}

/* Plain iteration from 0, long enough. */
static void iterate(const struct matrix *matrix, const double *rewards, enum extreme extreme, double *x)
{
    for (int k = 0; k < 20000; k++)
        for (uint32_t s = 1; s < matrix_states(matrix); s++)
            if (s != 1)
                x[s] = best_row(matrix, s, x, rewards, extreme);
}

static void chances_are_enclosed(void **state)
{
    (void)state;
    uint64_t seed = 11;
    for (int round = 0; round < 300; round++) {
        struct matrix matrix = random_matrix(4 + (uint32_t)round % 12, &seed);
        uint32_t count = matrix_states(&matrix);
        enum extreme extreme = round % 2 ? EXTREME_LEAST : EXTREME_GREATEST;
        uint8_t left[MOST], goal[MOST] = {1}, zero[MOST], one[MOST], unknown[MOST];
        double lower[MOST], upper[MOST], x[MOST] = {1};
        struct bounds bounds = {lower, upper};
        struct reverse *reverse = reverse_create(&matrix);
        for (uint32_t s = 0; s < count; s++)
            left[s] = 1;
        reverse_chance_zero(reverse, left, goal, extreme, zero);
        reverse_chance_one(reverse, left, goal, extreme, one);
        iterate(&matrix, NULL, extreme, x);
        for (uint32_t s = 0; s < count; s++) {
            lower[s] = upper[s] = one[s];
            unknown[s] = !zero[s] && !one[s];
            assert_int_equal(zero[s], x[s] < 1e-12);
            assert_int_equal(one[s], x[s] > 1 - 1e-9);
        }
        struct fixpoint problem = {.matrix = &matrix, .unknown = unknown, .extreme = extreme, .limit = 1,
                                   .epsilon = 1e-8};
        assert_true(fixpoint_enclose(&problem, &bounds));
        for (uint32_t s = 0; s < count; s++) {
            assert_true(lower[s] <= x[s] + 1e-9 && x[s] <= upper[s] + 1e-9);
            assert_true(lower[s] <= upper[s] && upper[s] - lower[s] <= 1e-6 * upper[s]);
        }
        reverse_destroy(reverse);
        matrix_free(&matrix);
    }
}

/* Every state goes to the goal sooner or later: rewards are finite. */
static void rewards_are_enclosed(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (int round = 0; round < 200; round++) {
        struct matrix matrix = random_matrix(4 + (uint32_t)round % 10, &seed);
        uint32_t count = matrix_states(&matrix), rows = matrix_rows(&matrix);
        uint8_t left[MOST], goal[MOST] = {1, 1}, sure[MOST], unknown[MOST];
        double rewards[4 * MOST], lower[MOST] = {0}, upper[MOST] = {0}, x[MOST] = {0};
        struct bounds bounds = {lower, upper};
        struct reverse *reverse = reverse_create(&matrix);
        bool all_sure = true;
        for (uint32_t r = 0; r < rows; r++)
            rewards[r] = r % 3;
        for (uint32_t s = 0; s < count; s++)
            left[s] = 1;
        reverse_chance_one(reverse, left, goal, EXTREME_LEAST, sure);
        for (uint32_t s = 0; s < count; s++) {
            all_sure &= sure[s];
            unknown[s] = sure[s] && !goal[s];
        }
        struct fixpoint problem = {.matrix = &matrix, .unknown = unknown, .row_reward = rewards,
                                   .extreme = EXTREME_GREATEST, .limit = INFINITY, .epsilon = 1e-8};
        if (all_sure) {
            iterate(&matrix, rewards, EXTREME_GREATEST, x);
            assert_true(fixpoint_enclose(&problem, &bounds));
            for (uint32_t s = 2; s < count; s++)
                assert_true(lower[s] <= x[s] * (1 + 1e-9) && x[s] <= upper[s] * (1 + 1e-9) &&
                            upper[s] - lower[s] <= 1e-6 * upper[s]);
        }
        reverse_destroy(reverse);
        matrix_free(&matrix);
    }
}

/* 0 -> 1 <-> 2 -> 3, 3 alone. */
static void components_are_in_order(void **state)
{
    (void)state;
    static const uint32_t targets[4][2] = {{1, 1}, {2, 2}, {1, 3}, {3, 3}};
    struct matrix matrix = {0};
    uint8_t wanted[4] = {1, 1, 1, 1};
    for (uint32_t s = 0; s < 4; s++) {
        matrix_begin_state(&matrix);
        matrix_begin_row(&matrix);
        matrix_add(&matrix, targets[s][0], 0.5);
        matrix_add(&matrix, targets[s][1], 0.5);
    }
    matrix_close(&matrix);
    struct components *components = components_create(&matrix, wanted);
    assert_int_equal(components->count, 3);
    assert_int_equal(components->states[0], 3);
    assert_int_equal(components->first[2] - components->first[1], 2);
    assert_int_equal(components->states[3], 0);
    components_destroy(components);
    matrix_free(&matrix);
}

/* A walk on a ring, forwards more than backwards. */
static struct matrix ring(uint32_t states)
{
    struct matrix matrix = {0};
    for (uint32_t s = 0; s < states; s++) {
        matrix_begin_state(&matrix);
        matrix_begin_row(&matrix);
        matrix_add(&matrix, (s + 1) % states, 0.7);
        matrix_add(&matrix, (s + states - 1) % states, 0.3);
    }
    matrix_close(&matrix);
    return matrix;
}

static void steps_do_not_depend_on_the_threads(void **state)
{
    (void)state;
    enum { STATES = 200000 };
    struct matrix matrix = ring(STATES);
    uint8_t *unknown = memory_zeroed(STATES, 1);
    struct bounds bounds[2];
    for (int k = 0; k < 2; k++) {
        bounds[k] = (struct bounds){memory_zeroed(STATES, sizeof(double)), memory_zeroed(STATES, sizeof(double))};
        for (uint32_t s = 0; s < STATES; s++) {
            unknown[s] = s % 1000 != 0;
            bounds[k].lower[s] = bounds[k].upper[s] = !unknown[s];
        }
        struct fixpoint problem = {.matrix = &matrix, .unknown = unknown, .limit = 1, .threads = k ? 5 : 1};
        assert_true(fixpoint_steps(&problem, 20, &bounds[k]));
    }
    assert_memory_equal(bounds[0].lower, bounds[1].lower, STATES * sizeof(double));
    assert_memory_equal(bounds[0].upper, bounds[1].upper, STATES * sizeof(double));
    assert_true(bounds[0].lower[1] < bounds[0].upper[1]); /* rounded apart, in all threads */
    assert_true(bounds[0].lower[999] > 0.7 - 1e-12 && bounds[0].lower[999] < 1);
    for (int k = 0; k < 2; k++) {
        free(bounds[k].lower);
        free(bounds[k].upper);
    }
    free(unknown);
    matrix_free(&matrix);
}

/* x0 = 1/2 x1 + 1/4 x0, x1 = 1/3 x0 + 1/3: x0 = 4/14 = 2/7, x1 = 3/7. */
static void elimination_is_exact(void **state)
{
    (void)state;
    struct elimination *equations = elimination_create(2);
    struct rational *number = rational_create(1, 2);
    elimination_add(equations, 0, 1, number);
    assert_true(rational_parse(number, "1/4"));
    elimination_add(equations, 0, 0, number);
    assert_true(rational_parse(number, "1/3"));
    elimination_add(equations, 1, 0, number);
    elimination_add_constant(equations, 1, number);
    assert_true(elimination_solve(equations, NULL, NULL));
    char *digits[] = {rational_digits(elimination_value(equations, 0)), rational_digits(elimination_value(equations, 1))};
    assert_string_equal(digits[0], "2/7");
    assert_string_equal(digits[1], "3/7");
    free(digits[0]);
    free(digits[1]);
    rational_destroy(number);
    elimination_destroy(equations);
}

static void elimination_finds_that_nothing_ends(void **state)
{
    (void)state;
    struct elimination *equations = elimination_create(2);
    struct rational *one = rational_create(1, 1);
    elimination_add(equations, 0, 1, one);
    elimination_add(equations, 1, 0, one);
    assert_false(elimination_solve(equations, NULL, NULL));
    rational_destroy(one);
    elimination_destroy(equations);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_do_not_depend_on_the_threads),
        cmocka_unit_test(elimination_is_exact),
        cmocka_unit_test(elimination_finds_that_nothing_ends),
        cmocka_unit_test(chances_are_enclosed),
        cmocka_unit_test(rewards_are_enclosed),
        cmocka_unit_test(components_are_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
