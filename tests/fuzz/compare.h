#ifndef NOETHER_FUZZ_COMPARE_H
#define NOETHER_FUZZ_COMPARE_H

#include "driver/model.h"

/* Checks a small model plainly (no symmetry) and in the way with this number (an engine, a symmetry, an order, ...),
 * both with tiny limits, and shows the answers. Aborts when two verdicts that are known differ, or two intervals of a
 * value do not meet. */
void compare_ways(const struct model *model, unsigned way);

#endif
