/* Quotient sets on the move: to more buckets, or under other numbers. No other thread is about but those that help. */
#include <sched.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "store/pages.h"
#include "store/quotient_inner.h"

enum {
    MOVE_PAGE_BUCKETS = 4096, /* the most that are moved before their memory is given back */
    MOVE_PAGES = 4,           /* of a part a quarter */
    MOVE_PARTS_LOG = 4,       /* a large set is moved in 16 parts */
    MOVE_LARGE = 10,          /* exponent of a set that is worth several threads: a quarter of a megabyte */
    MOVE_AHEAD = 16
};

/* The first number of a bucket. */
static uint64_t quotient_first(const struct quotient *set, uint64_t bucket)
{
    unsigned __int128 at = (unsigned __int128)bucket << (set->bits - set->exponent);
    return (uint64_t)((at + set->multiplier - 1) / set->multiplier);
}

/* Inlined for each visitor: the call would cost more than the rest. */
static inline __attribute__((always_inline)) void quotient_scan_buckets(
    struct quotient *set, uint64_t from, uint64_t to, bool consume,
    void (*visit)(void *user, uint64_t number, uint32_t value), void *user)
{
    size_t bytes = quotient_table_bytes(set), line = QUOTIENT_WORDS * sizeof(uint64_t);
    uint64_t page = (to - from) / MOVE_PAGES < MOVE_PAGE_BUCKETS ? (to - from) / MOVE_PAGES + 1 : MOVE_PAGE_BUCKETS;
    for (uint64_t b = from; b < to; b++) {
        const _Atomic uint64_t *bucket = set->words + b * QUOTIENT_WORDS;
        uint64_t head = atomic_load_explicit(&bucket[0], memory_order_relaxed), first = quotient_first(set, b);
        for (uint32_t i = 0; i < bucket_count(head); i++)
            visit(user, first + bucket_entry(bucket, &set->shape, i), bucket_value(bucket, &set->shape, i));
        if (consume && (b + 1 - from) % page == 0)
            pages_release((void *)set->words, bytes, (b + 1 - page) * line, (b + 1) * line);
    }
}

static inline __attribute__((always_inline)) void quotient_scan_slots(struct quotient *set, uint64_t from, uint64_t to,
                                                                      void (*visit)(void *user, uint64_t number,
                                                                                    uint32_t value),
                                                                      void *user)
{
    for (uint64_t i = from; i < to; i++) {
        uint64_t number = atomic_load_explicit(&set->slots[i], memory_order_relaxed);
        if (number)
            visit(user, number - 1, set->is_map ? set->slot_values[i] - 1 : 0);
    }
}

/* The one that is apart. */
static void quotient_scan_last(struct quotient *set, void (*visit)(void *user, uint64_t number, uint32_t value),
                               void *user)
{
    if (atomic_load(&set->last))
        visit(user, UINT64_MAX, set->last - 1);
}

void quotient_each(struct quotient *set, bool consume, void (*visit)(void *user, uint64_t number, uint32_t value),
                   void *user)
{
    quotient_scan_buckets(set, 0, set->buckets, consume, visit, user);
    quotient_scan_slots(set, 0, set->slot_count, visit, user);
    quotient_scan_last(set, visit, user);
}

/* --- one at a time --- */

/* Into an empty table of overflow. */
static bool quotient_copy_slots(const struct quotient *from, struct quotient *to)
{
    for (uint64_t i = 0; i < from->slot_count; i++)
        if (from->slots[i] && quotient_overflow_insert(to, from->slots[i] - 1,
                                                       from->is_map ? from->slot_values[i] - 1 : 0) == QUOTIENT_NO_ROOM)
            return false;
    return true;
}

/* What must find a place is given one, even beyond the budget. */
static void quotient_widen_overflow(struct quotient *set)
{
    struct quotient wider = *set;
    bool is_good = false;
    for (uint64_t slots = 2 * set->slot_count; !is_good; slots *= 2) {
        if (!quotient_alloc_slots(&wider, slots))
            memory_fail(slots * quotient_slot_bytes(set));
        is_good = quotient_copy_slots(set, &wider);
        if (!is_good)
            quotient_free_slots(&wider);
    }
    wider.is_crowded = false;
    quotient_free_slots(set);
    atomic_fetch_add_explicit(&set->budget->used, (wider.slot_count - set->slot_count) * quotient_slot_bytes(set),
                              memory_order_relaxed);
    *set = wider;
}

/* No search, no lock. */
void quotient_add(struct quotient *set, uint64_t number, uint32_t value)
{
    struct quotient_place place = quotient_find_place(set, number);
    while (quotient_settle(set, &place, bucket_read(place.bucket, 0), number, value) == QUOTIENT_NO_ROOM)
        quotient_widen_overflow(set);
}

/* --- in parts --- */

struct quotient_entry {
    uint64_t number;
    uint32_t value;
};

/* A part of the move: some of the old buckets. */
struct quotient_part {
    struct quotient *to;
    uint64_t (*rename)(const void *user, uint64_t number); /* NULL: they stay what they are */
    const void *user;
    struct quotient_entry ahead[MOVE_AHEAD]; /* their places are asked for */
    uint32_t count;
    VEC(struct quotient_entry) left_over; /* what the overflow table did not take */
};

