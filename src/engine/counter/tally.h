/* Visited states of a counter abstraction, as sorted multisets: only the counters that are not zero are kept
 * (Boom; survey section 6, "local state explosion").
 *
 * A state is a string of bytes: every cell that is no counter as its ordinal + 1 (0: undefined), then for each counter
 * that is not zero how far it is from the one before, and its value; numbers in 7 bits to a byte. */
#ifndef NOETHER_ENGINE_COUNTER_TALLY_H
#define NOETHER_ENGINE_COUNTER_TALLY_H

#include "base/vec.h"
#include "ir/layout.h"

#define NO_STATE UINT32_MAX

struct tally {
    const struct layout *layout;
    uint32_t first, count; /* the counters: cells first..first + count - 1 */
    VEC(uint8_t) bytes;
    VEC(uint64_t) ends;    /* by state: where its string ends */
    VEC(uint32_t) parents; /* by state: the one it was reached from, or NO_STATE */
    uint32_t *table;       /* open addressing: state + 1 */
    size_t table_size;
    VEC(uint8_t) code; /* the state being looked up */
};

void tally_create(struct tally *tally, const struct layout *layout, uint32_t first, uint32_t count);
void tally_destroy(struct tally *tally);
/* The number of the state; *is_new: it was not there before. */
uint32_t tally_insert(struct tally *tally, const int32_t *cells, uint32_t parent, bool *is_new);
bool tally_is(struct tally *tally, uint32_t state, const int32_t *cells);
void tally_read(const struct tally *tally, uint32_t state, int32_t *cells);
uint64_t tally_bytes(const struct tally *tally);

#endif
