/* Which engine suits a model: `--engine auto`.
 *
 * Where a crowd of processes is interchangeable, and they have few local states, they are counted. Else the group of the whole model, where it covers every family of processes, serves the explicit engine best. Where only
 * some rules or properties break the symmetry of a family, the adaptive engine keeps what is left of it. All else is
 * explored state by state, with the group that remains. The choice looks at the text of the model only, within a
 * bounded effort, and is the same every time. */
#ifndef NOETHER_DRIVER_CHOOSE_H
#define NOETHER_DRIVER_CHOOSE_H

#include "driver/check.h"

/* `symmetry` is that of the system of `layout`: the model's, or a copy. A sentence is added to `why`. */
const struct engine *choose_engine(const struct model *model, const struct layout *layout,
                                   const struct symmetry *symmetry, bool symmetry_is_off,
                                   const struct engine_options *options, struct text *why);

/* What a trial of the adaptive engine may take before the explicit one gets its turn: little, so that the choice never
 * makes a run much slower. */
enum { CHOOSE_TRIAL_STATES = 20000, CHOOSE_TRIAL_WORK = 2000000 };

#endif
