/* The successors that a worker met not long ago: more than half of all successors are among them in most models, and
 * need not be looked up in the visited set. Exact: a state is never taken for another one, only forgotten. */
#ifndef NOETHER_ENGINE_EXPLICIT_RECENT_H
#define NOETHER_ENGINE_EXPLICIT_RECENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/prefetch.h"

struct recent {
    uint64_t *states; /* one in each place; a state has one place */
    uint32_t words;   /* of a state */
    uint32_t shift;   /* of a hash: the number of its place is left */
};

/* In about that many bytes. */
void recent_open(struct recent *recent, uint32_t words, uint32_t bytes);
void recent_close(struct recent *recent);

static inline size_t recent_place(const struct recent *recent, const uint64_t *state)
{
    const uint64_t odd = 0x9e3779b97f4a7c15u;
    uint64_t hash = 0;
    for (uint32_t w = 0; w < recent->words; w++) {
        hash = (hash ^ state[w]) * odd;
        hash ^= hash >> 32;
    }
    return (size_t)(hash * odd >> recent->shift) * recent->words;
}

/* Its place, which is not waited for. */
static inline uint64_t *recent_find(const struct recent *recent, const uint64_t *state)
{
    uint64_t *place = recent->states + recent_place(recent, state);
    prefetch(place);
    return place;
}

/* Was it met? From now on it was. */
static inline bool recent_meet(const struct recent *recent, uint64_t *place, const uint64_t *state)
{
    uint64_t difference = 0;
    for (uint32_t w = 0; w < recent->words; w++) {
        difference |= place[w] ^ state[w];
        place[w] = state[w];
    }
    return difference == 0;
}

#endif
