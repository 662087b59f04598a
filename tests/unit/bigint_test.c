/* Numbers as digits, and back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/bigint.h"

static void test_digits_are_read(void **unused)
{
    (void)unused;
    struct bigint *number = bigint_create(7), *read = bigint_create(7);
    assert_true(bigint_read(read, "0"));
    bigint_set(number, 0);
    assert_int_equal(bigint_compare(read, number), 0);
    assert_true(bigint_read(read, "0018446744073709551615"));
    uint64_t value = 0;
    assert_true(bigint_fits_u64(read, &value) && value == UINT64_MAX);
    bigint_set(number, 1);
    bigint_multiply_factorial(number, 60);
    char *digits = bigint_digits(number);
    assert_true(bigint_read(read, digits));
    assert_int_equal(bigint_compare(read, number), 0);
    free(digits);
    bigint_destroy(number);
    bigint_destroy(read);
}

/* What comes from a file may be anything. */
static void test_other_words_are_refused(void **unused)
{
    (void)unused;
    static const char *const words[] = {NULL, "", "-1", "+1", " 1", "1 ", "1 2", "0x10", "1e3", "1.0", "12\n", "\xb2"};
    struct bigint *number = bigint_create(0);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        assert_false(bigint_read(number, words[i]));
    bigint_destroy(number);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_digits_are_read),
        cmocka_unit_test(test_other_words_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
