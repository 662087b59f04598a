/* Several threads compute the same functions as one. */
#include "dd_sum.h"
#include "dd_truth.h"
#include "dd_work.h"

#include <stdlib.h>

static void boards_by_many(void **state)
{
    (void)state;
    static const double EXPECTED[] = {10, 4, 40, 92};
    for (uint32_t threads = 2; threads <= 4; threads += 2)
        for (int n = 5; n <= 8; n++) {
            const struct dd_options options = {.variables = (uint32_t)(n * n), .nodes = 1, .threads = threads};
            struct dd_manager *m = dd_create(&options);
            dd board = work_queens(m, n);
            assert_true(work_count(m, board) == EXPECTED[n - 5]);
            dd_unref(m, board);
            dd_destroy(m);
        }
}

/* A hidden weighted bit function is large in every order: one operation with much to share out. */
static dd large_function(struct dd_manager *m, uint32_t n, uint32_t first)
{
    dd f = DD_FALSE, sum[8] = {DD_FALSE};
    dd_pause(m);
    for (uint32_t i = 0; i < n; i++)
        sum_count(m, sum, 8, dd_variable(m, first + i));
    for (uint32_t i = 0; i < n; i++)
        f = dd_or(m, f, dd_and(m, sum_is(m, sum, 8, i + 1), dd_variable(m, first + i)));
    dd_ref(m, f);
    dd_resume(m);
    return f;
}

static void large_operations_are_shared(void **state)
{
    (void)state;
    enum { N = 20 };
    struct dd_manager *one = dd_create(&(struct dd_options){.variables = 2 * N});
    struct dd_manager *many = dd_create(&(struct dd_options){.variables = 2 * N, .threads = 4});
    struct dd_manager *managers[2] = {one, many};
    double counts[2];
    uint64_t sizes[2];
    for (uint32_t i = 0; i < 2; i++) {
        struct dd_manager *m = managers[i];
        dd f = large_function(m, N, 0), g = large_function(m, N, N / 2);
        dd h = dd_ref(m, dd_xor(m, f, g));
        uint32_t some[N / 2];
        for (uint32_t v = 0; v < N / 2; v++)
            some[v] = 2 * v + 1;
        dd cube = dd_ref(m, dd_cube(m, some, N / 2));
        dd e = dd_ref(m, dd_and_exists(m, f, h, cube));
        counts[i] = work_count(m, h) + work_count(m, e);
        sizes[i] = dd_size(m, h) + dd_size(m, e);
    }
    assert_true(counts[0] == counts[1]);
    assert_int_equal(sizes[0], sizes[1]);
    dd_destroy(one);
    dd_destroy(many);
}

static void reals_by_many(void **state)
{
    (void)state;
    enum { N = 16 };
    double sums[2];
    for (uint32_t i = 0; i < 2; i++) {
        const struct dd_options options = {.variables = N, .nodes = 1, .threads = 1 + 3 * i, .tolerance = 1e-12};
        struct dd_manager *m = dd_create(&options);
        dd f = dd_leaf(m, 1);
        uint32_t all[N];
        dd_register(m, &f, 1);
        for (uint32_t v = 0; v < N; v++) {
            all[v] = v;
            dd_pause(m);
            dd bit = dd_ref(m, dd_select(m, dd_variable(m, v), dd_leaf(m, 1 + 0.01 * (v % 5)), dd_leaf(m, 1)));
            dd_resume(m);
            f = dd_apply(m, DD_TIMES, f, bit);
            dd more = dd_ref(m, dd_apply(m, DD_PLUS, f, bit));
            f = dd_apply(m, DD_MAX, f, more);
            dd_unref(m, more);
            dd_unref(m, bit);
        }
        dd cube = dd_ref(m, dd_cube(m, all, N));
        sums[i] = dd_leaf_value(m, dd_abstract(m, DD_PLUS, f, cube));
        dd_unregister(m, &f);
        dd_destroy(m);
    }
    assert_true(sums[0] > 0);
    assert_true(sums[0] - sums[1] < 1e-6 * sums[0] && sums[1] - sums[0] < 1e-6 * sums[0]);
}

static void limits_with_threads(void **state)
{
    (void)state;
    uint32_t failed = 0, done = 0;
    for (uint64_t limit = 50000; limit < 4000000; limit *= 2) {
        struct dd_manager *m = dd_create(&(struct dd_options){.variables = 64, .memory = limit, .threads = 3});
        dd board = work_queens(m, 8);
        assert_true(dd_statistics(m).bytes <= limit);
        failed += board == DD_NONE;
        if (board != DD_NONE) {
            assert_true(work_count(m, board) == 92);
            done++;
        }
        dd_destroy(m);
    }
    assert_true(failed && done);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boards_by_many),
        cmocka_unit_test(large_operations_are_shared),
        cmocka_unit_test(reals_by_many),
        cmocka_unit_test(limits_with_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
