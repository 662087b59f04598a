/* Numbers for the parts of states: equal parts get equal numbers, counted 0, 1, 2, ... (interning; Laarman, van de Pol,
 * Weber, Parallel recursive state compression for free, SPIN 2011).
 *
 * A part is one or two words. The table is made of lines of 64 bytes, each with a few parts and their numbers, so that a part
 * is found with one access to memory; what does not fit in its line is in the next ones. Any number of threads may intern at
 * the same time: a thread claims a place in a line, writes the part, and makes it visible by writing its number. Growing is for
 * one thread while no other is about. */
#ifndef NOETHER_STORE_NODES_H
#define NOETHER_STORE_NODES_H

#include "base/hash.h"
#include "store/budget.h"

enum { NODES_LINE = 8 /* words */ };

struct nodes {
    struct budget *budget;
    uint32_t words;    /* of a part: 1 or 2 */
    uint32_t places;   /* in a line */
    uint32_t capacity; /* numbers that may be given out */
    uint32_t line_count;
    _Atomic uint64_t *lines;
    _Atomic uint32_t count; /* numbers given out; may run over the capacity by the number of threads */
};

#define NODES_NONE UINT32_MAX

bool nodes_create(struct nodes *nodes, struct budget *budget, uint32_t words);
void nodes_destroy(struct nodes *nodes);
/* The number of the part, NODES_NONE when the table is full. */
uint32_t nodes_intern(struct nodes *nodes, const uint64_t *part, uint64_t hash);

uint32_t nodes_count(const struct nodes *nodes);
/* How many bits a number has at most. */
uint32_t nodes_bits(const struct nodes *nodes);
uint64_t nodes_bytes(const struct nodes *nodes);
/* By a third. false: no memory, and nothing has changed. */
bool nodes_grow(struct nodes *nodes);

static inline uint64_t nodes_hash(const struct nodes *nodes, const uint64_t *part)
{
    if (nodes->words == 1)
        return hash_mix(part[0]);
    return hash_mix(part[0] + 0x9fb21c651e98df25u * hash_mix(part[1]));
}

/* In the order of the hashes: growing then reads and writes from front to back. */
static inline _Atomic uint64_t *nodes_line(const struct nodes *nodes, uint64_t hash)
{
    return nodes->lines + ((hash >> 32) * nodes->line_count >> 32) * NODES_LINE;
}

static inline void nodes_prefetch(const struct nodes *nodes, uint64_t hash)
{
    __builtin_prefetch((const void *)nodes_line(nodes, hash));
}

#endif
