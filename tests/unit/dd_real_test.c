/* MTBDDs against arrays of doubles, products against dense matrices. */
#include "dd_truth.h"

#include <math.h>
#include <stdlib.h>

enum { POOL = 12 };

struct real_pool {
    struct dd_manager *m;
    dd f[POOL];
    double v[POOL][TRUTH_ROWS];
};

/* A function with few values, so that nodes are shared. */
static dd random_function(struct dd_manager *m, struct random *random, double *values)
{
    dd f = dd_leaf(m, 1);
    dd_register(m, &f, 1);
    for (uint32_t row = 0; row < TRUTH_ROWS; row++)
        values[row] = 1;
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t v = random_below(random, TRUTH_VARIABLES);
        double value = (double)random_below(random, 9) - 4;
        dd leaf = dd_ref(m, dd_leaf(m, value));
        f = dd_select(m, dd_variable(m, v), leaf, f);
        dd_unref(m, leaf);
        for (uint32_t row = 0; row < TRUTH_ROWS; row++)
            values[row] = row >> v & 1 ? value : values[row];
    }
    dd_unregister(m, &f);
    return f;
}

static double apply(enum dd_operation operation, double a, double b)
{
    const double by_operation[] = {a + b, a - b, a * b, a == 0 ? 0 : a / b, a < b ? a : b, a > b ? a : b};
    return by_operation[operation];
}

static void check_values(struct dd_manager *m, dd f, const double *values)
{
    bool assignment[TRUTH_VARIABLES];
    assert_int_not_equal(f, DD_NONE);
    for (uint32_t row = 0; row < TRUTH_ROWS; row++) {
        truth_values(row, assignment);
        double value = dd_evaluate_leaf(m, f, assignment);
        if (!(fabs(value - values[row]) <= 1e-9 * (1 + fabs(values[row]))))
            fail_msg("row %u: %g instead of %g", row, value, values[row]);
    }
}

static void check_equality(struct real_pool *pool, uint32_t a, uint32_t b)
{
    struct dd_manager *m = pool->m;
    struct truth equal;
    for (uint32_t row = 0; row < TRUTH_ROWS; row++)
        equal.rows[row] = pool->v[a][row] == pool->v[b][row];
    truth_check(m, dd_equal(m, pool->f[a], pool->f[b]), &equal);
}

static void check_abstraction(struct real_pool *pool, uint32_t a, struct random *random)
{
    static const enum dd_operation OPERATIONS[] = {DD_PLUS, DD_MIN, DD_MAX};
    struct dd_manager *m = pool->m;
    for (uint32_t k = 0; k < 3; k++) {
        uint32_t variables[TRUTH_VARIABLES], count = 0;
        double values[TRUTH_ROWS];
        for (uint32_t row = 0; row < TRUTH_ROWS; row++)
            values[row] = pool->v[a][row];
        for (uint32_t v = 0; v < TRUTH_VARIABLES; v++) {
            if (random_below(random, 2))
                continue;
            variables[count++] = v;
            for (uint32_t row = 0; row < TRUTH_ROWS; row++)
                if (!(row >> v & 1))
                    values[row] = values[row | 1u << v] = apply(OPERATIONS[k], values[row], values[row | 1u << v]);
        }
        dd cube = dd_ref(m, dd_cube(m, variables, count));
        check_values(m, dd_abstract(m, OPERATIONS[k], pool->f[a], cube), values);
        dd_unref(m, cube);
    }
}

static void random_algebra(void **state)
{
    (void)state;
    struct real_pool *pool = calloc(1, sizeof *pool);
    struct dd_manager *m = pool->m = dd_create(&(struct dd_options){.variables = TRUTH_VARIABLES, .nodes = 1});
    struct random random = {21};
    for (uint32_t i = 0; i < POOL; i++)
        pool->f[i] = dd_ref(m, random_function(m, &random, pool->v[i]));
    for (uint32_t round = 0; round < 600; round++) {
        uint32_t a = random_below(&random, POOL), b = random_below(&random, POOL), to = random_below(&random, POOL);
        enum dd_operation operation = (enum dd_operation)random_below(&random, 6);
        bool refresh = random_below(&random, 3) == 0;
        if (operation == DD_DIVIDE || refresh) { /* results must stay exact */
            dd_unref(m, pool->f[to]);
            pool->f[to] = dd_ref(m, random_function(m, &random, pool->v[to]));
            continue;
        }
        double values[TRUTH_ROWS], largest = 0;
        for (uint32_t row = 0; row < TRUTH_ROWS; row++) {
            values[row] = apply(operation, pool->v[a][row], pool->v[b][row]);
            largest = fabs(values[row]) > largest ? fabs(values[row]) : largest;
        }
        dd r = dd_apply(m, operation, pool->f[a], pool->f[b]);
        check_values(m, r, values);
        if (largest > 1e6)
            continue;
        dd_ref(m, r);
        dd_unref(m, pool->f[to]);
        pool->f[to] = r;
        for (uint32_t row = 0; row < TRUTH_ROWS; row++)
            pool->v[to][row] = values[row];
        check_equality(pool, a, b);
        check_abstraction(pool, a, &random);
    }
    free(pool);
    dd_destroy(m);
}

