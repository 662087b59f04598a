/* Numbers for the parts of states: equal parts get equal numbers, counted 0, 1, 2, ... (interning; Laarman, van de Pol,
 * Weber, Parallel recursive state compression for free, SPIN 2011).
 *
 * A part is one or two words. The parts stand in chunks by number and never move; an open-addressing table of 32-bit slots (number
 * + 1, and as much of the hash as there is room for) finds them. Any number of threads may intern at the same time: a
 * thread writes the part under a number of its own first and publishes it by setting the slot; one that comes second keeps
 * its number for the next part. Growing is for one thread while no other is about. */
#ifndef NOETHER_STORE_NODES_H
#define NOETHER_STORE_NODES_H

#include "store/budget.h"

enum { NODES_CHUNKS = 23 };

struct nodes {
    struct budget *budget;
    uint32_t words; /* of a part: 1 or 2 */
    uint32_t capacity_bits;
    _Atomic uint32_t count; /* numbers given out; may run over the capacity by the number of threads */
    uint32_t slot_mask;
    _Atomic uint32_t *slots;
    uint64_t *chunks[NODES_CHUNKS]; /* the first holds NODES_FIRST parts, each other as many as all before it */
};

#define NODES_NONE UINT32_MAX

bool nodes_create(struct nodes *nodes, struct budget *budget, uint32_t words);
void nodes_destroy(struct nodes *nodes);
uint64_t nodes_hash(const struct nodes *nodes, const uint64_t *part);
void nodes_prefetch(const struct nodes *nodes, uint64_t hash);
/* The number of the part, NODES_NONE when the table is full. *spare (NODES_NONE at first, one for each thread) is a
 * number left over. */
uint32_t nodes_intern(struct nodes *nodes, const uint64_t *part, uint64_t hash, uint32_t *spare);

uint32_t nodes_count(const struct nodes *nodes);
uint32_t nodes_capacity(const struct nodes *nodes);
uint64_t nodes_bytes(const struct nodes *nodes);
/* Twice as many. false: no memory, and nothing has changed. */
bool nodes_grow(struct nodes *nodes);

#endif
