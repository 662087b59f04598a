/* A run of a counted PRISM model becomes a run of the model: whatever state of the model the run stands in, one of its successors
 * has the next numbers (lang/prism/generic.h counts up to bisimulation), so a greedy search never goes back. */
#ifndef NOETHER_DRIVER_CHAIN_LIFT_H
#define NOETHER_DRIVER_CHAIN_LIFT_H

#include "lang/prism/prism.h"
#include "result/trace.h"

/* `chances`: of each step, which an mdp's choice must have to be the one that was taken; NULL: any choice will do. A loop is gone
 * round until the modules are back where they were. NULL: that takes too long, or a step was not found. */
struct trace *chain_lift(const struct layout *layout, const struct prism_reduced *reduced, const struct trace *run,
                           const double *chances);

#endif
