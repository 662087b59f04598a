#include "store/quotient.h"

#include <sched.h>
#include <string.h>

#include "base/memory.h"
#include "store/bucket.h"
#include "store/pages.h"

enum { QUOTIENT_PAGE_BUCKETS = 4096 /* moved before their memory is given back */ };

/* --- shape --- */

static uint32_t quotient_bit_length(uint64_t x)
{
    return x ? 64 - (uint32_t)__builtin_clzll(x) : 0;
}

static void quotient_set_shape(struct quotient *set, uint32_t bits, uint32_t exponent, uint32_t multiplier)
{
    unsigned __int128 in_bucket = ((unsigned __int128)1 << (bits - exponent)) + multiplier - 1;
    uint64_t last = (uint64_t)(in_bucket / multiplier - 1); /* the largest distance in a bucket */
    set->bits = bits;
    set->exponent = exponent;
    set->multiplier = multiplier;
    set->width = quotient_bit_length(last) > BUCKET_TAG ? quotient_bit_length(last) : BUCKET_TAG;
    set->entries = (64 * QUOTIENT_WORDS - BUCKET_TAG) / set->width;
    set->buckets = (uint64_t)multiplier << exponent;
    /* floor(x / m) = x * (floor(2^64 / m) + 1) >> 64 as long as x * m <= 2^64. */
    set->reciprocal = bits - exponent <= 61 ? UINT64_MAX / multiplier + 1 : 0;
}

/* Free entries in a bucket, on average, when the set is full: about one number in thirty overflows. Where entries are large
 * and few, memory counts for more, and it is one in twenty. */
static uint32_t quotient_spare(const struct quotient *set)
{
    return set->entries < 16 ? 2 : 3;
}

uint64_t quotient_capacity(const struct quotient *set)
{
    return set->buckets * (set->entries - quotient_spare(set));
}

/* The smallest shape that takes `capacity` numbers, or the largest there is. */
static void quotient_fit(struct quotient *set, uint32_t bits, uint64_t capacity)
{
    for (uint32_t exponent = 0; exponent + 4 <= bits; exponent++)
        for (uint32_t multiplier = 4; multiplier < 8; multiplier++) {
            quotient_set_shape(set, bits, exponent, multiplier);
            if (quotient_capacity(set) >= capacity)
                return;
        }
}

/* One in thirty to twenty overflows when the set is full; a few more may come before it grows, and probing wants free slots. */
static uint64_t quotient_slots_for(const struct quotient *set)
{
    return quotient_capacity(set) / 10 + 64;
}

static uint64_t quotient_table_bytes(const struct quotient *set)
{
    return set->buckets * QUOTIENT_WORDS * sizeof(uint64_t);
}

uint64_t quotient_bytes(const struct quotient *set)
{
    return quotient_table_bytes(set) + set->slot_count * sizeof(uint64_t);
}

uint64_t quotient_bytes_for(uint32_t bits, uint64_t capacity)
{
    struct quotient set = {0};
    quotient_fit(&set, bits, capacity);
    return quotient_table_bytes(&set) + quotient_slots_for(&set) * sizeof(uint64_t);
}

uint64_t quotient_next_capacity(const struct quotient *set, bool is_small_step)
{
    struct quotient next = {0};
    uint32_t step = is_small_step ? 1 : 2, exponent = set->exponent, multiplier = set->multiplier + step;
    if (multiplier >= 8) {
        multiplier = 4;
        exponent++;
    }
    quotient_set_shape(&next, set->bits, exponent, multiplier);
    return quotient_capacity(&next);
}

static bool quotient_alloc(struct quotient *set, struct budget *budget)
{
    set->budget = budget;
    set->slot_count = quotient_slots_for(set);
    if (!budget_take(budget, quotient_bytes(set)))
        return false;
    set->words = pages_alloc(quotient_table_bytes(set));
    set->slots = pages_alloc(set->slot_count * sizeof(uint64_t));
    if (set->words && set->slots)
        return true;
    quotient_destroy(set);
    return false;
}

bool quotient_create(struct quotient *set, struct budget *budget, uint32_t bits, uint64_t capacity)
{
    memset(set, 0, sizeof *set);
    quotient_fit(set, bits, capacity);
    return quotient_alloc(set, budget);
}

void quotient_destroy(struct quotient *set)
{
    if (!set->budget)
        return;
    budget_give(set->budget, quotient_bytes(set));
    pages_free((void *)set->words, quotient_table_bytes(set));
    pages_free((void *)set->slots, set->slot_count * sizeof(uint64_t));
    memset(set, 0, sizeof *set);
}

/* --- where a number belongs --- */

