/* A run-time error of the model, found during exploration: an update that leaves its range, probabilities that
 * do not add up to 1, a negative rate or reward, a division by zero. */
#ifndef NOETHER_ENGINE_PROBABILISTIC_BREAKDOWN_H
#define NOETHER_ENGINE_PROBABILISTIC_BREAKDOWN_H

#include "engine/probabilistic/markov.h"

/* After markov_build has failed: the property "no run-time error" becomes violated, with a run that ends in the
 * mistake, as the evaluator finds it there; the others cannot be decided. False: it was none (a limit), and nothing is
 * said. */
bool breakdown_report(struct markov *markov);

#endif
