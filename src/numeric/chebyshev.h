/* Where a stiff chain is after a time, and how long it is where: by polynomials of a high degree, which take about the
 * square root of as many sweeps as there are jumps.
 *
 * Let A be minus the generator, transposed: the distribution y has the derivative -A y. With a rate h, B = 1 - A / h
 * and u(0) = y(t), u(1) = B u(0), u(k + 1) = 2 B u(k) - u(k - 1), which are the polynomials of Chebyshev,
 *
 *     y(t + s) = i_0(h s) u(0) + the sum over k > 0 of 2 i_k(h s) u(k),
 *
 * with i_k(z) = exp(-z) I_k(z), the modified Bessel functions (Tal-Ezer 1989). Cut off behind K, with u(k + 1) that are
 * off by e(k) from the equation above, that sum has the derivative -A times itself, plus h times
 *
 *     i_(K+1) u(K) - i_K u(K + 1) + the sum over k <= K of i_k e(k).
 *
 * Nothing makes a distribution greater, so what this adds up to over the time, in all states together, is by how much
 * it is off: the error is known afterwards, whatever the chain is. Where u(k) grows (the chain goes round) it is too
 * much, and the step was too long. */
#ifndef NOETHER_NUMERIC_CHEBYSHEV_H
#define NOETHER_NUMERIC_CHEBYSHEV_H

#include "numeric/implicit.h"

/* As implicit_run, of which this is a rival. */
bool chebyshev_run(struct implicit *implicit);
uint64_t chebyshev_bytes(const struct matrix *matrix);

#endif
