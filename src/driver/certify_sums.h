/* Do the probabilities of every choice add up to 1 exactly? The engine takes sums that are only near to it, and the
 * verifier of the vectors does not. */
#ifndef NOETHER_DRIVER_CERTIFY_SUMS_H
#define NOETHER_DRIVER_CERTIFY_SUMS_H

#include "ir/layout.h"

/* In these states. Those are looked at only if constants do not say so at once. */
bool certify_sums(const struct layout *layout, const uint64_t *states, uint64_t count);

#endif
