/* The successors that a worker met not long ago: more than half of all successors are among them in most models, and
 * need not be looked up in the visited set. Exact: a state is never taken for another one, only forgotten. */
#ifndef NOETHER_ENGINE_EXPLICIT_RECENT_H
#define NOETHER_ENGINE_EXPLICIT_RECENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/prefetch.h"
#include "store/state_hash.h"

struct recent {
    uint64_t *states; /* one in each place; a state has one place */
    uint32_t words;   /* of a state */
    uint32_t shift;   /* of a hash: the number of its place is left */
};

/* In about that many bytes. */
void recent_open(struct recent *recent, uint32_t words, uint32_t bytes);
void recent_close(struct recent *recent);

/* Of a state with this hash (state_hash). */
static inline uint64_t *recent_place(const struct recent *recent, uint64_t hash)
{
    return recent->states + (size_t)(hash >> recent->shift) * recent->words;
}

/* The hash of a state whose place is asked for, and not waited for. */
static inline uint64_t recent_find(const struct recent *recent, const uint64_t *state)
{
    uint64_t hash = state_hash(state, recent->words);
    prefetch(recent_place(recent, hash));
    return hash;
}

/* Was it met? */
static inline bool recent_has(const struct recent *recent, uint64_t hash, const uint64_t *state)
{
    const uint64_t *place = recent_place(recent, hash);
    uint64_t difference = 0;
    for (uint32_t w = 0; w < recent->words; w++)
        difference |= place[w] ^ state[w];
    return difference == 0;
}

/* The same; from now on it was. */
static inline bool recent_meet(const struct recent *recent, uint64_t hash, const uint64_t *state)
{
    uint64_t *place = recent_place(recent, hash), difference = 0;
    for (uint32_t w = 0; w < recent->words; w++) {
        difference |= place[w] ^ state[w];
        place[w] = state[w];
    }
    return difference == 0;
}

#endif
