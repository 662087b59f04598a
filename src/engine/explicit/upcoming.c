#include "engine/explicit/upcoming.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/lock.h"
#include "base/memory.h"

enum { UPCOMING_SHARDS = 64, UPCOMING_FIRST = 64, UPCOMING_KEPT = 4096 };

/* Open addressing; a slot holds key + 1, and the key that has no room so is apart. */
struct shard {
    pthread_mutex_t lock;
    uint64_t *slots;
    size_t size, count;
    bool has_last;
};

struct upcoming {
    struct budget *budget;
    struct shard shards[UPCOMING_SHARDS];
};

struct upcoming *upcoming_create(struct budget *budget)
{
    struct upcoming *upcoming = memory_zeroed(1, sizeof *upcoming);
    upcoming->budget = budget;
    for (uint32_t i = 0; i < UPCOMING_SHARDS; i++)
        pthread_mutex_init(&upcoming->shards[i].lock, NULL);
    return upcoming;
}

static void shard_free(struct upcoming *upcoming, struct shard *shard)
{
    budget_give(upcoming->budget, shard->size * sizeof *shard->slots);
    free(shard->slots);
    shard->slots = NULL;
    shard->size = 0;
}

void upcoming_destroy(struct upcoming *upcoming)
{
    if (!upcoming)
        return;
    for (uint32_t i = 0; i < UPCOMING_SHARDS; i++) {
        shard_free(upcoming, &upcoming->shards[i]);
        pthread_mutex_destroy(&upcoming->shards[i].lock);
    }
    free(upcoming);
}

void upcoming_clear(struct upcoming *upcoming)
{
    for (uint32_t i = 0; i < UPCOMING_SHARDS; i++) {
        struct shard *shard = &upcoming->shards[i];
        if (shard->size > UPCOMING_KEPT && shard->count < shard->size / 8)
            shard_free(upcoming, shard);
        if (shard->size)
            memset(shard->slots, 0, shard->size * sizeof *shard->slots);
        shard->count = 0;
        shard->has_last = false;
    }
}

/* Where the key is, or would be. */
static uint64_t *shard_slot(const struct shard *shard, uint64_t key, uint64_t hash)
{
    size_t s = (hash / UPCOMING_SHARDS) & (shard->size - 1);
    while (shard->slots[s] && shard->slots[s] != key + 1)
        s = (s + 1) & (shard->size - 1);
    return &shard->slots[s];
}

static bool shard_grow(struct upcoming *upcoming, struct shard *shard)
{
    struct shard old = *shard;
    size_t size = old.size ? 2 * old.size : UPCOMING_FIRST;
    if (!budget_take(upcoming->budget, size * sizeof *old.slots))
        return false;
    shard->slots = memory_zeroed(size, sizeof *shard->slots);
    shard->size = size;
    for (size_t i = 0; i < old.size; i++)
        if (old.slots[i])
            *shard_slot(shard, old.slots[i] - 1, hash_bytes(&(uint64_t){old.slots[i] - 1}, sizeof(uint64_t))) =
                old.slots[i];
    shard_free(upcoming, &old);
    return true;
}

void upcoming_add(struct upcoming *upcoming, uint64_t key)
{
    uint64_t hash = hash_bytes(&key, sizeof key);
    struct shard *shard = &upcoming->shards[hash % UPCOMING_SHARDS];
    struct lock lock;
    lock_take(&lock, &shard->lock);
    if (key == UINT64_MAX) {
        shard->has_last = true;
    } else if (2 * shard->count < shard->size || shard_grow(upcoming, shard)) {
        uint64_t *slot = shard_slot(shard, key, hash);
        shard->count += !*slot;
        *slot = key + 1;
    }
    lock_give(&lock);
}

bool upcoming_has(struct upcoming *upcoming, uint64_t key)
{
    uint64_t hash = hash_bytes(&key, sizeof key);
    struct shard *shard = &upcoming->shards[hash % UPCOMING_SHARDS];
    struct lock lock;
    lock_take(&lock, &shard->lock);
    bool has = key == UINT64_MAX ? shard->has_last : shard->size && *shard_slot(shard, key, hash);
    lock_give(&lock);
    return has;
}
