/* The store under stress: collection, growth, the memory limit, stopping. */
#include "dd_truth.h"
#include "dd_work.h"

#include <stdlib.h>

/* Collecting before every operation finds whatever lives only by luck. */
static void collection_at_every_step(void **state)
{
    (void)state;
    struct dd_manager *m = dd_create(&(struct dd_options){.variables = TRUTH_VARIABLES, .nodes = 1});
    struct truth_pool *pool = malloc(sizeof *pool);
    struct random random = {77};
    truth_start(pool, m);
    for (uint32_t i = 0; i < 600; i++) {
        dd_collect(m);
        assert_true(truth_step(pool, &random));
        uint32_t a = random_below(&random, TRUTH_POOL);
        truth_check(m, pool->f[a], &pool->t[a]);
    }
    for (uint32_t i = 0; i < TRUTH_POOL; i++)
        truth_check(m, pool->f[i], &pool->t[i]);
    truth_end(pool);
    dd_collect(m);
    assert_int_equal(dd_statistics(m).live, 3); /* the constant, and the leaves 0 and 1 */
    free(pool);
    dd_destroy(m);
}

static void registered_variables_are_followed(void **state)
{
    (void)state;
    struct dd_manager *m = dd_create(&(struct dd_options){.variables = 4});
    dd f[2] = {DD_FALSE, DD_NONE};
    dd_register(m, f, 2);
    f[0] = dd_variable(m, 1);
    f[1] = dd_and(m, f[0], dd_variable(m, 2));
    dd_collect(m);
    assert_int_equal(dd_statistics(m).live, 3 + 3); /* x1, x1 and x2, and x2 below it */
    assert_int_equal(dd_top(m, f[1]), 1);
    assert_int_equal(dd_low(m, f[1]), DD_FALSE);
    assert_int_equal(dd_high(m, f[1]), dd_variable(m, 2));
    f[1] = DD_FALSE;
    dd_collect(m);
    assert_int_equal(dd_statistics(m).live, 3 + 1);
    dd_unregister(m, f);
    dd_collect(m);
    assert_int_equal(dd_statistics(m).live, 3);
    dd_destroy(m);
}

static void a_small_store_grows(void **state)
{
    (void)state;
    struct dd_manager *m = dd_create(&(struct dd_options){.variables = 49, .nodes = 1});
    assert_int_equal(dd_statistics(m).capacity, 1024);
    dd board = work_queens(m, 7);
    assert_true(work_count(m, board) == 40);
    struct dd_statistics statistics = dd_statistics(m);
    assert_true(statistics.growths > 0 && statistics.collections > 0 && statistics.capacity > 1024);
    dd_unref(m, board);
    dd_destroy(m);
}

/* From nothing at all to more than enough: each limit ends in a board or in DD_NONE, and is kept. */
static void memory_limits(void **state)
{
    (void)state;
    uint32_t failed = 0, done = 0;
    for (uint64_t limit = 20000; limit < 6000000; limit += limit / 3) {
        struct dd_manager *m = dd_create(&(struct dd_options){.variables = 64, .memory = limit});
        if (!m) {
            failed++;
            continue;
        }
        dd board = work_queens(m, 8);
        assert_true(dd_statistics(m).bytes <= limit);
        if (board == DD_NONE) {
            assert_int_equal(dd_failure(m), DD_FAILURE_MEMORY);
            failed++;
            /* What was there is there; small things still work. */
            assert_int_equal(dd_and(m, dd_variable(m, 3), DD_TRUE), dd_variable(m, 3));
        } else {
            assert_true(work_count(m, board) == 92);
            done++;
        }
        dd_destroy(m);
    }
    assert_true(failed > 1 && done > 1);
}

/* When paused nothing is collected, so the limit comes sooner; after it is lifted the same work is possible. */
static void pausing(void **state)
{
    (void)state;
    struct dd_manager *m = dd_create(&(struct dd_options){.variables = 64, .memory = 1 << 20});
    dd_pause(m);
    assert_int_equal(work_queens(m, 8), DD_NONE);
    assert_int_equal(dd_statistics(m).collections, 0);
    dd_resume(m);
    dd board = work_queens(m, 8);
    assert_int_not_equal(board, DD_NONE);
    assert_true(work_count(m, board) == 92);
    dd_destroy(m);
}

static void truths_at_the_limit(void **state)
{
    (void)state;
    struct dd_manager *m = dd_create(&(struct dd_options){.variables = TRUTH_VARIABLES, .memory = 60000});
    struct truth_pool *pool = malloc(sizeof *pool);
    struct random random = {4};
    assert_non_null(m);
    truth_start(pool, m);
    uint32_t refused = 0;
    for (uint32_t i = 0; i < 4000; i++) {
        refused += !truth_step(pool, &random);
        uint32_t a = random_below(&random, TRUTH_POOL);
        truth_check(m, pool->f[a], &pool->t[a]);
    }
    assert_true(refused > 0);
    truth_end(pool);
    free(pool);
    dd_destroy(m);
}

static bool stop_now(void *data)
{
    uint32_t *left = data;
    return *left == 0 || --*left == 0;
}

static void stopping(void **state)
{
    (void)state;
    uint32_t left = 20;
    struct dd_manager *m = dd_create(&(struct dd_options){.variables = 81, .stop = stop_now, .stop_data = &left});
    assert_int_equal(work_queens(m, 9), DD_NONE);
    assert_int_equal(dd_failure(m), DD_FAILURE_STOPPED);
    dd_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(collection_at_every_step),
        cmocka_unit_test(registered_variables_are_followed),
        cmocka_unit_test(a_small_store_grows),
        cmocka_unit_test(memory_limits),
        cmocka_unit_test(pausing),
        cmocka_unit_test(truths_at_the_limit),
        cmocka_unit_test(stopping),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
