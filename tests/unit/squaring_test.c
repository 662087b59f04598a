/* The exponential of a small matrix by squaring, against what is known of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "numeric/squaring.h"

/* Two states, left with the probabilities p and q at a jump. */
static void two_states(double p, double q, struct pair matrix[4])
{
    matrix[0] = pair_plus((struct pair){1, 0}, (struct pair){-p, 0});
    matrix[1] = (struct pair){p, 0};
    matrix[2] = (struct pair){q, 0};
    matrix[3] = pair_plus((struct pair){1, 0}, (struct pair){-q, 0});
}

/* p / (p + q) * (1 - e^-(p + q) mean): the probability to be in the other one. */
static void two_states_have_a_closed_form(void **state)
{
    (void)state;
    for (int k = 0; k < 50; k += 3)
        for (int tiny = 0; tiny < 40; tiny += 13) {
            double p = ldexp(1, -1 - tiny), q = ldexp(1, -2 - tiny), mean = ldexp(3, k), values[2] = {0, 1};
            struct pair matrix[4];
            double relative, absolute, wanted = p / (p + q) * -expm1(-(p + q) * mean);
            two_states(p, q, matrix);
            assert_true(squaring_apply(matrix, 2, mean, values, &relative, &absolute, NULL, NULL));
            assert_true(fabs(values[0] - wanted) <= (relative + 0x1p-50) * wanted + absolute);
            assert_true(relative < 1e-9 && absolute < 1e-9);
        }
}

/* The last state collects 1 for each jump of the first: mean * share of the time there. */
static void what_is_collected_adds_up(void **state)
{
    (void)state;
    struct pair matrix[9] = {{0.5, 0}, {0.5, 0}, {1, 0}, {0.5, 0}, {0.5, 0}, {0, 0}, {0, 0}, {0, 0}, {1, 0}};
    for (int k = 4; k < 40; k++) {
        double mean = ldexp(1, k), values[3] = {0, 0, 1}, relative, absolute;
        assert_true(squaring_apply(matrix, 3, mean, values, &relative, &absolute, NULL, NULL));
        double wanted = mean / 2 + 0.5 * -expm1(-mean); /* what it begins with is forgotten */
        assert_true(fabs(values[0] - wanted) <= (relative + 0x1p-50) * wanted + absolute * mean);
    }
}

static bool never(void *user)
{
    (void)user;
    return false;
}

static void it_ends_when_told_so(void **state)
{
    (void)state;
    struct pair matrix[4];
    double values[2] = {0, 1}, relative, absolute;
    two_states(0.5, 0.25, matrix);
    assert_false(squaring_apply(matrix, 2, 1e9, values, &relative, &absolute, never, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_states_have_a_closed_form),
        cmocka_unit_test(what_is_collected_adds_up),
        cmocka_unit_test(it_ends_when_told_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
