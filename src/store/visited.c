#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "store/visited_inner.h"

enum {
    VISITED_FIRST = 1 << 10,  /* states there is room for at first */
    VISITED_LEAST_BITS = 12,
    VISITED_DIRECT_BITS = 38  /* states of so many bits are not folded */
};

/* A part of a state on its way. */
struct part {
    uint64_t words[2];
    uint64_t hash;
    uint32_t number; /* NODES_NONE: not known yet */
};

struct visited_hand {
    uint64_t tokens, count;
    struct part *parent; /* for each fold: of the state whose successors come */
    struct part *parts;  /* for each state of the batch and each fold */
    bool has_parent;
};

/* --- making and unmaking --- */

static void visited_choose_key(struct visited *visited)
{
    uint32_t bits = visited->options.is_fingerprint ? 64 : visited->bits;
    if (visited_is_folded(visited))
        bits = visited_widen_pairs(visited);
    visited->mixer = mixer_make(bits < VISITED_LEAST_BITS ? VISITED_LEAST_BITS : bits);
}

/* Empty tables, planned after the sample if there is one. false: no memory; what there is is to be destroyed. */
static bool visited_create_tables(struct visited *visited, bool is_folded, const struct visited_sample *sample,
                                  uint64_t capacity)
{
    if (is_folded)
        visited_plan_folds(visited, sample);
    for (uint32_t i = 0; i < visited->fold_count; i++) {
        uint32_t words = visited->folds[i].size == VISITED_LEAF ? 2 : 1;
        if (!nodes_create(&visited->folds[i].nodes, visited->budget, words))
            return false;
    }
    visited_choose_key(visited);
    return quotient_create(&visited->set, visited->budget, visited->mixer.bits, capacity);
}

static void visited_destroy_tables(struct visited *visited)
{
    for (uint32_t i = 0; i < visited->fold_count; i++)
        nodes_destroy(&visited->folds[i].nodes);
    free(visited->folds);
    quotient_destroy(&visited->set);
}

struct visited *visited_create(const struct visited_options *options, struct budget *budget)
{
    struct visited *visited = memory_zeroed(1, sizeof *visited);
    ENSURE(options->words > 0);
    visited->budget = budget;
    visited->options = *options;
    visited_list_halves(visited);
    visited->options.word_bits = NULL; /* the caller's */
    bool is_folded = !options->is_fingerprint && (options->words > 1 || visited->bits > VISITED_DIRECT_BITS);
    if (!visited_create_tables(visited, is_folded && visited->half_count > 1, NULL, VISITED_FIRST)) {
        visited_destroy(visited);
        return NULL;
    }
    return visited;
}

void visited_destroy(struct visited *visited)
{
    if (!visited)
        return;
    visited_destroy_tables(visited);
    free(visited->halves);
    free(visited);
}

struct visited_hand *visited_hand_create(const struct visited *visited)
{
    struct visited_hand *hand = memory_zeroed(1, sizeof *hand);
    size_t folds = visited_is_folded(visited) ? 2 * (size_t)visited->half_count : 0; /* under any plan */
    hand->parent = memory_zeroed(folds + 1, sizeof *hand->parent);
    hand->parts = memory_zeroed(VISITED_BATCH * folds + 1, sizeof *hand->parts);
    return hand;
}

void visited_hand_destroy(struct visited_hand *hand)
{
    if (!hand)
        return;
    free(hand->parent);
    free(hand->parts);
    free(hand);
}

uint64_t visited_hand_count(const struct visited_hand *hand)
{
    return hand->count;
}

uint64_t visited_bytes(const struct visited *visited)
{
    uint64_t bytes = quotient_bytes(&visited->set);
    for (uint32_t i = 0; i < visited->fold_count; i++)
        bytes += nodes_bytes(&visited->folds[i].nodes);
    return bytes;
}

