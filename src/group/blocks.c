/* Systems of blocks: partitions of an orbit that the group respects. */
#include <stdlib.h>
#include <string.h>

#include "base/disjoint.h"
#include "base/memory.h"
#include "base/vec.h"
#include "group/chain.h"

struct group_pairs {
    VEC(uint32_t) items;
};

/* Joins two blocks; what the generators make of that is still to be done. */
static void blocks_join(uint32_t *parent, uint32_t a, uint32_t b, struct group_pairs *open)
{
    a = disjoint_find(parent, a);
    b = disjoint_find(parent, b);
    if (!disjoint_join(parent, a, b))
        return;
    VEC_PUSH(&open->items, a < b ? a : b);
    VEC_PUSH(&open->items, a < b ? b : a);
}

/* The finest system of blocks of an orbit in which `a` and `b` share one: block[i] = the least point of the block of i
 * for the points of the orbit, GROUP_NOWHERE for others. Returns the size of a block. (Atkinson 1975.) */
static uint32_t group_blocks_joining(const struct group *group, const uint32_t *orbit, uint32_t length, uint32_t a,
                                     uint32_t b, uint32_t *block)
{
    struct group_pairs open = {0};
    uint32_t *parent = memory_alloc(((size_t)group->degree + 1) * sizeof *parent), size = 0;
    perm_set_identity(group->degree, parent);
    blocks_join(parent, a, b, &open);
    while (open.items.count) {
        uint32_t high = VEC_POP(&open.items), low = VEC_POP(&open.items);
        for (uint32_t g = 0; g < group->generator_count; g++)
            blocks_join(parent, group->generators[g][low], group->generators[g][high], &open);
    }
    for (uint32_t i = 0; i < group->degree; i++)
        block[i] = GROUP_NOWHERE;
    for (uint32_t i = 0; i < length; i++) {
        block[orbit[i]] = disjoint_find(parent, orbit[i]);
        size += block[orbit[i]] == disjoint_find(parent, a);
    }
    VEC_FREE(&open.items);
    free(parent);
    return size;
}

uint32_t group_least_blocks(const struct group *group, const uint32_t *orbit, uint32_t length, uint32_t *block)
{
    uint32_t best = length, *tried = memory_alloc(((size_t)group->degree + 1) * sizeof *tried);
    for (uint32_t i = 1; i < length; i++) {
        uint32_t size = group_blocks_joining(group, orbit, length, orbit[0], orbit[i], tried);
        if (size >= best)
            continue;
        best = size;
        memcpy(block, tried, group->degree * sizeof *block);
    }
    free(tried);
    return best < length ? best : 0;
}
