/* The evidence for a quantity besides its value: the convergence of its bounds, and a run under a scheduler that
 * attains it.
 *
 * Every evaluation of an unbounded probability or reward begins anew, so that in the end there is that of the outermost
 * operator, the last to be evaluated. */
#ifndef NOETHER_ENGINE_PROBABILISTIC_WITNESS_H
#define NOETHER_ENGINE_PROBABILISTIC_WITNESS_H

#include "engine/probabilistic/markov.h"

/* Before a property. */
void witness_open(struct markov *markov, const struct pctl *root);
/* Forgets what there was, and has the problem, that of the formula, tell of its progress. */
void witness_begin(struct markov *markov, const struct pctl *formula, struct fixpoint *problem);
/* What is certain of the formula in the states by now, if it is the property itself. */
void witness_note(struct markov *markov, const struct pctl *formula, const struct bounds *bounds);
/* The scheduler that attains these values, towards the goal (both are copied). */
void witness_schedule(struct markov *markov, const struct fixpoint *problem, const double *values,
                      const uint8_t *through, const uint8_t *goal);
/* Moves what there is to the property. */
void witness_attach(struct markov *markov, struct property_result *property);
void witness_free(struct witness *witness);

/* witness_run.c: a run of the model through these states (their numbers), each by the row of the scheduler. NULL: there
 * is none. */
struct trace *witness_run(struct markov *markov, const uint32_t *states, uint32_t count);

/* witness_scheduler.c: what the scheduler does, from the initial state to the goal. */
void witness_scheduler(struct markov *markov, struct quantity *quantity);

#endif
