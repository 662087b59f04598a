#include "engine/explicit/lineage.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/lock.h"
#include "base/memory.h"

enum { LINEAGE_SHARDS = 64, LINEAGE_FIRST = 64 };

struct relation {
    uint64_t key, parent;
    uint32_t level;
    bool is_taken, is_settled; /* is_taken: the slot is in use */
};

/* Open addressing. */
struct shard {
    pthread_mutex_t lock;
    struct relation *slots;
    size_t size, count;
};

struct lineage {
    struct budget *budget;
    struct shard shards[LINEAGE_SHARDS];
};

struct lineage *lineage_create(struct budget *budget)
{
    struct lineage *lineage = memory_zeroed(1, sizeof *lineage);
    lineage->budget = budget;
    for (uint32_t i = 0; i < LINEAGE_SHARDS; i++)
        pthread_mutex_init(&lineage->shards[i].lock, NULL);
    return lineage;
}

static void shard_free(struct lineage *lineage, struct relation *slots, size_t size)
{
    budget_give(lineage->budget, size * sizeof *slots);
    free(slots);
}

void lineage_destroy(struct lineage *lineage)
{
    if (!lineage)
        return;
    for (uint32_t i = 0; i < LINEAGE_SHARDS; i++) {
        shard_free(lineage, lineage->shards[i].slots, lineage->shards[i].size);
        pthread_mutex_destroy(&lineage->shards[i].lock);
    }
    free(lineage);
}

static struct shard *shard_of(struct lineage *lineage, uint64_t key, uint64_t *hash)
{
    *hash = hash_bytes(&key, sizeof key);
    return &lineage->shards[*hash % LINEAGE_SHARDS];
}

/* Where the state is, or would be. */
static struct relation *shard_slot(const struct shard *shard, uint64_t key, uint64_t hash)
{
    size_t s = (hash / LINEAGE_SHARDS) & (shard->size - 1);
    while (shard->slots[s].is_taken && shard->slots[s].key != key)
        s = (s + 1) & (shard->size - 1);
    return &shard->slots[s];
}

static bool shard_grow(struct lineage *lineage, struct shard *shard)
{
    struct relation *old = shard->slots;
    size_t old_size = shard->size, size = old_size ? 2 * old_size : LINEAGE_FIRST;
    if (!budget_take(lineage->budget, size * sizeof *old))
        return false;
    shard->slots = memory_zeroed(size, sizeof *shard->slots);
    shard->size = size;
    for (size_t i = 0; i < old_size; i++) {
        uint64_t hash;
        if (!old[i].is_taken)
            continue;
        shard_of(lineage, old[i].key, &hash);
        *shard_slot(shard, old[i].key, hash) = old[i];
    }
    shard_free(lineage, old, old_size);
    return true;
}

void lineage_add(struct lineage *lineage, uint64_t key, uint64_t parent, uint32_t level)
{
    uint64_t hash;
    struct shard *shard = shard_of(lineage, key, &hash);
    struct lock lock;
    lock_take(&lock, &shard->lock);
    if (4 * shard->count < 3 * shard->size || shard_grow(lineage, shard)) {
        struct relation *slot = shard_slot(shard, key, hash);
        shard->count += !slot->is_taken;
        *slot = (struct relation){.key = key, .parent = parent, .level = level, .is_taken = true};
    }
    lock_give(&lock);
}

bool lineage_leads_on(struct lineage *lineage, uint64_t key, uint32_t level, bool *is_settled)
{
    uint64_t hash;
    struct shard *shard = shard_of(lineage, key, &hash);
    struct relation relation = {0};
    struct lock lock;
    lock_take(&lock, &shard->lock);
    if (shard->size)
        relation = *shard_slot(shard, key, hash);
    lock_give(&lock);
    *is_settled |= relation.is_settled;
    return relation.is_taken && (relation.is_settled || relation.level > level);
}

void lineage_settle(struct lineage *lineage, uint64_t key)
{
    for (;;) {
        uint64_t hash;
        const struct shard *shard = shard_of(lineage, key, &hash);
        struct relation *relation = shard->size ? shard_slot(shard, key, hash) : NULL;
        if (!relation || !relation->is_taken || relation->is_settled)
            return;
        relation->is_settled = true;
        if (relation->parent == key)
            return;
        key = relation->parent;
    }
}
