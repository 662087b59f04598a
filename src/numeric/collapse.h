/* A problem in which the end components that earn nothing are one state each.
 *
 * The least reward until something is reached is not the least fixed point when a scheduler can go round for free: there
 * the value could be anything below. With such components collapsed it is (de Alfaro 1999; Baier et al. 2017). The greatest
 * chance or reward is the least fixed point all the same, but a value above it that is off by a rounding error would only
 * grow by going round. */
#ifndef NOETHER_NUMERIC_COLLAPSE_H
#define NOETHER_NUMERIC_COLLAPSE_H

#include "numeric/fixpoint.h"

/* fixpoint_enclose, whatever is free. From every such component there must be a way out, to what is not unknown. */
bool collapse_enclose(const struct fixpoint *problem, struct bounds *bounds);

#endif
