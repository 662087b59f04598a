/* Exact numbers, bigint.h and rational.h: the one adapter to GMP. */
#include <gmp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/bigint.h"
#include "base/memory.h"
#include "base/rational.h"

struct bigint {
    mpz_t value;
};

_Static_assert(sizeof(unsigned long) == sizeof(uint64_t), "GMP's word is taken to be 64 bits");

static void *count_alloc(size_t size)
{
    return memory_alloc(size);
}

static void *count_resize(void *old, size_t before, size_t size)
{
    (void)before;
    return memory_resize(old, size);
}

static void count_free(void *block, size_t size)
{
    (void)size;
    memory_free(block);
}

/* GMP's own. No header names it, but to find out by setting the functions back would meet other threads of the program
 * around us. */
void *__gmp_default_allocate(size_t size);

/* The functions of the heap are GMP's own as long as the program has not set others: ours may free their blocks. */
void bigint_count_memory(void)
{
    void *(*alloc)(size_t);
    mp_get_memory_functions(&alloc, NULL, NULL);
    if (alloc == __gmp_default_allocate)
        mp_set_memory_functions(count_alloc, count_resize, count_free);
}

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
    enum { FEW = 32 };
    if (n > FEW) { /* products of numbers of like size: one by one it takes quadratic time */
        mpz_t factorial;
        mpz_init(factorial);
        mpz_fac_ui(factorial, n);
        mpz_mul(to->value, to->value, factorial);
        mpz_clear(factorial);
        return;
    }
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

bool bigint_read(struct bigint *number, const char *digits)
{
    bool is_number = digits && *digits && !digits[strspn(digits, "0123456789")];
    return is_number && !mpz_set_str(number->value, digits, 10);
}

struct rational {
    mpq_t value;
};

struct rational *rational_create(int64_t numerator, uint64_t denominator)
{
    struct rational *number = memory_alloc(sizeof *number);
    mpq_init(number->value);
    mpq_set_si(number->value, numerator, denominator);
    mpq_canonicalize(number->value);
    return number;
}

void rational_destroy(struct rational *number)
{
    if (!number)
        return;
    mpq_clear(number->value);
    free(number);
}

void rational_set(struct rational *to, int64_t value)
{
    mpq_set_si(to->value, value, 1);
}

void rational_copy(struct rational *to, const struct rational *from)
{
    mpq_set(to->value, from->value);
}

static void scale_by_ten(struct rational *number, long exponent)
{
    mpz_t power;
    mpz_init(power);
    mpz_ui_pow_ui(power, 10, (unsigned long)labs(exponent));
    if (exponent < 0)
        mpz_mul(mpq_denref(number->value), mpq_denref(number->value), power);
    else
        mpz_mul(mpq_numref(number->value), mpq_numref(number->value), power);
    mpq_canonicalize(number->value);
    mpz_clear(power);
}

/* The digits before and after the point, as one number; *exponent is lowered for those after it. */
static const char *copy_digits(const char *text, char *digits, long *exponent)
{
    bool is_after_point = false;
    for (; (*text >= '0' && *text <= '9') || (*text == '.' && !is_after_point); text++) {
        if (*text == '.') {
            is_after_point = true;
            continue;
        }
        *digits++ = *text;
        *exponent -= is_after_point;
    }
    *digits = '\0';
    return text;
}

bool rational_parse(struct rational *to, const char *text)
{
    if (strchr(text, '/'))
        return !mpq_set_str(to->value, text, 10) && mpz_sgn(mpq_denref(to->value)) > 0 &&
               (mpq_canonicalize(to->value), true);
    bool is_negative = *text == '-';
    text += is_negative;
    char *digits = memory_alloc(strlen(text) + 1);
    long exponent = 0;
    const char *rest = copy_digits(text, digits, &exponent);
    bool is_number = *digits && !mpz_set_str(mpq_numref(to->value), digits, 10);
    free(digits);
    if (*rest == 'e' || *rest == 'E') {
        char *end;
        long written = strtol(rest + 1, &end, 10);
        is_number = is_number && end != rest + 1 && labs(written) <= RATIONAL_MAX_EXPONENT;
        exponent += is_number ? written : 0;
        rest = end;
    }
    if (!is_number || *rest || labs(exponent) > 2 * RATIONAL_MAX_EXPONENT)
        return false;
    mpz_set_ui(mpq_denref(to->value), 1);
    scale_by_ten(to, exponent);
    if (is_negative)
        mpq_neg(to->value, to->value);
    return true;
}

