#include "store/nodes.h"

#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "store/pages.h"

enum { NODES_FIRST_BITS = 8, NODES_FIRST = 1 << NODES_FIRST_BITS, NODES_LAST_BITS = NODES_FIRST_BITS + NODES_CHUNKS - 1 };

uint32_t nodes_capacity(const struct nodes *nodes)
{
    return (uint32_t)1 << nodes->capacity_bits;
}

uint32_t nodes_count(const struct nodes *nodes)
{
    uint32_t count = atomic_load_explicit(&nodes->count, memory_order_relaxed);
    return count < nodes_capacity(nodes) ? count : nodes_capacity(nodes);
}

/* --- where the parts are --- */

static uint64_t nodes_chunk_bytes(const struct nodes *nodes, uint32_t chunk)
{
    uint64_t parts = chunk ? (uint64_t)NODES_FIRST << (chunk - 1) : NODES_FIRST;
    return parts * nodes->words * sizeof(uint64_t);
}

static inline uint64_t *nodes_part(const struct nodes *nodes, uint32_t number)
{
    if (number < NODES_FIRST)
        return nodes->chunks[0] + (size_t)number * nodes->words;
    uint32_t top = 31 - (uint32_t)__builtin_clz(number);
    return nodes->chunks[top - NODES_FIRST_BITS + 1] + (size_t)(number - ((uint32_t)1 << top)) * nodes->words;
}

static bool nodes_add_chunk(struct nodes *nodes, uint32_t chunk)
{
    uint64_t bytes = nodes_chunk_bytes(nodes, chunk);
    if (!budget_take(nodes->budget, bytes))
        return false;
    nodes->chunks[chunk] = pages_alloc(bytes);
    if (!nodes->chunks[chunk])
        budget_give(nodes->budget, bytes);
    return nodes->chunks[chunk] != NULL;
}

static void nodes_remove_chunk(struct nodes *nodes, uint32_t chunk)
{
    uint64_t bytes = nodes_chunk_bytes(nodes, chunk);
    if (!nodes->chunks[chunk])
        return;
    pages_free(nodes->chunks[chunk], bytes);
    nodes->chunks[chunk] = NULL;
    budget_give(nodes->budget, bytes);
}

/* --- the table: two slots for each part it can hold --- */

static uint64_t nodes_slot_bytes(uint32_t capacity_bits)
{
    return sizeof(uint32_t) << (capacity_bits + 1);
}

static _Atomic uint32_t *nodes_alloc_slots(struct budget *budget, uint32_t capacity_bits)
{
    uint64_t bytes = nodes_slot_bytes(capacity_bits);
    if (!budget_take(budget, bytes))
        return NULL;
    void *slots = pages_alloc(bytes);
    if (!slots)
        budget_give(budget, bytes);
    return slots;
}

static void nodes_free_slots(struct nodes *nodes)
{
    if (!nodes->slots)
        return;
    pages_free((void *)nodes->slots, nodes_slot_bytes(nodes->capacity_bits));
    budget_give(nodes->budget, nodes_slot_bytes(nodes->capacity_bits));
}

bool nodes_create(struct nodes *nodes, struct budget *budget, uint32_t words)
{
    memset(nodes, 0, sizeof *nodes);
    ENSURE(words == 1 || words == 2);
    nodes->budget = budget;
    nodes->words = words;
    nodes->capacity_bits = NODES_FIRST_BITS;
    nodes->slot_mask = 2 * NODES_FIRST - 1;
    nodes->slots = nodes_alloc_slots(budget, NODES_FIRST_BITS);
    if (nodes->slots && nodes_add_chunk(nodes, 0))
        return true;
    nodes_destroy(nodes);
    return false;
}

void nodes_destroy(struct nodes *nodes)
{
    if (!nodes->budget)
        return;
    nodes_free_slots(nodes);
    for (uint32_t c = 0; c < NODES_CHUNKS; c++)
        nodes_remove_chunk(nodes, c);
    memset(nodes, 0, sizeof *nodes);
}

uint64_t nodes_bytes(const struct nodes *nodes)
{
    return nodes_slot_bytes(nodes->capacity_bits) +
           (uint64_t)nodes_count(nodes) * nodes->words * sizeof(uint64_t);
}

uint64_t nodes_hash(const struct nodes *nodes, const uint64_t *part)
{
    if (nodes->words == 1)
        return hash_mix(part[0]);
    return hash_mix(part[0] + 0x9fb21c651e98df25u * hash_mix(part[1]));
}

