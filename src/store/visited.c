#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "store/visited_inner.h"

enum {
    VISITED_FIRST = 1 << 10,     /* states there is room for at first */
    VISITED_FIRST_PARTS = 1 << 6,
    VISITED_DIRECT_BITS = 38,    /* states of so many bits are not folded */
    VISITED_MEMO_BITS = 11,      /* of the number of memos for a fold, at most */
    VISITED_MEMOS = 1 << 16      /* in all, about */
};

/* A part of a state on its way. */
struct part {
    uint64_t key;       /* the half words, or the pair of numbers, 32 bits each */
    uint64_t scattered; /* of a leaf */
    uint32_t number;    /* VISITED_NO_NUMBER: not known yet */
};

/* A part that was looked up not long ago. */
struct memo {
    uint64_t key;
    uint32_t number;
};

struct visited_hand {
    uint64_t tokens, count;
    struct part *parent; /* for each fold: of the state whose successors come */
    struct part *parts;  /* for each state of the batch and each fold */
    struct memo *memos;  /* for each fold 2^memo_bits */
    uint32_t memo_bits;
    size_t memo_count;
    uint32_t plan;       /* of the set, when the memos were written */
};

/* --- making and unmaking --- */

/* Of `bits` bits, or (0) pairs of numbers as wide as the folds have them. */
static bool table_create(struct table *table, const struct visited *visited, const struct fold *left,
                         const struct fold *right, uint32_t bits, bool is_map, uint64_t capacity)
{
    table->has_pairs = !bits;
    if (table->has_pairs) {
        table->left_bits = fold_number_bits(left) + VISITED_SPARE_BITS;
        table->right_bits = fold_number_bits(right) + VISITED_SPARE_BITS;
        bits = table->left_bits + table->right_bits;
    }
    table->mixer = mixer_make(bits < VISITED_LEAST_BITS ? VISITED_LEAST_BITS : bits);
    return quotient_create(&table->set, visited->budget, table->mixer.bits, is_map, capacity);
}

static uint32_t visited_leaf_bits(const struct visited *visited, const struct fold *fold)
{
    uint32_t bits = 0;
    for (uint32_t i = 0; i < fold->size && fold->is_leaf; i++)
        bits += visited->halves[fold->from + i].bits;
    return bits;
}

/* Empty tables, planned after the sample if there is one. false: no memory; what there is is to be destroyed. */
static bool visited_create_tables(struct visited *visited, bool is_folded, const struct visited_sample *sample,
                                  uint64_t capacity)
{
    uint32_t bits = visited->options.is_fingerprint ? 64 : visited->bits;
    if (is_folded)
        visited_plan_folds(visited, sample);
    for (uint32_t i = 0; i < visited->fold_count; i++) {
        struct fold *fold = &visited->folds[i];
        if (!table_create(&fold->table, visited, &visited->folds[fold->left], &visited->folds[fold->right],
                          visited_leaf_bits(visited, fold), true, VISITED_FIRST_PARTS))
            return false;
    }
    return is_folded ? table_create(&visited->top, visited, &visited->folds[visited->left],
                                    &visited->folds[visited->right], 0, false, capacity)
                     : table_create(&visited->top, visited, NULL, NULL, bits ? bits : 1, false, capacity);
}

