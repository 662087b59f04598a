/* A state folded up, on its way into the visited set.
 *
 * A successor differs from its parent in a few leaves: only the folds above those are looked at, all others have the
 * parent's numbers. A part that is not the parent's is looked for in a small cache, then in its table, for whose memory
 * all states of a batch wait together, level by level. */
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "store/visited_hand.h"

enum {
    VISITED_MEMO_BITS = 11, /* of the number of memos for a fold, at most */
    VISITED_MEMOS = 1 << 16 /* in all, about */
};

/* A part of a state on its way. */
struct fold_part {
    uint64_t key;       /* the bits, or the pair of numbers, 32 bits each */
    uint64_t scattered; /* of a leaf: where it belongs in the table */
    uint32_t number;    /* VISITED_NO_NUMBER: not known yet */
};

/* A part that was looked up not long ago. */
struct fold_memo {
    uint64_t key;
    uint32_t number;
};

/* No part has been looked up. */
static void hand_forget(const struct visited *visited, struct visited_hand *hand)
{
    for (size_t i = 0; i < hand->memo_count; i++)
        hand->memos[i].number = VISITED_NO_NUMBER;
    memset(hand->grants, 0, visited->plan.fold_count * sizeof *hand->grants); /* of tables that are no more */
    hand->is_parent_known = false;
    hand->plan_number = visited->plan_number;
}

struct visited_hand *visited_hand_create(const struct visited *visited)
{
    struct visited_hand *hand = memory_zeroed(1, sizeof *hand);
    bool may_be_folded = visited_is_folded(visited) || visited->narrow || visited->whole.places; /* now, or one day */
    size_t folds = may_be_folded ? visited_most_folds(visited) : 0;
    hand->parent = memory_zeroed(folds + 1, sizeof *hand->parent);
    hand->parts = memory_zeroed(VISITED_BATCH * folds + 1, sizeof *hand->parts);
    hand->changed = memory_zeroed((VISITED_BATCH + 1) * (folds / 64 + 1), sizeof *hand->changed);
    hand->grants = memory_zeroed(folds + 1, sizeof *hand->grants);
    hand->memo_bits = VISITED_MEMO_BITS;
    while (hand->memo_bits > 1 && folds << hand->memo_bits > VISITED_MEMOS)
        hand->memo_bits--;
    hand->memo_count = folds << hand->memo_bits;
    hand->memos = memory_alloc((hand->memo_count + 1) * sizeof *hand->memos);
    hand_forget(visited, hand);
    return hand;
}

void visited_hand_destroy(struct visited_hand *hand)
{
    if (!hand)
        return;
    free(hand->parent);
    free(hand->parts);
    free(hand->changed);
    free(hand->grants);
    free(hand->memos);
    free(hand);
}

/* --- sets of folds --- */

/* The folds from `from` to before `to`, of those in a word of a set. */
static inline uint64_t range_in_word(uint32_t word, uint32_t from, uint32_t to)
{
    uint64_t range = word == from / 64 ? UINT64_MAX << from % 64 : UINT64_MAX;
    return word == to / 64 ? range & (((uint64_t)1 << to % 64) - 1) : range;
}

/* for (each fold of the set, from `from` to before `to`: the lower levels first) */
#define EACH_FOLD(fold, set, from, to)                                                                                 \
    for (uint32_t w_ = (from) / 64, fold; 64 * w_ < (to); w_++)                                                        \
        for (uint64_t left_ = (set)[w_] & range_in_word(w_, from, to);                                                 \
             left_ && (fold = 64 * w_ + (uint32_t)__builtin_ctzll(left_), true); left_ &= left_ - 1)

static inline bool set_has(const uint64_t *set, uint32_t fold)
{
    return set[fold / 64] >> fold % 64 & 1;
}

static inline void set_clear(const struct visited_plan *plan, uint64_t *set)
{
    for (uint32_t i = 0; i < plan->set_words; i++)
        set[i] = 0;
}

/* Adds the fold and all above it. What is above a fold of the set is in the set. */
static inline void set_add_path(const struct visited_plan *plan, uint64_t *set, uint32_t fold)
{
    if (!plan->paths) {
        for (; fold != VISITED_TOP && !set_has(set, fold); fold = plan->folds[fold].above)
            set[fold / 64] |= (uint64_t)1 << fold % 64;
        return;
    }
    for (uint32_t i = 0; i < plan->set_words; i++)
        set[i] |= plan->paths[(size_t)fold * plan->set_words + i];
}

