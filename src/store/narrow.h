/* A state as one number. The cells of a state take few of the values that their types allow: a counter stays small, a
 * place of control is never left, nothing is undefined. Where the values that were met take 64 bits together, a
 * state is mapped to a number: of each field what it exceeds the least value by, squeezed together. (Warren, Hacker's
 * Delight, 7-4: in six steps, each of which moves bits down by a power of two.)
 *
 * The map is a bijection between the states that fit and (some) numbers; of a state that does not fit it says so. */
#ifndef NOETHER_STORE_NARROW_H
#define NOETHER_STORE_NARROW_H

#include <stdbool.h>
#include <stdint.h>

#include "store/visited.h"

enum { NARROW_STEPS = 6, NARROW_MOST = 64 };

struct narrow_word {
    uint64_t least; /* the least values of its fields */
    uint64_t kept;  /* the bits that are left of what exceeds them */
    uint64_t moved[NARROW_STEPS];
    uint32_t offset;   /* of these bits in the number, */
    uint64_t squeezed; /* and as many of the lowest bits */
};

/* The values of a field that fit: from `low` on, as many as fit in `bits` bits. */
struct narrow_range {
    uint64_t low;
    uint32_t bits;
};

struct narrow {
    uint32_t words, bits;
    struct narrow_word *at;      /* by word */
    struct narrow_range *ranges; /* by field */
};

/* What fits all of the states (and, where `old` is not NULL, whatever fits that). NULL: there are more than 64 bits. */
struct narrow *narrow_make(uint32_t words, const struct visited_field *fields, uint32_t field_count,
                           const struct narrow *old, const uint64_t *states, uint64_t count);
void narrow_destroy(struct narrow *narrow);
/* The state of a number. */
void narrow_state(const struct narrow *narrow, uint64_t number, uint64_t *state);
/* The number under a wider one. */
uint64_t narrow_rename(const struct narrow *narrow, const struct narrow *wider, uint64_t number);

/* What a word of a state adds to its number. A field below its least value borrows from those above it, and is then
 * too large itself, since no range leaves its field: it does not fit. */
static inline uint64_t narrow_squeeze(const struct narrow_word *word, uint64_t bits, uint64_t *beyond)
{
    uint64_t rest = bits - word->least;
    *beyond |= rest & ~word->kept;
    for (uint32_t i = 0; i < NARROW_STEPS; i++) {
        uint64_t moved = rest & word->moved[i];
        rest = (rest ^ moved) | moved >> (1u << i);
    }
    return rest << word->offset;
}

/* The number of a state, if it fits. */
static inline bool narrow_number(const struct narrow *narrow, const uint64_t *state, uint64_t *number)
{
    uint64_t beyond = 0, all = 0;
    for (uint32_t w = 0; w < narrow->words; w++)
        all |= narrow_squeeze(&narrow->at[w], state[w], &beyond);
    *number = all;
    return !beyond;
}

#endif
