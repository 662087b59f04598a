/* The visited set from inside: visited.c puts states in, visited_grow.c makes room. */
#ifndef NOETHER_STORE_VISITED_INNER_H
#define NOETHER_STORE_VISITED_INNER_H

#include "store/mixer.h"
#include "store/quotient.h"
#include "store/visited.h"

enum {
    VISITED_LEAF = 2,        /* half words in a fold that has no folds below it, at most */
    VISITED_GRANT = 1 << 10, /* a hand is granted at most so many insertions at a time */
    VISITED_SPARE_BITS = 1,  /* of each number, so that pairs are not remade each time a table of parts grows */
    VISITED_LEAST_BITS = 12
};

/* A set or map of keys of a fixed width, scattered. A key may be a pair of numbers. */
struct table {
    struct mixer mixer;
    struct quotient set;
    bool has_pairs;
    uint32_t left_bits, right_bits; /* of the numbers in a pair */
};

/* A fold gives numbers to parts of states: equal parts get equal numbers, counted 0, 1, 2, ... (interning). A part is one
 * or two of the state's half words, or the pair of the numbers of two earlier folds. */
struct fold {
    uint32_t from, size;    /* of the half words in use, those it stands for */
    bool is_leaf;
    uint32_t left, right;   /* not a leaf */
    uint32_t level;         /* 0: a leaf; else one more than of those below */
    uint32_t above;         /* the fold in whose pairs its numbers are; VISITED_TOP */
    uint32_t halves[2];     /* a leaf: which they are */
    uint32_t shift;         /* where the second is in the key */
    struct table table;
};

#define VISITED_TOP UINT32_MAX
#define VISITED_NO_NUMBER QUOTIENT_NONE

/* A half word in use: half i is the lower (i even) or upper part of word i / 2. */
struct half {
    uint32_t index, bits;
};

struct visited {
    struct budget *budget;
    struct visited_options options;
    struct half *halves;
    uint32_t half_count, bits; /* half words in use, and the bits in them */
    struct fold *folds;        /* by level: children before their parents */
    uint32_t fold_count;       /* 0: states are not folded */
    uint32_t left, right;      /* the folds that stand for the two parts at the top */
    struct table top;          /* the states: pairs, or whole */
    uint32_t epoch;     /* counts the changes of the top's mixer */
    uint32_t plan;      /* counts the changes of the folds */
    bool is_lost;       /* what waited in a file could not be read again: nothing goes in ever */
    _Atomic uint64_t granted;
};

static inline bool visited_is_folded(const struct visited *visited)
{
    return visited->fold_count > 0;
}

/* A pair as one key. */
static inline uint64_t table_join(const struct table *table, uint32_t left, uint32_t right)
{
    return (uint64_t)left << table->right_bits | right;
}

/* How many insertions a hand may be granted at once: exactly one where states are counted. */
static inline uint64_t visited_grant_size(const struct visited *visited)
{
    uint64_t size = quotient_capacity(&visited->top.set) / 64;
    if (visited->options.max_states)
        return 1;
    return size < 1 ? 1 : size < VISITED_GRANT ? size : VISITED_GRANT;
}

/* visited_plan.c: which half words are in use; how they are folded, after the sample if there is one */
void visited_list_halves(struct visited *visited);
void visited_plan_folds(struct visited *visited, const struct visited_sample *sample);

/* How many bits the numbers of a fold have at most. */
static inline uint32_t fold_number_bits(const struct fold *fold)
{
    return fold->table.set.shape.value_bits;
}

#endif
