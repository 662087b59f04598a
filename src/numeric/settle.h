/* The bounds of one component that is not too large, however slowly it is left.
 *
 * Iteration takes as many sweeps as the chain takes steps, and a rounding error of every sweep adds up. Here a
 * scheduler is found by policy iteration, with elimination in doubles (absorption.h), and its values are refined to
 * about twice the digits of a double. None of that is trusted: the values are raised (lowered) by a multiple of how
 * much they are expected to vary along a run, and the result is verified to be inductive, with all errors of the
 * arithmetic and of the numbers of the model. A row is verified by its drift, the sum of p * (x[target] - x[state]),
 * whose error is relative to the differences: states with nearly the same value lose no digits. */
#ifndef NOETHER_NUMERIC_SETTLE_H
#define NOETHER_NUMERIC_SETTLE_H

#include "numeric/fixpoint.h"

/* More states than this are not tried. */
enum { SETTLE_MOST_STATES = 500000 };

/* `most_work`: about how many terms of equations and entries of rows may be looked at before it gives up, so that an
 * attempt costs no more than the iteration before it. `place`: by state, all 0; so again afterwards. The bounds of the
 * states that these lead to must be known. From every state some row leads on the way out of the component, and no
 * scheduler stays in it for ever for free. False: nothing was verified, and the bounds are as before; else they are
 * bounds, as narrow as the others allow. */
bool settle_component(const struct fixpoint *problem, const uint32_t *states, uint32_t count, uint64_t most_work,
                      uint32_t *place, struct bounds *bounds);

struct settle_limits {
    uint64_t most_terms; /* that the elimination may keep */
    double most_error;   /* relative, of the values, beside the width of the bounds outside */
};

/* True if the problem allows the memory of an elimination within these limits. */
bool settle_has_room(const struct fixpoint *problem, uint32_t count, const struct settle_limits *limits);

/* settle_chain.c: the same of a chain, by elimination without subtraction, however rarely it is left (a probability of
 * 2^-300, say). Its relative error follows from the operations that it takes (absorption.h), and is allowed for.
 * `place`: by state, all 0; so again afterwards. False: it is no chain, a limit was reached, or a number became too
 * small or too large for a double; the bounds are then as before. */
bool settle_chain(const struct fixpoint *problem, const uint32_t *states, uint32_t count,
                  const struct settle_limits *limits, uint32_t *place, struct bounds *bounds);

/* settle_krylov.c: the same of a strongly connected part of a chain, of any size, by a Krylov method, whose values are
 * verified. False: it is no chain, or never left, or there is no room, or the method does not get near enough, or go_on
 * said no. */
bool settle_by_krylov(const struct fixpoint *problem, const uint32_t *states, uint32_t count, struct bounds *bounds);

#endif
