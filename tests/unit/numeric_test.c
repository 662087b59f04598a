/* Sparse chances: what the graph decides, components, and enclosures of least fixed points. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <math.h>

#include <cmocka.h>

#include "numeric/average.h"
#include "numeric/bias.h"
#include "numeric/components.h"
#include "numeric/elimination.h"
#include "numeric/fixpoint.h"
#include "numeric/poisson.h"
#include "numeric/sweep.h"
#include "base/rounding.h"
#include "sanitized.h"

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

/* Plain iteration from 0, until nothing changes, or long enough. */
static void iterate(const struct matrix *matrix, const double *rewards, enum extreme extreme, double *x)
{
    bool has_changed = true;
    for (int k = 0; k < 20000 && has_changed; k++) {
        has_changed = false;
        for (uint32_t s = 2; s < matrix_states(matrix); s++) {
            double before = x[s];
            x[s] = best_row(matrix, s, x, rewards, extreme);
            has_changed |= x[s] != before;
        }
    }
}

static void chances_are_enclosed(void **state)
{
    (void)state;
    uint64_t seed = 11;
    for (int round = 0; round < FEWER(300); round++) {
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
        struct fixpoint problem = {
            .matrix = &matrix, .unknown = unknown, .extreme = extreme, .limit = 1, .epsilon = 1e-8};
        assert_true(fixpoint_enclose(&problem, &bounds));
        for (uint32_t s = 0; s < count; s++) {
            assert_true(lower[s] <= x[s] + 1e-9 && x[s] <= upper[s] + 1e-9);
            assert_true(lower[s] <= upper[s] && upper[s] - lower[s] <= 1e-6 * upper[s]);
        }
        reverse_destroy(reverse);
        matrix_free(&matrix);
    }
}

static bool count_and_refuse(void *user)
{
    ++*(uint32_t *)user;
    return false;
}

/* A path of many states backwards: it is asked whether to go on, and what is said is heeded. */
static void a_graph_is_not_followed_beyond_a_limit(void **state)
{
    (void)state;
    enum { LONG = 1000000 };
    struct matrix matrix = {0};
    uint8_t *left = memory_alloc(LONG), *goal = memory_zeroed(LONG, 1), *set = memory_alloc(LONG);
    uint32_t asked = 0;
    for (uint32_t s = 0; s < LONG; s++) {
        matrix_begin_state(&matrix);
        matrix_begin_row(&matrix);
        matrix_add(&matrix, s ? s - 1 : 0, 1);
        left[s] = 1;
    }
    matrix_close(&matrix);
    goal[0] = 1;
    struct reverse *reverse = reverse_create(&matrix);
    reverse_chance_zero(reverse, left, goal, EXTREME_LEAST, set);
    assert_false(set[LONG - 1]);
    reverse->go_on = count_and_refuse;
    reverse->user = &asked;
    reverse_chance_zero(reverse, left, goal, EXTREME_LEAST, set);
    assert_int_equal(asked, 1);
    assert_true(set[LONG - 1]);
    reverse_destroy(reverse);
    matrix_free(&matrix);
    free(left);
    free(goal);
    free(set);
}

