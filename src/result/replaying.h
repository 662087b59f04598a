/* Inside result/: single rules fired by the evaluator. */
#ifndef NOETHER_RESULT_REPLAYING_H
#define NOETHER_RESULT_REPLAYING_H

#include "result/trace.h"

/* What the instance of the claim leads to after `before` (NULL: it is a start state), waiting until nothing else can
 * move where that is due (struct system); the state is in `cells`, given up by a holder that cannot go on. The stepper
 * is a single evaluator. STEP_END: it is not enabled. */
enum step_outcome replay_fire(struct stepper *stepper, const int32_t *before, const struct trace_step *claim,
                              int32_t *cells, struct step *step);

#endif
