#include "store/whole.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "store/pages.h"

enum {
    WHOLE_LEAST = 3,  /* of the number of buckets: its exponent */
    WHOLE_FIRST = 10, /* at first, where there may be so many */
    WHOLE_LARGE = 17, /* the same, from which on several threads are worth it */
    WHOLE_PARTS = 64  /* that they move */
};

/* Two states at least. Five of three words are in two lines: in one, a quarter would be for nothing. */
static inline uint32_t whole_bucket_words(uint32_t words)
{
    return words <= 2 ? WHOLE_LINE / 2 : words == 3 ? 2 * WHOLE_LINE : WHOLE_LINE;
}

static uint64_t whole_bytes_of(const struct whole *set, uint32_t exponent)
{
    return ((uint64_t)set->bucket_words * sizeof *set->places) << exponent;
}

uint64_t whole_bytes(const struct whole *set)
{
    return set->places ? whole_bytes_of(set, set->exponent) : 0;
}

/* Eleven sixteenths: few buckets are full then. */
uint64_t whole_capacity(const struct whole *set)
{
    return ((uint64_t)set->slots * 11 << set->exponent) / 16;
}

bool whole_create(struct whole *set, struct budget *budget, uint32_t words, uint32_t head, uint64_t most_bytes)
{
    uint32_t bucket_words = whole_bucket_words(words);
    ENSURE(head < words && words <= WHOLE_WORDS);
    *set = (struct whole){.words = words,
                          .head = head,
                          .slots = bucket_words / words,
                          .bucket_words = bucket_words,
                          .exponent = WHOLE_FIRST,
                          .budget = budget};
    while (set->exponent > WHOLE_LEAST && whole_bytes_of(set, set->exponent) > most_bytes)
        set->exponent--;
    uint64_t first = whole_bytes_of(set, set->exponent);
    for (set->most_bytes = first; 2 * set->most_bytes <= most_bytes;)
        set->most_bytes *= 2;
    if (!budget_take(budget, first))
        return false;
    set->places = pages_reserve(set->most_bytes);
    if (set->places && pages_take((void *)set->places, 0, first))
        return true;
    if (set->places)
        pages_give_back((void *)set->places, set->most_bytes, 0);
    set->places = NULL;
    budget_give(budget, first);
    return false;
}

void whole_destroy(struct whole *set)
{
    if (!set->places)
        return;
    budget_give(set->budget, whole_bytes(set));
    pages_give_back((void *)set->places, set->most_bytes, whole_bytes(set));
    memset(set, 0, sizeof *set);
}

static inline void whole_write(_Atomic uint64_t *place, const uint64_t *state, uint32_t words, uint32_t head)
{
    for (uint32_t w = 0; w < words; w++)
        if (w != head)
            atomic_store_explicit(&place[w], state[w], memory_order_relaxed);
    atomic_store_explicit(&place[head], state[head] | WHOLE_TAKEN, memory_order_release);
}

static inline void whole_read(const _Atomic uint64_t *place, uint64_t *state, uint32_t words, uint32_t head)
{
    for (uint32_t w = 0; w < words; w++)
        state[w] = atomic_load_explicit(&place[w], memory_order_relaxed);
    state[head] &= ~WHOLE_TAKEN;
}

/* But for the head, which was compared. */
static inline bool whole_is_same(const _Atomic uint64_t *place, const uint64_t *state, uint32_t words, uint32_t head)
{
    uint64_t difference = 0;
    for (uint32_t w = 0; w < words; w++)
        difference |= w == head ? 0 : atomic_load_explicit(&place[w], memory_order_relaxed) ^ state[w];
    return !difference;
}

/* What is in a place, when nobody is writing there. */
static inline uint64_t whole_await(const _Atomic uint64_t *head)
{
    uint64_t found;
    for (uint32_t tries = 1; (found = atomic_load_explicit(head, memory_order_acquire)) == WHOLE_BUSY; tries++)
        if (tries % 64 == 0)
            sched_yield();
    return found;
}

/* The state in its place, or in one that is free; WHOLE_ABSENT: another is there. What is behind an acquiring load
 * waits for it, and so for memory: only a place whose head is the state's own needs one, and a state of one word, which
 * is there at once, needs none. Nor does whoever takes a place: it reads nothing behind that. */
static inline __attribute__((always_inline)) enum whole_outcome whole_claim(_Atomic uint64_t *place,
                                                                            const uint64_t *state, uint32_t words,
                                                                            uint32_t head)
{
    const uint64_t wanted = state[head] | WHOLE_TAKEN;
    uint64_t found = atomic_load_explicit(&place[head], memory_order_relaxed);
    if (found == 0 && atomic_compare_exchange_strong_explicit(&place[head], &found, words == 1 ? wanted : WHOLE_BUSY,
                                                              memory_order_relaxed, memory_order_relaxed)) {
        if (words > 1)
            whole_write(place, state, words, head);
        return WHOLE_NEW;
    }
    if (words > 1 && (found == WHOLE_BUSY || found == wanted))
        found = whole_await(&place[head]);
    return found == wanted && whole_is_same(place, state, words, head) ? WHOLE_FOUND : WHOLE_ABSENT;
}