/* Of n states each pair has the same fingerprint with probability 2^-64. */
double visited_expected_omissions(const struct visited *visited, uint64_t count)
{
    return visited->options.is_fingerprint ? (double)count * (double)count / 2 / 18446744073709551616.0 : 0;
}

/* --- a state on its way in --- */

static inline bool fold_is_leaf(const struct fold *fold)
{
    return fold->size <= VISITED_LEAF;
}

static inline uint64_t fold_half(const struct fold *fold, const uint64_t *state, uint32_t i)
{
    return (uint32_t)(state[fold->halves[i] / 2] >> fold->halves[i] % 2 * 32);
}

/* The words of a leaf. */
static inline void fold_gather(const struct fold *fold, const uint64_t *state, struct part *part)
{
    part->words[0] = fold_half(fold, state, 0);
    part->words[1] = 0;
    if (fold->size > 1)
        part->words[0] |= fold_half(fold, state, 1) << 32;
    if (fold->size > 2)
        part->words[1] = fold_half(fold, state, 2);
}

static inline void fold_look_up(const struct fold *fold, struct part *part)
{
    part->number = NODES_NONE;
    part->hash = nodes_hash(&fold->nodes, part->words);
    nodes_prefetch(&fold->nodes, part->hash);
}

void visited_hint(const struct visited *visited, const uint64_t *parent)
{
    for (uint32_t i = 0; i < visited->fold_count; i++) {
        struct part part;
        if (!fold_is_leaf(&visited->folds[i]))
            continue;
        fold_gather(&visited->folds[i], parent, &part);
        fold_look_up(&visited->folds[i], &part);
    }
}

/* The numbers that are not known yet, from the leaves up. */
static bool visited_fold(struct visited *visited, struct part *parts)
{
    for (uint32_t i = 0; i < visited->fold_count; i++) {
        struct fold *fold = &visited->folds[i];
        struct part *part = &parts[i];
        if (part->number != NODES_NONE)
            continue;
        if (!fold_is_leaf(fold)) {
            part->words[0] = (uint64_t)parts[fold->left].number << 32 | parts[fold->right].number;
            part->hash = nodes_hash(&fold->nodes, part->words);
        }
        part->number = nodes_intern(&fold->nodes, part->words, part->hash);
        if (part->number == NODES_NONE)
            return false;
    }
    return true;
}

void visited_begin(struct visited *visited, struct visited_hand *hand, const uint64_t *parent)
{
    for (uint32_t i = 0; i < visited->fold_count; i++) {
        hand->parent[i].number = NODES_NONE;
        if (!fold_is_leaf(&visited->folds[i]))
            continue;
        fold_gather(&visited->folds[i], parent, &hand->parent[i]);
        fold_look_up(&visited->folds[i], &hand->parent[i]);
    }
    hand->has_parent = visited_fold(visited, hand->parent);
}

void visited_announce(const struct visited *visited, struct visited_hand *hand, uint32_t which, const uint64_t *state)
{
    struct part *parts = hand->parts + (size_t)which * visited->fold_count;
    for (uint32_t i = 0; i < visited->fold_count; i++) {
        const struct fold *fold = &visited->folds[i];
        const struct part *parent = &hand->parent[i];
        bool is_same;
        if (fold_is_leaf(fold)) {
            fold_gather(fold, state, &parts[i]);
            is_same = hand->has_parent && parts[i].words[0] == parent->words[0] && parts[i].words[1] == parent->words[1];
            if (!is_same)
                fold_look_up(fold, &parts[i]);
        } else {
            /* Two parts that are the parent's make one that is the parent's. */
            is_same = parts[fold->left].number != NODES_NONE && parts[fold->right].number != NODES_NONE;
            parts[i].number = NODES_NONE;
        }
        if (is_same)
            parts[i].number = parent->number;
    }
}

