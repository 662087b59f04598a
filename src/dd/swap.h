/* Exchanging neighbouring levels in place, after Rudell, "Dynamic variable ordering for ordered binary decision
 * diagrams" (ICCAD 1993): a node of the upper variable that depends on the lower one becomes a node of the lower one
 * and keeps its number, so every handle keeps its function. With the low edge never complemented, no edge from above
 * needs to change.
 *
 * While a swapper exists the unique table and the caches are not valid; it has a chained table for each variable, and
 * counts all references, so that dead nodes are free at once. */
#ifndef NOETHER_DD_SWAP_H
#define NOETHER_DD_SWAP_H

#include "dd/inner.h"

struct swap_table {
    uint32_t *heads; /* chains of nodes; 0 ends them */
    uint32_t mask, count;
};

struct swapper {
    struct dd_manager *m;
    uint32_t *refs, *next;     /* by node */
    struct swap_table *tables; /* by index */
    uint64_t live;             /* inner nodes */
    uint64_t free;             /* nodes there is room for */
    uint64_t word;             /* no word of the bitmap before this one has a free node, but for those in `freed` */
    VEC(uint32_t) freed;
    VEC(uint32_t) moving;
};

/* False when there is no memory; then nothing has changed. Collects garbage first. */
bool swapper_begin(struct swapper *s, struct dd_manager *m, const dd *operands, size_t count);
void swapper_end(struct swapper *s);
/* False, and no change, when the store might not have room for it and for the way back. */
bool swapper_swap(struct swapper *s, uint32_t level);
/* Undoes the last swap (of this level) that was not undone. */
void swapper_undo(struct swapper *s, uint32_t level);

#endif
