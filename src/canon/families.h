/* Families that a full symmetric group moves together: a factor whose orbits all have k points, with all k!
 * permutations, the same in each orbit. A process and the value that names it are two such families: observe3 goes
 * where 3 goes. The elements of the canonicaliser then stand for a point of each family, and the factor is one full
 * group on k elements.
 *
 * The codes of the families must lie alike (the same distances), and no cell may hold points of two of them: which
 * family a value is of follows from where it stands. */
#ifndef NOETHER_CANON_FAMILIES_H
#define NOETHER_CANON_FAMILIES_H

#include "symmetry/symmetry.h"

/* By point: the point of the first family that goes with it. NULL: it is no such factor. On the heap. */
uint32_t *families_of(const struct symmetry_factor *factor, const struct layout *layout, const uint32_t *orbits);

#endif
