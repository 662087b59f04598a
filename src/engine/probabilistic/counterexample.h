/* A run that shows why a property is violated, where one run can. */
#ifndef NOETHER_ENGINE_PROBABILISTIC_COUNTEREXAMPLE_H
#define NOETHER_ENGINE_PROBABILISTIC_COUNTEREXAMPLE_H

#include "engine/probabilistic/formula.h"

/* Of a property that is false in an initial state: P>=1, P<=0 and the like, A, invariants as filter(forall, ...), and
 * conjunctions of these. NULL: one run does not show it. *reason says what the last state of the run shows; a literal. */
struct trace *counterexample_find(struct markov *markov, const struct pctl *formula, const struct accuracy *accuracy,
                                  const char **reason);

#endif
