/* Lifts a run of the counter abstraction of a chain to a run of the model. In every state of the lifted run, one
 * of the successors has the next counters (reduce/census.h counts up to bisimulation), so a greedy search never
 * backtracks. */
#ifndef NOETHER_PASS_CHAIN_LIFT_H
#define NOETHER_PASS_CHAIN_LIFT_H

#include "reduce/census.h"
#include "result/trace.h"

/* `chances`: of each step, which an mdp's choice must have to be the one that was taken; NULL: any choice will do. A
 * cycle is traversed until the modules are back where they were. NULL: that takes too long, or a step was not found. */
struct trace *chain_lift(const struct layout *layout, const struct census *census, const struct trace *run,
                         const double *chances);

#endif
