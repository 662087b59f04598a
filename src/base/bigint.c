#include "base/bigint.h"

#include <gmp.h>
#include <stdlib.h>

#include "base/memory.h"

struct bigint {
    mpz_t value;
};

_Static_assert(sizeof(unsigned long) == sizeof(uint64_t), "GMP's word is taken to be 64 bits");

struct bigint *bigint_create(uint64_t value)
{
    struct bigint *number = memory_alloc(sizeof *number);
    mpz_init_set_ui(number->value, value);
    return number;
}

void bigint_destroy(struct bigint *number)
{
    if (!number)
        return;
    mpz_clear(number->value);
    free(number);
}

void bigint_set(struct bigint *number, uint64_t value)
{
    mpz_set_ui(number->value, value);
}

void bigint_copy(struct bigint *to, const struct bigint *from)
{
    mpz_set(to->value, from->value);
}

void bigint_add(struct bigint *to, const struct bigint *other)
{
    mpz_add(to->value, to->value, other->value);
}

void bigint_add_u64(struct bigint *to, uint64_t value)
{
    mpz_add_ui(to->value, to->value, value);
}

void bigint_multiply(struct bigint *to, const struct bigint *other)
{
    mpz_mul(to->value, to->value, other->value);
}

void bigint_multiply_u64(struct bigint *to, uint64_t value)
{
    mpz_mul_ui(to->value, to->value, value);
}

void bigint_divide_exact(struct bigint *to, const struct bigint *other)
{
    ENSURE(mpz_divisible_p(to->value, other->value));
    mpz_divexact(to->value, to->value, other->value);
}

void bigint_multiply_factorial(struct bigint *to, uint32_t n)
{
    for (uint32_t i = 2; i <= n; i++)
        mpz_mul_ui(to->value, to->value, i);
}

int bigint_compare(const struct bigint *a, const struct bigint *b)
{
    return mpz_cmp(a->value, b->value);
}

bool bigint_fits_u64(const struct bigint *number, uint64_t *value)
{
    if (!mpz_fits_ulong_p(number->value))
        return false;
    *value = mpz_get_ui(number->value);
    return true;
}

double bigint_to_double(const struct bigint *number)
{
    return mpz_get_d(number->value);
}

char *bigint_digits(const struct bigint *number)
{
    char *digits = memory_alloc(mpz_sizeinbase(number->value, 10) + 2);
    return mpz_get_str(digits, 10, number->value);
}