struct quotient_move {
    struct quotient *from, *to;
    uint32_t part_count;
    struct quotient_part *parts;
};

static void part_keep(struct quotient_part *part, uint64_t number, uint32_t value)
{
    VEC_PUSH(&part->left_over, ((struct quotient_entry){number, value}));
}

/* In order: the bucket is this part's alone. */
static void part_put(void *user, uint64_t number, uint32_t value)
{
    struct quotient_part *part = user;
    struct quotient_place place = quotient_find_place(part->to, number);
    if (quotient_settle(part->to, &place, bucket_read(place.bucket, 0), number, value) == QUOTIENT_NO_ROOM)
        part_keep(part, number, value);
}

/* Anywhere: other parts may want the same bucket. */
static void part_share(struct quotient_part *part, uint64_t number, uint32_t value)
{
    struct quotient_place place = quotient_find_place(part->to, number);
    uint64_t head = atomic_load_explicit(&place.bucket[0], memory_order_relaxed);
    for (uint32_t tries = 1;
         (head & BUCKET_LOCKED) || !atomic_compare_exchange_weak_explicit(&place.bucket[0], &head, head | BUCKET_LOCKED,
                                                                          memory_order_acquire, memory_order_relaxed);
         tries++) {
        if (tries % 64 == 0)
            sched_yield();
        head = atomic_load_explicit(&place.bucket[0], memory_order_relaxed);
    }
    if (quotient_settle(part->to, &place, head, number, value) == QUOTIENT_NO_ROOM)
        part_keep(part, number, value);
}

static void part_flush(struct quotient_part *part)
{
    for (uint32_t i = 0; i < part->count; i++)
        part_share(part, part->ahead[i].number, part->ahead[i].value);
    part->count = 0;
}

static void part_send(void *user, uint64_t number, uint32_t value)
{
    struct quotient_part *part = user;
    number = part->rename ? part->rename(part->user, number) : number;
    quotient_prefetch(part->to, number);
    part->ahead[part->count++] = (struct quotient_entry){number, value};
    if (part->count == MOVE_AHEAD)
        part_flush(part);
}

/* The numbers are cut where both sets begin a bucket: there are m * 2^e buckets, and 2^e is divided. */
static void move_part(void *user, uint32_t number)
{
    struct quotient_move *move = user;
    struct quotient_part *part = &move->parts[number];
    uint64_t from = move->from->buckets / move->part_count * number;
    uint64_t to = move->from->buckets / move->part_count * (number + 1);
    if (part->rename) {
        quotient_scan_buckets(move->from, from, to, true, part_send, part);
        part_flush(part);
    } else {
        quotient_scan_buckets(move->from, from, to, true, part_put, part);
    }
}

/* What had overflowed belongs anywhere. */
static void move_slots(void *user, uint32_t number)
{
    struct quotient_move *move = user;
    struct quotient_part *part = &move->parts[number];
    uint64_t count = move->from->slot_count;
    quotient_scan_slots(move->from, count * number / move->part_count, count * (number + 1) / move->part_count,
                        part_send, part);
    part_flush(part);
}

static void move_run(struct quotient_move *move, struct team *team, void (*work)(void *user, uint32_t part))
{
    if (move->part_count > 1)
        team->run(team, move->part_count, work, move);
    else
        work(move, 0);
}

/* What did not fit where it belongs. */
static void move_rest(struct quotient_move *move)
{
    struct quotient_part *first = &move->parts[0];
    quotient_scan_last(move->from, part_send, first);
    part_flush(first);
    for (uint32_t i = 0; i < move->part_count; i++) {
        struct quotient_part *part = &move->parts[i];
        for (size_t e = 0; e < part->left_over.count; e++)
            quotient_add(move->to, part->left_over.items[e].number, part->left_over.items[e].value);
        VEC_FREE(&part->left_over);
    }
}

void quotient_transfer(struct quotient *from, struct quotient *to,
                       uint64_t (*rename)(const void *user, uint64_t number), const void *user, struct team *team)
{
    bool is_large = team && from->exponent >= MOVE_LARGE && to->exponent >= MOVE_LARGE;
    struct quotient_move move = {.from = from, .to = to, .part_count = is_large ? 1 << MOVE_PARTS_LOG : 1};
    move.parts = memory_zeroed(move.part_count, sizeof *move.parts);
    for (uint32_t i = 0; i < move.part_count; i++)
        move.parts[i] = (struct quotient_part){.to = to, .rename = rename, .user = user};
    move_run(&move, team, move_part);
    move_run(&move, team, move_slots);
    move_rest(&move);
    free(move.parts);
}

bool quotient_grow(struct quotient *set, uint64_t capacity, struct team *team)
{
    struct quotient next;
    /* The old buckets go as the new ones come: together they never take much more than the new ones alone. */
    uint64_t old = quotient_bytes(set);
    if (!budget_fits_after(set->budget, old, quotient_bytes_for(set->bits, set->is_map, capacity)))
        return false;
    budget_give(set->budget, old);
    bool is_made = quotient_create(&next, set->budget, set->bits, set->is_map, capacity);
    atomic_fetch_add_explicit(&set->budget->used, old, memory_order_relaxed);
    if (!is_made)
        return false;
    next.count = quotient_count(set);
    quotient_transfer(set, &next, NULL, NULL, team);
    quotient_destroy(set);
    *set = next;
    return true;
}