enum { BITS = 4, SIZE = 1 << BITS };

static dd vector_of(struct dd_manager *m, const double *values, uint32_t bits, bool matrix)
{
    /* From the leaves up: bit b of the index is variable 2b, for a matrix the column's bit b is 2b+1. */
    uint32_t rows = 1u << bits, width = matrix ? 2 * bits : bits, entries = 1u << width;
    dd *f = calloc(entries, sizeof *f);
    dd_pause(m);
    for (uint32_t i = 0; i < entries; i++)
        f[i] = dd_leaf(m, values[matrix ? (i / rows) * rows + i % rows : i]);
    for (uint32_t b = width; b-- > 0;) /* i = row * rows + column; the top bit of i goes first */
        for (uint32_t i = 0; i < 1u << b; i++) {
            bool is_column = matrix && b < bits;
            uint32_t bit = is_column ? b : matrix ? b - bits : b;
            f[i] = dd_select(m, dd_variable(m, 2 * bit + is_column), f[i + (1u << b)], f[i]);
        }
    dd result = dd_ref(m, f[0]);
    dd_resume(m);
    free(f);
    return result;
}

static void products(void **state)
{
    (void)state;
    struct dd_manager *m = dd_create(&(struct dd_options){.variables = 2 * BITS, .nodes = 1});
    struct random random = {33};
    double matrix[SIZE * SIZE], vector[SIZE], expected[SIZE];
    uint32_t variables[BITS];
    for (uint32_t b = 0; b < BITS; b++)
        variables[b] = 2 * b;
    dd cube = dd_ref(m, dd_cube(m, variables, BITS));
    for (uint32_t round = 0; round < 40; round++) {
        for (uint32_t i = 0; i < SIZE * SIZE; i++)
            matrix[i] = random_below(&random, 3) ? 0 : random_below(&random, 10);
        for (uint32_t i = 0; i < SIZE; i++)
            vector[i] = random_below(&random, 5);
        dd a = vector_of(m, matrix, BITS, true), v = vector_of(m, vector, BITS, false);
        for (uint32_t i = 0; i < SIZE; i++) {
            expected[i] = 0;
            for (uint32_t j = 0; j < SIZE; j++)
                expected[i] += vector[j] * matrix[i * SIZE + j];
        }
        dd e = vector_of(m, expected, BITS, false);
        assert_int_equal(dd_matrix_vector(m, a, v, cube), e);
        dd_unref(m, e);
        dd_unref(m, a);
        dd_unref(m, v);
    }
    dd_destroy(m);
}

static void near_leaves_are_one(void **state)
{
    (void)state;
    struct dd_manager *m = dd_create(&(struct dd_options){.variables = 1, .tolerance = 1e-12});
    dd_pause(m);
    assert_int_equal(dd_leaf(m, 0.1 + 0.2), dd_leaf(m, 0.3));
    assert_int_equal(dd_leaf(m, 1e-200 * (0.1 + 0.2)), dd_leaf(m, 1e-200 * 0.3));
    assert_int_equal(dd_leaf(m, -0.0), dd_leaf(m, 0.0));
    assert_int_not_equal(dd_leaf(m, 1e-300), dd_leaf(m, 0.0));
    assert_int_not_equal(dd_leaf(m, 5e-324), dd_leaf(m, 0.0));
    assert_int_not_equal(dd_leaf(m, 5e-324), dd_leaf(m, -5e-324));
    assert_int_not_equal(dd_leaf(m, 1 + 1e-10), dd_leaf(m, 1));
    assert_int_not_equal(dd_leaf(m, -1), dd_leaf(m, 1));
    assert_int_equal(dd_leaf(m, INFINITY), dd_leaf(m, INFINITY));
    assert_int_not_equal(dd_leaf(m, INFINITY), dd_leaf(m, 1.7976931348623157e308));
    dd_resume(m);
    dd_destroy(m);
    m = dd_create(&(struct dd_options){.variables = 1});
    dd_pause(m);
    assert_int_not_equal(dd_leaf(m, 0.1 + 0.2), dd_leaf(m, 0.3));
    dd_resume(m);
    dd_destroy(m);
}

/* Whatever the values, leaves that are kept differ by more than the tolerance or are the same. */
static void merging_is_complete(void **state)
{
    (void)state;
    struct dd_manager *m = dd_create(&(struct dd_options){.variables = 1, .tolerance = 1e-9, .nodes = 1 << 14});
    struct random random = {8};
    dd_pause(m);
    for (uint32_t i = 0; i < 2000; i++) {
        double x = 1 + random_below(&random, 1000) * 1e-10;
        dd leaf = dd_leaf(m, x);
        assert_true(fabs(dd_leaf_value(m, leaf) - x) <= 1.01e-9);
    }
    assert_true(dd_statistics(m).nodes < 1000);
    dd_resume(m);
    dd_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_algebra),
        cmocka_unit_test(products),
        cmocka_unit_test(near_leaves_are_one),
        cmocka_unit_test(merging_is_complete),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
