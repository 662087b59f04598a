/* A hash of a packed state, good in its upper bits. The visited set's whole states and the search's recent ones are
 * found by it, so that it is computed once for each successor. */
#ifndef NOETHER_STORE_STATE_HASH_H
#define NOETHER_STORE_STATE_HASH_H

#include <stdint.h>

static inline uint64_t state_hash(const uint64_t *state, uint32_t words)
{
    const uint64_t odd = 0x9e3779b97f4a7c15u;
    uint64_t hash = 0;
    for (uint32_t w = 0; w < words; w++) {
        hash = (hash ^ state[w]) * odd;
        hash ^= hash >> 32;
    }
    return hash * odd;
}

#endif
