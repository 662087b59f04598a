/* Do two iterations of a loop over an index type commute? Decided by running them, in both orders, in a state of which
 * nothing is known (effects.h decides most loops by what they read and write; this is for the others: maxima, sums,
 * conditions on what other iterations wrote).
 *
 * An iteration is a partial function on states: it ends, returns, fails, or leaves the state out. If any two of them
 * commute as such functions in all states, any order of all has the same result, since neighbours can be exchanged. The
 * elements being interchangeable everywhere else (or the type is not used anyway), the first two stand for any two.
 *
 * Cells of the state hold unknown integers, or are perhaps undefined. A run takes one way through the conditions, which
 * become facts (facts.h); all ways are taken, within a budget. */
#ifndef NOETHER_SYMMETRY_COMMUTE_H
#define NOETHER_SYMMETRY_COMMUTE_H

#include "symmetry/effects.h"

enum commute_answer {
    COMMUTE_PROVED,
    COMMUTE_REFUTED, /* in a state that may not be reachable: `words` says how */
    COMMUTE_OPEN     /* outside what can be run, or over the budget: `words` says why */
};

/* Local variables in which the orders leave different values, which no iteration reads, are marked stale in `effects`
 * when the answer is PROVED. `words` ("n_1 before n_2 gives ...") are in the arena of `effects`. */
enum commute_answer commute_decide(struct effects *effects, const struct effects_loop *loop, const char **words);

enum { COMMUTE_WORK = 2 * 1000 * 1000, COMMUTE_ALL_WORK = 20 * 1000 * 1000 };

#endif
