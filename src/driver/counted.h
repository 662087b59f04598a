/* Counter abstraction of PRISM models: interchangeable modules are counted by local state (lang/prism/generic.h), and what
 * comes out, a PRISM model itself, is read and checked. */
#ifndef NOETHER_DRIVER_COUNTED_H
#define NOETHER_DRIVER_COUNTED_H

#include "driver/check.h"
#include "lang/prism/prism.h"

/* The reduced model and properties. False: why is in `diagnostics`. */
bool counted_texts(const struct model *model, struct diagnostics *diagnostics, struct prism_reduced *reduced);

/* Are interchangeable modules to be counted? The symbolic engine does so by its own choice, where that is promising; else
 * `why_not` says why it does not. */
bool counted_is_wanted(const struct model *model, enum engine_choice choice, enum symmetry_choice symmetry,
                       const struct engine_options *options, struct text *why_not);
/* The engine for a chain when nobody asks for one: counters, one by one or in sets of states, where there are many
 * interchangeable modules, else `probabilistic`. Adds the reason, as choose_engine does. Where they are counted, `ready` is
 * the counted text, for counted_run. */
enum engine_choice counted_choose(const struct model *model, enum symmetry_choice symmetry,
                                  const struct engine_options *options, struct prism_reduced *ready, struct text *why);
/* Runs an engine on the counted model (`ready`: its text, which is freed; NULL: to be made). NULL: it cannot be counted, or the
 * engine does not take it: *refusal says why (as long as `words` live), `refused` where. */
struct result *counted_run(const struct model *model, const struct engine *engine, const struct engine_options *options,
                           const struct prism_reduced *ready, struct diagnostics *refused, const char **refusal,
                           struct arena *words);

#endif
