/* The two classes of numbers (pctl/number.h): what fractions say exactly, intervals contain, and do not contradict. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "pctl/number.h"

static struct pctl_number fraction(int64_t top, uint64_t bottom)
{
    return pctl_fraction(rational_create(top, bottom));
}

/* The narrowest interval that contains it. */
static struct pctl_number around(const struct pctl_number *number)
{
    return number->exact
               ? pctl_interval(rational_to_double_below(number->exact), rational_to_double_above(number->exact))
               : pctl_interval(INFINITY, INFINITY);
}

static bool contains(const struct pctl_number *interval, const struct pctl_number *number)
{
    struct pctl_number least = around(number);
    return interval->lower <= least.lower && interval->upper >= least.upper;
}

static const struct {
    int64_t top;
    uint64_t bottom;
} values[] = {{0, 1}, {1, 1}, {-1, 1}, {1, 3}, {2, 3}, {-5, 7}, {1, 1000003}, {123456789, 10}};
enum { VALUES = sizeof values / sizeof *values };

static void intervals_contain_what_fractions_say(void **state)
{
    (void)state;
    static const enum operator operators[] = {OP_ADD, OP_SUB, OP_MUL, OP_DIV};
    for (int i = 0; i < VALUES * VALUES * 4; i++) {
        enum operator op = operators[i % 4];
        int a = i / 4 % VALUES, b = i / 4 / VALUES;
        struct pctl_number left = fraction(values[a].top, values[a].bottom);
        struct pctl_number right = fraction(values[b].top, values[b].bottom);
        struct pctl_number near = around(&left), other = around(&right);
        const char *exact_problem = pctl_number_calculate(op, &left, &right);
        const char *problem = pctl_number_calculate(op, &near, &other);
        assert_true(!problem == !exact_problem);
        assert_true(problem || contains(&near, &left));
        pctl_number_free(&left);
        pctl_number_free(&right);
    }
}

/* What has a value as a fraction has one as an interval, unless the bounds leave it open. */
static void functions_contain_what_fractions_say(void **state)
{
    (void)state;
    for (int i = 0; i < VALUES * VALUES * PCTL_LOGARITHM; i++) {
        enum pctl_function function = (enum pctl_function)(i % PCTL_LOGARITHM);
        int a = i / PCTL_LOGARITHM % VALUES, b = i / PCTL_LOGARITHM / VALUES;
        struct pctl_number left = fraction(values[a].top, values[a].bottom);
        struct pctl_number right = fraction(values[b].top, values[b].bottom);
        struct pctl_number near = around(&left), other = around(&right);
        bool is_open = false, is_exactly_open = false;
        const char *exact_problem = pctl_number_apply(function, false, &left, &right, &is_exactly_open);
        const char *problem = pctl_number_apply(function, false, &near, &other, &is_open);
        assert_true(exact_problem || is_open || !problem);
        assert_true(exact_problem || problem || contains(&near, &left));
        pctl_number_free(&left);
        pctl_number_free(&right);
    }
}

static void apply(enum pctl_function function, double low, double high, double other, double least, double most)
{
    struct pctl_number number = pctl_interval(low, high), right = pctl_interval(other, other);
    bool is_open = false;
    assert_null(pctl_number_apply(function, false, &number, &right, &is_open));
    assert_true(number.lower <= least && number.upper >= most);
    assert_true(least - number.lower <= 1e-12 && number.upper - most <= 1e-12);
}

