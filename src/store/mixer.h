/* Bijections of the k-bit numbers that scatter: xor with the upper half, multiply by an odd number, twice over. A table
 * may leave out of a key what the key's place says, because what was hashed can be had back. */
#ifndef NOETHER_STORE_MIXER_H
#define NOETHER_STORE_MIXER_H

#include <stdint.h>

struct mixer {
    uint32_t bits; /* 2 .. 64 */
    uint32_t shift;
    uint64_t mask;
};

#define MIXER_ODD_1 0xd6e8feb86659fd93u
#define MIXER_ODD_2 0xa0761d6478bd642fu

static inline struct mixer mixer_make(uint32_t bits)
{
    return (struct mixer){bits, (bits + 1) / 2, UINT64_MAX >> (64 - bits)};
}

static inline uint64_t mixer_apply(const struct mixer *mixer, uint64_t x)
{
    x ^= x >> mixer->shift;
    x = x * MIXER_ODD_1 & mixer->mask;
    x ^= x >> mixer->shift;
    x = x * MIXER_ODD_2 & mixer->mask;
    return x ^ x >> mixer->shift;
}

/* The inverse modulo 2^64 by Newton's iteration: each step doubles the number of right bits, and odd * odd = 1 mod 8.
 */
static inline uint64_t mixer_inverse_of(uint64_t odd)
{
    uint64_t inverse = odd;
    for (int i = 0; i < 5; i++)
        inverse *= 2 - odd * inverse;
    return inverse;
}

/* The shift is at least half the width, so that its xor undoes itself. */
static inline uint64_t mixer_undo(const struct mixer *mixer, uint64_t x)
{
    x ^= x >> mixer->shift;
    x = x * mixer_inverse_of(MIXER_ODD_2) & mixer->mask;
    x ^= x >> mixer->shift;
    x = x * mixer_inverse_of(MIXER_ODD_1) & mixer->mask;
    return x ^ x >> mixer->shift;
}

#endif
