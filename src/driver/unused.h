/* Options that an engine or a language does not use are refused: a user would believe that an ignored option has an
 * effect. */
#ifndef NOETHER_DRIVER_UNUSED_H
#define NOETHER_DRIVER_UNUSED_H

#include "driver/check.h"

/* What is wrong with the first option that would be ignored, or NULL. The words are static, or live in `words`. */
const char *unused_option(const struct system *system, enum engine_choice choice, enum symmetry_choice symmetry,
                          const struct engine_options *options, struct arena *words);

/* Prints two columns of the option table: "models without probabilities and the explicit engine"; nothing if all
 * engines use it. The column `murphi` is of all languages but PRISM, which alone has probabilities. */
void option_print_users(unsigned murphi, unsigned prism, struct text *out);

#endif
