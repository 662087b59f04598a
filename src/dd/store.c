/* Room for nodes: the array, the bitmap of those in use, the sizes of the tables that go with them. */
#include <string.h>

#include "dd/inner.h"

struct store_shape {
    uint64_t capacity; /* 2^k, or 3 * 2^(k-1) when the memory limit forbids doubling */
    uint32_t slot_bits, pair_bits, triple_bits;
};

static uint32_t log_floor(uint64_t n)
{
    return 63 - (uint32_t)__builtin_clzll(n);
}

static uint64_t shape_table_bytes(const struct store_shape *shape)
{
    return sizeof(uint32_t) << shape->slot_bits;
}

static uint64_t shape_cache_bytes(const struct store_shape *shape)
{
    return (sizeof(struct dd_pair_entry) << shape->pair_bits) + (sizeof(struct dd_triple_entry) << shape->triple_bits);
}

static uint64_t shape_bytes(const struct store_shape *shape)
{
    return shape->capacity * sizeof(struct dd_node) + shape->capacity / 8 + shape_table_bytes(shape) +
           shape_cache_bytes(shape);
}

static struct store_shape shape_for(uint64_t capacity)
{
    struct store_shape shape = {.capacity = capacity, .slot_bits = log_floor(capacity) + 1};
    dd_cache_bits(capacity, &shape.pair_bits, &shape.triple_bits);
    return shape;
}

static struct store_shape shape_now(const struct dd_manager *m)
{
    return (struct store_shape){m->capacity, m->slot_bits, m->pair_bits, m->triple_bits};
}

static uint32_t index_mask_for(uint64_t capacity)
{
    return (uint32_t)((UINT64_C(2) << log_floor(capacity - 1)) - 1);
}

static bool shape_fits(const struct dd_manager *m, const struct store_shape *shape, uint64_t beside)
{
    return shape->capacity <= m->reserved && (!m->memory_limit || shape_bytes(shape) + beside <= m->memory_limit);
}

/* Address space for as many nodes as the limit could ever allow; less where the system refuses so much. */
static bool store_reserve(struct dd_manager *m)
{
    uint64_t most = UINT64_C(1) << DD_MAX_NODES_LOG;
    while (m->memory_limit && most > DD_LEAST_NODES && (most / 2) * sizeof(struct dd_node) > m->memory_limit)
        most /= 2;
    for (; most >= DD_LEAST_NODES; most /= 2) {
        m->nodes = dd_block_reserve(most * sizeof(struct dd_node));
        m->live = m->nodes ? dd_block_reserve(most / 8) : NULL;
        m->reserved = most;
        if (m->live)
            return true;
        dd_block_release(m->nodes, most * sizeof(struct dd_node));
        m->nodes = NULL;
    }
    return false;
}

bool dd_store_create(struct dd_manager *m, uint64_t nodes)
{
    if (!store_reserve(m))
        return false;
    uint64_t capacity = DD_LEAST_NODES;
    while (capacity < nodes && capacity < m->reserved)
        capacity *= 2;
    struct store_shape shape = shape_for(capacity);
    while (capacity > DD_LEAST_NODES && !shape_fits(m, &shape, 0))
        shape = shape_for(capacity /= 2);
    if (!shape_fits(m, &shape, 0))
        return false;
    m->slots = dd_block_reserve(shape_table_bytes(&shape));
    if (!m->slots || !dd_cache_resize(m, shape.pair_bits, shape.triple_bits))
        return false;
    m->capacity = shape.capacity;
    m->slot_bits = shape.slot_bits;
    m->index_mask = index_mask_for(capacity);
    m->bytes = shape_bytes(&shape);
    m->live[0] = 1; /* the constant */
    m->live_count = 1;
    atomic_store(&m->free_left, (int64_t)capacity - 1);
    return true;
}

void dd_store_destroy(struct dd_manager *m)
{
    struct store_shape shape = shape_now(m);
    dd_block_release(m->nodes, m->reserved * sizeof(struct dd_node));
    dd_block_release(m->live, m->reserved / 8);
    dd_block_release((void *)m->slots, shape_table_bytes(&shape));
    dd_cache_release(m);
}

