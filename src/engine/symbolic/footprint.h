/* The action of each factor of the group on the cells of a state: which it moves, and whose values it renames. */
#ifndef NOETHER_ENGINE_SYMBOLIC_FOOTPRINT_H
#define NOETHER_ENGINE_SYMBOLIC_FOOTPRINT_H

#include "symmetry/symmetry.h"

struct footprint {
    const struct layout *layout;
    const struct symmetry *symmetry;
    uint32_t factors;
    uint8_t *indexed; /* [cell * factors + f]: how many of its indices are points of the factor (at most 2 is told) */
    bool *holds;      /* [cell * factors + f]: may its value be a point of the factor? */
    bool *is_in_multiset; /* by cell */
    uint32_t *cluster;    /* by factor: factors with the same number act on a cell together */
};

struct footprint *footprint_create(const struct symmetry *symmetry, const struct layout *layout);
void footprint_destroy(struct footprint *footprint);
/* Does the factor move the cell, or rename its values? */
bool footprint_touches(const struct footprint *footprint, uint32_t cell, uint32_t factor);
/* Is sorting neighbours enough to find the least state of an orbit? So it is when the factor is full, and every cell is
 * a local one (one index, no points as values), or shared (no index), and no factor shares a cell with it. */
bool footprint_is_nice(const struct footprint *footprint, uint32_t factor);

#endif
