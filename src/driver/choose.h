/* The choice of an engine: `--engine auto`.
 *
 * Many interchangeable processes with few local states: counter abstraction. Otherwise the explicit engine, if the
 * group of the whole model covers every family of processes. If only some rules or properties break the symmetry of a
 * family, the adaptive engine, which uses the remaining symmetry. Otherwise the explicit engine with the remaining
 * group. The choice reads the text of the model only, within a bounded effort, and is deterministic. Where it says
 * adaptive, that engine has to win a race first (driver/plan.c). Beside the explicit engine the symbolic one may run
 * (engine/explicit/rival.c). */
#ifndef NOETHER_DRIVER_CHOOSE_H
#define NOETHER_DRIVER_CHOOSE_H

#include "driver/check.h"

/* Why only the explicit engine will do, by the options; NULL: no reason. */
const char *choose_excuse(bool symmetry_is_off, const struct engine_options *options);
/* The number of interchangeable processes, of the largest family; 0: none are. */
uint32_t choose_largest(const struct symmetry *symmetry);
/* The same, if it is large enough for counter abstraction; else 0. */
uint32_t choose_crowd(const struct symmetry *symmetry, const struct engine_options *options);
/* Is some rule for as many processes, interchangeable or not? */
bool choose_crowd_of_rules(const struct system *system, const struct engine_options *options);
/* Adaptive or explicit? `symmetry` is that of the system of `layout`: the model's, or a copy. `excuse`: why only
 * explicit will do, or NULL. A sentence is added to `why`. */
bool choose_adaptive(const struct model *model, const struct layout *layout, const struct symmetry *symmetry,
                     const char *excuse, const struct engine_options *options, struct text *why);

#endif
