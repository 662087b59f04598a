/* A set of whole states, for as long as memory is plentiful: open addressing, so that a state is looked up in one line
 * of memory and nothing has to be folded or scattered first. It takes three to six times the memory of a quotient set.
 *
 * A state has at most WHOLE_WORDS words, and the upmost bit of one of them (`head`) is never set: in the set it says
 * that the place is taken. Threads: states may be looked up and inserted by several at once, unless the set is said to
 * be one thread's alone (nothing is atomic then); all else is for one thread while no other is about. */
#ifndef NOETHER_STORE_WHOLE_H
#define NOETHER_STORE_WHOLE_H

#include "base/prefetch.h"
#include "base/team.h"
#include "store/budget.h"
#include "store/state_hash.h"

enum { WHOLE_WORDS = 4, WHOLE_LINE = 8 /* words */ };
#define WHOLE_TAKEN ((uint64_t)1 << 63)
#define WHOLE_BUSY ((uint64_t)1) /* somebody is writing a state there */

struct whole {
    _Atomic uint64_t *places; /* NULL: there is no such set */
    uint32_t words, head;     /* of a state */
    uint32_t slots;           /* states in a bucket, which is half a line of memory, a line, or two */
    uint32_t bucket_words;
    uint32_t exponent;   /* of the number of buckets */
    bool is_alone;       /* one thread uses it; may be changed while no other is about */
    uint64_t most_bytes; /* of addresses: so large it may become where it stands */
    struct budget *budget;
};

enum whole_outcome { WHOLE_NEW, WHOLE_FOUND, WHOLE_ABSENT };

/* The smallest set, which may grow to so many bytes. False: there is no memory, or there are no addresses. */
bool whole_create(struct whole *set, struct budget *budget, uint32_t words, uint32_t head, uint64_t most_bytes);
void whole_destroy(struct whole *set);
/* Twice as large, `doublings` times; the team helps (NULL: there is none). False: no memory, and nothing has changed.
 */
bool whole_grow(struct whole *set, struct team *team, uint32_t doublings);
uint64_t whole_bytes(const struct whole *set);
/* How many states may go in before it must grow. */
uint64_t whole_capacity(const struct whole *set);
/* All states, one after the other; returns how many. */
uint64_t whole_list(const struct whole *set, uint64_t *states);

/* The bucket of a hash, counted from 0. Where there are twice as many, each has become two: it and one in the upper
 * half. */
static inline uint64_t whole_bucket(const struct whole *set, uint64_t hash)
{
    return hash >> 20 & (((uint64_t)1 << set->exponent) - 1);
}

static inline void whole_prefetch(const struct whole *set, uint64_t hash)
{
    const _Atomic uint64_t *bucket = set->places + whole_bucket(set, hash) * set->bucket_words;
    prefetch(bucket);
    if (set->bucket_words > WHOLE_LINE)
        prefetch(bucket + WHOLE_LINE);
}

/* With may_add it is in the set then. */
enum whole_outcome whole_insert(struct whole *set, const uint64_t *state, uint64_t hash, bool may_add);
/* All of at most 64 states, one after the other, with their hashes: the bits of those that are new. All places are
 * asked for before the first is waited for. */
uint64_t whole_insert_wave(struct whole *set, const uint64_t *states, const uint64_t *hashes, uint32_t count);

#endif
