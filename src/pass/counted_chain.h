/* Counter abstraction of a chain as a pass (reduce/census.h): interchangeable modules are counted by local state, and
 * results about counters are lifted to the modules. */
#ifndef NOETHER_PASS_COUNTED_CHAIN_H
#define NOETHER_PASS_COUNTED_CHAIN_H

#include "pass/view.h"
#include "reduce/census.h"

/* NULL: it cannot be counted, and why is in `diagnostics`. */
struct view *counted_chain_open(const struct view *below, struct diagnostics *diagnostics);
const struct census_facts *counted_chain_facts(const struct view *view);
/* Are there few enough counters and commands for the symbolic engine? */
bool counted_chain_is_small(const struct view *view);
/* No more states than ways to spread the modules over the counters; *copies: of the largest family. */
double counted_chain_most_states(const struct view *view, uint32_t *copies);

#endif