struct place {
    _Atomic uint64_t *bucket;
    uint64_t distance;
};

static inline struct place quotient_place(const struct quotient *set, uint64_t number)
{
    uint32_t shift = set->bits - set->exponent;
    if (set->bits <= 61) { /* the product fits in a word */
        uint64_t short_product = number * set->multiplier, low = short_product & (((uint64_t)1 << shift) - 1);
        return (struct place){set->words + (short_product >> shift) * QUOTIENT_WORDS,
                              (uint64_t)((unsigned __int128)low * set->reciprocal >> 64)};
    }
    unsigned __int128 product = (unsigned __int128)number * set->multiplier;
    uint64_t bucket = (uint64_t)(product >> shift);
    uint64_t low = (uint64_t)(product & (((unsigned __int128)1 << shift) - 1));
    uint64_t distance = set->reciprocal ? (uint64_t)((unsigned __int128)low * set->reciprocal >> 64)
                                        : low / set->multiplier;
    return (struct place){set->words + bucket * QUOTIENT_WORDS, distance};
}

/* The first number of a bucket. */
static uint64_t quotient_first(const struct quotient *set, uint64_t bucket)
{
    unsigned __int128 at = (unsigned __int128)bucket << (set->bits - set->exponent);
    return (uint64_t)((at + set->multiplier - 1) / set->multiplier);
}

void quotient_prefetch(const struct quotient *set, uint64_t number)
{
    __builtin_prefetch((const void *)quotient_place(set, number).bucket, 1);
}

/* --- the overflow table --- */

static inline uint64_t quotient_slot(const struct quotient *set, uint64_t number)
{
    return (uint64_t)((unsigned __int128)(number * 0x9e3779b97f4a7c15u) * set->slot_count >> 64);
}

bool quotient_overflows(const struct quotient *set)
{
    return atomic_load_explicit(&set->slots_used, memory_order_relaxed) >= set->slot_count / 4 * 3;
}

static bool quotient_overflow_has(const struct quotient *set, uint64_t number)
{
    uint64_t value = number + 1, found;
    if (!value)
        return atomic_load_explicit(&set->has_last, memory_order_acquire);
    for (uint64_t at = quotient_slot(set, number);
         (found = atomic_load_explicit(&set->slots[at], memory_order_acquire));
         at = at + 1 == set->slot_count ? 0 : at + 1)
        if (found == value)
            return true;
    return false;
}

static enum quotient_outcome quotient_overflow_insert(struct quotient *set, uint64_t number)
{
    uint64_t value = number + 1;
    if (!value)
        return atomic_exchange(&set->has_last, true) ? QUOTIENT_FOUND : QUOTIENT_NEW;
    for (uint64_t at = quotient_slot(set, number);; at = at + 1 == set->slot_count ? 0 : at + 1) {
        uint64_t found = atomic_load_explicit(&set->slots[at], memory_order_acquire);
        if (!found && atomic_load_explicit(&set->slots_used, memory_order_relaxed) >= set->slot_count / 8 * 7)
            return QUOTIENT_NO_ROOM;
        if (!found && atomic_compare_exchange_strong(&set->slots[at], &found, value)) {
            atomic_fetch_add_explicit(&set->slots_used, 1, memory_order_relaxed);
            return QUOTIENT_NEW;
        }
        if (found == value)
            return QUOTIENT_FOUND;
    }
}

/* --- insertion --- */

/* The bucket's header word as it was when the number was searched. */
static inline bool quotient_search(const struct quotient *set, const struct place *place, uint64_t number,
                                   uint64_t *head)
{
    *head = atomic_load_explicit(&place->bucket[0], memory_order_acquire);
    if (bucket_has(place->bucket, *head, set->width, set->entries, place->distance))
        return true;
    return (*head & bucket_filter_bit(place->distance)) && quotient_overflow_has(set, number);
}

bool quotient_has(const struct quotient *set, uint64_t number)
{
    struct place place = quotient_place(set, number);
    uint64_t head;
    return quotient_search(set, &place, number, &head);
}

/* The bucket is full, and locked. */
static enum quotient_outcome quotient_overflow(struct quotient *set, const struct place *place, uint64_t head,
                                               uint64_t number)
{
    enum quotient_outcome outcome = quotient_overflow_insert(set, number);
    if (outcome != QUOTIENT_NO_ROOM)
        head |= bucket_filter_bit(place->distance);
    atomic_store_explicit(&place->bucket[0], head, memory_order_release);
    return outcome;
}

