/* Failures that depend on the numbering.
 *
 * Where two iterations of a loop over an index type fail in different ways (or a predicate on two elements of a
 * multiset), the numbering of the elements decides which failure is met. A search over one state of an orbit meets only
 * one of them. */
#ifndef NOETHER_SYMMETRY_FAILURES_H
#define NOETHER_SYMMETRY_FAILURES_H

#include "ir/system.h"

/* Is there such a loop at all, with an assertion, an error statement or a call in it? Where only evaluation itself can
 * fail, it is always the same property that is violated. */
bool failures_can_hide(const struct system *system);

#endif
