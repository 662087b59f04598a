/* exp(mean * (P - 1)) * values, of a small matrix P that is not negative, for a mean of any size: by repeated squaring.
 *
 * After `mean` jumps on average, however many these are, in time that grows with their logarithm. All numbers are at
 * least 0 and have about twice the digits of a double (pair.h), so that the errors, which double with each squaring,
 * stay small beside the values. The exponential of a small step is a Taylor series. */
#ifndef NOETHER_NUMERIC_SQUARING_H
#define NOETHER_NUMERIC_SQUARING_H

#include <stdbool.h>
#include <stdint.h>

#include "numeric/pair.h"

/* How many squarings it takes. */
uint32_t squaring_rounds(double mean);

/* `matrix`: count * count, row by row. `values` are replaced by the result. These are off by no more than *relative of
 * themselves, and by *absolute times the greatest sum of a row of the exponential times the greatest value. False:
 * go_on (NULL: always) said no. */
bool squaring_apply(const struct pair *matrix, uint32_t count, double mean, double *values, double *relative,
                    double *absolute, bool (*go_on)(void *user), void *user);

#endif
