#include "numeric/heap.h"

#include <stdbool.h>
#include <stdlib.h>

static bool is_above(struct ranked a, struct ranked b)
{
    return a.rank < b.rank || (a.rank == b.rank && a.state < b.state);
}

void heap_push(struct heap *heap, double rank, uint32_t state)
{
    struct ranked item = {rank, state};
    VEC_PUSH(&heap->items, item);
    struct ranked *items = heap->items.items;
    size_t at = heap->items.count - 1;
    for (; at && is_above(item, items[(at - 1) / 2]); at = (at - 1) / 2)
        items[at] = items[(at - 1) / 2];
    items[at] = item;
}

struct ranked heap_pop(struct heap *heap)
{
    struct ranked *items = heap->items.items, top = items[0], last = VEC_POP(&heap->items);
    size_t count = heap->items.count, at = 0;
    while (2 * at + 1 < count) {
        size_t child = 2 * at + 1;
        child += child + 1 < count && is_above(items[child + 1], items[child]);
        if (!is_above(items[child], last))
            break;
        items[at] = items[child];
        at = child;
    }
    if (count)
        items[at] = last;
    return top;
}

void heap_free(struct heap *heap)
{
    VEC_FREE(&heap->items);
}