static void functions_are_narrow(void **state)
{
    (void)state;
    bool is_open = false;
    struct pctl_number half = pctl_interval(0.4, 0.6), one = pctl_interval(1, 1), below = pctl_interval(-2, -1);
    apply(PCTL_POWER, 2, 3, 3, 8, 27);
    apply(PCTL_POWER, -2, -1, 3, -8, -1);
    apply(PCTL_POWER, -2, -1, 2, 1, 4);
    apply(PCTL_POWER, 2, 4, -1, 0.25, 0.5);
    apply(PCTL_POWER, 0.25, 4, 0.5, 0.5, 2);
    apply(PCTL_POWER, 0.25, 4, -0.5, 0.5, 2);
    apply(PCTL_POWER, 0, 4, 0.5, 0, 2);
    apply(PCTL_LOGARITHM, 0.25, 8, 2, -2, 3);
    apply(PCTL_LOGARITHM, 0.25, 8, 0.5, -3, 2);
    apply(PCTL_REMAINDER, -3, -3, 5, 2, 2);
    apply(PCTL_ROUND, 2.5, 2.5, 0, 3, 3);
    apply(PCTL_ROUND, 0.49999999999999994, 0.49999999999999994, 0, 0, 0);
    assert_non_null(pctl_number_apply(PCTL_ROUND, false, &half, &one, &is_open));
    assert_true(is_open);
    struct pctl_number root = pctl_interval(0.5, 0.5);
    is_open = false;
    assert_non_null(pctl_number_apply(PCTL_POWER, false, &below, &root, &is_open));
    assert_false(is_open);
}

static void comparisons_do_not_contradict(void **state)
{
    (void)state;
    static const enum operator operators[] = {OP_LT, OP_LE, OP_GT, OP_GE, OP_EQ, OP_NE};
    for (int i = 0; i < VALUES * VALUES * 6; i++) {
        enum operator op = operators[i % 6];
        int a = i / 6 % VALUES, b = i / 6 / VALUES;
        struct pctl_number left = fraction(values[a].top, values[a].bottom);
        struct pctl_number right = fraction(values[b].top, values[b].bottom);
        struct pctl_number near = around(&left), other = around(&right);
        int exact = pctl_number_compare(op, &left, &right), answer = pctl_number_compare(op, &near, &other);
        assert_true(exact != 0);
        assert_true(answer == 0 || answer == exact);
        assert_true(a == b || answer == exact);
        pctl_number_free(&left);
        pctl_number_free(&right);
    }
}

static void sums_and_shares(void **state)
{
    (void)state;
    struct pctl_number sum = fraction(0, 1), near = pctl_interval(0, 0);
    for (int i = 0; i < VALUES; i++) {
        struct pctl_number number = fraction(values[i].top, values[i].bottom), other = around(&number);
        pctl_number_add_times(&sum, &number, i + 1);
        pctl_number_add_times(&near, &other, i + 1);
        pctl_number_free(&number);
    }
    assert_true(contains(&near, &sum));
    pctl_number_share(&sum, 36, 36);
    pctl_number_share(&near, 36, 36);
    assert_true(contains(&near, &sum));
    pctl_number_free(&sum);
}

static void what_is_infinite(void **state)
{
    (void)state;
    struct pctl_number endless = pctl_fraction(NULL), one = fraction(1, 1), most = pctl_number_copy(&one);
    assert_int_equal(pctl_number_compare(OP_GT, &endless, &one), 1);
    assert_int_equal(pctl_number_compare(OP_EQ, &endless, &endless), 1);
    pctl_number_take(&most, &endless, true);
    assert_int_equal(pctl_number_compare(OP_EQ, &most, &one), 1);
    pctl_number_take(&most, &endless, false);
    assert_null(most.exact);
    assert_null(pctl_number_calculate(OP_ADD, &one, &endless));
    assert_null(one.exact);
    assert_non_null(pctl_number_negate(&endless));
    assert_false(pctl_is_narrow(1, INFINITY, 1));
    assert_true(pctl_is_narrow(INFINITY, INFINITY, 1e-6));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(intervals_contain_what_fractions_say),
        cmocka_unit_test(functions_contain_what_fractions_say),
        cmocka_unit_test(functions_are_narrow),
        cmocka_unit_test(comparisons_do_not_contradict),
        cmocka_unit_test(sums_and_shares),
        cmocka_unit_test(what_is_infinite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
