/* Hashing (the one adapter to xxHash is hash.c) and a cheap mixer for words. */
#ifndef NOETHER_BASE_HASH_H
#define NOETHER_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

uint64_t hash_bytes(const void *data, size_t length);

/* A bijective mixer (the finaliser of splitmix64): good avalanche, a few cycles. */
static inline uint64_t hash_mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static inline uint64_t hash_combine(uint64_t seed, uint64_t value)
{
    return hash_mix(seed ^ (value + 0x9e3779b97f4a7c15u + (seed << 6) + (seed >> 2)));
}

#endif
