/* Steps of several rules (struct system) that are none.
 *
 * Where no rule gives the holder a value, since every atomic sequence has become one rule, the system says so, and its
 * tests of the holder are left out: they say nothing, would only set processes apart, and engines that fire single
 * rules can take the system then. */
#ifndef NOETHER_PASS_HOLDER_H
#define NOETHER_PASS_HOLDER_H

#include "ir/system.h"

/* In place, of a system that is finished and that nobody else knows yet. */
void holder_strip(struct system *system);

#endif