static bool store_take_shape(struct dd_manager *m, const struct store_shape *shape)
{
    struct store_shape old = shape_now(m);
    _Atomic uint32_t *slots = dd_block_reserve(shape_table_bytes(shape)), *old_slots = m->slots;
    if (!slots)
        return false;
    uint32_t old_mask = m->index_mask;
    uint64_t old_words = old.capacity / 64;
    m->slots = slots;
    m->slot_bits = shape->slot_bits;
    m->index_mask = index_mask_for(shape->capacity);
    m->capacity = shape->capacity;
    dd_table_move(m, old_slots, UINT64_C(1) << old.slot_bits, old_mask);
    dd_block_release((void *)old_slots, shape_table_bytes(&old));
    dd_cache_resize(m, shape->pair_bits,
                    shape->triple_bits); /* the old caches stay when there is no room for new ones */
    if (atomic_load(&m->cursor) > old_words)
        atomic_store(&m->cursor, old_words);
    atomic_fetch_add(&m->free_left, (int64_t)(shape->capacity - old.capacity));
    struct store_shape now = shape_now(m);
    m->bytes = shape_bytes(&now);
    m->statistics.growths++;
    return true;
}

bool dd_store_grow(struct dd_manager *m)
{
    struct store_shape now = shape_now(m);
    uint64_t beside =
        shape_table_bytes(&now) > shape_cache_bytes(&now) ? shape_table_bytes(&now) : shape_cache_bytes(&now);
    bool is_power = (now.capacity & (now.capacity - 1)) == 0;
    uint64_t next = is_power ? 2 * now.capacity : now.capacity / 3 * 4;
    struct store_shape shape = shape_for(next);
    if (shape_fits(m, &shape, beside))
        return store_take_shape(m, &shape);
    shape.pair_bits = now.pair_bits;
    shape.triple_bits = now.triple_bits;
    if (shape_fits(m, &shape, shape_table_bytes(&now)))
        return store_take_shape(m, &shape);
    if (!is_power)
        return false;
    shape.capacity = now.capacity / 2 * 3;
    shape.slot_bits = now.slot_bits;
    return shape_fits(m, &shape, shape_table_bytes(&now)) && store_take_shape(m, &shape);
}

bool dd_store_make_room(struct dd_worker *w)
{
    struct dd_manager *m = w->m;
    if (atomic_load_explicit(&m->failure, memory_order_relaxed))
        return false;
    if (!w->alone) {
        atomic_store(&m->wants_growth, true);
        return false;
    }
    if (dd_store_grow(m))
        return true;
    atomic_store(&m->failure, DD_FAILURE_MEMORY);
    return false;
}

/* The next region nobody has. */
static bool worker_take_region(struct dd_worker *w)
{
    struct dd_manager *m = w->m;
    if (m->stop && m->stop(m->stop_data))
        atomic_store(&m->failure, DD_FAILURE_STOPPED);
    if (atomic_load_explicit(&m->failure, memory_order_relaxed) ||
        atomic_load_explicit(&m->wants_growth, memory_order_relaxed))
        return false;
    uint64_t words = m->capacity / 64, first = atomic_fetch_add(&m->cursor, DD_REGION_WORDS);
    if (first >= words)
        return false;
    if (m->pool && w->alone && ++m->pool_regions == DD_SMALL_REGIONS)
        dd_pool_open(m);
    w->word = (uint32_t)first;
    w->word_end = (uint32_t)(first + DD_REGION_WORDS);
    int64_t taken = 0;
    for (uint32_t word = w->word; word < w->word_end; word++)
        taken += 64 - __builtin_popcountll(m->live[word]);
    atomic_fetch_sub_explicit(&m->free_left, taken, memory_order_relaxed);
    return true;
}

bool dd_worker_refill(struct dd_worker *w)
{
    while (!w->free) {
        if (w->word == w->word_end && !worker_take_region(w))
            return false;
        w->free = ~w->m->live[w->word];
        w->base = w->word * 64;
        w->word++;
    }
    return true;
}

void dd_store_rewind(struct dd_manager *m)
{
    for (uint32_t i = 0; i < m->worker_count; i++) {
        m->workers[i].free = 0;
        m->workers[i].word = m->workers[i].word_end = 0;
    }
    atomic_store(&m->cursor, 0);
    atomic_store(&m->free_left, (int64_t)(m->capacity - m->live_count));
}

uint64_t dd_store_used(const struct dd_manager *m)
{
    return m->capacity - (uint64_t)atomic_load_explicit(&m->free_left, memory_order_relaxed);
}
