/* Tens of thousands of levels: recursion needs more than an ordinary stack. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/bigint.h"
#include "dd/dd.h"

/* The thread sanitizer keeps whole call stacks: it gets fewer levels, but still enough for the deep stack. */
#if defined(__SANITIZE_THREAD__)
#define DEEP_PAIRS 2500
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define DEEP_PAIRS 2500
#endif
#endif
#ifndef DEEP_PAIRS
#define DEEP_PAIRS 20000
#endif

enum { PAIRS = DEEP_PAIRS, VARIABLES = 2 * PAIRS };

static void deep_operations(struct dd_manager *m)
{
    uint32_t *all = malloc(VARIABLES * sizeof *all), *current = malloc(PAIRS * sizeof *current);
    for (uint32_t i = 0; i < VARIABLES; i++)
        all[i] = VARIABLES - 1 - i; /* from the last level up: each step is short */
    for (uint32_t i = 0; i < PAIRS; i++)
        current[i] = 2 * (PAIRS - 1 - i);
    dd f[5] = {dd_cube(m, all, VARIABLES), DD_FALSE, DD_FALSE, DD_FALSE, DD_FALSE};
    dd_register(m, f, 5);
    f[1] = dd_cube(m, current, PAIRS);
    assert_int_equal(dd_size(m, f[0]), VARIABLES);
    assert_int_equal(dd_support(m, f[0]), f[0]);
    assert_int_equal(dd_exists(m, f[0], f[0]), DD_TRUE);
    f[2] = dd_xor(m, f[0], f[1]);
    assert_int_equal(dd_or(m, f[2], f[0]), f[1]);
    /* The relation "all ones to all ones" changes nothing. */
    assert_int_equal(dd_next(m, f[1], f[0], f[1]), f[1]);
    assert_int_equal(dd_previous(m, f[1], f[0], f[1]), f[1]);
    assert_int_equal(dd_saturate(m, f[1], &(struct dd_relation){f[0], f[1]}, 1), f[1]);
    dd_collect(m);
    struct bigint *count = dd_count(m, f[1], f[1]);
    uint64_t value;
    assert_true(bigint_fits_u64(count, &value) && value == 1);
    bigint_destroy(count);
    dd_unregister(m, f);
    free(all);
    free(current);
}

static void deep_recursion(void **state)
{
    (void)state;
    struct dd_manager *m = dd_create(&(struct dd_options){.variables = VARIABLES});
    deep_operations(m);
    dd_destroy(m);
}

static void deep_recursion_with_threads(void **state)
{
    (void)state;
    struct dd_manager *m = dd_create(&(struct dd_options){.variables = VARIABLES, .threads = 2});
    deep_operations(m);
    dd_destroy(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(deep_recursion),
        cmocka_unit_test(deep_recursion_with_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