enum quotient_outcome quotient_insert(struct quotient *set, uint64_t number)
{
    struct place place = quotient_place(set, number);
    uint64_t head;
    for (uint32_t tries = 1;; tries++) {
        if (quotient_search(set, &place, number, &head))
            return QUOTIENT_FOUND;
        if (!(head & BUCKET_LOCKED) &&
            atomic_compare_exchange_weak_explicit(&place.bucket[0], &head, head | BUCKET_LOCKED, memory_order_acquire,
                                                  memory_order_relaxed))
            break;
        if (tries % 64 == 0)
            sched_yield();
    }
    /* Nothing came in between the search and the lock, or the header would have changed; the overflow table looks again. */
    if (bucket_count(head) == set->entries)
        return quotient_overflow(set, &place, head, number);
    bucket_add(place.bucket, head, set->width, set->entries, place.distance);
    return QUOTIENT_NEW;
}

/* --- moving --- */

/* Inlined for each visitor: the call would cost more than the rest. */
static inline __attribute__((always_inline)) void quotient_scan(struct quotient *set, bool consume,
                                                                void (*visit)(void *user, uint64_t number),
                                                                void *user)
{
    size_t bytes = quotient_table_bytes(set);
    for (uint64_t b = 0; b < set->buckets; b++) {
        const _Atomic uint64_t *bucket = set->words + b * QUOTIENT_WORDS;
        uint64_t head = atomic_load_explicit(&bucket[0], memory_order_relaxed), first = quotient_first(set, b);
        for (uint32_t i = 0; i < bucket_count(head); i++)
            visit(user, first + bucket_entry(bucket, set->width, set->entries, i));
        if (consume && (b + 1) % QUOTIENT_PAGE_BUCKETS == 0)
            pages_release((void *)set->words, bytes, (b + 1 - QUOTIENT_PAGE_BUCKETS) * QUOTIENT_WORDS * sizeof(uint64_t),
                          (b + 1) * QUOTIENT_WORDS * sizeof(uint64_t));
    }
    for (uint64_t i = 0; i < set->slot_count; i++) {
        uint64_t value = atomic_load_explicit(&set->slots[i], memory_order_relaxed);
        if (value)
            visit(user, value - 1);
    }
    if (atomic_load(&set->has_last))
        visit(user, UINT64_MAX);
}

void quotient_each(struct quotient *set, bool consume, void (*visit)(void *user, uint64_t number), void *user)
{
    quotient_scan(set, consume, visit, user);
}

/* Only while no other thread is about. What must find a place is given one, whatever the budget says. */
static void quotient_widen_overflow(struct quotient *set)
{
    struct quotient wider = *set;
    wider.slot_count = 2 * set->slot_count;
    wider.slots = pages_alloc(wider.slot_count * sizeof(uint64_t));
    if (!wider.slots)
        memory_fail(wider.slot_count * sizeof(uint64_t));
    wider.slots_used = 0;
    for (uint64_t i = 0; i < set->slot_count; i++)
        if (set->slots[i])
            quotient_overflow_insert(&wider, set->slots[i] - 1);
    pages_free((void *)set->slots, set->slot_count * sizeof(uint64_t));
    atomic_fetch_add_explicit(&set->budget->used, set->slot_count * sizeof(uint64_t), memory_order_relaxed);
    set->slots = wider.slots;
    set->slot_count = wider.slot_count;
}

static void quotient_insert_surely(struct quotient *set, uint64_t number)
{
    while (quotient_insert(set, number) == QUOTIENT_NO_ROOM)
        quotient_widen_overflow(set);
}

/* No search, no lock. */
static inline void quotient_put(struct quotient *set, uint64_t number)
{
    struct place place = quotient_place(set, number);
    uint64_t head = bucket_read(place.bucket, 0);
    if (bucket_count(head) < set->entries)
        bucket_add(place.bucket, head, set->width, set->entries, place.distance);
    else
        quotient_insert_surely(set, number);
}

void quotient_add(struct quotient *set, uint64_t number)
{
    quotient_put(set, number);
}

static void quotient_move(void *user, uint64_t number)
{
    quotient_put(user, number);
}

bool quotient_grow(struct quotient *set, uint64_t capacity)
{
    struct quotient next;
    /* The old buckets go as the new ones come: together they never take much more than the new ones alone. */
    uint64_t old = quotient_bytes(set);
    if (!budget_fits_after(set->budget, old, quotient_bytes_for(set->bits, capacity)))
        return false;
    budget_give(set->budget, old);
    bool is_made = quotient_create(&next, set->budget, set->bits, capacity);
    atomic_fetch_add_explicit(&set->budget->used, old, memory_order_relaxed);
    if (!is_made)
        return false;
    quotient_scan(set, true, quotient_move, &next);
    quotient_destroy(set);
    *set = next;
    return true;
}
