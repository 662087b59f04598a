/* Numbers as vectors of functions against the numbers. */
#include "dd_truth.h"

enum { WIDTH = 5, LIMIT = 1 << WIDTH };

/* Variables 0..4 are the first number, 5..9 the second. */
static uint64_t number_at(struct dd_manager *m, const dd *bits, uint32_t width, uint32_t row)
{
    bool values[TRUTH_VARIABLES];
    uint64_t number = 0;
    truth_values(row, values);
    for (uint32_t i = 0; i < width; i++)
        number |= (uint64_t)dd_evaluate(m, bits[i], values) << i;
    return number;
}

static bool holds_at(struct dd_manager *m, dd f, uint32_t row)
{
    bool values[TRUTH_VARIABLES];
    assert_int_not_equal(f, DD_NONE);
    truth_values(row, values);
    return dd_evaluate(m, f, values);
}

struct numbers {
    struct dd_manager *m;
    dd a[WIDTH], b[WIDTH];
};

static void numbers_start(struct numbers *n)
{
    n->m = dd_create(&(struct dd_options){.variables = TRUTH_VARIABLES, .nodes = 1});
    assert_int_equal(dd_bits_variables(n->m, n->a, WIDTH, 0, 1), DD_TRUE);
    dd_register(n->m, n->a, WIDTH);
    assert_int_equal(dd_bits_variables(n->m, n->b, WIDTH, WIDTH, 1), DD_TRUE);
    dd_register(n->m, n->b, WIDTH);
}

static void sums_and_differences(void **state)
{
    (void)state;
    struct numbers n;
    numbers_start(&n);
    dd sum[WIDTH], difference[WIDTH], carry, borrow;
    dd_pause(n.m);
    carry = dd_bits_add(n.m, sum, n.a, n.b, WIDTH);
    borrow = dd_bits_subtract(n.m, difference, n.a, n.b, WIDTH);
    dd less = dd_bits_less(n.m, n.a, n.b, WIDTH), equal = dd_bits_equal(n.m, n.a, n.b, WIDTH);
    dd less_equal = dd_bits_less_equal(n.m, n.a, n.b, WIDTH), seven = dd_bits_is(n.m, n.a, WIDTH, 7);
    assert_int_equal(dd_bits_is(n.m, n.a, WIDTH, LIMIT + 7), DD_FALSE);
    for (uint32_t row = 0; row < TRUTH_ROWS; row++) {
        uint32_t a = row % LIMIT, b = row / LIMIT;
        assert_int_equal(number_at(n.m, sum, WIDTH, row), (a + b) % LIMIT);
        assert_int_equal(holds_at(n.m, carry, row), a + b >= LIMIT);
        assert_int_equal(number_at(n.m, difference, WIDTH, row), (a - b) % LIMIT);
        assert_int_equal(holds_at(n.m, borrow, row), a < b);
        assert_int_equal(holds_at(n.m, less, row), a < b);
        assert_int_equal(holds_at(n.m, less_equal, row), a <= b);
        assert_int_equal(holds_at(n.m, equal, row), a == b);
        assert_int_equal(holds_at(n.m, seven, row), a == 7);
    }
    dd_resume(n.m);
    dd_destroy(n.m);
}

static void products(void **state)
{
    (void)state;
    struct numbers n;
    numbers_start(&n);
    for (uint64_t factor = 0; factor < 80; factor += 1 + factor / 8) {
        dd product[WIDTH];
        dd_pause(n.m);
        dd overflow = dd_bits_multiply(n.m, product, n.a, WIDTH, factor);
        for (uint32_t row = 0; row < LIMIT; row++) {
            assert_int_equal(number_at(n.m, product, WIDTH, row), row * factor % LIMIT);
            assert_int_equal(holds_at(n.m, overflow, row), row * factor >= LIMIT);
        }
        dd_resume(n.m);
    }
    dd_destroy(n.m);
}

/* Results may take the operands' place; a failure anywhere shows in what is returned. */
static void places_and_failures(void **state)
{
    (void)state;
    struct numbers n;
    numbers_start(&n);
    assert_int_not_equal(dd_bits_add(n.m, n.a, n.a, n.b, WIDTH), DD_NONE);
    for (uint32_t row = 0; row < TRUTH_ROWS; row++)
        assert_int_equal(number_at(n.m, n.a, WIDTH, row), (row % LIMIT + row / LIMIT) % LIMIT);
    n.b[0] = DD_NONE;
    dd sum[WIDTH];
    assert_int_equal(dd_bits_add(n.m, sum, n.a, n.b, WIDTH), DD_NONE);
    assert_int_equal(dd_bits_less(n.m, n.a, n.b, WIDTH), DD_NONE);
    assert_int_equal(dd_bits_equal(n.m, n.a, n.b, WIDTH), DD_NONE);
    assert_int_equal(dd_bits_multiply(n.m, sum, n.b, WIDTH, 3), DD_NONE);
    dd_destroy(n.m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_and_differences),
        cmocka_unit_test(products),
        cmocka_unit_test(places_and_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
