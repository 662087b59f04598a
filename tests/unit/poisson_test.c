/* The margins of Poisson weights, against exact rational numbers: they contain the true error, and are not empty.
 *
 * The number of events k has the probability m^k/k! / e^m. Partial sums of the series of e^m are rational, and what
 * they leave out is less than the next term times a geometric series: e^m lies between two rationals that differ by far
 * less than a double can say. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/rational.h"
#include "numeric/poisson.h"

enum { MOST_TERMS = 700 };

struct truth {
    struct rational *terms[MOST_TERMS]; /* m^k / k! */
    uint64_t count;
    struct rational *low, *high; /* e^m */
};

static struct rational *rational_of(double value)
{
    struct rational *number = rational_create(0, 1);
    rational_set_double(number, value);
    return number;
}

static struct truth truth_of(double mean)
{
    struct truth truth = {
        .count = (uint64_t)(3 * mean) + 120, .low = rational_create(0, 1), .high = rational_create(0, 1)};
    assert_true(truth.count < MOST_TERMS);
    struct rational *m = rational_of(mean), *term = rational_create(1, 1), *index = rational_create(0, 1);
    for (uint64_t k = 0; k < truth.count; k++) {
        truth.terms[k] = rational_create(0, 1);
        rational_copy(truth.terms[k], term);
        rational_add(truth.low, term);
        rational_multiply(term, m);
        rational_set(index, (int64_t)k + 1);
        rational_divide(term, index);
    }
    /* The ratio of further terms is below 1/2: all of them together are below twice the first. */
    rational_copy(truth.high, truth.low);
    rational_add(truth.high, term);
    rational_add(truth.high, term);
    rational_destroy(m);
    rational_destroy(term);
    rational_destroy(index);
    return truth;
}

static void truth_free(struct truth *truth)
{
    for (uint64_t k = 0; k < truth->count; k++)
        rational_destroy(truth->terms[k]);
    rational_destroy(truth->low);
    rational_destroy(truth->high);
}

/* |claimed - sum/e^m| <= margin * claimed + missing, for the e^m that is worse. Returns whether a margin was needed at
 * all. */
static bool expect_within(double claimed, const struct rational *sum, const struct truth *truth, double margin,
                          double missing)
{
    bool is_needed = false;
    for (int side = 0; side < 2; side++) {
        struct rational *off = rational_create(0, 1), *room = rational_of(margin), *own = rational_of(claimed),
                        *more = rational_of(missing);
        rational_copy(off, sum);
        rational_divide(off, side ? truth->low : truth->high);
        rational_subtract(off, own);
        if (rational_sign(off) < 0)
            rational_negate(off);
        is_needed |= rational_to_double(off) > 1e-20 * claimed;
        rational_multiply(room, own);
        rational_add(room, more);
        if (rational_compare(off, room) > 0)
            fail_msg("%.17g is off by %g, more than %g", claimed, rational_to_double(off), rational_to_double(room));
        rational_destroy(off);
        rational_destroy(room);
        rational_destroy(own);
        rational_destroy(more);
    }
    return is_needed;
}

static struct rational *sum_of(const struct truth *truth, uint64_t first, uint64_t last)
{
    struct rational *sum = rational_create(0, 1);
    for (uint64_t k = first; k <= last && k < truth->count; k++)
        rational_add(sum, truth->terms[k]);
    return sum;
}

/* The probability of all numbers that were left out is above 0, and not above what is said. */
static void expect_missing(const struct poisson *poisson, const struct truth *truth)
{
    struct rational *inside = sum_of(truth, poisson->first, poisson->last), *outside = rational_create(1, 1),
                    *said = rational_of(poisson->missing);
    rational_divide(inside, truth->high); /* at least so much is inside */
    rational_subtract(outside, inside);
    assert_true(rational_sign(outside) > 0);
    assert_true(poisson->missing > 0);
    assert_true(rational_compare(outside, said) <= 0);
    assert_true(poisson->missing < 1e-18);
    rational_destroy(inside);
    rational_destroy(outside);
    rational_destroy(said);
}

static void margins_contain_the_error(void **state)
{
    (void)state;
    static const double means[] = {1e-9, 0.1, 0.75, 1, 3.3, 17.25, 60.5, 150.1};
    uint32_t needed = 0, asked = 0;
    for (size_t i = 0; i < 2 * (sizeof means / sizeof *means); i++) {
        bool is_fine = i % 2;
        struct poisson poisson = is_fine ? poisson_make_to(means[i / 2], 1e-60) : poisson_make(means[i / 2]);
        struct truth truth = truth_of(means[i / 2]);
        assert_true(!is_fine || poisson.missing < 1e-56);
        assert_true(poisson.error > 0 && poisson.error < 1e-11);
        expect_missing(&poisson, &truth);
        for (uint64_t k = poisson.first; k <= poisson.last; k++, asked++)
            needed += expect_within(poisson.weights[k - poisson.first], truth.terms[k], &truth, poisson.error, 0);
        struct rational *tail = sum_of(&truth, poisson.last + 1, truth.count);
        for (uint64_t k = poisson.last + 1; k-- > poisson.first;) {
            expect_within(poisson.tails[k - poisson.first], tail, &truth, poisson.error, poisson.missing);
            rational_add(tail, truth.terms[k]);
        }
        rational_destroy(tail);
        truth_free(&truth);
        poisson_free(&poisson);
    }
    assert_true(needed > asked / 2); /* or the test would say nothing */
}

/* It ends, and something is left out, however little is asked for. */
static void little_is_left_out(void **state)
{
    (void)state;
    struct poisson poisson = poisson_make_to(10, 0);
    assert_true(poisson.missing > 0 && poisson.missing < 1e-290 && poisson.last < 1000);
    poisson_free(&poisson);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(margins_contain_the_error),
                                       cmocka_unit_test(little_is_left_out)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
