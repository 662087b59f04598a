/* Sets of small numbers as bits. */
#ifndef NOETHER_BASE_BITS_H
#define NOETHER_BASE_BITS_H

#include <stdbool.h>
#include <stdint.h>

static inline uint32_t bits_words(uint32_t count)
{
    return (count + 63) / 64 + (count == 0);
}
/* How many bits are set, where they are few: not every processor of a kind has an instruction for that, and then it is
 * a call. */
static inline uint32_t bits_count_few(uint64_t set)
{
#if defined __aarch64__ || defined __POPCNT__
    return (uint32_t)__builtin_popcountll(set);
#else
    uint32_t count = 0;
    for (; set; set &= set - 1)
        count++;
    return count;
#endif
}

static inline bool bits_has(const uint64_t *set, uint32_t number)
{
    return set[number / 64] >> number % 64 & 1;
}
static inline void bits_add(uint64_t *set, uint32_t number)
{
    set[number / 64] |= (uint64_t)1 << number % 64;
}
static inline void bits_remove(uint64_t *set, uint32_t number)
{
    set[number / 64] &= ~((uint64_t)1 << number % 64);
}
static inline void bits_join(uint64_t *set, const uint64_t *other, uint32_t words)
{
    for (uint32_t w = 0; w < words; w++)
        set[w] |= other[w];
}
static inline bool bits_meet(const uint64_t *a, const uint64_t *b, uint32_t words)
{
    for (uint32_t w = 0; w < words; w++)
        if (a[w] & b[w])
            return true;
    return false;
}
/* The least number in the set from `from` on; `words * 64` or more: none. */
static inline uint32_t bits_next(const uint64_t *set, uint32_t words, uint32_t from)
{
    uint32_t w = from / 64;
    if (w >= words)
        return words * 64;
    uint64_t rest = set[w] & (~(uint64_t)0 << from % 64);
    while (!rest && ++w < words)
        rest = set[w];
    return rest ? w * 64 + (uint32_t)__builtin_ctzll(rest) : words * 64;
}

#endif
