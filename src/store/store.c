#include "store/store.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/prefetch.h"
#include "store/pages.h"

enum {
    STORE_FIRST_SLOTS = 1 << 10,
    STORE_CHUNK_MOST = 16 << 20,
    STORE_CHUNK_LEAST = 64 << 10,
    STORE_AHEAD = 16 /* how many insertions wait for memory together when the table is rebuilt */
};

/* A slot is 0 when free, else the upper half of the hash and the number + 1. */
struct store {
    struct budget *budget;
    uint32_t words;
    uint32_t count, max_states;
    uint64_t *slots;
    uint64_t slot_mask;
    uint64_t room; /* how many states the table takes before it must grow */
    bool may_grow; /* false once the budget refused it */
    /* Chunk c holds the states c << shift and on; their parents stand after the vectors. */
    uint64_t **chunks;
    uint32_t chunk_count, chunk_capacity;
    uint32_t shift;
    size_t chunk_bytes;
    uint64_t bytes; /* taken from the budget */
};

static size_t store_stride(const struct store *store)
{
    return store->words * sizeof(uint64_t) + sizeof(uint32_t);
}

/* Chunks of several huge pages, unless that would be much of the whole budget. */
static void store_set_chunk_size(struct store *store)
{
    uint64_t limit = store->budget->limit, target = STORE_CHUNK_MOST;
    if (limit && limit / 64 < target)
        target = limit / 64 > STORE_CHUNK_LEAST ? limit / 64 : STORE_CHUNK_LEAST;
    while (store->shift < 20 && (store_stride(store) << (store->shift + 1)) <= target)
        store->shift++;
    store->chunk_bytes = store_stride(store) << store->shift;
}

static bool store_take(struct store *store, uint64_t bytes)
{
    if (!budget_take(store->budget, bytes))
        return false;
    store->bytes += bytes;
    return true;
}

static void store_give(struct store *store, uint64_t bytes)
{
    budget_give(store->budget, bytes);
    store->bytes -= bytes;
}

void store_set_limit(struct store *store, uint64_t max_states)
{
    store->max_states = max_states && max_states < STORE_MAX_STATES ? (uint32_t)max_states : STORE_MAX_STATES;
}

struct store *store_create(uint32_t words, struct budget *budget, uint64_t max_states)
{
    struct store *store = memory_zeroed(1, sizeof *store);
    ENSURE(words > 0);
    store->words = words;
    store->budget = budget;
    store_set_limit(store, max_states);
    store->may_grow = true;
    store_set_chunk_size(store);
    return store;
}

void store_destroy(struct store *store)
{
    if (!store)
        return;
    if (store->slots)
        pages_free(store->slots, (store->slot_mask + 1) * sizeof *store->slots);
    for (uint32_t i = 0; i < store->chunk_count; i++)
        pages_free(store->chunks[i], store->chunk_bytes);
    free(store->chunks);
    store_give(store, store->bytes);
    free(store);
}

uint64_t store_hash(const struct store *store, const uint64_t *state)
{
    if (store->words == 1)
        return hash_mix(state[0]);
    return hash_bytes(state, store->words * sizeof *state);
}

uint32_t store_count(const struct store *store)
{
    return store->count;
}

uint64_t store_bytes(const struct store *store)
{
    uint64_t table = store->slots ? (store->slot_mask + 1) * sizeof *store->slots : 0;
    return table + store->count * (uint64_t)store_stride(store);
}

bool store_is_at_state_limit(const struct store *store)
{
    return store->count >= store->max_states;
}

static inline uint64_t *store_vector(const struct store *store, uint32_t number)
{
    size_t within = number & (((uint32_t)1 << store->shift) - 1);
    return store->chunks[number >> store->shift] + within * store->words;
}

static inline uint32_t *store_parent_cell(const struct store *store, uint32_t number)
{
    uint64_t *chunk = store->chunks[number >> store->shift];
    uint32_t *parents = (uint32_t *)(chunk + ((size_t)store->words << store->shift));
    return parents + (number & (((uint32_t)1 << store->shift) - 1));
}

const uint64_t *store_state(const struct store *store, uint32_t number)
{
    return store_vector(store, number);
}

uint32_t store_parent(const struct store *store, uint32_t number)
{
    return *store_parent_cell(store, number);
}

/* --- the table --- */

void store_prefetch(const struct store *store, uint64_t hash)
{
    if (store->slots)
        prefetch(&store->slots[hash & store->slot_mask]);
}

/* The vector is nearly always found from the first slot or two. */
void store_prefetch_state(const struct store *store, uint64_t hash)
{
    if (!store->slots)
        return;
    for (uint64_t i = 0; i < 4; i++) {
        uint64_t slot = store->slots[(hash + i) & store->slot_mask];
        if (!slot)
            return;
        if (slot >> 32 == hash >> 32) {
            prefetch(store_vector(store, (uint32_t)slot - 1));
            return;
        }
    }
}

static inline uint64_t store_slot_value(uint64_t hash, uint32_t number)
{
    return (hash >> 32 << 32) | ((uint64_t)number + 1);
}

