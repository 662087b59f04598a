#ifndef NOETHER_FUZZ_SMALL_H
#define NOETHER_FUZZ_SMALL_H

#include <stdbool.h>

#include "ir/system.h"

enum { SMALL_LOOP = 50 }; /* rounds of a while loop: the loop limit of what is run */

/* Is it worth running? Loops and types may be as large as the language allows; that is not what is tested by fuzzing.
 */
bool system_is_small(const struct system *system);

#endif