static inline void visited_scatter(const struct visited *visited, struct visited_key *key)
{
    uint64_t number = key->key;
    if (visited_is_folded(visited))
        number = visited_join(visited, (uint32_t)(key->key >> 32), (uint32_t)key->key);
    key->number = visited->options.is_fingerprint ? number : mixer_apply(&visited->mixer, number);
    key->epoch = visited->epoch;
}

bool visited_prepare(struct visited *visited, struct visited_hand *hand, uint32_t which, const uint64_t *state,
                     struct visited_key *key)
{
    struct part *parts = hand->parts + (size_t)which * visited->fold_count;
    if (visited->options.is_fingerprint)
        key->key = hash_bytes(state, visited->options.words * sizeof *state);
    else if (!visited_is_folded(visited))
        key->key = state[0];
    else if (visited_fold(visited, parts))
        key->key = (uint64_t)parts[visited->left].number << 32 | parts[visited->right].number;
    else
        return false;
    visited_scatter(visited, key);
    quotient_prefetch(&visited->set, key->number);
    return true;
}

/* Room for one more, or why not. */
static enum visited_outcome visited_ask(struct visited *visited, struct visited_hand *hand)
{
    uint64_t size = visited_grant_size(visited), most = visited->options.max_states;
    uint64_t granted = atomic_load_explicit(&visited->granted, memory_order_relaxed);
    do {
        if (most && granted >= most)
            return VISITED_LIMIT;
        if (granted + size > quotient_capacity(&visited->set))
            return VISITED_GROW;
    } while (!atomic_compare_exchange_weak(&visited->granted, &granted, granted + size));
    hand->tokens += size;
    return VISITED_NEW;
}

enum visited_outcome visited_insert(struct visited *visited, struct visited_hand *hand, struct visited_key *key)
{
    if (visited->is_stuck)
        return VISITED_GROW;
    if (key->epoch != visited->epoch)
        visited_scatter(visited, key);
    if (!hand->tokens) {
        if (quotient_has(&visited->set, key->number))
            return VISITED_FOUND;
        enum visited_outcome answer = visited_ask(visited, hand);
        if (answer != VISITED_NEW)
            return answer;
    }
    switch (quotient_insert(&visited->set, key->number)) {
    case QUOTIENT_FOUND:
        return VISITED_FOUND;
    case QUOTIENT_NO_ROOM:
        return VISITED_GROW;
    case QUOTIENT_NEW:
        break;
    }
    hand->tokens--;
    hand->count++;
    return VISITED_NEW;
}

/* --- planning again --- */

bool visited_can_replan(const struct visited *visited)
{
    return visited->half_count > 2 && visited_is_folded(visited);
}

/* Puts in all states of the sample. */
static bool visited_refill(struct visited *visited, const struct visited_sample *sample)
{
    struct visited_hand *hand = visited_hand_create(visited);
    bool is_good = true;
    for (uint64_t i = 0; i < sample->count && is_good; i++) {
        const uint64_t *state = sample->states + i * visited->options.words;
        struct visited_key key;
        visited_announce(visited, hand, 0, state);
        while ((is_good = visited_prepare(visited, hand, 0, state, &key)) == false)
            if (!visited_grow(visited, NULL))
                break;
        if (is_good)
            quotient_add(&visited->set, key.number);
    }
    visited_hand_destroy(hand);
    return is_good;
}

bool visited_replan(struct visited *visited, const struct visited_sample *sample)
{
    struct visited new = *visited;
    uint64_t granted = atomic_load(&visited->granted);
    new.folds = NULL;
    new.fold_count = 0;
    new.left_bits = new.right_bits = 0;
    memset(&new.set, 0, sizeof new.set);
    if (!visited_create_tables(&new, true, sample, 2 * granted) || !visited_refill(&new, sample)) {
        visited_destroy_tables(&new);
        return false;
    }
    visited_destroy_tables(visited);
    new.epoch = visited->epoch + 1;
    new.plan = visited->plan + 1;
    *visited = new;
    return true;
}

uint32_t visited_plan_number(const struct visited *visited)
{
    return visited->plan;
}