/* Slots are found by the lower half of the hash and marked with the upper bits of the upper half. */
static inline uint32_t nodes_mark(const struct nodes *nodes, uint64_t hash)
{
    uint32_t number_bits = nodes->capacity_bits + 1;
    return (uint32_t)(hash >> 32) >> number_bits << number_bits;
}

void nodes_prefetch(const struct nodes *nodes, uint64_t hash)
{
    __builtin_prefetch((const void *)&nodes->slots[hash & nodes->slot_mask]);
}

static inline bool nodes_is_equal(const struct nodes *nodes, uint32_t number, const uint64_t *part)
{
    const uint64_t *other = nodes_part(nodes, number);
    return other[0] == part[0] && (nodes->words == 1 || other[1] == part[1]);
}

/* A number of this thread's own, with the part written under it. */
static uint32_t nodes_claim(struct nodes *nodes, const uint64_t *part, uint32_t *spare)
{
    uint32_t number = *spare;
    if (number == NODES_NONE)
        number = atomic_fetch_add_explicit(&nodes->count, 1, memory_order_relaxed);
    if (number >= nodes_capacity(nodes))
        return NODES_NONE;
    memcpy(nodes_part(nodes, number), part, nodes->words * sizeof *part);
    *spare = number;
    return number;
}

uint32_t nodes_intern(struct nodes *nodes, const uint64_t *part, uint64_t hash, uint32_t *spare)
{
    uint32_t mark = nodes_mark(nodes, hash), mask = ((uint32_t)2 << nodes->capacity_bits) - 1, mine = NODES_NONE;
    for (uint32_t at = (uint32_t)hash & nodes->slot_mask;; at = (at + 1) & nodes->slot_mask) {
        uint32_t slot = atomic_load_explicit(&nodes->slots[at], memory_order_acquire);
        if (!slot) {
            if (mine == NODES_NONE && (mine = nodes_claim(nodes, part, spare)) == NODES_NONE)
                return NODES_NONE;
            if (atomic_compare_exchange_strong_explicit(&nodes->slots[at], &slot, mark | (mine + 1),
                                                        memory_order_acq_rel, memory_order_acquire)) {
                *spare = NODES_NONE;
                return mine;
            }
        }
        if ((slot & ~mask) == mark && nodes_is_equal(nodes, (slot & mask) - 1, part))
            return (slot & mask) - 1;
    }
}

/* Numbers that are spare somewhere are in no slot: the slots, not the numbers, say what there is. */
static void nodes_rehash(struct nodes *nodes, const _Atomic uint32_t *old, uint32_t old_bits)
{
    uint32_t mask = ((uint32_t)2 << old_bits) - 1;
    for (uint32_t i = 0; i <= mask; i++) {
        uint32_t slot = atomic_load_explicit(&old[i], memory_order_relaxed);
        if (!slot)
            continue;
        uint32_t number = (slot & mask) - 1;
        uint64_t hash = nodes_hash(nodes, nodes_part(nodes, number));
        uint32_t at = (uint32_t)hash & nodes->slot_mask;
        while (atomic_load_explicit(&nodes->slots[at], memory_order_relaxed))
            at = (at + 1) & nodes->slot_mask;
        atomic_store_explicit(&nodes->slots[at], nodes_mark(nodes, hash) | (number + 1), memory_order_relaxed);
    }
}

bool nodes_grow(struct nodes *nodes)
{
    uint32_t bits = nodes->capacity_bits, chunk = bits - NODES_FIRST_BITS + 1;
    _Atomic uint32_t *old = nodes->slots;
    if (bits == NODES_LAST_BITS || !nodes_add_chunk(nodes, chunk))
        return false;
    nodes->slots = nodes_alloc_slots(nodes->budget, bits + 1);
    if (!nodes->slots) {
        nodes->slots = old;
        nodes_remove_chunk(nodes, chunk);
        return false;
    }
    atomic_store(&nodes->count, nodes_count(nodes)); /* those that ran over got nothing */
    nodes->capacity_bits = bits + 1;
    nodes->slot_mask = ((uint32_t)2 << nodes->capacity_bits) - 1;
    nodes_rehash(nodes, old, bits);
    pages_free((void *)old, nodes_slot_bytes(bits));
    budget_give(nodes->budget, nodes_slot_bytes(bits));
    return true;
}