/* The same where no other thread is about. */
static inline __attribute__((always_inline)) enum whole_outcome whole_claim_alone(_Atomic uint64_t *place,
                                                                                  const uint64_t *state, uint32_t words,
                                                                                  uint32_t head)
{
    uint64_t difference = 0;
    for (uint32_t w = 0; w < words; w++)
        difference |= atomic_load_explicit(&place[w], memory_order_relaxed) ^ state[w] ^ (w == head ? WHOLE_TAKEN : 0);
    if (!difference)
        return WHOLE_FOUND;
    if (atomic_load_explicit(&place[head], memory_order_relaxed))
        return WHOLE_ABSENT;
    for (uint32_t w = 0; w < words; w++)
        atomic_store_explicit(&place[w], state[w] | (w == head ? WHOLE_TAKEN : 0), memory_order_relaxed);
    return WHOLE_NEW;
}

/* This is where a search spends much of its time, so compilers know the number of words, and whether other threads are
 * about: function(set, words, is_alone, ...), as the set is. */
#define WHOLE_WITH_WORDS(function, set, ...)                                                                           \
    ((set)->words == 1   ? function(set, 1, __VA_ARGS__)                                                               \
     : (set)->words == 2 ? function(set, 2, __VA_ARGS__)                                                               \
     : (set)->words == 3 ? function(set, 3, __VA_ARGS__)                                                               \
                         : function(set, WHOLE_WORDS, __VA_ARGS__))
#define WHOLE_KNOWN(function, set, ...)                                                                                \
    ((set)->is_alone ? WHOLE_WITH_WORDS(function, set, true, __VA_ARGS__)                                              \
                     : WHOLE_WITH_WORDS(function, set, false, __VA_ARGS__))

/* Places of a bucket are taken one after the other, and a bucket before the next one. */
static inline __attribute__((always_inline)) enum whole_outcome whole_insert_words(struct whole *set, uint32_t words,
                                                                                   bool is_alone, const uint64_t *state,
                                                                                   uint64_t hash, bool may_add)
{
    const uint32_t bucket_words = whole_bucket_words(words), slots = bucket_words / words, head = set->head;
    uint64_t mask = ((uint64_t)1 << set->exponent) - 1;
    for (uint64_t at = whole_bucket(set, hash);; at = (at + 1) & mask)
        for (uint32_t slot = 0; slot < slots; slot++) {
            _Atomic uint64_t *place = set->places + at * bucket_words + slot * words;
            if (!may_add && !atomic_load_explicit(&place[head], memory_order_relaxed))
                return WHOLE_ABSENT;
            enum whole_outcome outcome =
                is_alone ? whole_claim_alone(place, state, words, head) : whole_claim(place, state, words, head);
            if (outcome != WHOLE_ABSENT)
                return outcome;
        }
}

enum whole_outcome whole_insert(struct whole *set, const uint64_t *state, uint64_t hash, bool may_add)
{
    return WHOLE_KNOWN(whole_insert_words, set, state, hash, may_add);
}

static inline __attribute__((always_inline)) uint64_t whole_wave_words(struct whole *set, uint32_t words, bool is_alone,
                                                                       const uint64_t *states, const uint64_t *hashes,
                                                                       uint32_t count)
{
    uint64_t fresh = 0;
    for (uint32_t i = 0; i < count; i++)
        whole_prefetch(set, hashes[i]);
    for (uint32_t i = 0; i < count; i++) {
        enum whole_outcome outcome = whole_insert_words(set, words, is_alone, states + i * words, hashes[i], true);
        fresh |= (uint64_t)(outcome == WHOLE_NEW) << i;
    }
    return fresh;
}

uint64_t whole_insert_wave(struct whole *set, const uint64_t *states, const uint64_t *hashes, uint32_t count)
{
    ENSURE(count <= 64);
    return WHOLE_KNOWN(whole_wave_words, set, states, hashes, count);
}

/* --- growing --- */

/* The states of a cluster, while it is split. */
struct whole_cluster {
    uint64_t *states;
    size_t count, capacity;
};

struct whole_split {
    struct whole *set;
    uint64_t buckets; /* before */
    uint64_t from[WHOLE_PARTS + 1];
};

static inline _Atomic uint64_t *whole_place(const struct whole *set, uint32_t words, uint64_t bucket, uint32_t slot)
{
    return set->places + bucket * whole_bucket_words(words) + (size_t)slot * words;
}

