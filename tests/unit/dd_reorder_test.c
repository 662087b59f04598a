/* Any order, and the way from one to another, leaves every function as it was. */
#include "dd_truth.h"

#include <stdlib.h>

static void shuffle_pairs(struct random *random, uint32_t *order, uint32_t pairs)
{
    for (uint32_t i = 0; i < pairs; i++)
        order[2 * i] = 2 * i;
    for (uint32_t i = pairs; i-- > 1;) {
        uint32_t j = random_below(random, i + 1), swap = order[2 * i];
        order[2 * i] = order[2 * j];
        order[2 * j] = swap;
    }
    for (uint32_t i = 0; i < pairs; i++)
        order[2 * i + 1] = order[2 * i] + 1;
}

static void shuffle(struct random *random, uint32_t *order, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        order[i] = i;
    for (uint32_t i = count; i-- > 1;) {
        uint32_t j = random_below(random, i + 1), swap = order[i];
        order[i] = order[j];
        order[j] = swap;
    }
}

static void orders_keep_functions(void **state)
{
    (void)state;
    struct dd_manager *m = dd_create(&(struct dd_options){.variables = TRUTH_VARIABLES, .nodes = 1});
    struct truth_pool *pool = malloc(sizeof *pool);
    struct random random = {5};
    uint32_t order[TRUTH_VARIABLES];
    truth_start(pool, m);
    for (uint32_t round = 0; round < 150; round++) {
        for (uint32_t i = 0; i < 20; i++)
            truth_step(pool, &random);
        if (round % 3 == 0) {
            assert_true(dd_reorder(m));
        } else {
            if (round % 3 == 1)
                shuffle(&random, order, TRUTH_VARIABLES);
            else
                shuffle_pairs(&random, order, TRUTH_VARIABLES / 2);
            assert_true(dd_set_order(m, order));
            for (uint32_t level = 0; level < TRUTH_VARIABLES; level++) {
                assert_int_equal(dd_variable_at(m, level), order[level]);
                assert_int_equal(dd_level(m, order[level]), level);
            }
        }
        for (uint32_t i = 0; i < TRUTH_POOL; i++)
            truth_check(m, pool->f[i], &pool->t[i]);
        for (uint32_t i = 1; i < TRUTH_POOL; i++)
            for (uint32_t j = 0; j < i; j++)
                assert_int_equal(pool->f[i] == pool->f[j], dd_xor(m, pool->f[i], pool->f[j]) == DD_FALSE);
    }
    truth_end(pool);
    free(pool);
    dd_destroy(m);
}

/* x0 x2 + x4 x6 + ... in an order that keeps the partners apart is exponential, and linear when they meet. */
static void sifting_brings_partners_together(void **state)
{
    (void)state;
    enum { TERMS = 10, VARIABLES = 4 * TERMS };
    struct dd_manager *m = dd_create(&(struct dd_options){.variables = VARIABLES});
    dd f = DD_FALSE;
    dd_register(m, &f, 1);
    for (uint32_t i = 0; i < TERMS; i++) {
        dd term = dd_ref(m, dd_variable(m, 2 * i));
        dd both = dd_and(m, term, dd_variable(m, 2 * (i + TERMS)));
        f = dd_or(m, f, both);
        dd_unref(m, term);
    }
    uint64_t before = dd_size(m, f);
    assert_true(before > 1000);
    assert_true(dd_reorder(m));
    assert_int_equal(dd_size(m, f), 2 * TERMS);
    for (uint32_t v = 0; v < VARIABLES; v += 2)
        assert_int_equal(dd_level(m, v + 1), dd_level(m, v) + 1);
    bool values[VARIABLES] = {false};
    assert_false(dd_evaluate(m, f, values));
    values[6] = values[6 + 2 * TERMS] = true;
    assert_true(dd_evaluate(m, f, values));
    dd_unregister(m, &f);
    dd_destroy(m);
}

