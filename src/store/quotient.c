#include "store/quotient.h"

#include <sched.h>
#include <string.h>

#include "base/memory.h"
#include "store/pages.h"
#include "store/quotient_inner.h"

enum {
    QUOTIENT_MOST_BITS = 25, /* of the number of buckets of a map */
    QUOTIENT_PROBES = 1024,  /* slots of the overflow table that are tried for a number */
    QUOTIENT_GRANT = 64,     /* the most values that a thread is granted at a time, */
    QUOTIENT_GRANT_OF = 256  /* and at most this part of all */
};

/* --- shape --- */

static uint32_t quotient_bit_length(uint64_t x)
{
    return x ? 64 - (uint32_t)__builtin_clzll(x) : 0;
}

/* Free entries in a bucket, on average, when the set is full. With that, a bucket and its share of the overflow table
 * take the least memory for an entry, or nearly: numbers fall into buckets by Poisson's law. */
static uint32_t quotient_spare(const struct quotient *set)
{
    return set->shape.entries < 12 ? 1 : set->shape.entries < 20 ? 2 : 3;
}

uint64_t quotient_capacity(const struct quotient *set)
{
    return set->buckets * (set->shape.entries - quotient_spare(set));
}

static void quotient_set_entries(struct quotient *set, uint32_t value_bits)
{
    set->shape.value_bits = value_bits;
    set->shape.entries = (64 * QUOTIENT_WORDS - BUCKET_TAG) / (set->shape.width + value_bits);
}

static void quotient_set_shape(struct quotient *set, uint32_t bits, bool is_map, uint32_t exponent, uint32_t multiplier)
{
    unsigned __int128 in_bucket = ((unsigned __int128)1 << (bits - exponent)) + multiplier - 1;
    uint64_t last = (uint64_t)(in_bucket / multiplier - 1); /* the largest distance in a bucket */
    set->bits = bits;
    set->is_map = is_map;
    set->exponent = exponent;
    set->multiplier = multiplier;
    set->shape.width = quotient_bit_length(last) > BUCKET_TAG ? quotient_bit_length(last) : BUCKET_TAG;
    set->buckets = (uint64_t)multiplier << exponent;
    /* Values are less than the capacity, which depends on their width. */
    quotient_set_entries(set, is_map ? quotient_bit_length(set->buckets) : 0);
    while (is_map && quotient_bit_length(quotient_capacity(set) - 1) > set->shape.value_bits)
        quotient_set_entries(set, set->shape.value_bits + 1);
    /* floor(x / m) = x * (floor(2^64 / m) + 1) >> 64 as long as x * m <= 2^64. */
    set->reciprocal = bits - exponent <= 61 ? UINT64_MAX / multiplier + 1 : 0;
}

/* How many exponents a shape may have, from 0 on. (Values of maps have less than 32 bits.) */
static uint32_t quotient_exponents(uint32_t bits, bool is_map)
{
    uint32_t most = bits < 4 ? 0 : bits - 3;
    return is_map && QUOTIENT_MOST_BITS < most ? QUOTIENT_MOST_BITS : most;
}

/* The smallest shape that takes `capacity` numbers, or the largest there is. */
static void quotient_fit(struct quotient *set, uint32_t bits, bool is_map, uint64_t capacity)
{
    for (uint32_t exponent = 0; exponent < quotient_exponents(bits, is_map); exponent++)
        for (uint32_t multiplier = 4; multiplier < 8; multiplier++) {
            quotient_set_shape(set, bits, is_map, exponent, multiplier);
            if (quotient_capacity(set) >= capacity)
                return;
        }
}

/* By the same law 10, 5 or 3.5 of a hundred overflow when the set is full. Probing wants a quarter of the slots free.
 */
static uint64_t quotient_slots_for(const struct quotient *set)
{
    return quotient_capacity(set) / (quotient_spare(set) == 1 ? 7 : quotient_spare(set) == 2 ? 13 : 20) + 16;
}

uint64_t quotient_table_bytes(const struct quotient *set)
{
    return set->buckets * QUOTIENT_WORDS * sizeof(uint64_t);
}

uint64_t quotient_slot_bytes(const struct quotient *set)
{
    return sizeof *set->slots + (set->is_map ? sizeof *set->slot_values : 0);
}

uint64_t quotient_bytes(const struct quotient *set)
{
    return quotient_table_bytes(set) + set->slot_count * quotient_slot_bytes(set);
}

uint64_t quotient_bytes_for(uint32_t bits, bool is_map, uint64_t capacity)
{
    struct quotient set = {0};
    quotient_fit(&set, bits, is_map, capacity);
    return quotient_table_bytes(&set) + quotient_slots_for(&set) * quotient_slot_bytes(&set);
}

