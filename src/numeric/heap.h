/* States by rank, the least on top. The lower number comes first where ranks are equal: the order does not depend on
 * that of insertion. */
#ifndef NOETHER_NUMERIC_HEAP_H
#define NOETHER_NUMERIC_HEAP_H

#include <stdint.h>

#include "base/vec.h"

struct ranked {
    double rank;
    uint32_t state;
};

struct heap {
    VEC(struct ranked) items;
};

void heap_push(struct heap *heap, double rank, uint32_t state);
struct ranked heap_pop(struct heap *heap); /* it is not empty */
void heap_free(struct heap *heap);

#endif
