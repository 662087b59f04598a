/* The visited set: every state found so far, exactly (no state is ever taken for another).
 *
 * States are packed vectors of a fixed number of 64-bit words. They are numbered 0, 1, 2, ... in the order of
 * insertion and can be read back by number, so a breadth-first search needs no queue: its frontier is a
 * range of numbers. With each state goes the number of the state it was reached from.
 *
 * Representation: the vectors stand in chunks that never move; a hash table of (32 bits of hash, number) with
 * open addressing and linear probing finds them. The table doubles at three quarters full; it is rebuilt from the
 * chunks, so the old and the new one never exist together. All memory is taken from a budget. When the budget
 * refuses a larger table the old one is filled further; when nothing helps, an insertion says STORE_FULL and
 * changes nothing.
 *
 * Cost: words * 8 + 4 bytes a state, and 11 to 21 for the table. One thread at a time. */
#ifndef NOETHER_STORE_STORE_H
#define NOETHER_STORE_STORE_H

#include "store/budget.h"

struct store;

enum store_outcome { STORE_NEW, STORE_FOUND, STORE_FULL };

#define STORE_NO_PARENT UINT32_MAX
#define STORE_MAX_STATES (UINT32_MAX - 1)

/* At most `max_states` states (0, or more than STORE_MAX_STATES: STORE_MAX_STATES). The budget must outlive the store.
 */
struct store *store_create(uint32_t words, struct budget *budget, uint64_t max_states);
void store_destroy(struct store *store);

/* Insertion in parts, so that several insertions can wait for memory at the same time: hash and prefetch (the table);
 * some other work later, prefetch_state (the vector the table points to); then insert. */
uint64_t store_hash(const struct store *store, const uint64_t *state);
void store_prefetch(const struct store *store, uint64_t hash);
void store_prefetch_state(const struct store *store, uint64_t hash);
/* FOUND and NEW: *number is the state's number. */
enum store_outcome store_insert(struct store *store, const uint64_t *state, uint64_t hash, uint32_t parent,
                                uint32_t *number);
/* FOUND, or FULL when it is not there. */
enum store_outcome store_find(const struct store *store, const uint64_t *state, uint64_t hash, uint32_t *number);

/* From now on at most that many states, as in store_create. */
void store_set_limit(struct store *store, uint64_t max_states);
uint32_t store_count(const struct store *store);
/* In use: what was taken ahead for states to come is not counted. */
uint64_t store_bytes(const struct store *store);
/* Has the limit on the number of states, and not memory, made the last insertion fail? */
bool store_is_at_state_limit(const struct store *store);
const uint64_t *store_state(const struct store *store, uint32_t number);
uint32_t store_parent(const struct store *store, uint32_t number);

#endif
