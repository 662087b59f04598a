#include "base/registry.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { REGISTRY_PARTS = 64, REGISTRY_LEAST = 64, REGISTRY_SPARE = 128 };

struct registry {
    char unused;
};

struct registry_entry {
    void *block; /* NULL: none */
    size_t bytes;
    const struct registry *owner;
};

/* Open addressing, at most half full (where there is no memory for more, somewhat fuller); removal moves up what
 * follows. */
struct registry_part {
    pthread_mutex_t lock;
    struct registry_entry *entries;
    size_t count, capacity; /* a power of two */
};

static struct registry_part parts[REGISTRY_PARTS];
static pthread_once_t parts_once = PTHREAD_ONCE_INIT;
/* Where there is no memory for a wider table: a block that has grown, and moved, cannot be sent back. */
static struct {
    pthread_mutex_t lock;
    struct registry_entry entries[REGISTRY_SPARE];
    _Atomic size_t count;
} spare = {.lock = PTHREAD_MUTEX_INITIALIZER};
static _Atomic size_t registries;

static void parts_init(void)
{
    for (size_t i = 0; i < REGISTRY_PARTS; i++)
        pthread_mutex_init(&parts[i].lock, NULL);
}

static uint64_t mix(const void *block)
{
    return ((uint64_t)(uintptr_t)block >> 4) * UINT64_C(0x9e3779b97f4a7c15);
}

static struct registry_part *part_of(const void *block)
{
    return &parts[mix(block) >> 58];
}

static size_t place_of(const struct registry_part *part, const void *block)
{
    return (size_t)(mix(block) >> 20) & (part->capacity - 1);
}

static void part_put(struct registry_part *part, struct registry_entry entry)
{
    size_t at = place_of(part, entry.block);
    while (part->entries[at].block)
        at = (at + 1) & (part->capacity - 1);
    part->entries[at] = entry;
    part->count++;
}

static bool part_grow(struct registry_part *part)
{
    struct registry_part wider = {.capacity = part->capacity ? 2 * part->capacity : REGISTRY_LEAST};
    wider.entries = calloc(wider.capacity, sizeof *wider.entries);
    if (!wider.entries)
        return false;
    for (size_t i = 0; i < part->capacity; i++)
        if (part->entries[i].block)
            part_put(&wider, part->entries[i]);
    free(part->entries);
    part->entries = wider.entries;
    part->capacity = wider.capacity;
    return true;
}

static void part_remove_at(struct registry_part *part, size_t hole)
{
    size_t mask = part->capacity - 1;
    for (size_t at = (hole + 1) & mask; part->entries[at].block; at = (at + 1) & mask) {
        size_t wanted = place_of(part, part->entries[at].block);
        if (((at - wanted) & mask) >= ((at - hole) & mask)) {
            part->entries[hole] = part->entries[at];
            hole = at;
        }
    }
    part->entries[hole] = (struct registry_entry){0};
    part->count--;
}

static bool spare_add(struct registry_entry entry)
{
    size_t at = 0;
    pthread_mutex_lock(&spare.lock);
    while (at < REGISTRY_SPARE && spare.entries[at].block)
        at++;
    if (at < REGISTRY_SPARE) {
        spare.entries[at] = entry;
        spare.count++;
    }
    pthread_mutex_unlock(&spare.lock);
    return at < REGISTRY_SPARE;
}

static void spare_drop(size_t at)
{
    spare.entries[at] = (struct registry_entry){0};
    spare.count--;
}

static void spare_remove(const void *block)
{
    pthread_mutex_lock(&spare.lock);
    for (size_t at = 0; at < REGISTRY_SPARE; at++)
        if (spare.entries[at].block == block)
            spare_drop(at);
    pthread_mutex_unlock(&spare.lock);
}

struct registry *registry_create(void)
{
    pthread_once(&parts_once, parts_init);
    struct registry *registry = malloc(sizeof *registry);
    if (registry)
        atomic_fetch_add(&registries, 1);
    return registry;
}

static void entry_free(struct registry_entry entry)
{
    if (entry.bytes)
        munmap(entry.block, entry.bytes);
    else
        free(entry.block);
}

/* Removal may move an entry of the end of the table to its beginning, before the place that is looked at: until none is
 * met. */
static size_t part_release(struct registry_part *part, const struct registry *registry)
{
    size_t released = 0;
    bool is_met = true;
    while (is_met) {
        is_met = false;
        for (size_t i = 0; i < part->capacity; i++)
            while (part->entries[i].block && part->entries[i].owner == registry) {
                entry_free(part->entries[i]);
                part_remove_at(part, i);
                released++;
                is_met = true;
            }
    }
    if (!part->count) {
        free(part->entries);
        part->entries = NULL;
        part->capacity = 0;
    }
    return released;
}

static size_t spare_release(const struct registry *registry)
{
    size_t released = 0;
    pthread_mutex_lock(&spare.lock);
    for (size_t at = 0; at < REGISTRY_SPARE; at++)
        if (spare.entries[at].block && spare.entries[at].owner == registry) {
            entry_free(spare.entries[at]);
            spare_drop(at);
            released++;
        }
    pthread_mutex_unlock(&spare.lock);
    return released;
}

size_t registry_destroy(struct registry *registry)
{
    size_t released = 0;
    if (!registry)
        return 0;
    for (size_t i = 0; i < REGISTRY_PARTS; i++) {
        pthread_mutex_lock(&parts[i].lock);
        released += part_release(&parts[i], registry);
        pthread_mutex_unlock(&parts[i].lock);
    }
    released += spare_release(registry);
    atomic_fetch_sub(&registries, 1);
    free(registry);
    return released;
}

bool registry_add(struct registry *registry, void *block, size_t bytes)
{
    struct registry_part *part = part_of(block);
    pthread_mutex_lock(&part->lock);
    bool has_room = 2 * part->count < part->capacity || part_grow(part) || 8 * (part->count + 1) < 7 * part->capacity;
    if (has_room)
        part_put(part, (struct registry_entry){block, bytes, registry});
    pthread_mutex_unlock(&part->lock);
    return has_room || spare_add((struct registry_entry){block, bytes, registry});
}

void registry_remove(const void *block)
{
    struct registry_part *part = part_of(block);
    pthread_mutex_lock(&part->lock);
    if (part->capacity) {
        size_t at = place_of(part, block);
        while (part->entries[at].block && part->entries[at].block != block)
            at = (at + 1) & (part->capacity - 1);
        if (part->entries[at].block)
            part_remove_at(part, at);
    }
    pthread_mutex_unlock(&part->lock);
    if (spare.count)
        spare_remove(block);
}

bool registry_is_used(void)
{
    return atomic_load_explicit(&registries, memory_order_relaxed) != 0;
}
