/* The visited set from inside: visited.c puts states in, visited_grow.c makes room. */
#ifndef NOETHER_STORE_VISITED_INNER_H
#define NOETHER_STORE_VISITED_INNER_H

#include "store/mixer.h"
#include "store/nodes.h"
#include "store/quotient.h"
#include "store/visited.h"

enum {
    VISITED_LEAF = 3, /* half words in a fold that has no folds below it */
    VISITED_GRANT = 1 << 10, /* a hand is granted at most so many insertions at a time */
    VISITED_SPARE_BITS = 1   /* of each number, so that the set of pairs is not remade each time a table of parts grows */
};

/* A fold: interns up to three of the state's half words, or the numbers from two earlier folds. */
struct fold {
    uint32_t from, size;  /* of the half words in use, those it stands for */
    uint32_t left, right; /* size > VISITED_LEAF */
    uint32_t halves[3];   /* size <= VISITED_LEAF: which they are */
    struct nodes nodes;
};

/* A half word in use: half i is the lower (i even) or upper part of word i / 2. */
struct half {
    uint32_t index, bits;
};

struct visited {
    struct budget *budget;
    struct visited_options options;
    struct half *halves;
    uint32_t half_count, bits; /* half words in use, and the bits in them */
    struct fold *folds;        /* children before their parents */
    uint32_t fold_count;       /* 0: states are not folded */
    uint32_t left, right;      /* the folds that stand for the two parts at the top */
    uint32_t left_bits, right_bits; /* of their numbers in a pair */
    struct mixer mixer;
    struct quotient set;
    uint32_t epoch;     /* counts the changes of the mixer */
    uint32_t plan;      /* counts the changes of the folds */
    bool is_stuck;      /* it had to grow and could not: nothing goes in until it has */
    bool is_lost;       /* what waited in a file could not be read again: nothing goes in ever */
    _Atomic uint64_t granted;
};

static inline bool visited_is_folded(const struct visited *visited)
{
    return visited->fold_count > 0;
}

/* The pair at the top as one number. */
static inline uint64_t visited_join(const struct visited *visited, uint32_t left, uint32_t right)
{
    return (uint64_t)left << visited->right_bits | right;
}

/* How many insertions a hand may be granted at once: exactly one where states are counted. */
static inline uint64_t visited_grant_size(const struct visited *visited)
{
    uint64_t size = quotient_capacity(&visited->set) / 64;
    if (visited->options.max_states)
        return 1;
    return size < 1 ? 1 : size < VISITED_GRANT ? size : VISITED_GRANT;
}

/* visited_plan.c: which half words are in use; how they are folded, after the sample if there is one */
void visited_list_halves(struct visited *visited);
void visited_plan_folds(struct visited *visited, const struct visited_sample *sample);

/* Makes the numbers in the pairs wide enough for their tables; returns the width of a pair. */
uint32_t visited_widen_pairs(struct visited *visited);

#endif
