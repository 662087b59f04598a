/* Exact rational numbers of any size (the one adapter to GMP is exact.c). */
#ifndef NOETHER_BASE_RATIONAL_H
#define NOETHER_BASE_RATIONAL_H

#include <stdbool.h>
#include <stdint.h>

struct rational;

struct rational *rational_create(int64_t numerator, uint64_t denominator);
void rational_destroy(struct rational *number);
void rational_set(struct rational *to, int64_t value);
void rational_copy(struct rational *to, const struct rational *from);
/* "12", "0.25", "1.5e-3", "3/7": false when it is none of these, or its exponent is beyond RATIONAL_MAX_EXPONENT. */
bool rational_parse(struct rational *to, const char *text);
/* The exact value of a finite double. */
void rational_set_double(struct rational *to, double value);
void rational_add(struct rational *to, const struct rational *other);
void rational_subtract(struct rational *to, const struct rational *other);
void rational_multiply(struct rational *to, const struct rational *other);
/* to += a * b; `scratch` is any other number. */
void rational_add_product(struct rational *to, const struct rational *a, const struct rational *b,
                          struct rational *scratch);
/* `other` is not zero. */
void rational_divide(struct rational *to, const struct rational *other);
void rational_negate(struct rational *number);
/* The greatest integer that is not greater, as a rational. */
void rational_floor(struct rational *number);
/* -1, 0 or 1. */
int rational_compare(const struct rational *a, const struct rational *b);
int rational_sign(const struct rational *number);
/* Is it an integer of 64 bits? */
bool rational_fits_i64(const struct rational *number, int64_t *value);
/* Do numerator and denominator (in lowest terms) fit 64 bits? */
bool rational_fits_fraction(const struct rational *number, int64_t *numerator, uint64_t *denominator);
/* The nearest double. */
double rational_to_double(const struct rational *number);
/* The greatest double that is not above it, the least that is not below it. */
double rational_to_double_below(const struct rational *number);
double rational_to_double_above(const struct rational *number);
/* "3/7" or "12", on the heap; the caller frees it. */
char *rational_digits(const struct rational *number);

enum { RATIONAL_MAX_EXPONENT = 10000 };

#endif
