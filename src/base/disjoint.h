/* Disjoint sets of numbers (union-find): `least[i]` leads to the least member of the set of i. To begin with, least[i]
 * == i. */
#ifndef NOETHER_BASE_DISJOINT_H
#define NOETHER_BASE_DISJOINT_H

#include <stdbool.h>
#include <stdint.h>

static inline uint32_t disjoint_find(uint32_t *least, uint32_t member)
{
    while (least[member] != member)
        member = least[member] = least[least[member]];
    return member;
}

/* False: they were in one set. */
static inline bool disjoint_join(uint32_t *least, uint32_t a, uint32_t b)
{
    a = disjoint_find(least, a);
    b = disjoint_find(least, b);
    least[a < b ? b : a] = a < b ? a : b;
    return a != b;
}

#endif
