/* A state folded up, on its way into the visited set.
 *
 * A successor differs from its parent in a few bits: only the folds above those bits are looked at, all others have the parent's
 * numbers. A part that is not the parent's is looked for in a small cache, then in its table, for whose memory all states of a
 * batch wait together, level by level. */
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
struct part {
    uint64_t key;       /* the bits, or the pair of numbers, 32 bits each */
    uint64_t scattered; /* of a leaf: where it belongs in the table */
    uint32_t number;    /* VISITED_NO_NUMBER: not known yet */
};

/* A part that was looked up not long ago. */
struct memo {
    uint64_t key;
    uint32_t number;
};

/* No part has been looked up. */
static void hand_forget(const struct visited *visited, struct visited_hand *hand)
{
    for (size_t i = 0; i < hand->memo_count; i++)
        hand->memos[i].number = VISITED_NO_NUMBER;
    hand->is_parent_known = false;
    hand->plan_number = visited->plan_number;
}

struct visited_hand *visited_hand_create(const struct visited *visited)
{
    struct visited_hand *hand = memory_zeroed(1, sizeof *hand);
    size_t folds = visited_is_folded(visited) ? visited_most_folds(visited) : 0;
    hand->parent = memory_zeroed(folds + 1, sizeof *hand->parent);
    hand->parent_state = memory_zeroed(visited->options.words, sizeof *hand->parent_state);
    hand->parts = memory_zeroed(VISITED_BATCH * folds + 1, sizeof *hand->parts);
    hand->changed = memory_zeroed((VISITED_BATCH + 1) * (folds / 64 + 1), sizeof *hand->changed);
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
    free(hand->parent_state);
    free(hand->parts);
    free(hand->changed);
    free(hand->memos);
    free(hand);
}

/* --- what is to be looked at --- */

/* The folds in which a state differs from the parent. */
static inline void hand_mark(const struct visited_hand *hand, const struct plan *plan, uint32_t words,
                             const uint64_t *state, uint64_t *changed)
{
    for (uint32_t i = 0; i < plan->set_words; i++)
        changed[i] = 0;
    for (uint32_t w = 0; w < words; w++) {
        uint64_t differ = state[w] ^ hand->parent_state[w];
        const struct mark *mark = plan->marks + plan->mark_start[w], *end = plan->marks + plan->mark_start[w + 1];
        for (; differ && mark < end; mark++)
            if (differ & mark->mask)
                for (uint32_t i = 0; i < plan->set_words; i++)
                    changed[i] |= plan->paths[(size_t)mark->leaf * plan->set_words + i];
    }
}

static void hand_mark_all(const struct plan *plan, uint64_t *changed)
{
    for (uint32_t i = 0; i < plan->set_words; i++) {
        uint32_t left = plan->fold_count - 64 * i;
        changed[i] = left < 64 ? ((uint64_t)1 << left) - 1 : UINT64_MAX;
    }
}

/* for (each fold of the set, the lower levels first) */
#define EACH_FOLD(fold, plan, set)                                                                                     \
    for (uint32_t w_ = 0, fold; w_ < (plan)->set_words; w_++)                                                          \
        for (uint64_t left_ = (set); left_ && (fold = 64 * w_ + (uint32_t)__builtin_ctzll(left_), true);               \
             left_ &= left_ - 1)

static inline bool set_has(const uint64_t *set, uint32_t fold)
{
    return set[fold / 64] >> fold % 64 & 1;
}

/* --- numbers of parts --- */

/* The key of a leaf. */
static inline uint64_t fold_gather(const struct plan *plan, const struct fold *fold, const uint64_t *state)
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

static inline struct memo *hand_memo(const struct visited_hand *hand, uint32_t fold, uint64_t key)
{
    return &hand->memos[((size_t)fold << hand->memo_bits) + (key * 0x9e3779b97f4a7c15u >> (64 - hand->memo_bits))];
}

static inline bool memo_is_of(const struct memo *memo, uint64_t key)
{
    return memo->key == key && memo->number != VISITED_NO_NUMBER;
}

/* A part whose key is known: its number if it was looked up not long ago; else its place in the table is asked for. */
static inline void hand_recall(const struct visited_hand *hand, const struct fold *fold, uint32_t i, struct part *part)
{
    const struct memo *memo = hand_memo(hand, i, part->key);
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
                                    struct part *parts)
{
    uint32_t left = parts[fold->left].number, right = parts[fold->right].number;
    parts[i].number = VISITED_NO_NUMBER;
    if (left == VISITED_NO_NUMBER || right == VISITED_NO_NUMBER)
        return;
    parts[i].key = (uint64_t)left << 32 | right;
    hand_recall(hand, fold, i, &parts[i]);
}

/* A number that was asked for, from the table. (Another state of the batch may have brought it meanwhile.) */
static bool hand_look_up(struct visited *visited, struct visited_hand *hand, uint32_t i, struct part *part)
{
    struct fold *fold = &visited->plan.folds[i];
    struct memo *memo = hand_memo(hand, i, part->key);
    if (memo_is_of(memo, part->key)) {
        part->number = memo->number;
        return true;
    }
    /* Where a pair belongs changes when pairs get wider. */
    part->number = quotient_intern(&fold->table.set, fold->is_leaf ? part->scattered : fold_scatter(fold, part->key));
    if (part->number == VISITED_NO_NUMBER)
        return false;
    *memo = (struct memo){part->key, part->number};
    return true;
}

