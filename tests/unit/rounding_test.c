/* Directed rounding holds whatever the compiler does (base/rounding.h). Each case is one that an optimiser breaks when
 * the kernels are called directly; under gcc and clang, -O1 and -O2. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rounding.h"
#include "numeric/share.h"

static const double tiny = 0x1p-60; /* far less than the last digit of 1 */
static const double below_one = 0x1.fffffffffffffp-1, above_one = 0x1.0000000000001p0;

static double add(double a, double b)
{
    return a + b;
}

/* Called with constants only: what is not hidden is computed by the compiler, to nearest. */
static void constants_are_not_folded(void **state)
{
    (void)state;
    rounding_set(ROUNDING_UP);
    double up = ROUNDED(add)(1, tiny);
    rounding_set(ROUNDING_DOWN);
    double down = ROUNDED(add)(1, -tiny);
    rounding_set(ROUNDING_NEAREST);
    double nearest = ROUNDED(add)(1, tiny);
    assert_true(up == above_one);
    assert_true(down == below_one);
    assert_true(nearest == 1);
}

/* The same operands three times: one computation, wherever it stands, would be wrong for two of them. */
static void equal_sums_stay_apart(void **state)
{
    (void)state;
    volatile double one = 1, third = 3;
    double a = one, b = one / third;
    rounding_set(ROUNDING_DOWN);
    double down = ROUNDED(add)(a, b);
    rounding_set(ROUNDING_UP);
    double up = ROUNDED(add)(a, b);
    rounding_set(ROUNDING_NEAREST);
    assert_true(down < up);
    assert_true(ROUNDED(add)(a, b) == down || ROUNDED(add)(a, b) == up);
}

static void multiply_all(double *x, uint32_t count, double factor)
{
    for (uint32_t i = 0; i < count; i++)
        x[i] *= factor;
}

/* Results in memory are computed before the mode is set back. */
static void nothing_leaves_its_mode(void **state)
{
    (void)state;
    double low[64], high[64];
    for (uint32_t i = 0; i < 64; i++)
        low[i] = high[i] = 1 + i;
    rounding_set(ROUNDING_DOWN);
    ROUNDED(multiply_all)(low, 64, 0.1);
    rounding_set(ROUNDING_UP);
    ROUNDED(multiply_all)(high, 64, 0.1);
    rounding_set(ROUNDING_NEAREST);
    for (uint32_t i = 0; i < 64; i++) {
        int is_power = ((1 + i) & i) == 0; /* then the product is exact */
        assert_true(is_power ? low[i] == high[i] : low[i] < high[i]);
    }
}

static double constant_inside(double a)
{
    return a + rounding_hide(1) / 3;
}

static void a_hidden_constant_is_rounded(void **state)
{
    (void)state;
    rounding_set(ROUNDING_DOWN);
    double down = ROUNDED(constant_inside)(0);
    rounding_set(ROUNDING_UP);
    double up = ROUNDED(constant_inside)(0);
    rounding_set(ROUNDING_NEAREST);
    assert_true(down < up);
}

/* The sum with the other sign is rounded the other way. */
static double minus_sum(const double *x, uint32_t count)
{
    double minus = 0;
    for (uint32_t i = 0; i < count; i++)
        minus = rounding_hide(minus - x[i]);
    return rounding_hide(-minus);
}

static void a_sign_turns_the_direction(void **state)
{
    (void)state;
    double x[] = {1, tiny, tiny};
    rounding_set(ROUNDING_UP);
    double least = ROUNDED(minus_sum)(x, 3);
    rounding_set(ROUNDING_DOWN);
    double most = ROUNDED(minus_sum)(x, 3);
    rounding_set(ROUNDING_NEAREST);
    assert_true(least == 1);
    assert_true(most == above_one + (above_one - 1));
}

static double product_less(double a, double b, double c)
{
    return a * b - c;
}

static double product_more(const double *a, const double *b, double c)
{
    c += *a * *b;
    return c;
}

/* (1 + e)(1 - e) is 1 to nearest; a fused operation would find 1 - e^2. */
static void products_are_rounded_before_they_are_added(void **state)
{
    (void)state;
    double a = 1 + 0x1p-30, b = 1 - 0x1p-30;
    assert_true(ROUNDED(product_less)(a, b, 1) == 0);
    assert_true(ROUNDED(product_more)(&a, &b, -1) == 0);
    rounding_set(ROUNDING_DOWN);
    double down = ROUNDED(product_less)(a, b, 1);
    rounding_set(ROUNDING_NEAREST);
    assert_true(down == below_one - 1);
}

static void the_mode_is_told(void **state)
{
    (void)state;
    for (enum rounding mode = ROUNDING_NEAREST; mode <= ROUNDING_UP; mode++) {
        rounding_set(mode);
        enum rounding now = rounding_mode();
        rounding_set(ROUNDING_NEAREST);
        assert_int_equal(now, mode);
        assert_int_equal(rounding_opposite(rounding_opposite(mode)), mode);
    }
}

enum { MANY = 1 << 18 };

static void sums_of_range(void *user, uint32_t from, uint32_t to)
{
    double *sums = user;
    for (uint32_t i = from; i < to; i++)
        sums[i] = add(1, sums[i]);
}

/* Threads that share the work round as who shares it does, and leave the mode to themselves. */
static void threads_round_alike(void **state)
{
    (void)state;
    static double sums[MANY];
    for (uint32_t i = 0; i < MANY; i++)
        sums[i] = tiny;
    rounding_set(ROUNDING_UP);
    share_run(4, MANY, sums_of_range, sums);
    rounding_set(ROUNDING_NEAREST);
    for (uint32_t i = 0; i < MANY; i++)
        assert_true(sums[i] == above_one);
    for (uint32_t i = 0; i < MANY; i++)
        sums[i] = tiny;
    share_run(4, MANY, sums_of_range, sums);
    for (uint32_t i = 0; i < MANY; i++)
        assert_true(sums[i] == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constants_are_not_folded),   cmocka_unit_test(equal_sums_stay_apart),
        cmocka_unit_test(nothing_leaves_its_mode),    cmocka_unit_test(a_hidden_constant_is_rounded),
        cmocka_unit_test(a_sign_turns_the_direction), cmocka_unit_test(products_are_rounded_before_they_are_added),
        cmocka_unit_test(the_mode_is_told),           cmocka_unit_test(threads_round_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