static void visited_destroy_tables(struct visited *visited)
{
    for (uint32_t i = 0; i < visited->fold_count; i++)
        quotient_destroy(&visited->folds[i].table.set);
    free(visited->folds);
    quotient_destroy(&visited->top.set);
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

/* No part has been looked up. */
static void visited_forget(const struct visited *visited, struct visited_hand *hand)
{
    for (size_t i = 0; i < hand->memo_count; i++)
        hand->memos[i].number = VISITED_NO_NUMBER;
    for (uint32_t i = 0; i < visited->fold_count; i++)
        hand->parent[i].number = VISITED_NO_NUMBER;
    hand->plan = visited->plan;
}

struct visited_hand *visited_hand_create(const struct visited *visited)
{
    struct visited_hand *hand = memory_zeroed(1, sizeof *hand);
    size_t folds = visited_is_folded(visited) ? 2 * (size_t)visited->half_count : 0; /* under any plan */
    hand->parent = memory_zeroed(folds + 1, sizeof *hand->parent);
    hand->parts = memory_zeroed(VISITED_BATCH * folds + 1, sizeof *hand->parts);
    hand->memo_bits = VISITED_MEMO_BITS;
    while (hand->memo_bits > 1 && folds << hand->memo_bits > VISITED_MEMOS)
        hand->memo_bits--;
    hand->memo_count = folds << hand->memo_bits;
    hand->memos = memory_alloc((hand->memo_count + 1) * sizeof *hand->memos);
    visited_forget(visited, hand);
    return hand;
}

void visited_hand_destroy(struct visited_hand *hand)
{
    if (!hand)
        return;
    free(hand->parent);
    free(hand->parts);
    free(hand->memos);
    free(hand);
}

uint64_t visited_hand_count(const struct visited_hand *hand)
{
    return hand->count;
}

uint64_t visited_bytes(const struct visited *visited)
{
    uint64_t bytes = quotient_bytes(&visited->top.set);
    for (uint32_t i = 0; i < visited->fold_count; i++)
        bytes += quotient_bytes(&visited->folds[i].table.set);
    return bytes;
}

/* Of n states each pair has the same fingerprint with probability 2^-64. */
double visited_expected_omissions(const struct visited *visited, uint64_t count)
{
    return visited->options.is_fingerprint ? (double)count * (double)count / 2 / 18446744073709551616.0 : 0;
}

/* --- a state on its way in --- */

static inline uint64_t fold_half(const struct fold *fold, const uint64_t *state, uint32_t i)
{
    return (uint32_t)(state[fold->halves[i] / 2] >> fold->halves[i] % 2 * 32);
}

/* The key of a leaf. */
static inline uint64_t fold_gather(const struct fold *fold, const uint64_t *state)
{
    uint64_t key = fold_half(fold, state, 0);
    return fold->size > 1 ? key | fold_half(fold, state, 1) << fold->shift : key;
}

static inline uint64_t fold_scatter(const struct fold *fold, uint64_t key)
{
    if (!fold->is_leaf)
        key = table_join(&fold->table, (uint32_t)(key >> 32), (uint32_t)key);
    return mixer_apply(&fold->table.mixer, key);
}

static inline struct memo *visited_memo(const struct visited_hand *hand, uint32_t fold, uint64_t key)
{
    return &hand->memos[((size_t)fold << hand->memo_bits) + (key * 0x9e3779b97f4a7c15u >> (64 - hand->memo_bits))];
}

void visited_hint(const struct visited *visited, const uint64_t *parent)
{
    for (uint32_t i = 0; i < visited->fold_count; i++) {
        const struct fold *fold = &visited->folds[i];
        if (fold->is_leaf)
            quotient_prefetch(&fold->table.set, fold_scatter(fold, fold_gather(fold, parent)));
    }
}

/* A number that is not known. */
static bool visited_look_up(struct visited *visited, struct visited_hand *hand, uint32_t i, struct part *parts)
{
    struct fold *fold = &visited->folds[i];
    struct part *part = &parts[i];
    if (!fold->is_leaf)
        part->key = (uint64_t)parts[fold->left].number << 32 | parts[fold->right].number;
    struct memo *memo = visited_memo(hand, i, part->key);
    if (memo->key == part->key && memo->number != VISITED_NO_NUMBER) {
        part->number = memo->number;
        return true;
    }
    part->number = quotient_intern(&fold->table.set, fold->is_leaf ? part->scattered : fold_scatter(fold, part->key));
    if (part->number == VISITED_NO_NUMBER)
        return false;
    *memo = (struct memo){part->key, part->number};
    return true;
}

/* The numbers that are not known yet, from the leaves up. */
static bool visited_fold(struct visited *visited, struct visited_hand *hand, struct part *parts)
{
    for (uint32_t i = 0; i < visited->fold_count; i++)
        if (parts[i].number == VISITED_NO_NUMBER && !visited_look_up(visited, hand, i, parts))
            return false;
    return true;
}

/* Neither the parent's nor one that was looked up not long ago: it is asked for. */
static void visited_ask_for(const struct visited *visited, const struct visited_hand *hand, struct part *part,
                            uint32_t i)
{
    const struct fold *fold = &visited->folds[i];
    const struct memo *memo = visited_memo(hand, i, part->key);
    if (memo->key == part->key && memo->number != VISITED_NO_NUMBER) {
        part->number = memo->number;
        return;
    }
    part->scattered = fold_scatter(fold, part->key);
    quotient_prefetch(&fold->table.set, part->scattered);
}

/* What is known without a look into the tables. */
static inline __attribute__((always_inline)) void visited_recall(const struct visited *visited,
                                                                 const struct visited_hand *hand, struct part *parts,
                                                                 uint32_t i)
{
    const struct fold *fold = &visited->folds[i];
    const struct part *parent = &hand->parent[i];
    struct part *part = &parts[i];
    if (!fold->is_leaf) {
        uint32_t left = parts[fold->left].number, right = parts[fold->right].number;
        part->number = VISITED_NO_NUMBER;
        if (left == VISITED_NO_NUMBER || right == VISITED_NO_NUMBER)
            return;
        part->key = (uint64_t)left << 32 | right;
    }
    part->number = part->key == parent->key ? parent->number : VISITED_NO_NUMBER;
    if (part->number == VISITED_NO_NUMBER)
        visited_ask_for(visited, hand, part, i);
}

void visited_begin(struct visited *visited, struct visited_hand *hand, const uint64_t *parent)
{
    if (hand->plan != visited->plan)
        visited_forget(visited, hand);
    for (uint32_t i = 0; i < visited->fold_count; i++) {
        if (visited->folds[i].is_leaf)
            hand->parent[i].key = fold_gather(&visited->folds[i], parent);
        hand->parent[i].number = VISITED_NO_NUMBER;
        visited_recall(visited, hand, hand->parent, i);
    }
    visited_fold(visited, hand, hand->parent); /* where there is no room, some are not known */
}

void visited_announce(const struct visited *visited, struct visited_hand *hand, uint32_t which, const uint64_t *state)
{
    struct part *parts = hand->parts + (size_t)which * visited->fold_count;
    if (hand->plan != visited->plan)
        visited_forget(visited, hand);
    for (uint32_t i = 0; i < visited->fold_count; i++) {
        if (visited->folds[i].is_leaf)
            parts[i].key = fold_gather(&visited->folds[i], state);
        visited_recall(visited, hand, parts, i);
    }
}

/* Level by level, so that all the states wait together for the tables of each. */
static bool visited_raise(struct visited *visited, struct visited_hand *hand, uint32_t from, uint32_t to)
{
    for (uint32_t level = 0, i = 0; i < visited->fold_count; level++) {
        uint32_t end = i;
        while (end < visited->fold_count && visited->folds[end].level == level)
            end++;
        for (uint32_t which = from; which < to; which++) {
            struct part *parts = hand->parts + (size_t)which * visited->fold_count;
            for (uint32_t f = i; f < end; f++)
                if (parts[f].number == VISITED_NO_NUMBER && !visited_look_up(visited, hand, f, parts))
                    return false;
            for (uint32_t f = end; f < visited->fold_count && visited->folds[f].level == level + 1; f++)
                if (parts[f].number == VISITED_NO_NUMBER)
                    visited_recall(visited, hand, parts, f);
        }
        i = end;
    }
    return true;
}

static inline void visited_scatter(const struct visited *visited, struct visited_key *key)
{
    const struct table *top = &visited->top;
    uint64_t number = key->key;
    if (top->has_pairs)
        number = table_join(top, (uint32_t)(key->key >> 32), (uint32_t)key->key);
    key->number = visited->options.is_fingerprint ? number : mixer_apply(&top->mixer, number);
    key->epoch = visited->epoch;
}

bool visited_prepare(struct visited *visited, struct visited_hand *hand, uint32_t from, uint32_t to)
{
    return !visited_is_folded(visited) || visited_raise(visited, hand, from, to);
}

void visited_make_key(const struct visited *visited, const struct visited_hand *hand, uint32_t which,
                      const uint64_t *state, struct visited_key *key)
{
    const struct part *parts = hand->parts + (size_t)which * visited->fold_count;
    if (visited->options.is_fingerprint)
        key->key = hash_bytes(state, visited->options.words * sizeof *state);
    else if (!visited_is_folded(visited))
        key->key = state[0];
    else
        key->key = (uint64_t)parts[visited->left].number << 32 | parts[visited->right].number;
    visited_scatter(visited, key);
    quotient_prefetch(&visited->top.set, key->number);
}

/* Room for one more, or why not. */
static enum visited_outcome visited_ask(struct visited *visited, struct visited_hand *hand)
{
    uint64_t size = visited_grant_size(visited), most = visited->options.max_states;
    uint64_t granted = atomic_load_explicit(&visited->granted, memory_order_relaxed);
    do {
        if (most && granted >= most)
            return VISITED_LIMIT;
        if (granted + size > quotient_capacity(&visited->top.set))
            return VISITED_GROW;
    } while (!atomic_compare_exchange_weak(&visited->granted, &granted, granted + size));
    hand->tokens += size;
    return VISITED_NEW;
}

enum visited_outcome visited_insert(struct visited *visited, struct visited_hand *hand, struct visited_key *key)
{
    if (visited->is_lost)
        return VISITED_GROW;
    if (key->epoch != visited->epoch)
        visited_scatter(visited, key);
    if (!hand->tokens) {
        if (quotient_has(&visited->top.set, key->number))
            return VISITED_FOUND;
        enum visited_outcome answer = visited_ask(visited, hand);
        if (answer != VISITED_NEW)
            return answer;
    }
    switch (quotient_insert(&visited->top.set, key->number)) {
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
        while ((is_good = visited_prepare(visited, hand, 0, 1)) == false)
            if (!visited_grow(visited, NULL))
                break;
        visited_make_key(visited, hand, 0, state, &key);
        if (is_good)
            quotient_add(&visited->top.set, key.number, 0);
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
    memset(&new.top, 0, sizeof new.top);
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
