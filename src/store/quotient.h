/* A set of k-bit numbers (k <= 64) that are already well scattered, in little more memory than their information.
 *
 * The numbers are divided in order among buckets of one cache line; a bucket keeps of a number only its distance from
 * the bucket's first (quotienting: Cleary, Compact hash tables using bidirectional linear probing, IEEE Trans. Computers
 * 1984). Of the distance the lower 16 bits stand side by side, so that a bucket is searched four entries at a time; the
 * rest follows. What does not fit in its bucket (one in thirty to twenty when the set is full) goes to an overflow table of whole numbers.
 *
 * A bucket is eight words: 16 bits of header (lock, a filter of what overflowed, count), the entries' lower 16 bits, then their upper bits.
 * There are m * 2^e buckets, 4 <= m < 8: number h is in bucket h * m >> (k - e), which grows with h, so that the set is
 * moved to more buckets in one sequential pass, and the memory of the old ones goes back as the pass goes on.
 *
 * Any number of threads may insert at the same time: entries never change once the header counts them, so a number that
 * is there is found without a lock; a new one is added under the lock bit of its bucket, which also keeps two threads from
 * adding the same number. Growing is for one thread while no other is about. Nothing is ever lost: an insertion that finds no
 * room says so and changes nothing. */
#ifndef NOETHER_STORE_QUOTIENT_H
#define NOETHER_STORE_QUOTIENT_H

#include "store/budget.h"

enum { QUOTIENT_WORDS = 8 };

struct quotient {
    struct budget *budget;
    uint32_t bits;                  /* k */
    uint32_t exponent, multiplier;  /* e, m */
    uint32_t width;                 /* bits of an entry: at least 16 */
    uint32_t entries;               /* in a bucket */
    uint64_t reciprocal;            /* of m, where it is exact; 0: divide */
    uint64_t buckets;
    _Atomic uint64_t *words;
    /* The overflow table: open addressing; a slot holds the number + 1 (the number that would be 0 has a flag). */
    _Atomic uint64_t *slots;
    uint64_t slot_count;
    _Atomic uint64_t slots_used;
    _Atomic bool has_last;
};

enum quotient_outcome { QUOTIENT_NEW, QUOTIENT_FOUND, QUOTIENT_NO_ROOM };

/* For about `capacity` numbers at least. false: the budget or the system refuses the memory. */
bool quotient_create(struct quotient *set, struct budget *budget, uint32_t bits, uint64_t capacity);
void quotient_destroy(struct quotient *set);
/* How many numbers it takes before it should grow; it takes some more. */
uint64_t quotient_capacity(const struct quotient *set);
uint64_t quotient_bytes(const struct quotient *set);
/* What a set would take. */
uint64_t quotient_bytes_for(uint32_t bits, uint64_t capacity);
/* A step up: by a third to a half; a small one, where memory is short: by a seventh to a quarter. */
uint64_t quotient_next_capacity(const struct quotient *set, bool is_small_step);

void quotient_prefetch(const struct quotient *set, uint64_t number);
enum quotient_outcome quotient_insert(struct quotient *set, uint64_t number);
bool quotient_has(const struct quotient *set, uint64_t number);
/* For a number that is not there, while no other thread is about. Makes room where there is none. */
void quotient_add(struct quotient *set, uint64_t number);
/* Is the overflow table so full that the set should grow, whatever its count? */
bool quotient_overflows(const struct quotient *set);

/* Moves everything to a set of more buckets. false: no memory, and nothing has changed. */
bool quotient_grow(struct quotient *set, uint64_t capacity);

/* Hands out every number. With `consume` the memory goes back on the way, and the set may only be destroyed. */
void quotient_each(struct quotient *set, bool consume, void (*visit)(void *user, uint64_t number), void *user);

#endif
