/* Counter abstraction of PRISM models: interchangeable modules are counted by local state (lang/prism/generic.h), and what
 * comes out, a PRISM model itself, is read and checked. */
#ifndef NOETHER_DRIVER_COUNTED_H
#define NOETHER_DRIVER_COUNTED_H

#include "driver/check.h"
#include "lang/prism/prism.h"

/* The reduced model and properties. False: why is in `diagnostics`. */
bool counted_texts(const struct model *model, struct diagnostics *diagnostics, struct prism_reduced *reduced);

/* Runs an engine on the counted model. NULL: it cannot be counted, or the engine does not take it: *refusal says why
 * (owned by the model). */
struct result *counted_run(const struct model *model, const struct engine *engine,
                           const struct engine_options *options, const char **refusal);

#endif
