/* The long-run average of one component of a chain from its bias, found by a Krylov method.
 *
 * For any values h at all the average lies between the least and the greatest of reward + rate * (row * h - h) over the
 * states (Puterman 1994, 8.5.4). At the bias all of these are the average itself. So the bias may come from any
 * method, however it errs: what is found is tried on every state, with a bound on the error of each number. The
 * method is BiCGStab (van der Vorst 1992), preconditioned by an incomplete elimination (factor.h) of the states that
 * are farthest from where the chain is most of the time, first: a few steps are enough where the eliminated states lead
 * there nearly for certain, and where the chain forgets slowly where it began, some dozens. Where there is no
 * room for that, and at first, as long as it does well, a sweep of Gauss and Seidel in both directions takes its place.
 */
#ifndef NOETHER_NUMERIC_BIAS_H
#define NOETHER_NUMERIC_BIAS_H

#include "numeric/fixpoint.h"

/* As average_of_component (average.h), which is better for components that soon forget. False: the method makes no
 * progress, or go_on said no; the bounds are only ever narrowed. */
bool bias_of_component(const struct fixpoint *problem, const double *row_rate, const uint32_t *states, uint32_t count,
                       double *lower, double *upper);
/* The same by sweeps of Gauss and Seidel alone, in the same order. It takes longer where the
 * other method gets there, but does not go astray where states that are hardly ever visited lie behind one another. */
bool bias_by_sweeps(const struct fixpoint *problem, const double *row_rate, const uint32_t *states, uint32_t count,
                    double *lower, double *upper);

#endif
