#include "store/strays.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"

/* For this many states. */
static uint64_t strays_bytes_for(const struct strays *strays, uint64_t most)
{
    return most * (strays->words * sizeof *strays->states + 4 * sizeof *strays->slots);
}

/* `most`: a power of two. */
static bool strays_alloc(struct strays *strays, uint32_t most)
{
    if (!budget_take(strays->budget, strays_bytes_for(strays, most)))
        return false;
    strays->most = most;
    strays->slot_count = 4 * most;
    strays->states = memory_alloc((size_t)most * strays->words * sizeof *strays->states);
    strays->slots = memory_zeroed(strays->slot_count, sizeof *strays->slots);
    return true;
}

struct strays *strays_create(struct budget *budget, uint32_t words, uint32_t most)
{
    struct strays *strays = memory_zeroed(1, sizeof *strays);
    strays->budget = budget;
    strays->words = words;
    if (!strays_alloc(strays, most)) {
        free(strays);
        return NULL;
    }
    pthread_mutex_init(&strays->lock, NULL);
    return strays;
}

void strays_destroy(struct strays *strays)
{
    if (!strays)
        return;
    budget_give(strays->budget, strays_bytes(strays));
    free(strays->states);
    free(strays->slots);
    pthread_mutex_destroy(&strays->lock);
    free(strays);
}

uint64_t strays_bytes(const struct strays *strays)
{
    return strays_bytes_for(strays, strays->most);
}

/* Its slot, or an empty one. */
static uint32_t *strays_find(const struct strays *strays, const uint64_t *state)
{
    size_t bytes = strays->words * sizeof *state;
    uint32_t at = (uint32_t)hash_bytes(state, bytes) & (strays->slot_count - 1);
    while (strays->slots[at] &&
           memcmp(strays->states + (size_t)(strays->slots[at] - 1) * strays->words, state, bytes) != 0)
        at = (at + 1) & (strays->slot_count - 1);
    return &strays->slots[at];
}

static enum stray_outcome strays_put(struct strays *strays, const uint64_t *state)
{
    uint32_t *slot = strays_find(strays, state);
    if (*slot)
        return STRAY_FOUND;
    if (strays->count == strays->most)
        return STRAY_NO_ROOM;
    memcpy(strays->states + (size_t)strays->count * strays->words, state, strays->words * sizeof *state);
    *slot = ++strays->count;
    return STRAY_NEW;
}

enum stray_outcome strays_insert(struct strays *strays, const uint64_t *state)
{
    pthread_mutex_lock(&strays->lock);
    enum stray_outcome outcome = strays_put(strays, state);
    pthread_mutex_unlock(&strays->lock);
    return outcome;
}

bool strays_has(struct strays *strays, const uint64_t *state)
{
    pthread_mutex_lock(&strays->lock);
    bool is_there = *strays_find(strays, state) > 0;
    pthread_mutex_unlock(&strays->lock);
    return is_there;
}

bool strays_make_room(struct strays *strays)
{
    uint32_t count = strays->count, *slots = strays->slots;
    uint64_t bytes = strays_bytes(strays), *states = strays->states;
    if (strays->most > UINT32_MAX / 8 || !strays_alloc(strays, 2 * strays->most))
        return false;
    strays->count = 0;
    for (uint32_t i = 0; i < count; i++)
        strays_put(strays, states + (size_t)i * strays->words);
    free(states);
    free(slots);
    budget_give(strays->budget, bytes);
    return true;
}

void strays_clear(struct strays *strays)
{
    strays->count = 0;
    memset(strays->slots, 0, strays->slot_count * sizeof *strays->slots);
}
