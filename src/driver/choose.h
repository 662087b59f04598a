/* Which engine suits a model: `--engine auto`.
 *
 * Where a crowd of processes is interchangeable, and they have few local states, they are counted. Else the group of the whole model, where it covers every family of processes, serves the explicit engine best. Where only
 * some rules or properties break the symmetry of a family, the adaptive engine keeps what is left of it. All else is
 * explored state by state, with the group that remains. The choice looks at the text of the model only, within a
 * bounded effort, and is the same every time. */
#ifndef NOETHER_DRIVER_CHOOSE_H
#define NOETHER_DRIVER_CHOOSE_H

#include "driver/check.h"

/* What only the explicit engine does, or the user does not want; NULL: nothing. */
const char *choose_excuse(bool symmetry_is_off, const struct engine_options *options);
/* How many processes are interchangeable, where these are so many that counters are worth a look; else 0. */
uint32_t choose_crowd(const struct symmetry *symmetry, const struct engine_options *options);
/* Adaptive or explicit? `symmetry` is that of the system of `layout`: the model's, or a copy. `excuse`: why only explicit will do,
 * or NULL. A sentence is added to `why`. */
bool choose_adaptive(const struct model *model, const struct layout *layout, const struct symmetry *symmetry,
                     const char *excuse, const struct engine_options *options, struct text *why);

#endif
