/* Permutations of a file as the symmetry of a model: read and proved when the model is loaded, so that what is wrong
 * with them is said before anything is checked. */
#ifndef NOETHER_DRIVER_GENERATORS_H
#define NOETHER_DRIVER_GENERATORS_H

#include "driver/check.h"
#include "driver/model.h"

/* False with diagnostics->errors: they cannot be read, or one of them is not proved. The model keeps the text either
 * way, because spans point into it. Ends early when the watch of the thread is up. */
bool model_take_generators(struct model *model, const char *path, struct diagnostics *diagnostics);
/* Why the check cannot use the model's generators, or NULL: they are for engines that use any group of the whole model.
 */
const char *generators_refusal(const struct model *model, enum engine_choice choice, enum symmetry_choice symmetry,
                               const struct engine_options *options);

#endif