/* --- the parent --- */

void visited_begin(struct visited *visited, struct visited_hand *hand, const uint64_t *parent)
{
    const struct plan *plan = &visited->plan;
    uint64_t *changed = hand->changed + (size_t)VISITED_BATCH * plan->set_words;
    if (!visited_is_folded(visited))
        return;
    if (hand->plan_number != visited->plan_number)
        hand_forget(visited, hand);
    if (hand->is_parent_known)
        hand_mark(hand, plan, visited->options.words, parent, changed);
    else
        hand_mark_all(plan, changed);
    memcpy(hand->parent_state, parent, visited->options.words * sizeof *parent);
    hand->is_parent_known = true;
    EACH_FOLD(i, plan, changed[w_]) {
        const struct fold *fold = &plan->folds[i];
        struct part *part = &hand->parent[i];
        part->key = fold->is_leaf ? fold_gather(plan, fold, parent)
                                  : (uint64_t)hand->parent[fold->left].number << 32 | hand->parent[fold->right].number;
        hand_recall(hand, fold, i, part);
        if (part->number == VISITED_NO_NUMBER && !hand_look_up(visited, hand, i, part)) {
            hand->is_parent_known = false; /* there is no room: successors do without */
            return;
        }
    }
}

void visited_hint(const struct visited *visited, struct visited_hand *hand, const uint64_t *parent)
{
    const struct plan *plan = &visited->plan;
    uint64_t *changed = hand->changed + (size_t)VISITED_BATCH * plan->set_words;
    if (!visited_is_folded(visited) || !hand->is_parent_known || hand->plan_number != visited->plan_number)
        return;
    hand_mark(hand, plan, visited->options.words, parent, changed);
    EACH_FOLD(i, plan, changed[w_] & plan->levels[w_]) {
        struct part part = {.key = fold_gather(plan, &plan->folds[i], parent)};
        hand_recall(hand, &plan->folds[i], i, &part);
    }
}

/* --- successors --- */

static inline void hand_inherit(const struct visited_hand *hand, const uint64_t *changed, struct part *parts,
                                uint32_t fold)
{
    if (!set_has(changed, fold))
        parts[fold].number = hand->parent[fold].number;
}

void visited_announce(const struct visited *visited, struct visited_hand *hand, uint32_t which, const uint64_t *state)
{
    const struct plan *plan = &visited->plan;
    struct part *parts = hand->parts + (size_t)which * plan->fold_count;
    uint64_t *changed = hand->changed + (size_t)which * plan->set_words;
    if (!visited_is_folded(visited))
        return;
    if (hand->plan_number != visited->plan_number)
        hand_forget(visited, hand);
    if (hand->is_parent_known)
        hand_mark(hand, plan, visited->options.words, state, changed);
    else
        hand_mark_all(plan, changed);
    hand_inherit(hand, changed, parts, plan->left);
    hand_inherit(hand, changed, parts, plan->right);
    EACH_FOLD(i, plan, changed[w_]) {
        const struct fold *fold = &plan->folds[i];
        if (fold->is_leaf) {
            parts[i].key = fold_gather(plan, fold, state);
            hand_recall(hand, fold, i, &parts[i]);
        } else {
            hand_inherit(hand, changed, parts, fold->left);
            hand_inherit(hand, changed, parts, fold->right);
            hand_recall_pair(hand, fold, i, parts);
        }
    }
}

/* What of a state was asked for on a level, and is there; then what that leads to. */
static bool hand_raise(struct visited *visited, struct visited_hand *hand, uint32_t which, uint32_t level)
{
    const struct plan *plan = &visited->plan;
    struct part *parts = hand->parts + (size_t)which * plan->fold_count;
    const uint64_t *changed = hand->changed + (size_t)which * plan->set_words;
    const uint64_t *here = plan->levels + (size_t)level * plan->set_words, *next = here + plan->set_words;
    EACH_FOLD(i, plan, changed[w_] & here[w_])
        if (parts[i].number == VISITED_NO_NUMBER && !hand_look_up(visited, hand, i, &parts[i]))
            return false;
    if (level + 1 < plan->level_count)
        EACH_FOLD(i, plan, changed[w_] & next[w_])
            if (parts[i].number == VISITED_NO_NUMBER)
                hand_recall_pair(hand, &plan->folds[i], i, parts);
    return true;
}

bool visited_prepare(struct visited *visited, struct visited_hand *hand, uint32_t from, uint32_t to)
{
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
                      const uint64_t *state, struct visited_key *key)
{
    const struct plan *plan = &visited->plan;
    const struct part *parts = hand->parts + (size_t)which * plan->fold_count;
    if (visited->options.is_fingerprint)
        key->key = hash_bytes(state, visited->options.words * sizeof *state);
    else if (!visited_is_folded(visited))
        key->key = state[0];
    else
        key->key = (uint64_t)parts[plan->left].number << 32 | parts[plan->right].number;
    visited_scatter(visited, key);
    quotient_prefetch(&visited->top.set, key->number);
}
