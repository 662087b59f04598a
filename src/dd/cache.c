#include "dd/cache.h"

#include <string.h>

/* Which words of an operation's key are handles; the others are numbers. */
static bool word_is_handle(enum dd_op op, uint32_t word)
{
    switch (op) {
    case DD_OP_COMPOSE:
    case DD_OP_PERMUTE:
    case DD_OP_TRUNCATE:
    case DD_OP_SATURATE:
        return word == 0;
    default:
        return true;
    }
}

static uint64_t pair_size(uint32_t bits)
{
    return sizeof(struct dd_pair_entry) << bits;
}

static uint64_t triple_size(uint32_t bits)
{
    return sizeof(struct dd_triple_entry) << bits;
}

/* One entry of two words for each node there is room for, one of four for every four nodes. */
void dd_cache_bits(uint64_t capacity, uint32_t *pair_bits, uint32_t *triple_bits)
{
    uint32_t bits = 63 - (uint32_t)__builtin_clzll(capacity);
    *pair_bits = bits;
    *triple_bits = bits - 2;
}

static void pairs_move(struct dd_manager *m, const struct dd_pair_entry *old, uint32_t old_bits)
{
    for (uint64_t i = 0; i < UINT64_C(1) << old_bits; i++) {
        uint64_t state = atomic_load_explicit(&old[i].state, memory_order_relaxed);
        uint64_t key = atomic_load_explicit(&old[i].key, memory_order_relaxed);
        if (!state)
            continue;
        struct dd_pair_entry *entry = dd_cache_pair(m, dd_cache_op(state), key);
        atomic_store_explicit(&entry->key, key, memory_order_relaxed);
        atomic_store_explicit(&entry->state, state, memory_order_relaxed);
    }
}

static void triples_move(struct dd_manager *m, const struct dd_triple_entry *old, uint32_t old_bits)
{
    for (uint64_t i = 0; i < UINT64_C(1) << old_bits; i++) {
        uint64_t state = atomic_load_explicit(&old[i].state, memory_order_relaxed);
        uint64_t key = atomic_load_explicit(&old[i].key, memory_order_relaxed);
        uint64_t more = atomic_load_explicit(&old[i].key_more, memory_order_relaxed);
        if (!state)
            continue;
        struct dd_triple_entry *entry = dd_cache_triple(m, dd_cache_op(state), key, more);
        atomic_store_explicit(&entry->key, key, memory_order_relaxed);
        atomic_store_explicit(&entry->key_more, more, memory_order_relaxed);
        atomic_store_explicit(&entry->state, state, memory_order_relaxed);
    }
}

bool dd_cache_resize(struct dd_manager *m, uint32_t pair_bits, uint32_t triple_bits)
{
    if (m->pairs && m->pair_bits == pair_bits && m->triple_bits == triple_bits)
        return true;
    struct dd_pair_entry *pairs = dd_block_reserve(pair_size(pair_bits)), *old_pairs = m->pairs;
    struct dd_triple_entry *triples = dd_block_reserve(triple_size(triple_bits)), *old_triples = m->triples;
    if (!pairs || !triples) {
        dd_block_release(pairs, pair_size(pair_bits));
        dd_block_release(triples, triple_size(triple_bits));
        return false;
    }
    uint32_t old_pair_bits = m->pair_bits, old_triple_bits = m->triple_bits;
    m->pairs = pairs;
    m->triples = triples;
    m->pair_bits = pair_bits;
    m->triple_bits = triple_bits;
    if (old_pairs) {
        pairs_move(m, old_pairs, old_pair_bits);
        triples_move(m, old_triples, old_triple_bits);
        dd_block_release(old_pairs, pair_size(old_pair_bits));
        dd_block_release(old_triples, triple_size(old_triple_bits));
    }
    return true;
}

void dd_cache_release(struct dd_manager *m)
{
    dd_block_release(m->pairs, pair_size(m->pair_bits));
    dd_block_release(m->triples, triple_size(m->triple_bits));
}

void dd_cache_clear(struct dd_manager *m)
{
    memset((void *)m->pairs, 0, pair_size(m->pair_bits));
    memset((void *)m->triples, 0, triple_size(m->triple_bits));
}

static inline bool is_alive(const struct dd_manager *m, uint32_t handle)
{
    return m->live[handle >> 7] >> (handle >> 1 & 63) & 1;
}

static bool key_is_alive(const struct dd_manager *m, enum dd_op op, uint32_t first_word, uint64_t key)
{
    return (!word_is_handle(op, first_word) || is_alive(m, (uint32_t)key)) &&
           (!word_is_handle(op, first_word + 1) || is_alive(m, (uint32_t)(key >> 32)));
}

void dd_cache_sweep(struct dd_manager *m)
{
    for (uint64_t i = 0; i < UINT64_C(1) << m->pair_bits; i++) {
        struct dd_pair_entry *entry = &m->pairs[i];
        uint64_t state = atomic_load_explicit(&entry->state, memory_order_relaxed);
        uint64_t key = atomic_load_explicit(&entry->key, memory_order_relaxed);
        if (state && (!is_alive(m, (dd)state) || !key_is_alive(m, dd_cache_op(state), 0, key)))
            atomic_store_explicit(&entry->state, 0, memory_order_relaxed);
    }
    for (uint64_t i = 0; i < UINT64_C(1) << m->triple_bits; i++) {
        struct dd_triple_entry *entry = &m->triples[i];
        uint64_t state = atomic_load_explicit(&entry->state, memory_order_relaxed);
        uint64_t key = atomic_load_explicit(&entry->key, memory_order_relaxed);
        uint64_t more = atomic_load_explicit(&entry->key_more, memory_order_relaxed);
        if (state && (!is_alive(m, (dd)state) || !key_is_alive(m, dd_cache_op(state), 0, key) ||
                      !key_is_alive(m, dd_cache_op(state), 2, more)))
            atomic_store_explicit(&entry->state, 0, memory_order_relaxed);
    }
}
