#include "engine/symbolic/orbit_relation.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/words.h"

dd orbit_identity(struct dd_manager *m, const uint32_t *pairs, uint32_t count)
{
    uint32_t *sorted = memory_alloc((count + 1) * sizeof *sorted);
    dd identity = DD_TRUE;
    for (uint32_t i = 0; i < count; i++)
        sorted[i] = pairs[i];
    words_sort(sorted, count, 1);
    dd_pause(m);
    for (uint32_t i = count; i-- > 0;) {
        dd same = dd_iff(m, dd_variable(m, 2 * sorted[i]), dd_variable(m, 2 * sorted[i] + 1));
        identity = dd_and(m, same, identity);
    }
    dd_resume(m);
    free(sorted);
    return identity;
}

/* The next variables of two processes exchanged. */
static const struct dd_permutation *orbit_exchange(struct dd_manager *m, const uint32_t *pairs, uint32_t bits,
                                                   uint32_t a, uint32_t b)
{
    uint32_t count = dd_variable_count(m);
    uint32_t *images = memory_alloc((count + 1) * sizeof *images);
    for (uint32_t v = 0; v < count; v++)
        images[v] = v;
    for (uint32_t i = 0; i < bits; i++) {
        uint32_t x = 2 * pairs[a * bits + i] + 1, y = 2 * pairs[b * bits + i] + 1;
        images[x] = y;
        images[y] = x;
    }
    const struct dd_permutation *permutation = dd_permutation(m, images);
    free(images);
    return permutation;
}

/* Permutations of the first k processes and exchanges of one of them with the next make all permutations of k + 1. */
dd orbit_relation_full(struct dd_manager *m, const uint32_t *pairs, uint32_t processes, uint32_t bits)
{
    dd keep[2] = {orbit_identity(m, pairs, processes * bits), DD_FALSE};
    dd_register(m, keep, 2);
    for (uint32_t k = 1; k < processes && keep[0] != DD_NONE; k++) {
        keep[1] = keep[0];
        for (uint32_t i = 0; i < k; i++) {
            dd image = dd_permute(m, keep[0], orbit_exchange(m, pairs, bits, i, k));
            keep[1] = dd_or(m, keep[1], image);
        }
        keep[0] = keep[1];
    }
    dd_unregister(m, keep);
    return keep[0];
}