static inline bool whole_is_taken(const struct whole *set, uint32_t words, uint64_t bucket, uint32_t slot)
{
    return atomic_load_explicit(whole_place(set, words, bucket, slot) + set->head, memory_order_relaxed);
}

static inline bool whole_is_full(const struct whole *set, uint32_t words, uint64_t bucket)
{
    return whole_is_taken(set, words, bucket, whole_bucket_words(words) / words - 1);
}

static inline void whole_take_out(struct whole *set, uint32_t words, uint64_t bucket, struct whole_cluster *cluster)
{
    const uint32_t slots = whole_bucket_words(words) / words;
    if (cluster->count + slots > cluster->capacity) {
        cluster->capacity = 2 * cluster->capacity + slots;
        cluster->states = memory_resize(cluster->states, cluster->capacity * words * sizeof *cluster->states);
    }
    for (uint32_t slot = 0; slot < slots && whole_is_taken(set, words, bucket, slot); slot++) {
        _Atomic uint64_t *place = whole_place(set, words, bucket, slot);
        whole_read(place, cluster->states + cluster->count++ * words, words, set->head);
        for (uint32_t w = 0; w < words; w++)
            atomic_store_explicit(&place[w], 0, memory_order_relaxed);
    }
}

/* A state that is not in the set, into the first free place. */
static inline void whole_put(struct whole *set, uint32_t words, const uint64_t *state)
{
    const uint32_t slots = whole_bucket_words(words) / words;
    uint64_t bucket = whole_bucket(set, state_hash(state, words)), mask = ((uint64_t)1 << set->exponent) - 1;
    uint32_t slot = 0;
    while (whole_is_taken(set, words, bucket, slot))
        if (++slot == slots) {
            slot = 0;
            bucket = (bucket + 1) & mask;
        }
    whole_write(whole_place(set, words, bucket, slot), state, words, set->head);
}

/* Full buckets and the one behind them that is not: all states in them belong there, and find room in them or in those
 * that they become in the upper part. So clusters do not meet, and may be split in any order. */
static inline __attribute__((always_inline)) void whole_split_words(struct whole *set, uint32_t words,
                                                                    const struct whole_split *split, uint32_t part)
{
    struct whole_cluster cluster = {0};
    for (uint64_t at = split->from[part]; at < split->from[part + 1]; at++) {
        uint64_t bucket = at & (split->buckets - 1);
        bool is_end = !whole_is_full(set, words, bucket);
        whole_take_out(set, words, bucket, &cluster);
        for (size_t i = 0; i < cluster.count && is_end; i++)
            whole_put(set, words, cluster.states + i * words);
        cluster.count = is_end ? 0 : cluster.count;
    }
    free(cluster.states);
}

static void whole_split_part(void *user, uint32_t part)
{
    const struct whole_split *split = user;
    WHOLE_WITH_WORDS(whole_split_words, split->set, split, part);
}

/* Each part begins behind a bucket that is not full, and the last one ends where the first one begins. */
static void whole_cut(struct whole_split *split, uint32_t parts)
{
    uint64_t first = 1;
    while (whole_is_full(split->set, split->set->words, first - 1))
        first++;
    for (uint32_t part = 0; part < parts; part++) {
        uint64_t at = first + split->buckets / parts * part;
        while (whole_is_full(split->set, split->set->words, (at - 1) & (split->buckets - 1)))
            at++;
        split->from[part] = at;
    }
    split->from[parts] = first + split->buckets;
}

bool whole_grow(struct whole *set, struct team *team, uint32_t doublings)
{
    struct whole_split split = {.set = set, .buckets = (uint64_t)1 << set->exponent};
    bool is_large = team && set->exponent >= WHOLE_LARGE;
    uint64_t bytes = whole_bytes(set), more = (bytes << doublings) - bytes;
    if (bytes + more > set->most_bytes || !budget_take(set->budget, more))
        return false;
    if (!pages_take((void *)set->places, bytes, bytes + more)) {
        budget_give(set->budget, more);
        return false;
    }
    whole_cut(&split, is_large ? WHOLE_PARTS : 1);
    set->exponent += doublings;
    if (is_large)
        team->run(team, WHOLE_PARTS, whole_split_part, &split);
    else
        whole_split_part(&split, 0);
    return true;
}

uint64_t whole_list(const struct whole *set, uint64_t *states)
{
    uint64_t count = 0;
    for (uint64_t bucket = 0; bucket >> set->exponent == 0; bucket++)
        for (uint32_t slot = 0; slot < set->slots && whole_is_taken(set, set->words, bucket, slot); slot++)
            whole_read(whole_place(set, set->words, bucket, slot), states + count++ * set->words, set->words,
                       set->head);
    return count;
}
