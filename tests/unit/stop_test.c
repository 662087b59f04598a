/* Reasons to stop: what they say, and who owns them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/stop.h"
#include "base/text.h"

static void says(struct stop stop, const char *expected)
{
    struct text words = {0};
    stop_print(&stop, &words);
    assert_string_equal(text_chars(&words), expected);
    text_free(&words);
    stop_free(&stop);
}

static void test_words(void **unused)
{
    (void)unused;
    says(stop_of(STOP_NONE), "");
    says(stop_of(STOP_INTERRUPTED), "interrupted");
    says(stop_of(STOP_VIOLATION), "first violation");
    says(stop_of(STOP_DECIDED), "every property is decided");
    says(stop_of(STOP_FAULT), "run-time error");
    says(stop_of(STOP_WORK), "work limit");
    says(stop_time(0.25), "time limit (0.25 s)");
    says(stop_limit(STOP_MEMORY, (uint64_t)8 << 30), "memory limit (8 GiB)");
    says(stop_limit(STOP_MEMORY, 0), "out of memory");
    says(stop_limit(STOP_STATES, UINT64_MAX), "state limit (18446744073709551615)");
    says(stop_limit(STOP_DEPTH, 7), "depth limit (7)");
    says(stop_because(STOP_REFUSED, "%d%%", 5), "5%");
    struct stop with_line = stop_because(STOP_FAULT, "a rate is negative"),
                with_phase = stop_because(STOP_TIME, "so early");
    with_line.line = 12;
    with_phase.seconds = 3;
    says(with_line, "a rate is negative (line 12)");
    says(with_phase, "time limit (3 s), so early");
}

/* A kind that has no name of its own could not be told from another. */
static void test_names(void **unused)
{
    (void)unused;
    assert_null(stop_kind_name(STOP_NONE));
    for (int a = STOP_NONE + 1; a <= STOP_FAILED; a++) {
        assert_non_null(stop_kind_name((enum stop_kind)a));
        for (int b = STOP_NONE + 1; b < a; b++)
            assert_string_not_equal(stop_kind_name((enum stop_kind)a), stop_kind_name((enum stop_kind)b));
    }
}

static void test_first_counts(void **unused)
{
    (void)unused;
    struct stop slot = {0};
    stop_once(&slot, stop_of(STOP_NONE));
    assert_false(stop_is_set(&slot));
    stop_once(&slot, stop_because(STOP_FAILED, "first"));
    stop_once(&slot, stop_because(STOP_REFUSED, "second"));
    struct stop copy = stop_copy(&slot);
    stop_free(&slot);
    assert_false(stop_is_set(&slot));
    assert_int_equal(copy.kind, STOP_FAILED);
    says(copy, "first");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_first_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