uint32_t quotient_value_bits_for(uint32_t bits, uint64_t capacity)
{
    struct quotient map = {0};
    quotient_fit(&map, bits, true, capacity);
    return map.shape.value_bits;
}

uint64_t quotient_next_capacity(const struct quotient *set, bool is_small_step)
{
    struct quotient next = {0};
    uint32_t exponent = set->exponent, multiplier = set->multiplier + (is_small_step ? 0 : 1);
    uint64_t capacity = quotient_capacity(set), larger;
    uint32_t most = quotient_exponents(set->bits, set->is_map), tested = set->budget->most_map_bits;
    if (set->is_map && tested && tested < most)
        most = tested;
    /* (Where values get wider and a bucket takes one entry less, a step may be none.) */
    do {
        if (++multiplier >= 8) {
            multiplier = 4;
            exponent++;
        }
        if (exponent >= most)
            return capacity;
        quotient_set_shape(&next, set->bits, set->is_map, exponent, multiplier);
        larger = quotient_capacity(&next);
    } while (larger <= capacity);
    return larger;
}

bool quotient_alloc_slots(struct quotient *set, uint64_t count)
{
    set->slot_count = count;
    set->slots = pages_alloc(count * sizeof *set->slots);
    set->slot_values = set->is_map ? pages_alloc(count * sizeof *set->slot_values) : NULL;
    return set->slots && (set->slot_values || !set->is_map);
}

void quotient_free_slots(struct quotient *set)
{
    pages_free((void *)set->slots, set->slot_count * sizeof *set->slots);
    pages_free((void *)set->slot_values, set->slot_count * sizeof *set->slot_values);
}

static bool quotient_alloc(struct quotient *set, struct budget *budget)
{
    set->slot_count = quotient_slots_for(set);
    if (!budget_take(budget, quotient_bytes(set)))
        return false;
    set->budget = budget;
    set->words = pages_alloc(quotient_table_bytes(set));
    if (quotient_alloc_slots(set, set->slot_count) && set->words)
        return true;
    quotient_destroy(set);
    return false;
}

bool quotient_create(struct quotient *set, struct budget *budget, uint32_t bits, bool is_map, uint64_t capacity)
{
    memset(set, 0, sizeof *set);
    quotient_fit(set, bits, is_map, capacity);
    return quotient_alloc(set, budget);
}

void quotient_destroy(struct quotient *set)
{
    if (!set->budget)
        return;
    budget_give(set->budget, quotient_bytes(set));
    pages_free((void *)set->words, quotient_table_bytes(set));
    quotient_free_slots(set);
    memset(set, 0, sizeof *set);
}

/* --- the overflow table --- */

static inline uint64_t quotient_slot(const struct quotient *set, uint64_t number)
{
    return (uint64_t)((unsigned __int128)(number * 0x9e3779b97f4a7c15u) * set->slot_count >> 64);
}

bool quotient_overflows(const struct quotient *set)
{
    return atomic_load_explicit(&set->is_crowded, memory_order_relaxed);
}

/* Where a number may be, from its own slot on. The number of slots in use is not counted, since all threads would wait
 * for that one line: a table that is about nine tenths full has a number that finds none in reach. (At three quarters,
 * which is more than it gets when the set is full, that has a probability below 10^-16 for each.) */
static inline uint64_t quotient_reach(const struct quotient *set)
{
    return set->slot_count < QUOTIENT_PROBES ? set->slot_count : QUOTIENT_PROBES;
}

static inline uint64_t quotient_next_slot(const struct quotient *set, uint64_t at)
{
    return at + 1 == set->slot_count ? 0 : at + 1;
}

/* In a map: the thread that has put the number there writes its value next. */
static uint32_t quotient_await(const _Atomic uint32_t *value)
{
    uint32_t found;
    for (uint32_t tries = 1; !(found = atomic_load_explicit(value, memory_order_acquire)); tries++)
        if (tries % 64 == 0)
            sched_yield();
    return found - 1;
}

static bool quotient_overflow_has(const struct quotient *set, uint64_t number, uint32_t *value)
{
    uint64_t wanted = number + 1, found;
    if (!wanted) {
        uint32_t last = atomic_load_explicit(&set->last, memory_order_acquire);
        *value = last - 1;
        return last > 0;
    }
    uint64_t at = quotient_slot(set, number);
    for (uint64_t left = quotient_reach(set); left > 0; left--, at = quotient_next_slot(set, at)) {
        if (!(found = atomic_load_explicit(&set->slots[at], memory_order_acquire)))
            return false;
        if (found == wanted) {
            *value = set->is_map ? quotient_await(&set->slot_values[at]) : 0;
            return true;
        }
    }
    return false;
}

