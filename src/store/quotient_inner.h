/* The quotient set from inside: quotient.c searches and inserts, quotient_move.c grows. */
#ifndef NOETHER_STORE_QUOTIENT_INNER_H
#define NOETHER_STORE_QUOTIENT_INNER_H

#include "store/bucket.h"
#include "store/quotient.h"

uint64_t quotient_table_bytes(const struct quotient *set);
uint64_t quotient_slot_bytes(const struct quotient *set);
bool quotient_alloc_slots(struct quotient *set, uint64_t count);
void quotient_free_slots(struct quotient *set);
/* Its bucket is locked, or no other thread looks for it: a number that is not there does not come meanwhile. */
enum quotient_outcome quotient_overflow_insert(struct quotient *set, uint64_t number, uint32_t value);

static inline void quotient_unlock(const struct quotient_place *place, uint64_t head)
{
    atomic_store_explicit(&place->bucket[0], head, memory_order_release);
}

/* Into a bucket that is locked, or where it is full, into the overflow table. (Nothing came in between the search and
 * the lock, or the header would have changed; the overflow table looks again.) */
static inline enum quotient_outcome quotient_settle(struct quotient *set, const struct quotient_place *place,
                                                    uint64_t head, uint64_t number, uint32_t value)
{
    if (bucket_count(head) < set->shape.entries) {
        bucket_add(place->bucket, head, &set->shape, place->distance, value);
        return QUOTIENT_NEW;
    }
    enum quotient_outcome outcome = quotient_overflow_insert(set, number, value);
    quotient_unlock(place, outcome == QUOTIENT_NO_ROOM ? head : head | bucket_filter_bit(place->distance));
    return outcome;
}

#endif
