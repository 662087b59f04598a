/* A counterexample or witness of a formula, if one run is evidence. */
#ifndef NOETHER_ENGINE_PROBABILISTIC_COUNTEREXAMPLE_H
#define NOETHER_ENGINE_PROBABILISTIC_COUNTEREXAMPLE_H

#include "engine/probabilistic/formula.h"

/* From an initial state, in which the formula is_true (else false): E that is true, A that is false, bounds of P that
 * say whether something is possible or certain, invariants as filter(forall, ...), and what is made of these. NULL: one
 * run does not show it. *reason says what the run, or its last state, shows; a literal. */
struct trace *counterexample_find(struct markov *markov, const struct pctl *formula, bool is_true, const char **reason);

#endif