static void groups_stay_together(void **state)
{
    (void)state;
    enum { GROUPS = 6, BITS = 4, VARIABLES = GROUPS * BITS };
    struct dd_manager *m = dd_create(&(struct dd_options){.variables = VARIABLES});
    struct random random = {9};
    dd f = DD_FALSE;
    dd_register(m, &f, 1);
    for (uint32_t g = 0; g < GROUPS; g++)
        dd_group(m, BITS * g, BITS);
    for (uint32_t i = 0; i < 40; i++) {
        dd term = DD_TRUE;
        dd_register(m, &term, 1);
        for (uint32_t j = 0; j < 4; j++) {
            uint32_t variable = random_below(&random, VARIABLES);
            term = dd_and(m, term, dd_literal(m, variable, random_below(&random, 2)));
        }
        f = dd_or(m, f, term);
        dd_unregister(m, &term);
    }
    uint64_t before = dd_size(m, f);
    assert_true(dd_reorder(m));
    assert_true(dd_size(m, f) <= before);
    assert_true(dd_statistics(m).swaps > 0);
    for (uint32_t g = 0; g < GROUPS; g++)
        for (uint32_t b = 1; b < BITS; b++)
            assert_int_equal(dd_level(m, BITS * g + b), dd_level(m, BITS * g) + b);
    dd_unregister(m, &f);
    dd_destroy(m);
}

static void automatic_reordering(void **state)
{
    (void)state;
    enum { TERMS = 14, VARIABLES = 4 * TERMS };
    struct dd_manager *m = dd_create(&(struct dd_options){.variables = VARIABLES, .nodes = 1});
    dd f = DD_FALSE;
    dd_register(m, &f, 1);
    dd_reorder_automatically(m, true);
    for (uint32_t i = 0; i < TERMS; i++) {
        dd term = dd_variable(m, 2 * i);
        dd_register(m, &term, 1);
        term = dd_and(m, term, dd_variable(m, 2 * (i + TERMS)));
        f = dd_or(m, f, term);
        dd_unregister(m, &term);
    }
    assert_true(dd_statistics(m).reorderings > 0);
    assert_true(dd_size(m, f) < 5000);
    dd_unregister(m, &f);
    dd_destroy(m);
}

static void real_functions_survive(void **state)
{
    (void)state;
    struct dd_manager *m = dd_create(&(struct dd_options){.variables = TRUTH_VARIABLES, .nodes = 1});
    struct random random = {3};
    uint32_t order[TRUTH_VARIABLES];
    double values[TRUTH_ROWS];
    bool assignment[TRUTH_VARIABLES];
    dd f = dd_leaf(m, 0);
    dd_register(m, &f, 1);
    dd_pause(m);
    for (uint32_t v = 0; v < TRUTH_VARIABLES; v++) {
        dd bit = dd_select(m, dd_variable(m, v), dd_leaf(m, v + 1), dd_leaf(m, 0));
        f = dd_apply(m, v % 3 ? DD_PLUS : DD_MAX, f, bit);
    }
    dd_resume(m);
    for (uint32_t row = 0; row < TRUTH_ROWS; row++) {
        truth_values(row, assignment);
        values[row] = dd_evaluate_leaf(m, f, assignment);
    }
    for (uint32_t round = 0; round < 10; round++) {
        shuffle(&random, order, TRUTH_VARIABLES);
        assert_true(round % 2 ? dd_reorder(m) : dd_set_order(m, order));
        for (uint32_t row = 0; row < TRUTH_ROWS; row++) {
            truth_values(row, assignment);
            assert_true(values[row] == dd_evaluate_leaf(m, f, assignment));
        }
    }
    dd_unregister(m, &f);
    dd_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orders_keep_functions),  cmocka_unit_test(sifting_brings_partners_together),
        cmocka_unit_test(groups_stay_together),   cmocka_unit_test(automatic_reordering),
        cmocka_unit_test(real_functions_survive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
