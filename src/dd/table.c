/* The unique table: one node for each function. */
#include <math.h>
#include <string.h>

#include "dd/inner.h"

static inline uint64_t hash_inner(uint32_t index, dd low, dd high)
{
    uint64_t h = (((uint64_t)high << 32) | low) * UINT64_C(0x9e3779b97f4a7c15);
    h = (h ^ (h >> 32) ^ ((uint64_t)index << 20)) * UINT64_C(0xd6e8feb86659fd93);
    return h ^ (h >> 29);
}

/* A double as an integer in the same order; both zeros are 0. */
static int64_t leaf_rank(double value)
{
    int64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits < 0 ? INT64_MIN - bits : bits;
}

static double leaf_of(const struct dd_node *node)
{
    uint64_t bits = ((uint64_t)node->high << 32) | node->low;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static int64_t leaf_bucket(const struct dd_manager *m, double value)
{
    int64_t width = (int64_t)m->tolerance + 1, rank = leaf_rank(value);
    return rank >= 0 ? rank / width : -1 - (-1 - rank) / width;
}

static uint64_t hash_bucket(int64_t bucket)
{
    return hash_inner(0, (uint32_t)bucket, (uint32_t)((uint64_t)bucket >> 32));
}

static uint64_t hash_node(const struct dd_manager *m, const struct dd_node *node)
{
    return node->index ? hash_inner(node->index, node->low, node->high) : hash_bucket(leaf_bucket(m, leaf_of(node)));
}

static inline uint64_t slot_first(const struct dd_manager *m, uint64_t hash)
{
    return hash >> (64 - m->slot_bits);
}

static inline uint64_t slot_next(const struct dd_manager *m, uint64_t at)
{
    return (at + 1) & ((UINT64_C(1) << m->slot_bits) - 1);
}

static inline uint32_t slot_load(const struct dd_worker *w, const _Atomic uint32_t *slot)
{
    if (DD_LIKELY(w->alone))
        return atomic_load_explicit(slot, memory_order_relaxed);
    return atomic_load_explicit(slot, memory_order_acquire);
}

/* Puts a node into a free slot. False: another worker was faster. */
static inline bool slot_fill(const struct dd_worker *w, _Atomic uint32_t *slot, uint32_t value)
{
    if (DD_LIKELY(w->alone)) {
        atomic_store_explicit(slot, value, memory_order_relaxed);
        return true;
    }
    uint32_t expected = 0;
    return atomic_compare_exchange_strong_explicit(slot, &expected, value, memory_order_release, memory_order_relaxed);
}

static dd table_find_or_add(struct dd_worker *w, uint32_t index, dd low, dd high)
{
    struct dd_manager *m = w->m;
    uint64_t hash = hash_inner(index, low, high);
    if (DD_UNLIKELY(watch_is_over(m->watch)))
        return dd_stop(m);
again:;
    uint32_t index_mask = m->index_mask, tag = (uint32_t)hash & ~index_mask;
    for (uint64_t at = slot_first(m, hash);;) {
        uint32_t slot = slot_load(w, &m->slots[at]);
        if (!slot) {
            if (DD_UNLIKELY(!w->free) && !dd_worker_refill(w)) {
                if (!dd_store_make_room(w))
                    return DD_NONE;
                goto again;
            }
            uint32_t bit = (uint32_t)__builtin_ctzll(w->free), number = w->base + bit;
            m->nodes[number] = (struct dd_node){.index = index, .low = low, .high = high};
            if (slot_fill(w, &m->slots[at], tag | number)) {
                w->free &= w->free - 1;
                return number << 1;
            }
            continue; /* the slot is taken now: look at it again */
        }
        if (((slot ^ tag) & ~index_mask) == 0) {
            const struct dd_node *node = &m->nodes[slot & index_mask];
            if (node->low == low && node->high == high && node->index == index)
                return (slot & index_mask) << 1;
        }
        at = slot_next(m, at);
    }
}

dd dd_make(struct dd_worker *w, uint32_t index, dd low, dd high)
{
    if (low == high)
        return low;
    if (low & 1u)
        return dd_not(table_find_or_add(w, index, low ^ 1u, high ^ 1u));
    return table_find_or_add(w, index, low, high);
}

static bool leaf_is_near(const struct dd_manager *m, double a, double b)
{
    if (a == b)
        return true;
    if (a == 0 || b == 0 || isinf(a) || isinf(b))
        return false;
    int64_t ra = leaf_rank(a), rb = leaf_rank(b);
    if ((ra < 0) != (rb < 0))
        return false;
    return (uint64_t)(ra > rb ? ra - rb : rb - ra) <= m->tolerance;
}

/* A leaf of this bucket near the value; 0 when there is none, and then *place is the free slot that ends the search. */
static uint32_t leaf_find(const struct dd_worker *w, int64_t bucket, double value, uint64_t *place)
{
    const struct dd_manager *m = w->m;
    uint64_t hash = hash_bucket(bucket);
    uint32_t tag = (uint32_t)hash & ~m->index_mask;
    for (uint64_t at = slot_first(m, hash);; at = slot_next(m, at)) {
        uint32_t slot = slot_load(w, &m->slots[at]);
        if (!slot) {
            *place = at;
            return 0;
        }
        const struct dd_node *node = &m->nodes[slot & m->index_mask];
        if (((slot ^ tag) & ~m->index_mask) == 0 && !node->index && leaf_is_near(m, leaf_of(node), value))
            return slot & m->index_mask;
    }
}

static uint32_t leaf_find_near(const struct dd_worker *w, double value, uint64_t *place)
{
    int64_t bucket = leaf_bucket(w->m, value);
    uint64_t elsewhere;
    uint32_t found = leaf_find(w, bucket, value, place);
    if (!found && w->m->tolerance) {
        found = leaf_find(w, bucket - 1, value, &elsewhere);
        if (!found)
            found = leaf_find(w, bucket + 1, value, &elsewhere);
    }
    return found;
}

/* One at a time, so that no two workers make leaves that should be one. */
static dd leaf_add(struct dd_worker *w, double value)
{
    struct dd_manager *m = w->m;
    uint64_t bits, place;
    memcpy(&bits, &value, sizeof bits);
    for (;;) {
        uint32_t found = leaf_find_near(w, value, &place);
        if (found)
            return found << 1;
        if (!w->free && !dd_worker_refill(w)) {
            if (!dd_store_make_room(w))
                return DD_NONE;
            continue;
        }
        uint32_t number = w->base + (uint32_t)__builtin_ctzll(w->free);
        uint32_t tag = (uint32_t)hash_bucket(leaf_bucket(m, value)) & ~m->index_mask;
        m->nodes[number] = (struct dd_node){.index = 0, .low = (uint32_t)bits, .high = (uint32_t)(bits >> 32)};
        if (slot_fill(w, &m->slots[place], tag | number)) {
            w->free &= w->free - 1;
            return number << 1;
        }
    }
}

dd dd_make_leaf(struct dd_worker *w, double value)
{
    uint64_t place;
    value = value == 0 ? 0 : value; /* one zero */
    uint32_t found = leaf_find_near(w, value, &place);
    if (found)
        return found << 1;
    pthread_mutex_lock(&w->m->leaf_lock);
    dd leaf = leaf_add(w, value);
    pthread_mutex_unlock(&w->m->leaf_lock);
    return leaf;
}

static void table_add(struct dd_manager *m, uint32_t number)
{
    uint64_t hash = hash_node(m, &m->nodes[number]), at = slot_first(m, hash);
    while (atomic_load_explicit(&m->slots[at], memory_order_relaxed))
        at = slot_next(m, at);
    atomic_store_explicit(&m->slots[at], ((uint32_t)hash & ~m->index_mask) | number, memory_order_relaxed);
}

void dd_table_rebuild(struct dd_manager *m)
{
    memset((void *)m->slots, 0, sizeof *m->slots << m->slot_bits);
    for (uint64_t word = 0; word < m->capacity / 64; word++)
        for (uint64_t bits = m->live[word] & (word ? ~UINT64_C(0) : ~UINT64_C(1)); bits; bits &= bits - 1)
            table_add(m, (uint32_t)(word * 64) + (uint32_t)__builtin_ctzll(bits));
}

void dd_table_move(struct dd_manager *m, const _Atomic uint32_t *old, uint64_t old_slots, uint32_t old_mask)
{
    for (uint64_t i = 0; i < old_slots; i++) {
        uint32_t slot = atomic_load_explicit(&old[i], memory_order_relaxed);
        if (slot)
            table_add(m, slot & old_mask);
    }
}
