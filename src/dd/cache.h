/* The operation caches: what was computed before, as far as nothing else took its place. Two arrays, each entry where
 * its key's hash says: one for keys of two words, four entries to a cache line; one for keys of four.
 *
 * Other workers may write an entry while it is read. A writer locks it with a bit in its state, and each write has a
 * new version: a reader who sees the same unlocked state before and after it read the key has read one entry, not parts
 * of two. */
#ifndef NOETHER_DD_CACHE_H
#define NOETHER_DD_CACHE_H

#include "dd/inner.h"

#define DD_CACHE_LOCK (UINT64_C(1) << 63)
#define DD_CACHE_VERSION (UINT64_C(1) << 40)

static inline uint64_t dd_cache_key(uint32_t a, uint32_t b)
{
    return ((uint64_t)b << 32) | a;
}

static inline struct dd_pair_entry *dd_cache_pair(const struct dd_manager *m, enum dd_op op, uint64_t key)
{
    uint64_t h = (key ^ ((uint64_t)op << 25)) * UINT64_C(0x9e3779b97f4a7c15);
    h = (h ^ (h >> 32)) * UINT64_C(0xd6e8feb86659fd93);
    return &m->pairs[h >> (64 - m->pair_bits)];
}

static inline struct dd_triple_entry *dd_cache_triple(const struct dd_manager *m, enum dd_op op, uint64_t key,
                                                      uint64_t more)
{
    uint64_t h = (key ^ ((uint64_t)op << 25)) * UINT64_C(0x9e3779b97f4a7c15);
    h = (h ^ (h >> 32) ^ (more * UINT64_C(0xa0761d6478bd642f))) * UINT64_C(0xd6e8feb86659fd93);
    return &m->triples[h >> (64 - m->triple_bits)];
}

static inline enum dd_op dd_cache_op(uint64_t state)
{
    return (enum dd_op)((state >> 32) & 0xff);
}

static inline bool dd_cache_find(const struct dd_worker *w, enum dd_op op, dd f, dd g, dd *result)
{
    uint64_t key = dd_cache_key(f, g);
    struct dd_pair_entry *entry = dd_cache_pair(w->m, op, key);
    if (DD_LIKELY(w->alone)) {
        uint64_t state = atomic_load_explicit(&entry->state, memory_order_relaxed);
        *result = (dd)state;
        return atomic_load_explicit(&entry->key, memory_order_relaxed) == key && dd_cache_op(state) == op;
    }
    uint64_t state = atomic_load_explicit(&entry->state, memory_order_acquire);
    *result = (dd)state;
    return dd_cache_op(state) == op && !(state & DD_CACHE_LOCK) &&
           atomic_load_explicit(&entry->key, memory_order_acquire) == key &&
           atomic_load_explicit(&entry->state, memory_order_relaxed) == state;
}

/* Locks an entry; false when another worker has it. *state is then what to store to unlock it, but for the result. */
static inline bool dd_cache_lock(_Atomic uint64_t *place, enum dd_op op, uint64_t *state)
{
    uint64_t old = atomic_load_explicit(place, memory_order_relaxed);
    if ((old & DD_CACHE_LOCK) || !atomic_compare_exchange_strong_explicit(place, &old, old | DD_CACHE_LOCK,
                                                                          memory_order_acquire, memory_order_relaxed))
        return false;
    uint64_t version = (old + DD_CACHE_VERSION) & ~(DD_CACHE_LOCK | (DD_CACHE_VERSION - 1));
    *state = version | ((uint64_t)op << 32);
    return true;
}

static inline void dd_cache_keep(const struct dd_worker *w, enum dd_op op, dd f, dd g, dd result)
{
    uint64_t key = dd_cache_key(f, g), state;
    struct dd_pair_entry *entry = dd_cache_pair(w->m, op, key);
    if (DD_LIKELY(w->alone)) {
        atomic_store_explicit(&entry->key, key, memory_order_relaxed);
        atomic_store_explicit(&entry->state, ((uint64_t)op << 32) | result, memory_order_relaxed);
    } else if (dd_cache_lock(&entry->state, op, &state)) {
        atomic_store_explicit(&entry->key, key, memory_order_release);
        atomic_store_explicit(&entry->state, state | result, memory_order_release);
    }
}

static inline bool dd_cache_find3(const struct dd_worker *w, enum dd_op op, dd f, dd g, dd h, dd *result)
{
    uint64_t key = dd_cache_key(f, g);
    struct dd_triple_entry *entry = dd_cache_triple(w->m, op, key, h);
    if (DD_LIKELY(w->alone)) {
        uint64_t state = atomic_load_explicit(&entry->state, memory_order_relaxed);
        *result = (dd)state;
        return atomic_load_explicit(&entry->key, memory_order_relaxed) == key &&
               atomic_load_explicit(&entry->key_more, memory_order_relaxed) == h && dd_cache_op(state) == op;
    }
    uint64_t state = atomic_load_explicit(&entry->state, memory_order_acquire);
    *result = (dd)state;
    return dd_cache_op(state) == op && !(state & DD_CACHE_LOCK) &&
           atomic_load_explicit(&entry->key, memory_order_acquire) == key &&
           atomic_load_explicit(&entry->key_more, memory_order_acquire) == h &&
           atomic_load_explicit(&entry->state, memory_order_relaxed) == state;
}

static inline void dd_cache_keep3(const struct dd_worker *w, enum dd_op op, dd f, dd g, dd h, dd result)
{
    uint64_t key = dd_cache_key(f, g), state;
    struct dd_triple_entry *entry = dd_cache_triple(w->m, op, key, h);
    if (DD_LIKELY(w->alone)) {
        atomic_store_explicit(&entry->key, key, memory_order_relaxed);
        atomic_store_explicit(&entry->key_more, h, memory_order_relaxed);
        atomic_store_explicit(&entry->state, ((uint64_t)op << 32) | result, memory_order_relaxed);
    } else if (dd_cache_lock(&entry->state, op, &state)) {
        atomic_store_explicit(&entry->key, key, memory_order_release);
        atomic_store_explicit(&entry->key_more, h, memory_order_release);
        atomic_store_explicit(&entry->state, state | result, memory_order_release);
    }
}

#endif
