/* A problem in which the end components without reward are one state each.
 *
 * The minimal reward until a goal is reached is not the least fixed point if there are end components without reward:
 * there the value could be anything below. With such components collapsed it is (de Alfaro 1999; Baier et al. 2017).
 * The maximal probability or reward is the least fixed point in any case, but in a cycle the rounding error of an upper
 * bound would grow with every traversal. */
#ifndef NOETHER_NUMERIC_COLLAPSE_H
#define NOETHER_NUMERIC_COLLAPSE_H

#include "numeric/fixpoint.h"

/* fixpoint_enclose, whatever is free. From every such component there must be a way out, to what is not unknown. */
bool collapse_enclose(const struct fixpoint *problem, struct bounds *bounds);

#endif
