/* The visited set from inside: visited.c puts states in, visited_grow.c makes room. */
#ifndef NOETHER_STORE_VISITED_INNER_H
#define NOETHER_STORE_VISITED_INNER_H

#include "store/mixer.h"
#include "store/nodes.h"
#include "store/quotient.h"
#include "store/visited.h"

enum {
    VISITED_GRANT = 1 << 10, /* a hand is granted at most so many insertions at a time */
    VISITED_SPARE_BITS = 1   /* of each half, so that the set of pairs is not remade each time a table of halves grows */
};

/* A fold: interns words[at], words[at + 1] of the state (or one word), or the numbers from two earlier folds. */
struct fold {
    uint32_t size; /* words of the state that it stands for */
    uint32_t at;   /* size <= 2: the first of them */
    uint32_t left, right; /* size > 2 */
    struct nodes nodes;
};

struct visited {
    struct budget *budget;
    struct visited_options options;
    struct fold *folds; /* children before their parents; the last two are the halves at the top */
    uint32_t fold_count;
    uint32_t left, right;           /* the halves */
    uint32_t left_bits, right_bits; /* of their numbers in the pairs */
    struct mixer mixer;
    struct quotient set;
    uint32_t epoch;     /* counts the changes of the mixer */
    bool is_stuck;      /* it had to grow and could not: nothing goes in until it has */
    bool is_lost;       /* what waited in a file could not be read again: nothing goes in ever */
    _Atomic uint64_t granted;
};

static inline bool visited_is_folded(const struct visited *visited)
{
    return visited->options.words > 1 && !visited->options.is_fingerprint;
}

/* The pair of halves as one number. */
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

/* Makes the halves in the pairs wide enough for their tables; returns the width of a pair. */
uint32_t visited_widen_halves(struct visited *visited);

#endif
