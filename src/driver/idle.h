/* Options that an engine or a language does not support are refused: a user would believe that an ignored option has an
 * effect. */
#ifndef NOETHER_DRIVER_IDLE_H
#define NOETHER_DRIVER_IDLE_H

#include "driver/check.h"

/* What is wrong with the first option that would be ignored, or NULL. */
const char *idle_option(const struct system *system, enum engine_choice choice, enum symmetry_choice symmetry,
                        const struct engine_options *options);

#endif
