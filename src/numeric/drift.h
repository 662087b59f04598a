/* Inside numeric/: how a row changes a value on average, reward + the sum of p * (x[target] - x[state]).
 *
 * The probabilities of a row add up to 1 in the model, if not in doubles. So this is reward + row * x - x[state], but
 * its errors are relative to the differences, not to the values: states with nearly the same value lose no digits. */
#ifndef NOETHER_NUMERIC_DRIFT_H
#define NOETHER_NUMERIC_DRIFT_H

#include "numeric/fixpoint.h"
#include "numeric/pair.h"

struct drift_field {
    const struct fixpoint *problem;
    const uint32_t *place; /* by state: its number, plus 1; 0: none */
    const double *outside; /* by state: the values of those without a number */
    struct pair *x;        /* by number */
};

/* What a row earns and what its targets gain on the state (up) and lose (down), each nearly; and by how much these may
 * be off besides: `share` of themselves, `off` absolutely. */
struct drift {
    double up, down, share, off;
    double away; /* the probability to get to another state */
};

struct drift drift_of(const struct drift_field *field, uint32_t number, uint32_t row);
/* The same as one number, of the numbers of the matrix as they are, to twice the digits: rows are compared by it, and
 * what is only as good must not look better. */
struct pair drift_pair(const struct drift_field *field, uint32_t number, uint32_t row);
static inline double drift_precisely(const struct drift_field *field, uint32_t number, uint32_t row)
{
    return drift_pair(field, number, row).high;
}

/* Certainly reward + row * x <= x, and >=. */
bool drift_is_falling(const struct drift *drift);
bool drift_is_rising(const struct drift *drift);

#endif
