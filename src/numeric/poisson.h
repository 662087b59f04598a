/* Poisson probabilities: k events when `mean` are expected.
 *
 * Weights are computed from the mode outwards, each from its neighbour, and then divided by their sum: nothing is
 * subtracted and no great number is an exponent, so that few digits are lost (Fox and Glynn 1988). */
#ifndef NOETHER_NUMERIC_POISSON_H
#define NOETHER_NUMERIC_POISSON_H

#include <stdbool.h>
#include <stdint.h>

struct poisson {
    uint64_t first, last; /* the numbers that matter */
    double *weights;      /* of these: weights[k - first] */
    double *tails;        /* of more than k; for k < first it is 1 */
    double error;         /* how far off a weight or a tail may be, relative to itself */
    double missing;       /* the probability of all other numbers is at most this */
};

struct poisson poisson_make(double mean);
/* With all numbers that are at least so likely beside the likeliest; what is less than 1e-300 counts as that. */
struct poisson poisson_make_to(double mean, double negligible);
/* The sum of weight(k + j) * ratio^j over j, or of tail(k + j) * ratio^j. */
double poisson_rest(const struct poisson *poisson, bool is_tail, uint64_t k, double ratio);
void poisson_free(struct poisson *poisson);

#endif