/* Are there two leaves and nothing between them and the top? Then there is no need of sets. */
static inline bool plan_is_flat(const struct visited_plan *plan)
{
    return plan->fold_count == 2;
}

/* --- numbers of parts --- */

/* The key of a leaf. */
static inline uint64_t fold_gather(const struct visited_plan *plan, const struct fold *fold, const uint64_t *state)
{
    const struct piece *piece = plan->pieces + fold->piece, *end = piece + fold->piece_count;
    uint64_t key = 0;
    for (; piece < end; piece++)
        key |= (state[piece->word] >> piece->shift & piece->mask) << piece->offset;
    return key;
}

static inline uint64_t fold_scatter(const struct fold *fold, uint64_t key)
{
    if (!fold->is_leaf)
        key = table_join(&fold->table, (uint32_t)(key >> 32), (uint32_t)key);
    return mixer_apply(&fold->table.mixer, key);
}

static inline struct fold_memo *hand_memo(const struct visited_hand *hand, uint32_t fold, uint64_t key)
{
    return &hand->memos[((size_t)fold << hand->memo_bits) + (key * 0x9e3779b97f4a7c15u >> (64 - hand->memo_bits))];
}

static inline bool memo_is_of(const struct fold_memo *memo, uint64_t key)
{
    return memo->number != VISITED_NO_NUMBER && memo->key == key;
}

/* A part whose key is known: its number if it was looked up not long ago; else its place in the table is asked for. */
static inline void hand_recall(const struct visited_hand *hand, const struct fold *fold, uint32_t i,
                               struct fold_part *part)
{
    const struct fold_memo *memo = hand_memo(hand, i, part->key);
    part->number = VISITED_NO_NUMBER;
    if (memo_is_of(memo, part->key)) {
        part->number = memo->number;
        return;
    }
    part->scattered = fold_scatter(fold, part->key);
    quotient_prefetch(&fold->table.set, part->scattered);
}

/* A pair whose numbers may not be known yet. */
static inline void hand_recall_pair(const struct visited_hand *hand, const struct fold *fold, uint32_t i,
                                    struct fold_part *parts)
{
    uint32_t left = parts[fold->left].number, right = parts[fold->right].number;
    parts[i].number = VISITED_NO_NUMBER;
    if (left == VISITED_NO_NUMBER || right == VISITED_NO_NUMBER)
        return;
    parts[i].key = (uint64_t)left << 32 | right;
    hand_recall(hand, fold, i, &parts[i]);
}

/* A number that was asked for, from the table. (Another state of the batch may have brought it meanwhile.) */
static bool hand_look_up(struct visited *visited, struct visited_hand *hand, uint32_t i, struct fold_part *part)
{
    struct fold *fold = &visited->plan.folds[i];
    struct fold_memo *memo = hand_memo(hand, i, part->key);
    if (memo_is_of(memo, part->key)) {
        part->number = memo->number;
        return true;
    }
    /* Where a pair belongs changes when pairs get wider. */
    uint64_t scattered = fold->is_leaf ? part->scattered : fold_scatter(fold, part->key);
    part->number = quotient_intern(&fold->table.set, &hand->grants[i], scattered);
    if (part->number == VISITED_NO_NUMBER)
        return false;
    *memo = (struct fold_memo){part->key, part->number};
    return true;
}

/* --- the parent --- */

/* The folds above the leaves, of those that have changed: when the numbers below them are known. */
static bool hand_begin_pairs(struct visited *visited, struct visited_hand *hand, const uint64_t *changed)
{
    const struct visited_plan *plan = &visited->plan;
    EACH_FOLD(i, changed, plan->leaf_count, plan->fold_count)
    {
        const struct fold *fold = &plan->folds[i];
        struct fold_part *part = &hand->parent[i];
        part->key = (uint64_t)hand->parent[fold->left].number << 32 | hand->parent[fold->right].number;
        hand_recall(hand, fold, i, part);
        if (part->number == VISITED_NO_NUMBER && !hand_look_up(visited, hand, i, part))
            return false;
    }
    return true;
}

