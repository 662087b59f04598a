/* An attempt as a search in rounds, where LTL properties are to be checked.
 *
 * They are decided when all states are known, and there may be more than there is time or memory for, though a
 * violation is near. So the search stops after some states, violations are looked for in these, and the next round has
 * several times as many. All rounds before the last one cost a part of it. Without LTL properties there is one round.
 */
#ifndef NOETHER_DRIVER_ROUNDS_H
#define NOETHER_DRIVER_ROUNDS_H

#include "driver/plan.h"

/* The answer, about the top view; with the formulas of time that the engine leaves open, if the search is complete. */
struct result *rounds_run(const struct plan *plan, struct attempt *attempt, const struct view *view);
/* With the time that is left. */
void rounds_hurry(const struct plan *plan, struct attempt *attempt);
void rounds_add_time(struct result *result, const struct result *more);

#endif
