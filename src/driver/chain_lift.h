/* Lifts a run of the counter abstraction of a PRISM model to a run of the model. In every state of the lifted run, one
 * of the successors has the next counters (lang/prism/generic.h counts up to bisimulation), so a greedy search never
 * backtracks. */
#ifndef NOETHER_DRIVER_CHAIN_LIFT_H
#define NOETHER_DRIVER_CHAIN_LIFT_H

#include "lang/prism/prism.h"
#include "result/trace.h"

/* `chances`: of each step, which an mdp's choice must have to be the one that was taken; NULL: any choice will do. A
 * cycle is traversed until the modules are back where they were. NULL: that takes too long, or a step was not found. */
struct trace *chain_lift(const struct layout *layout, const struct prism_reduced *reduced, const struct trace *run,
                         const double *chances);

#endif
