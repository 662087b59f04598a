/* The per-thread handle of the visited set: states that are being inserted. */
#ifndef NOETHER_STORE_VISITED_HAND_H
#define NOETHER_STORE_VISITED_HAND_H

#include "store/visited_inner.h"

struct fold_part;
struct fold_memo;

struct visited_hand {
    uint64_t tokens, count;
    struct fold_part *parent; /* for each fold: of the state whose successors come */
    bool is_parent_known;     /* all of these */
    struct fold_part *parts;  /* for each state of the batch and each fold; as far as it, or one above it, is changed */
    uint64_t
        *changed; /* for each state of the batch the set of folds in which it differs from its parent; and one to use */
    struct quotient_grant *grants; /* for each fold */
    struct fold_memo *memos;       /* for each fold 2^memo_bits */
    uint32_t memo_bits;
    size_t memo_count;
    uint32_t plan_number;                     /* of the set, when the memos were written */
    struct visited_key direct[VISITED_BATCH]; /* of the states of the batch, where they are not folded */
};

/* Where the key belongs in the set as it is now. */
void visited_scatter(const struct visited *visited, struct visited_key *key);

#endif
