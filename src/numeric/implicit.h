/* Where a stiff chain is after a time, and how long it is where: by steps that are much longer than the time between
 * two jumps.
 *
 * Let A be minus the generator, transposed: the distribution y has the derivative -A y. From w(0) = y(t), with a speed
 * c, each w(k + 1) = w(k) - x where (c + A) x = c w(k). Then
 *
 *     y(t + s) = the sum over k of (L_k(c s) - L_(k-1)(c s)) * w(k),
 *
 * with the polynomials of Laguerre (the generating function of these, with A / (c + A) for its variable). Cut off
 * behind K, with x that leave residuals r(k) = (c + A) x - c w(k), that sum has the derivative -A times itself, plus
 *
 *     L_K(c s) A w(K) + the sum over k < K of L_k(c s) r(k).
 *
 * Nothing makes a distribution greater, so what this adds up to over the time, in all states together, is by how much
 * it is off: whatever the x are (a Krylov method finds them), the error is known afterwards. How far a step goes is
 * chosen when that is known, too: to a root of L_K, so that what is too fast for the step dies out. */
#ifndef NOETHER_NUMERIC_IMPLICIT_H
#define NOETHER_NUMERIC_IMPLICIT_H

#include "numeric/matrix.h"

struct implicit {
    const struct matrix *matrix; /* one row for each state */
    const double *exit_rate;     /* by state */
    const uint8_t *active;       /* by state: what gets to others stays there. NULL: all are */
    uint32_t start;
    double time;
    /* By how much the entries of a row may add up to more than 1. That the numbers of the model may be off is of no
     * other effect here: what comes out is about the chain of the matrix, in which a state is left at its exit rate. */
    double slack;
    double wanted;      /* by how much it may be off at the end */
    double most_sweeps; /* it gives up after so many */
    uint32_t threads;   /* of chebyshev.h; 0: one */
    bool (*go_on)(void *user);
    void *user;
    /* What came out, by state: the chance to be there when the time is over, and the time that is spent there. Who
     * asked frees them. */
    double *at_end, *on_the_way;
    double end_error, way_error; /* by how much all of these together are off */
    double way_rounding;         /* the part of way_error that errors of the distribution do not cause */
    double least_error;          /* the part of end_error that is there whatever is wanted */
    double lost;                 /* of the distribution, at most: in states that were left out (chebyshev.h) */
    bool is_part;                /* it was stopped on the way, and this is how it was then (chebyshev.h) */
    double sweeps;
};

uint64_t implicit_bytes(const struct matrix *matrix);
/* False: it gave up, or go_on said no. */
bool implicit_run(struct implicit *implicit);

#endif
