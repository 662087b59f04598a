/* Counter abstraction as a pass (reduce/reduce.h): results about counters are lifted to the processes.
 *
 * CTL properties with quantifiers around temporal operators are left open there. Each has a view of its own, in which
 * the processes that it names are factored out (survey, section 2.2). */
#ifndef NOETHER_PASS_COUNTED_H
#define NOETHER_PASS_COUNTED_H

#include "pass/view.h"
#include "reduce/reduce.h"

/* NULL: why not is in `diagnostics`. */
struct view *counted_open(const struct view *below, const struct reduce_options *options,
                          struct diagnostics *diagnostics);
/* Why `engine` cannot answer for what is below, or NULL: it can, for all properties, or (leaves_properties) for those
 * that are not left out. */
const char *counted_refusal(const struct view *counted, const struct engine *engine,
                            const struct engine_options *options, struct arena *words);
/* The view of a property that is left open (reduction_leaves); made once, closed with `counted`. NULL: why not is in
 * `diagnostics`. Lifted to what is below `counted`, a result says nothing of other properties. */
const struct view *counted_factored(struct view *counted, const struct property *property,
                                    struct diagnostics *diagnostics);

#endif
