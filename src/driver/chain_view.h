/* Counter abstraction of PRISM models as a pass: interchangeable modules are counted by local state
 * (lang/prism/generic.h). The result, which is a PRISM model itself, is read and checked. */
#ifndef NOETHER_DRIVER_CHAIN_VIEW_H
#define NOETHER_DRIVER_CHAIN_VIEW_H

#include "driver/model.h"
#include "lang/prism/prism.h"
#include "pass/view.h"

/* The reduced model and properties. False: why is in `diagnostics`. */
bool chain_texts(const struct model *model, struct diagnostics *diagnostics, struct prism_reduced *reduced);

/* NULL: it cannot be counted, and why is in `diagnostics`. `below`: the model. What was written is not read yet. */
struct view *chain_open(const struct model *model, const struct view *below, struct diagnostics *diagnostics);
/* Reads it. False: the time is over. */
bool chain_load(struct view *view);
const struct prism_reduced *chain_reduced(const struct view *view);
/* Are there few enough counters and commands for the symbolic engine? */
bool chain_is_small(const struct view *view);
/* No more states than ways to spread the modules over the counters; *copies: of the largest family. */
double chain_most_states(const struct view *view, uint32_t *copies);

#endif