/* For a state known not to be there. */
static void store_place(struct store *store, uint64_t hash, uint32_t number)
{
    uint64_t at = hash & store->slot_mask;
    while (store->slots[at])
        at = (at + 1) & store->slot_mask;
    store->slots[at] = store_slot_value(hash, number);
}

static void store_rebuild(struct store *store)
{
    uint64_t hashes[STORE_AHEAD];
    for (uint32_t done = 0; done < store->count;) {
        uint32_t batch = store->count - done < STORE_AHEAD ? store->count - done : STORE_AHEAD;
        for (uint32_t i = 0; i < batch; i++) {
            hashes[i] = store_hash(store, store_vector(store, done + i));
            store_prefetch(store, hashes[i]);
        }
        for (uint32_t i = 0; i < batch; i++)
            store_place(store, hashes[i], done + i);
        done += batch;
    }
}

static bool store_set_slots(struct store *store, uint64_t slots)
{
    uint64_t *table = pages_alloc(slots * sizeof *table);
    if (!table)
        return false;
    store->slots = table;
    store->slot_mask = slots - 1;
    return true;
}

static bool store_grow_table(struct store *store)
{
    uint64_t old = store->slots ? store->slot_mask + 1 : 0;
    uint64_t new = old ? 2 * old : STORE_FIRST_SLOTS;
    if (!store_take(store, (new - old) * sizeof *store->slots))
        return false;
    if (old)
        pages_free(store->slots, old * sizeof *store->slots);
    store->slots = NULL;
    if (!store_set_slots(store, new)) {
        store_give(store, (new - old) * sizeof *store->slots);
        if (!old)
            return false;
        if (!store_set_slots(store, old))
            memory_fail(old * sizeof *store->slots);
        store_rebuild(store);
        return false;
    }
    store->room = new / 4 * 3;
    store_rebuild(store);
    return true;
}

/* Room for one more in the table. */
static bool store_make_room(struct store *store)
{
    if (store->count < store->room)
        return true;
    if (store->may_grow && store_grow_table(store))
        return true;
    store->may_grow = false;
    if (!store->slots)
        return false;
    /* Slower, but better than to stop: probing stays short enough up to fifteen sixteenths. */
    store->room = (store->slot_mask + 1) / 16 * 15;
    return store->count < store->room;
}

static bool store_add_chunk(struct store *store)
{
    if (!store_take(store, store->chunk_bytes))
        return false;
    uint64_t *chunk = pages_alloc(store->chunk_bytes);
    if (!chunk) {
        store_give(store, store->chunk_bytes);
        return false;
    }
    if (store->chunk_count == store->chunk_capacity) {
        store->chunk_capacity = store->chunk_capacity ? 2 * store->chunk_capacity : 16;
        store->chunks = memory_resize(store->chunks, store->chunk_capacity * sizeof *store->chunks);
    }
    store->chunks[store->chunk_count++] = chunk;
    return true;
}

static inline bool store_equal(const uint64_t *a, const uint64_t *b, uint32_t words)
{
    for (uint32_t i = 0; i < words; i++)
        if (a[i] != b[i])
            return false;
    return true;
}

/* The slot of the state, or the free slot where it belongs. */
static inline uint64_t store_probe(const struct store *store, const uint64_t *state, uint64_t hash)
{
    uint64_t at = hash & store->slot_mask, slot;
    while ((slot = store->slots[at])) {
        if (slot >> 32 == hash >> 32 && store_equal(store_vector(store, (uint32_t)slot - 1), state, store->words))
            break;
        at = (at + 1) & store->slot_mask;
    }
    return at;
}

enum store_outcome store_find(const struct store *store, const uint64_t *state, uint64_t hash, uint32_t *number)
{
    if (!store->slots)
        return STORE_FULL;
    uint64_t slot = store->slots[store_probe(store, state, hash)];
    if (!slot)
        return STORE_FULL;
    *number = (uint32_t)slot - 1;
    return STORE_FOUND;
}

static enum store_outcome store_append(struct store *store, const uint64_t *state, uint64_t hash, uint32_t parent,
                                       uint32_t *number, uint64_t at)
{
    uint64_t *slots = store->slots;
    uint64_t mask = store->slot_mask;
    if (store->count >= store->max_states || !store_make_room(store))
        return STORE_FULL;
    if (store->count >> store->shift == store->chunk_count && !store_add_chunk(store))
        return STORE_FULL;
    if (store->slots != slots || store->slot_mask != mask)
        at = store_probe(store, state, hash); /* the table has grown */
    *number = store->count++;
    memcpy(store_vector(store, *number), state, store->words * sizeof *state);
    *store_parent_cell(store, *number) = parent;
    store->slots[at] = store_slot_value(hash, *number);
    return STORE_NEW;
}

enum store_outcome store_insert(struct store *store, const uint64_t *state, uint64_t hash, uint32_t parent,
                                uint32_t *number)
{
    if (!store->slots && !store_make_room(store))
        return STORE_FULL;
    uint64_t at = store_probe(store, state, hash), slot = store->slots[at];
    if (!slot)
        return store_append(store, state, hash, parent, number, at);
    *number = (uint32_t)slot - 1;
    return STORE_FOUND;
}
