/* The symbolic engine on the counter abstraction of a model, as an engine. */
#ifndef NOETHER_DRIVER_GENERIC_H
#define NOETHER_DRIVER_GENERIC_H

#include "engine/engine.h"

extern const struct engine engine_generic;

/* For --method auto: can the model be rewritten, with few counters? */
bool generic_is_promising(const struct layout *layout, const struct engine_options *options);

#endif