/* A leaf of a state that is the parent from now on. False: there is no room for it. */
static bool hand_begin_leaf(struct visited *visited, struct visited_hand *hand, uint32_t i, uint64_t key)
{
    struct fold_part *part = &hand->parent[i];
    part->key = key;
    hand_recall(hand, &visited->plan.folds[i], i, part);
    return part->number != VISITED_NO_NUMBER || hand_look_up(visited, hand, i, part);
}

void visited_begin(struct visited *visited, struct visited_hand *hand, const uint64_t *parent)
{
    const struct visited_plan *plan = &visited->plan;
    uint64_t *changed = hand->changed + (size_t)VISITED_BATCH * plan->set_words;
    bool was_known = hand->is_parent_known && hand->plan_number == visited->plan_number;
    if (hand->plan_number != visited->plan_number)
        hand_forget(visited, hand);
    set_clear(plan, changed);
    hand->is_parent_known = false; /* where there is no room: successors do without */
    for (uint32_t i = 0; i < plan->leaf_count; i++) {
        uint64_t key = fold_gather(plan, &plan->folds[i], parent);
        if (was_known && key == hand->parent[i].key)
            continue;
        if (!plan_is_flat(plan))
            set_add_path(plan, changed, i);
        if (!hand_begin_leaf(visited, hand, i, key))
            return;
    }
    hand->is_parent_known =
        visited_is_folded(visited) && (plan_is_flat(plan) || hand_begin_pairs(visited, hand, changed));
}

void visited_hint(const struct visited *visited, struct visited_hand *hand, const uint64_t *parent)
{
    const struct visited_plan *plan = &visited->plan;
    if (!hand->is_parent_known || hand->plan_number != visited->plan_number)
        return;
    for (uint32_t i = 0; i < plan->leaf_count; i++) {
        struct fold_part part = {.key = fold_gather(plan, &plan->folds[i], parent)};
        if (part.key != hand->parent[i].key)
            hand_recall(hand, &plan->folds[i], i, &part);
    }
}

/* --- successors --- */

static inline void hand_inherit(const struct visited_hand *hand, const uint64_t *changed, struct fold_part *parts,
                                uint32_t fold)
{
    if (!set_has(changed, fold))
        parts[fold].number = hand->parent[fold].number;
}

/* The folds above the leaves: those that have the parent's numbers, and those that are changed. */
static void hand_announce_pairs(const struct visited_plan *plan, const struct visited_hand *hand,
                                const uint64_t *changed, struct fold_part *parts)
{
    hand_inherit(hand, changed, parts, plan->left);
    hand_inherit(hand, changed, parts, plan->right);
    EACH_FOLD(i, changed, plan->leaf_count, plan->fold_count)
    {
        const struct fold *fold = &plan->folds[i];
        hand_inherit(hand, changed, parts, fold->left);
        hand_inherit(hand, changed, parts, fold->right);
        hand_recall_pair(hand, fold, i, parts);
    }
}

/* The key of a state that is not folded. */
static void key_direct(const struct visited *visited, const uint64_t *state, struct visited_key *key)
{
    key->stray = NULL;
    if (visited->narrow)
        key->stray = narrow_number(visited->narrow, state, &key->key) ? NULL : state;
    else if (visited->options.is_fingerprint)
        key->key = hash_bytes(state, visited->options.words * sizeof *state);
    else
        key->key = state[0];
    visited_scatter(visited, key);
}

/* A leaf: with the parent's number, or one that was looked up not long ago, or without. */
static inline void hand_announce_leaf(const struct visited_plan *plan, const struct visited_hand *hand, uint32_t i,
                                      const uint64_t *state, struct fold_part *part)
{
    uint64_t key = fold_gather(plan, &plan->folds[i], state);
    part->number = hand->parent[i].number;
    if (hand->is_parent_known && key == hand->parent[i].key)
        return;
    part->key = key;
    hand_recall(hand, &plan->folds[i], i, part);
}

