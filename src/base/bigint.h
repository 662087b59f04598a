/* Exact natural numbers of any size (the one adapter to GMP is exact.c). */
#ifndef NOETHER_BASE_BIGINT_H
#define NOETHER_BASE_BIGINT_H

#include <stdbool.h>
#include <stdint.h>

struct bigint;

/* What GMP allocates is counted and refused like all else (base/account.h), unless the program that we are a part of
 * has memory functions of its own. */
void bigint_count_memory(void);

struct bigint *bigint_create(uint64_t value);
void bigint_destroy(struct bigint *number);
void bigint_set(struct bigint *number, uint64_t value);
void bigint_copy(struct bigint *to, const struct bigint *from);
void bigint_add(struct bigint *to, const struct bigint *other);
void bigint_add_u64(struct bigint *to, uint64_t value);
void bigint_multiply(struct bigint *to, const struct bigint *other);
void bigint_multiply_u64(struct bigint *to, uint64_t value);
/* The division must leave no remainder. */
void bigint_divide_exact(struct bigint *to, const struct bigint *other);
void bigint_multiply_factorial(struct bigint *to, uint32_t n);
int bigint_compare(const struct bigint *a, const struct bigint *b);
bool bigint_fits_u64(const struct bigint *number, uint64_t *value);
double bigint_to_double(const struct bigint *number);
/* Decimal digits on the heap; the caller frees them. */
char *bigint_digits(const struct bigint *number);
/* The inverse. False, and the number is anything: it is no word of digits (NULL, say). */
bool bigint_read(struct bigint *number, const char *digits);

#endif
