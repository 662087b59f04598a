/* A typed growing array: VEC(struct rule *) rules = {0};
 * The items are on the heap; VEC_FREE releases them. VEC_SEAL moves them into
 * an arena (and frees the heap copy) when the array is complete. */
#ifndef NOETHER_BASE_VEC_H
#define NOETHER_BASE_VEC_H

#include <stddef.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/memory.h"

#define VEC(type)                                                                                                      \
    struct {                                                                                                           \
        type *items;                                                                                                   \
        size_t count, capacity;                                                                                        \
    }

#define VEC_WIDER(vec) ((vec)->capacity ? 2 * (vec)->capacity : 8)
#define VEC_PUSH(vec, item)                                                                                            \
    do {                                                                                                               \
        if ((vec)->count == (vec)->capacity) {                                                                         \
            (vec)->items = memory_resize((vec)->items, VEC_WIDER(vec) * sizeof *(vec)->items);                         \
            (vec)->capacity = VEC_WIDER(vec); /* not before: where there is no memory it is as it was */               \
        }                                                                                                              \
        (vec)->items[(vec)->count++] = (item);                                                                         \
    } while (0)

/* Room for so many in an empty one, and no more. */
#define VEC_RESERVE(vec, most)                                                                                         \
    do {                                                                                                               \
        (vec)->items = memory_resize((vec)->items, ((most) > 0 ? (most) : 1) * sizeof *(vec)->items);                  \
        (vec)->capacity = (most) > 0 ? (most) : 1;                                                                     \
    } while (0)
#define VEC_POP(vec) ((vec)->items[--(vec)->count])
#define VEC_LAST(vec) ((vec)->items[(vec)->count - 1])
/* What stands from `first` on; NULL where nothing was ever pushed, since even NULL + 0 is undefined. */
#define VEC_FROM(vec, first) ((vec)->items ? (vec)->items + (first) : NULL)
#define VEC_CLEAR(vec) ((void)((vec)->count = 0))
#define VEC_FREE(vec) (free((vec)->items), (vec)->items = NULL, (vec)->count = (vec)->capacity = 0)
/* The items as an array in the arena; the vector is emptied. Read .count first. */
#define VEC_SEAL(vec, arena)                                                                                           \
    vec_seal((arena), (void **)&(vec)->items, &(vec)->count, &(vec)->capacity, sizeof *(vec)->items)

static inline void *vec_seal(struct arena *arena, void **items, size_t *count, size_t *capacity, size_t size)
{
    void *sealed = arena_copy(arena, *items, *count * size);
    free(*items);
    *items = NULL;
    *count = *capacity = 0;
    return sealed;
}

#endif
