/* What the engine of an attempt leaves to others: numbers that the symbolic engine cannot compute, properties that have
 * counters of their own, goals that a proof for every size cannot meet, failures that another one may hide. What is
 * filled in is as good as the rest of the answer, and its time is added to it. */
#ifndef NOETHER_DRIVER_FILL_IN_H
#define NOETHER_DRIVER_FILL_IN_H

#include "driver/plan.h"

/* The result is about the top view of the attempt, and not lifted yet. */
void fill_in_numbers(const struct plan *plan, struct attempt *attempt, struct result *result);
/* The result is about the lowest view. */
void fill_in_rest(struct plan *plan, struct attempt *attempt, struct result *result);

#endif