/* Every state goes to the goal sooner or later: rewards are finite. */
static void rewards_are_enclosed(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (int round = 0; round < FEWER(200); round++) {
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
        struct fixpoint problem = {.matrix = &matrix,
                                   .unknown = unknown,
                                   .row_reward = rewards,
                                   .extreme = EXTREME_GREATEST,
                                   .limit = INFINITY,
                                   .epsilon = 1e-8};
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
/* A sweep in which nothing has grown leaves values of which each is at least what the others give. */
static void a_sweep_without_growth_is_above(void **state)
{
    (void)state;
    uint64_t seed = 11;
    uint32_t found = 0;
    for (int round = 0; round < 400; round++) {
        struct matrix matrix = random_matrix(4 + (uint32_t)round % 12, &seed);
        uint32_t count = matrix_states(&matrix), states[MOST];
        double x[MOST] = {1, 0}, next[MOST];
        struct fixpoint problem = {
            .matrix = &matrix, .extreme = round % 2 ? EXTREME_LEAST : EXTREME_GREATEST, .limit = 1};
        struct sweep sweep = {&problem, states, count - 2, 1, round % 3 > 0, next};
        bool is_above = false;
        for (uint32_t s = 2; s < count; s++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            states[s - 2] = count + 1 - s;
            x[s] = (double)(seed >> 40) / (1 << 24);
        }
        rounding_set(ROUNDING_UP);
        for (int k = 0; k < 4 && !is_above; k++)
            is_above = sweep_over(&sweep, x);
        assert_true(!is_above || sweep_step(&sweep, x));
        rounding_set(ROUNDING_NEAREST);
        found += is_above;
        matrix_free(&matrix);
    }
    assert_in_range(found, 50, 399); /* some grow, some do not */
}

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
        assert_true(fixpoint_steps(&problem, FEWER(20), k % 2, &bounds[k]));
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
    char *digits[] = {rational_digits(elimination_value(equations, 0)),
                      rational_digits(elimination_value(equations, 1))};
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

/* A long way with a chance to go back, in one component: the goal at its end, a trap beside every state. */
static void large_components_do_not_depend_on_the_threads(void **state)
{
    (void)state;
    enum { STATES = 140000 };
    const double epsilon = IS_SLOW ? 1e-3 : 1e-6;
    struct matrix matrix = {0};
    uint8_t *unknown = memory_zeroed(STATES, 1);
    struct bounds bounds[2];
    for (uint32_t s = 0; s < STATES; s++) {
        matrix_begin_state(&matrix);
        matrix_begin_row(&matrix);
        unknown[s] = s > 1;
        if (s < 2) {
            matrix_add(&matrix, s, 1);
            continue;
        }
        matrix_add(&matrix, s % 7 ? 1 : 0, 0.25);
        matrix_add(&matrix, s + 1 < STATES ? s + 1 : 2, 0.25);
        matrix_add(&matrix, s > 2 ? s - 1 : STATES - 1, 0.375);
        matrix_add(&matrix, s, 0.125);
    }
    matrix_close(&matrix);
    for (uint32_t i = 0; i < 2; i++) {
        bounds[i] = (struct bounds){memory_zeroed(STATES, sizeof(double)), memory_zeroed(STATES, sizeof(double))};
        bounds[i].lower[0] = bounds[i].upper[0] = 1;
        struct fixpoint problem = {
            .matrix = &matrix, .unknown = unknown, .limit = 1, .epsilon = epsilon, .threads = 1 + 3 * i};
        assert_true(fixpoint_enclose(&problem, &bounds[i]));
    }
    for (uint32_t s = 0; s < STATES; s++) {
        assert_true(bounds[0].lower[s] == bounds[1].lower[s] && bounds[0].upper[s] == bounds[1].upper[s]);
        assert_true(bounds[0].lower[s] <= bounds[0].upper[s] &&
                    bounds[0].upper[s] - bounds[0].lower[s] <= 10 * epsilon);
    }
    for (uint32_t i = 0; i < 2; i++) {
        free(bounds[i].lower);
        free(bounds[i].upper);
    }
    free(unknown);
    matrix_free(&matrix);
}

/* Chances that add up to 1, with the mean and the spread they must have; for great means, too. */
static void poisson_weights_are_right(void **state)
{
    (void)state;
    static const double means[] = {0, 1e-9, 0.5, 1, 17.25, 1e4, 3e6};
    for (size_t m = 0; m < sizeof means / sizeof *means; m++) {
        struct poisson poisson = poisson_make(means[m]);
        double sum = 0, mean = 0, spread = 0;
        for (uint64_t k = poisson.first; k <= poisson.last; k++) {
            double weight = poisson.weights[k - poisson.first], off = (double)k - means[m];
            assert_true(fabs(poisson.tails[k - poisson.first] - (1 - sum - weight)) < 1e-12);
            sum += weight;
            mean += weight * off;
            spread += weight * off * off;
        }
        assert_true(fabs(sum - 1) <= poisson.error + 1e-15 && poisson.missing < 1e-18 && poisson.error < 1e-10);
        assert_true(fabs(mean) <= 1e-9 * (1 + means[m]) && fabs(spread - means[m]) <= 1e-9 * (1 + means[m]));
        poisson_free(&poisson);
    }
    struct poisson five = poisson_make(5);
    assert_true(fabs(five.weights[3 - five.first] - 125.0 / 6 * exp(-5)) < 1e-15);
    poisson_free(&five);
}

/* An average reward, of numbers that are off by a little. */
static struct fixpoint average_problem(const struct matrix *matrix, const double *rewards, enum extreme extreme)
{
    return (struct fixpoint){.matrix = matrix,
                             .row_reward = rewards,
                             .extreme = extreme,
                             .limit = INFINITY,
                             .epsilon = 1e-7,
                             .slack = 8 * 0x1p-53};
}

/* The same, exactly. */
static struct policy_problem exact_problem(const struct matrix *matrix, struct rational **chances,
                                           struct rational **rewards, enum extreme extreme)
{
    return (struct policy_problem){.matrix = matrix,
                                   .chances = (const struct rational *const *)chances,
                                   .row_reward = (const struct rational *const *)rewards,
                                   .extreme = extreme};
}

/* Averages between bounds contain the exact ones. */
static void averages_are_enclosed(void **state)
{
    (void)state;
    uint64_t seed = 77;
    for (int round = 0; round < FEWER(100); round++) {
        struct matrix matrix = random_matrix(3 + (uint32_t)round % 9, &seed);
        uint32_t count = matrix_states(&matrix), rows = matrix_rows(&matrix);
        struct rational *chances[16 * MOST], *rewards[4 * MOST], *averages[MOST] = {0};
        double near[4 * MOST], lower[MOST], upper[MOST];
        struct bounds bounds = {lower, upper};
        for (uint32_t r = 0; r < rows; r++) {
            uint64_t length = matrix.row_entry.items[r + 1] - matrix.row_entry.items[r];
            rewards[r] = rational_create(near[r] = (r * 7) % 5, 1);
            for (uint64_t i = matrix.row_entry.items[r]; i < matrix.row_entry.items[r + 1]; i++) {
                matrix.entries.items[i].value = 1.0 / (double)length;
                chances[i] = rational_create(1, length);
            }
        }
        enum extreme extreme = round % 2 ? EXTREME_LEAST : EXTREME_GREATEST;
        struct fixpoint problem = average_problem(&matrix, near, extreme);
        struct policy_problem exact = exact_problem(&matrix, chances, rewards, extreme);
        assert_true(average_enclose(&problem, &bounds));
        assert_true(average_solve(&exact, NULL, averages));
        for (uint32_t s = 0; s < count; s++) {
            assert_true(lower[s] <= rational_to_double_above(averages[s]) &&
                        rational_to_double_below(averages[s]) <= upper[s]);
            assert_true(upper[s] - lower[s] <= 1e-6 * upper[s]);
            rational_destroy(averages[s]);
        }
        for (uint32_t r = 0; r < rows; r++)
            rational_destroy(rewards[r]);
        for (size_t i = 0; i < matrix.entries.count; i++)
            rational_destroy(chances[i]);
        matrix_free(&matrix);
    }
}

/* A ring with chords: every state is reached again. */
static struct matrix random_ring(uint32_t count, uint64_t *seed)
{
    struct matrix matrix = {0};
    for (uint32_t s = 0; s < count; s++) {
        matrix_begin_state(&matrix);
        matrix_begin_row(&matrix);
        matrix_add(&matrix, (s + 1) % count, 1);
        for (uint32_t i = 0; i < s % 3; i++) {
            *seed = *seed * 6364136223846793005u + 1442695040888963407u;
            matrix_add(&matrix, (uint32_t)(*seed >> 35) % count, 1);
        }
    }
    matrix_close(&matrix);
    return matrix;
}

/* What Krylov's method finds, at rates of all sizes, contains the exact average. */
static void a_bias_encloses_the_average(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (int round = 0; round < FEWER(60); round++) {
        struct matrix matrix = random_ring(2 + (uint32_t)round % 30, &seed);
        uint32_t count = matrix_states(&matrix), states[MOST];
        struct rational *chances[16 * MOST], *rewards[MOST], *times[MOST], *averages[MOST] = {0};
        double near[MOST], rates[MOST], lower = 0, upper = INFINITY;
        for (uint32_t s = 0; s < count; s++) {
            uint64_t length = matrix.row_entry.items[s + 1] - matrix.row_entry.items[s];
            uint64_t rate = s % 4 ? s % 4 : 100000;
            states[count - 1 - s] = s;
            near[s] = (s * 7) % 5;
            rates[s] = (double)rate;
            times[s] = rational_create(1, rate);
            rewards[s] = rational_create((s * 7) % 5, rate);
            for (uint64_t i = matrix.row_entry.items[s]; i < matrix.row_entry.items[s + 1]; i++) {
                matrix.entries.items[i].value = 1.0 / (double)length;
                chances[i] = rational_create(1, length);
            }
        }
        struct fixpoint problem = average_problem(&matrix, near, EXTREME_GREATEST);
        struct policy_problem exact = exact_problem(&matrix, chances, rewards, EXTREME_GREATEST);
        assert_true(bias_of_component(&problem, rates, states, count, &lower, &upper));
        assert_true(average_solve(&exact, (const struct rational *const *)times, averages));
        assert_true(lower <= rational_to_double_above(averages[0]) && rational_to_double_below(averages[0]) <= upper);
        assert_true(upper - lower <= 1e-7 * upper);
        for (uint32_t s = 0; s < count; s++) {
            rational_destroy(averages[s]);
            rational_destroy(rewards[s]);
            rational_destroy(times[s]);
        }
        for (size_t i = 0; i < matrix.entries.count; i++)
            rational_destroy(chances[i]);
        matrix_free(&matrix);
    }
}

/* A queue that is nearly always full: its mean length, of which steps of all states would take very many. */
static void a_bias_is_found_where_much_is_remembered(void **state)
{
    (void)state;
    enum { ROOM = IS_SLOW ? 1000 : 3000 };
    struct matrix matrix = {0};
    static double length[ROOM + 1];
    static uint32_t states[ROOM + 1];
    double lower = 0, upper = INFINITY, total = 0, sum = 0;
    for (uint32_t s = 0; s <= ROOM; s++) {
        matrix_begin_state(&matrix);
        matrix_begin_row(&matrix);
        matrix_add(&matrix, s ? s - 1 : 0, 0.499);
        matrix_add(&matrix, s < ROOM ? s + 1 : ROOM, 0.501);
        double weight = pow(0.501 / 0.499, (double)s - ROOM);
        length[s] = s;
        states[s] = s;
        total += weight;
        sum += weight * s;
    }
    matrix_close(&matrix);
    struct fixpoint problem = average_problem(&matrix, length, EXTREME_GREATEST);
    assert_true(bias_of_component(&problem, NULL, states, ROOM + 1, &lower, &upper));
    assert_true(upper - lower <= 1e-6 * upper && fabs(sum / total - lower) < 3e-6 * upper);
    matrix_free(&matrix);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bias_encloses_the_average),
        cmocka_unit_test(a_bias_is_found_where_much_is_remembered),
        cmocka_unit_test(a_sweep_without_growth_is_above),
        cmocka_unit_test(steps_do_not_depend_on_the_threads),
        cmocka_unit_test(large_components_do_not_depend_on_the_threads),
        cmocka_unit_test(poisson_weights_are_right),
        cmocka_unit_test(averages_are_enclosed),
        cmocka_unit_test(elimination_is_exact),
        cmocka_unit_test(elimination_finds_that_nothing_ends),
        cmocka_unit_test(chances_are_enclosed),
        cmocka_unit_test(a_graph_is_not_followed_beyond_a_limit),
        cmocka_unit_test(rewards_are_enclosed),
        cmocka_unit_test(components_are_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
