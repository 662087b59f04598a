/* Partitions of the elements (processes), interned: Wahl, "Adaptive symmetry reduction", Section 4.
 *
 * A partition is the vector of the cells of its elements, cells numbered by their first element. No cell holds
 * elements of two families. Finer partitions have more cells. */
#ifndef NOETHER_ENGINE_ADAPTIVE_PARTITION_H
#define NOETHER_ENGINE_ADAPTIVE_PARTITION_H

#include "base/words.h"

struct partition {
    const uint32_t *cell_of; /* by element */
    uint32_t cell_count;
    uint32_t *size, *first;    /* by cell: number of elements, the least of them */
    uint32_t *members, *start; /* the elements of cell c: members[start[c]..start[c] + size[c]), in order */
};

struct partitions {
    uint32_t element_count;
    struct words words;
    VEC(struct partition) items;
    struct pairs meets;
    uint32_t *scratch;
};

void partitions_create(struct partitions *partitions, uint32_t element_count);
void partitions_destroy(struct partitions *partitions);

/* `labels`: any numbers below the number of elements, equal for elements of the same cell. */
uint32_t partitions_intern(struct partitions *partitions, const uint32_t *labels);
/* The coarsest partition finer than both (greatest lower bound); remembered. */
uint32_t partitions_meet(struct partitions *partitions, uint32_t left, uint32_t right);

static inline const struct partition *partitions_at(const struct partitions *partitions, uint32_t number)
{
    return &partitions->items.items[number];
}

#endif
