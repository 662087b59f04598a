#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "store/visited_inner.h"

enum {
    VISITED_FIRST = 1 << 10,  /* states there is room for at first */
    VISITED_LEAST_BITS = 12
};

struct visited_hand {
    uint64_t tokens, count;
    const uint64_t *parent;
    uint32_t *parent_numbers; /* for each fold */
    /* For each state of the batch and each fold: its number (NODES_NONE: not known yet), and the hash to find it. */
    uint32_t *numbers;
    uint64_t *hashes;
};

/* --- making and unmaking --- */

/* Splits `size` words from `at`; returns the fold that stands for them. */
static uint32_t visited_plan(struct visited *visited, uint32_t at, uint32_t size)
{
    struct fold fold = {.size = size, .at = at};
    if (size > 2) {
        fold.left = visited_plan(visited, at, (size + 1) / 2);
        fold.right = visited_plan(visited, at + (size + 1) / 2, size / 2);
    }
    visited->folds[visited->fold_count] = fold;
    return visited->fold_count++;
}

static bool visited_create_folds(struct visited *visited)
{
    uint32_t words = visited->options.words;
    visited->folds = memory_zeroed(2 * (size_t)words, sizeof *visited->folds);
    visited->left = visited_plan(visited, 0, (words + 1) / 2);
    visited->right = visited_plan(visited, (words + 1) / 2, words / 2);
    for (uint32_t i = 0; i < visited->fold_count; i++)
        if (!nodes_create(&visited->folds[i].nodes, visited->budget, visited->folds[i].size == 2 ? 2 : 1))
            return false;
    return true;
}

static void visited_choose_key(struct visited *visited)
{
    uint32_t bits = visited->options.is_fingerprint ? 64 : visited->options.bits;
    if (visited_is_folded(visited))
        bits = visited_widen_halves(visited);
    visited->mixer = mixer_make(bits < VISITED_LEAST_BITS ? VISITED_LEAST_BITS : bits);
}

struct visited *visited_create(const struct visited_options *options, struct budget *budget)
{
    struct visited *visited = memory_zeroed(1, sizeof *visited);
    ENSURE(options->words > 0 && (options->words > 1 || options->bits <= 64));
    visited->budget = budget;
    visited->options = *options;
    if (!visited_is_folded(visited) || visited_create_folds(visited)) {
        visited_choose_key(visited);
        if (quotient_create(&visited->set, budget, visited->mixer.bits, VISITED_FIRST))
            return visited;
    }
    visited_destroy(visited);
    return NULL;
}

void visited_destroy(struct visited *visited)
{
    if (!visited)
        return;
    for (uint32_t i = 0; i < visited->fold_count; i++)
        nodes_destroy(&visited->folds[i].nodes);
    free(visited->folds);
    quotient_destroy(&visited->set);
    free(visited);
}

struct visited_hand *visited_hand_create(const struct visited *visited)
{
    struct visited_hand *hand = memory_zeroed(1, sizeof *hand);
    size_t folds = visited->fold_count;
    hand->parent_numbers = memory_alloc(folds * sizeof *hand->parent_numbers);
    hand->numbers = memory_alloc(VISITED_BATCH * folds * sizeof *hand->numbers);
    hand->hashes = memory_alloc(VISITED_BATCH * folds * sizeof *hand->hashes);
    return hand;
}

void visited_hand_destroy(struct visited_hand *hand)
{
    if (!hand)
        return;
    free(hand->parent_numbers);
    free(hand->numbers);
    free(hand->hashes);
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
    return fold->size <= 2;
}

static inline bool fold_has_same(const struct fold *fold, const uint64_t *state, const uint64_t *other)
{
    return state[fold->at] == other[fold->at] && (fold->size == 1 || state[fold->at + 1] == other[fold->at + 1]);
}

void visited_hint(const struct visited *visited, const uint64_t *parent)
{
    for (uint32_t i = 0; i < visited->fold_count; i++) {
        const struct fold *fold = &visited->folds[i];
        if (fold_is_leaf(fold))
            nodes_prefetch(&fold->nodes, nodes_hash(&fold->nodes, parent + fold->at));
    }
}

/* The number of a fold of two, from its halves' numbers. */
static uint32_t visited_fold_pair(struct visited *visited, uint32_t which, const uint32_t *numbers)
{
    struct fold *fold = &visited->folds[which];
    uint64_t pair[2] = {(uint64_t)numbers[fold->left] << 32 | numbers[fold->right], 0};
    return nodes_intern(&fold->nodes, pair, nodes_hash(&fold->nodes, pair));
}

void visited_begin(struct visited *visited, struct visited_hand *hand, const uint64_t *parent)
{
    hand->parent = parent;
    for (uint32_t i = 0; i < visited->fold_count; i++) {
        struct nodes *nodes = &visited->folds[i].nodes;
        const uint64_t *part = parent + visited->folds[i].at;
        hand->parent_numbers[i] = fold_is_leaf(&visited->folds[i])
                                      ? nodes_intern(nodes, part, nodes_hash(nodes, part))
                                      : visited_fold_pair(visited, i, hand->parent_numbers);
    }
}

void visited_announce(const struct visited *visited, struct visited_hand *hand, uint32_t which, const uint64_t *state)
{
    uint32_t *numbers = hand->numbers + (size_t)which * visited->fold_count;
    uint64_t *hashes = hand->hashes + (size_t)which * visited->fold_count;
    for (uint32_t i = 0; i < visited->fold_count; i++) {
        const struct fold *fold = &visited->folds[i];
        numbers[i] = NODES_NONE;
        if (!fold_is_leaf(fold)) {
            /* Halves that are the parent's make a whole that is the parent's. */
            if (numbers[fold->left] != NODES_NONE && numbers[fold->right] != NODES_NONE)
                numbers[i] = hand->parent_numbers[i];
        } else if (hand->parent && fold_has_same(fold, state, hand->parent)) {
            numbers[i] = hand->parent_numbers[i];
        } else {
            hashes[i] = nodes_hash(&fold->nodes, state + fold->at);
            nodes_prefetch(&fold->nodes, hashes[i]);
        }
    }
}

static bool visited_fold_state(struct visited *visited, struct visited_hand *hand, uint32_t which,
                               const uint64_t *state, uint64_t *key)
{
    uint32_t *numbers = hand->numbers + (size_t)which * visited->fold_count;
    const uint64_t *hashes = hand->hashes + (size_t)which * visited->fold_count;
    for (uint32_t i = 0; i < visited->fold_count; i++) {
        struct fold *fold = &visited->folds[i];
        if (numbers[i] != NODES_NONE)
            continue;
        numbers[i] = fold_is_leaf(fold) ? nodes_intern(&fold->nodes, state + fold->at, hashes[i])
                                        : visited_fold_pair(visited, i, numbers);
        if (numbers[i] == NODES_NONE)
            return false;
    }
    *key = (uint64_t)numbers[visited->left] << 32 | numbers[visited->right];
    return true;
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
    if (visited->options.is_fingerprint)
        key->key = hash_bytes(state, visited->options.words * sizeof *state);
    else if (visited->options.words == 1)
        key->key = state[0];
    else if (!visited_fold_state(visited, hand, which, state, &key->key))
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
