/* What the parsers have in common: one error until a place to go on from is found, nesting, places of separators. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "base/syntax.h"

static void one_error_until_found(void **state)
{
    (void)state;
    struct diagnostics list = {0};
    struct syntax syntax = {&list, .most = 10};
    assert_true(syntax_error(&syntax, (struct span){.line = 1, .column = 2}, "first"));
    assert_true(syntax.lost);
    assert_false(syntax_error(&syntax, (struct span){.line = 1, .column = 5}, "second"));
    assert_int_equal(list.errors, 1);
    syntax.lost = false;
    assert_true(syntax_error(&syntax, (struct span){.line = 3, .column = 1}, "third"));
    assert_int_equal(list.errors, 2);
    assert_string_equal(list.items[1].message, "third");
    diag_free(&list);
}

static void nesting_is_bounded(void **state)
{
    (void)state;
    struct diagnostics list = {0};
    struct syntax syntax = {&list, .most = 2};
    struct span here = {.line = 1, .column = 1};
    assert_true(syntax_enter(&syntax, here));
    assert_true(syntax_enter(&syntax, here));
    assert_false(syntax_enter(&syntax, here));
    assert_int_equal(syntax.depth, 2); /* what was not entered is not left */
    assert_string_equal(list.items[0].message, "nested more than 2 levels deep");
    syntax_leave(&syntax);
    assert_true(syntax_enter(&syntax, here));
    diag_free(&list);
}

static void a_missing_separator_is_behind_what_came_before(void **state)
{
    (void)state;
    struct span before = {.line = 4, .column = 7, .length = 3};
    struct span far = {.line = 5, .column = 1, .length = 2}, near = {.line = 4, .column = 12, .length = 2};
    struct span gap = syntax_gap(before, far);
    assert_int_equal(gap.line, 4);
    assert_int_equal(gap.column, 10);
    assert_int_equal(gap.length, 1);
    assert_int_equal(syntax_gap(before, near).column, 12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_error_until_found),
        cmocka_unit_test(nesting_is_bounded),
        cmocka_unit_test(a_missing_separator_is_behind_what_came_before),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