void rational_set_double(struct rational *to, double value)
{
    mpq_set_d(to->value, value);
}

void rational_add(struct rational *to, const struct rational *other)
{
    mpq_add(to->value, to->value, other->value);
}

void rational_subtract(struct rational *to, const struct rational *other)
{
    mpq_sub(to->value, to->value, other->value);
}

void rational_multiply(struct rational *to, const struct rational *other)
{
    mpq_mul(to->value, to->value, other->value);
}

void rational_add_product(struct rational *to, const struct rational *a, const struct rational *b,
                          struct rational *scratch)
{
    mpq_mul(scratch->value, a->value, b->value);
    mpq_add(to->value, to->value, scratch->value);
}

void rational_divide(struct rational *to, const struct rational *other)
{
    mpq_div(to->value, to->value, other->value);
}

void rational_negate(struct rational *number)
{
    mpq_neg(number->value, number->value);
}

void rational_floor(struct rational *number)
{
    mpz_fdiv_q(mpq_numref(number->value), mpq_numref(number->value), mpq_denref(number->value));
    mpz_set_ui(mpq_denref(number->value), 1);
}

int rational_compare(const struct rational *a, const struct rational *b)
{
    int order = mpq_cmp(a->value, b->value);
    return (order > 0) - (order < 0);
}

int rational_sign(const struct rational *number)
{
    return mpq_sgn(number->value);
}

bool rational_fits_i64(const struct rational *number, int64_t *value)
{
    if (mpz_cmp_ui(mpq_denref(number->value), 1) || !mpz_fits_slong_p(mpq_numref(number->value)))
        return false;
    *value = mpz_get_si(mpq_numref(number->value));
    return true;
}

/* GMP rounds towards zero; the next double away from it may be nearer. */
double rational_to_double(const struct rational *number)
{
    double inner = mpq_get_d(number->value), outer = nextafter(inner, mpq_sgn(number->value) * INFINITY);
    if (!isfinite(outer))
        return inner;
    mpq_t low, high;
    mpq_inits(low, high, NULL);
    mpq_set_d(low, inner);
    mpq_set_d(high, outer);
    mpq_sub(low, number->value, low);
    mpq_sub(high, high, number->value);
    bool is_outer_nearer = mpq_sgn(number->value) * mpq_cmp(low, high) > 0;
    mpq_clears(low, high, NULL);
    return is_outer_nearer ? outer : inner;
}

/* -1: the double is below the number, 1: above. */
static int compare_double(double value, const struct rational *number)
{
    mpq_t exact;
    mpq_init(exact);
    mpq_set_d(exact, value);
    int order = mpq_cmp(exact, number->value);
    mpq_clear(exact);
    return order;
}

double rational_to_double_below(const struct rational *number)
{
    double value = mpq_get_d(number->value);
    return isfinite(value) && compare_double(value, number) > 0 ? nextafter(value, -INFINITY) : value;
}

double rational_to_double_above(const struct rational *number)
{
    double value = mpq_get_d(number->value);
    return isfinite(value) && compare_double(value, number) < 0 ? nextafter(value, INFINITY) : value;
}

char *rational_digits(const struct rational *number)
{
    size_t size = mpz_sizeinbase(mpq_numref(number->value), 10) + mpz_sizeinbase(mpq_denref(number->value), 10) + 3;
    return mpq_get_str(memory_alloc(size), 10, number->value);
}

bool rational_fits_fraction(const struct rational *number, int64_t *numerator, uint64_t *denominator)
{
    if (!mpz_fits_slong_p(mpq_numref(number->value)) || !mpz_fits_ulong_p(mpq_denref(number->value)))
        return false;
    *numerator = mpz_get_si(mpq_numref(number->value));
    *denominator = mpz_get_ui(mpq_denref(number->value));
    return true;
}
