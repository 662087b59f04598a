/* Vectors of words, each kept once and known by its number; and a map from pairs of numbers to numbers.
 *
 * For values that recur: local states, partitions, formulas, terms, abstract states. Vectors never move: a
 * pointer stays valid while the pool lives. */
#ifndef NOETHER_BASE_WORDS_H
#define NOETHER_BASE_WORDS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

#define WORDS_NONE UINT32_MAX

struct words {
    VEC(uint32_t *) items; /* each: its length, then its words */
    VEC(uint32_t *) chunks;
    size_t chunk_used, chunk_size; /* in words, of the last chunk */
    uint64_t *table;               /* upper half of the hash, number + 1; 0: free */
    size_t table_size;             /* a power of two */
    uint64_t bytes;
};

/* The number of the vector, which is added when it is not there. */
uint32_t words_intern(struct words *words, const uint32_t *vector, uint32_t length);
uint32_t words_find(const struct words *words, const uint32_t *vector, uint32_t length);
void words_free(struct words *words);

static inline const uint32_t *words_at(const struct words *words, uint32_t number)
{
    return words->items.items[number] + 1;
}
static inline uint32_t words_length(const struct words *words, uint32_t number)
{
    return words->items.items[number][0];
}
static inline uint32_t words_count(const struct words *words)
{
    return (uint32_t)words->items.count;
}

/* Sorts `count` groups of `width` words by the first of each. */
void words_sort(uint32_t *words, size_t count, size_t width);
/* Sorts words, and keeps one of those that are equal. Returns how many are kept. */
size_t words_sort_unique(uint32_t *words, size_t count);

struct pairs {
    uint64_t *keys; /* key + 1; 0: free */
    uint32_t *values;
    size_t size, count;
};

static inline uint64_t pairs_key(uint32_t left, uint32_t right)
{
    return (uint64_t)left << 32 | right;
}
/* WORDS_NONE when it is not there. */
uint32_t pairs_get(const struct pairs *pairs, uint64_t key);
void pairs_set(struct pairs *pairs, uint64_t key, uint32_t value);
void pairs_free(struct pairs *pairs);

#endif
