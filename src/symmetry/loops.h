/* Do the iterations of a loop over an index type commute? */
#ifndef NOETHER_SYMMETRY_LOOPS_H
#define NOETHER_SYMMETRY_LOOPS_H

#include "symmetry/effects.h"

/* May the effect of the loop depend on the order of its iterations? Local variables that hold what the last
 * iteration left there are marked stale in `effects`; that alone is no dependence as long as no one reads them. */
bool loops_depend_on_order(struct effects *effects, const struct effects_loop *loop);

#endif
