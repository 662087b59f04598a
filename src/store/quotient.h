/* A set of k-bit numbers (k <= 64) that are already well scattered, in little more memory than their information; or a
 * map from such numbers to 0, 1, 2, ..., given out in the order in which they come (by several threads: nearly).
 *
 * The numbers are divided in order among buckets of one cache line; a bucket keeps of a number only its distance from
 * the bucket's first (quotienting: Cleary, Compact hash tables using bidirectional linear probing, IEEE Trans.
 * Computers 1984). Of the distance the lower 16 bits stand side by side, so that a bucket is searched four entries at a
 * time; the rest follows, and the values. What does not fit in its bucket (one in thirty when the set is full; one in
 * ten, where entries are so large that a bucket has few) goes to an overflow table of whole numbers.
 *
 * A bucket is eight words: 16 bits of header (lock, a filter of what overflowed, count), the entries' lower 16 bits,
 * their upper bits, their values. There are m * 2^e buckets, 4 <= m < 8: number h is in bucket h * m >> (k - e), which
 * grows with h, so that the set is moved to more buckets in one sequential pass, and the memory of the old ones goes
 * back as the pass goes on.
 *
 * Any number of threads may insert at the same time: entries never change once the header counts them, so a number that
 * is there is found without a lock; a new one is added under the lock bit of its bucket, which also keeps two threads
 * from adding the same number. Growing is for one thread while no other uses the set. No entry is ever lost: an
 * insertion that finds no room says so and changes nothing. */
#ifndef NOETHER_STORE_QUOTIENT_H
#define NOETHER_STORE_QUOTIENT_H

#include "base/line.h"
#include "base/prefetch.h"
#include "base/team.h"
#include "store/bucket.h"
#include "store/budget.h"

enum { QUOTIENT_WORDS = 8 };

struct quotient {
    struct budget *budget;
    uint32_t bits;                 /* k */
    uint32_t exponent, multiplier; /* e, m */
    bool is_map;
    struct bucket_shape shape;
    uint64_t reciprocal; /* of m, where it is exact; 0: divide */
    uint64_t buckets;
    _Atomic uint64_t *words;
    /* The overflow table: open addressing; a slot holds the number + 1 and, of a map, the value + 1. (What would be 0
     * is apart.) */
    _Atomic uint64_t *slots;
    _Atomic uint32_t *slot_values;
    uint64_t slot_count;
    /* What threads write while others read what is above. */
    unsigned char apart[LINE_APART];
    _Atomic bool is_crowded; /* the overflow table had no room for a number */
    _Atomic uint32_t last;   /* value + 1 of UINT64_MAX; 0: it is not there */
    _Atomic uint64_t count;  /* values that threads were granted */
    unsigned char apart_too[LINE_APART];
};

/* A thread's own: values of a map that it was granted and has not given out. At first empty; it stays valid while the
 * map grows. */
struct quotient_grant {
    uint32_t next, end;
};

enum quotient_outcome { QUOTIENT_NEW, QUOTIENT_FOUND, QUOTIENT_NO_ROOM };

#define QUOTIENT_NONE UINT32_MAX

/* For about `capacity` numbers at least. false: the budget or the system refuses the memory. */
bool quotient_create(struct quotient *set, struct budget *budget, uint32_t bits, bool is_map, uint64_t capacity);
void quotient_destroy(struct quotient *set);
/* How many numbers it takes before it should grow; a map takes no more, a set some more. */
uint64_t quotient_capacity(const struct quotient *set);
uint64_t quotient_bytes(const struct quotient *set);
/* What a set would take. */
uint64_t quotient_bytes_for(uint32_t bits, bool is_map, uint64_t capacity);
/* A step up: by a third to a half; a small one, where memory is short: by a seventh to a quarter. The capacity as it is
 * where there is no larger shape (of a map: its values have less than 32 bits). */
uint64_t quotient_next_capacity(const struct quotient *set, bool is_small_step);

/* How many bits the values of such a map have. */
uint32_t quotient_value_bits_for(uint32_t bits, uint64_t capacity);

enum quotient_outcome quotient_insert(struct quotient *set, uint64_t number);
bool quotient_has(const struct quotient *set, uint64_t number);
/* The number's value in a map, if need be a new one; QUOTIENT_NONE: the map is full. */
uint32_t quotient_intern(struct quotient *map, struct quotient_grant *grant, uint64_t number);
/* Values given out by a map, or granted. */
uint64_t quotient_count(const struct quotient *map);
/* For a number that is not there (with its value, in a map), while no other thread is about. Makes room where there is
 * none. */
void quotient_add(struct quotient *set, uint64_t number, uint32_t value);
/* Has the overflow table had no room, so that the set should grow, independently of its count? */
bool quotient_overflows(const struct quotient *set);

/* quotient_move.c */
/* Moves everything to a set of more buckets; the team helps (NULL: there is none). false: no memory, and nothing has
 * changed. */
bool quotient_grow(struct quotient *set, uint64_t capacity, struct team *team);

/* Hands out every number, with its value (0 in a set). With `consume` the memory goes back on the way, and the set may
 * only be destroyed. */
void quotient_each(struct quotient *set, bool consume, void (*visit)(void *user, uint64_t number, uint32_t value),
                   void *user);

/* Puts everything into another set, each number as another one (with the value it had); the team helps. The first set
 * may only be destroyed then. */
void quotient_transfer(struct quotient *from, struct quotient *to,
                       uint64_t (*rename)(const void *user, uint64_t number), const void *user, struct team *team);

/* Where a number belongs. */
struct quotient_place {
    _Atomic uint64_t *bucket;
    uint64_t distance;
};

static inline struct quotient_place quotient_find_place(const struct quotient *set, uint64_t number)
{
    uint32_t shift = set->bits - set->exponent;
    if (set->bits <= 61) { /* the product fits in a word */
        uint64_t short_product = number * set->multiplier, low = short_product & (((uint64_t)1 << shift) - 1);
        return (struct quotient_place){set->words + (short_product >> shift) * QUOTIENT_WORDS,
                                       (uint64_t)((unsigned __int128)low * set->reciprocal >> 64)};
    }
    unsigned __int128 product = (unsigned __int128)number * set->multiplier;
    uint64_t bucket = (uint64_t)(product >> shift);
    uint64_t low = (uint64_t)(product & (((unsigned __int128)1 << shift) - 1));
    uint64_t distance =
        set->reciprocal ? (uint64_t)((unsigned __int128)low * set->reciprocal >> 64) : low / set->multiplier;
    return (struct quotient_place){set->words + bucket * QUOTIENT_WORDS, distance};
}

static inline void quotient_prefetch(const struct quotient *set, uint64_t number)
{
    prefetch(quotient_find_place(set, number).bucket);
}

#endif
