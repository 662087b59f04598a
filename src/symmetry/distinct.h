/* The accesses of a loop without repetitions.
 *
 * A body that calls functions many times makes the same accesses many times, and accesses are compared in pairs. What
 * differs in nothing that the comparison looks at counts once, where it comes first. */
#ifndef NOETHER_SYMMETRY_DISTINCT_H
#define NOETHER_SYMMETRY_DISTINCT_H

#include "symmetry/effects.h"

struct distinct_access {
    uint64_t hash;
    const struct access *access;
};

struct distinct {
    struct distinct_access *items; /* the caller frees them; the accesses are the loop's */
    size_t count;
};

struct distinct distinct_find(const struct effects_loop *loop);

#endif