void visited_announce(const struct visited *visited, struct visited_hand *hand, uint32_t which, const uint64_t *state)
{
    const struct visited_plan *plan = &visited->plan;
    if (visited->whole.places) {
        hand->direct[which] = (struct visited_key){.stray = state, .number = state_hash(state, visited->options.words)};
        return;
    }
    if (!visited_is_folded(visited)) {
        key_direct(visited, state, &hand->direct[which]);
        return;
    }
    struct fold_part *parts = hand->parts + (size_t)which * plan->fold_count;
    uint64_t *changed = hand->changed + (size_t)which * plan->set_words;
    if (hand->plan_number != visited->plan_number)
        hand_forget(visited, hand);
    if (plan_is_flat(plan)) {
        hand_announce_leaf(plan, hand, 0, state, &parts[0]);
        hand_announce_leaf(plan, hand, 1, state, &parts[1]);
        return;
    }
    bool is_known = hand->is_parent_known;
    set_clear(plan, changed);
    for (uint32_t i = 0; i < plan->leaf_count; i++) {
        uint64_t key = fold_gather(plan, &plan->folds[i], state);
        if (is_known && key == hand->parent[i].key)
            continue;
        set_add_path(plan, changed, i);
        parts[i].key = key;
        hand_recall(hand, &plan->folds[i], i, &parts[i]);
    }
    hand_announce_pairs(plan, hand, changed, parts);
}

/* What of a state was asked for on a level, and is there; then what that leads to. */
static bool hand_raise(struct visited *visited, struct visited_hand *hand, uint32_t which, uint32_t level)
{
    const struct visited_plan *plan = &visited->plan;
    struct fold_part *parts = hand->parts + (size_t)which * plan->fold_count;
    const uint64_t *changed = hand->changed + (size_t)which * plan->set_words;
    const uint32_t *begins = plan->level_begins + level;
    EACH_FOLD(i, changed, begins[0], begins[1])
    if (parts[i].number == VISITED_NO_NUMBER && !hand_look_up(visited, hand, i, &parts[i]))
        return false;
    if (level + 1 < plan->level_count)
        EACH_FOLD(i, changed, begins[1], begins[2])
    if (parts[i].number == VISITED_NO_NUMBER)
        hand_recall_pair(hand, &plan->folds[i], i, parts);
    return true;
}

/* The same of a flat plan. */
static bool hand_raise_leaves(struct visited *visited, struct visited_hand *hand, uint32_t which)
{
    struct fold_part *parts = hand->parts + 2 * (size_t)which;
    for (uint32_t i = 0; i < 2; i++)
        if (parts[i].number == VISITED_NO_NUMBER && !hand_look_up(visited, hand, i, &parts[i]))
            return false;
    return true;
}

/* The lines of memory that states are in, one right after the other: a processor that has to find out first where a
 * page is waits for that, and for several of them at the same time. */
static void hand_prefetch(const struct visited *visited, const struct visited_hand *hand, uint32_t from, uint32_t to)
{
    if (visited->whole.places)
        for (uint32_t which = from; which < to; which++)
            whole_prefetch(&visited->whole, hand->direct[which].number);
    else
        for (uint32_t which = from; which < to; which++)
            quotient_prefetch(&visited->top.set, hand->direct[which].number);
}

bool visited_prepare(struct visited *visited, struct visited_hand *hand, uint32_t from, uint32_t to)
{
    if (!visited_is_folded(visited)) {
        hand_prefetch(visited, hand, from, to);
        return true;
    }
    if (plan_is_flat(&visited->plan)) {
        while (from < to && hand_raise_leaves(visited, hand, from))
            from++;
        return from == to;
    }
    for (uint32_t level = 0; level < visited->plan.level_count; level++)
        for (uint32_t which = from; which < to; which++)
            if (!hand_raise(visited, hand, which, level))
                return false;
    return true;
}

void visited_scatter(const struct visited *visited, struct visited_key *key)
{
    const struct table *top = &visited->top;
    uint64_t number = key->key;
    if (top->has_pairs)
        number = table_join(top, (uint32_t)(key->key >> 32), (uint32_t)key->key);
    key->number = visited->options.is_fingerprint ? number : mixer_apply(&top->mixer, number);
    key->epoch = visited->epoch;
}

void visited_make_key(const struct visited *visited, const struct visited_hand *hand, uint32_t which,
                      struct visited_key *key)
{
    const struct visited_plan *plan = &visited->plan;
    const struct fold_part *parts = hand->parts + (size_t)which * plan->fold_count;
    if (!visited_is_folded(visited)) {
        *key = hand->direct[which];
        return;
    }
    key->stray = NULL;
    key->key = (uint64_t)parts[plan->left].number << 32 | parts[plan->right].number;
    visited_scatter(visited, key);
    quotient_prefetch(&visited->top.set, key->number);
}