/* Its bucket is locked, or no other thread is about: a number that is not there does not come meanwhile. */
enum quotient_outcome quotient_overflow_insert(struct quotient *set, uint64_t number, uint32_t value)
{
    uint64_t wanted = number + 1;
    uint32_t none = 0;
    if (!wanted)
        return atomic_compare_exchange_strong(&set->last, &none, value + 1) ? QUOTIENT_NEW : QUOTIENT_FOUND;
    uint64_t at = quotient_slot(set, number);
    for (uint64_t left = quotient_reach(set); left > 0; left--, at = quotient_next_slot(set, at)) {
        uint64_t found = atomic_load_explicit(&set->slots[at], memory_order_acquire);
        if (!found && atomic_compare_exchange_strong(&set->slots[at], &found, wanted)) {
            if (set->is_map)
                atomic_store_explicit(&set->slot_values[at], value + 1, memory_order_release);
            return QUOTIENT_NEW;
        }
        if (found == wanted)
            return QUOTIENT_FOUND;
    }
    atomic_store_explicit(&set->is_crowded, true, memory_order_relaxed);
    return QUOTIENT_NO_ROOM;
}

/* --- insertion --- */

static inline __attribute__((always_inline)) bool quotient_search(const struct quotient *set,
                                                                  const struct quotient_place *place, uint64_t number,
                                                                  uint64_t *head, uint32_t *value)
{
    *head = atomic_load_explicit(&place->bucket[0], memory_order_acquire);
    uint32_t entry = bucket_find(place->bucket, *head, &set->shape, place->distance);
    if (entry != BUCKET_NO_ENTRY) {
        *value = bucket_value(place->bucket, &set->shape, entry);
        return true;
    }
    return (*head & bucket_filter_bit(place->distance)) && quotient_overflow_has(set, number, value);
}

bool quotient_has(const struct quotient *set, uint64_t number)
{
    struct quotient_place place = quotient_find_place(set, number);
    uint64_t head;
    uint32_t value;
    return quotient_search(set, &place, number, &head, &value);
}

/* Either the number is there, or its bucket is locked. */
static inline bool quotient_search_or_lock(const struct quotient *set, const struct quotient_place *place,
                                           uint64_t number, uint64_t *head, uint32_t *value)
{
    for (uint32_t tries = 1;; tries++) {
        if (quotient_search(set, place, number, head, value))
            return true;
        if (!(*head & BUCKET_LOCKED) &&
            atomic_compare_exchange_weak_explicit(&place->bucket[0], head, *head | BUCKET_LOCKED, memory_order_acquire,
                                                  memory_order_relaxed))
            return false;
        if (tries % 64 == 0)
            sched_yield();
    }
}

enum quotient_outcome quotient_insert(struct quotient *set, uint64_t number)
{
    struct quotient_place place = quotient_find_place(set, number);
    uint64_t head;
    uint32_t value;
    if (quotient_search_or_lock(set, &place, number, &head, &value))
        return QUOTIENT_FOUND;
    return quotient_settle(set, &place, head, number, 0);
}

/* More values for a thread; false: there are none. */
static bool quotient_ask(struct quotient *map, struct quotient_grant *grant)
{
    uint64_t capacity = quotient_capacity(map), size = capacity / QUOTIENT_GRANT_OF, end;
    uint64_t count = atomic_load_explicit(&map->count, memory_order_relaxed);
    size = size < 1 ? 1 : size < QUOTIENT_GRANT ? size : QUOTIENT_GRANT;
    do {
        if (count >= capacity)
            return false;
        end = count + size < capacity ? count + size : capacity;
    } while (
        !atomic_compare_exchange_weak_explicit(&map->count, &count, end, memory_order_relaxed, memory_order_relaxed));
    *grant = (struct quotient_grant){(uint32_t)count, (uint32_t)end};
    return true;
}

uint32_t quotient_intern(struct quotient *map, struct quotient_grant *grant, uint64_t number)
{
    struct quotient_place place = quotient_find_place(map, number);
    for (;;) {
        uint64_t head;
        uint32_t value;
        if (quotient_search_or_lock(map, &place, number, &head, &value))
            return value;
        if (grant->next == grant->end && !quotient_ask(map, grant)) {
            quotient_unlock(&place, head);
            return QUOTIENT_NONE;
        }
        switch (quotient_settle(map, &place, head, number, grant->next)) {
        case QUOTIENT_NEW:
            return grant->next++;
        case QUOTIENT_NO_ROOM:
            return QUOTIENT_NONE;
        case QUOTIENT_FOUND: /* another thread has added it to the overflow table meanwhile: its value is there */
            break;
        }
    }
}

uint64_t quotient_count(const struct quotient *map)
{
    return atomic_load_explicit(&map->count, memory_order_relaxed);
}
