/* The visited set from inside: visited_fold.c folds states up, visited.c puts them in, visited_grow.c makes room. */
#ifndef NOETHER_STORE_VISITED_INNER_H
#define NOETHER_STORE_VISITED_INNER_H

#include "store/mixer.h"
#include "store/narrow.h"
#include "store/quotient.h"
#include "store/strays.h"
#include "store/visited.h"
#include "store/whole.h"

enum {
    VISITED_GRANT = 1 << 10, /* the most insertions that a hand is granted at a time */
    VISITED_SPARE_BITS = 1,  /* of each number, so that pairs are not remade each time a table of parts grows */
    VISITED_LEAST_BITS = 12,
    VISITED_SAMPLE = 1 << 12 /* states that a plan is made after, where there are more */
};

/* A set or map of keys of a fixed width, scattered. A key may be a pair of numbers. */
struct table {
    struct mixer mixer;
    struct quotient set;
    bool has_pairs;
    uint32_t left_bits, right_bits; /* of the numbers in a pair */
};

/* A piece of a leaf: neighbouring bits of a word of the state, and where they are in the leaf's key. */
struct piece {
    uint64_t mask; /* of the bits when they have been shifted down */
    uint32_t word;
    uint8_t shift, offset;
};

/* A fold gives numbers to parts of states: equal parts get equal numbers, counted 0, 1, 2, ... (interning). A part is a
 * few bits of the state, or the pair of the numbers of two earlier folds. */
struct fold {
    bool is_leaf;
    uint32_t left, right;        /* not a leaf */
    uint32_t level;              /* 0: a leaf; else one more than of those below */
    uint32_t above;              /* the fold in whose pairs its numbers are; VISITED_TOP */
    uint32_t piece, piece_count; /* a leaf: range of pieces */
    struct table table;
};

#define VISITED_TOP UINT32_MAX
#define VISITED_NO_NUMBER QUOTIENT_NONE

/* How states are folded. Sets of folds are bits in `set_words` words. */
struct visited_plan {
    struct fold *folds;   /* by level: children before their parents */
    uint32_t fold_count;  /* 0: states are not folded */
    uint32_t leaf_count;  /* the leaves come first */
    uint32_t left, right; /* the folds that stand for the two parts at the top */
    struct piece *pieces;
    uint32_t piece_count;
    uint32_t set_words;
    uint64_t *paths; /* by fold: the set of it and all above it; NULL for large plans, as its size is quadratic */
    uint32_t *level_begins; /* by level: its first fold; then fold_count */
    uint32_t level_count;
};

struct visited {
    struct budget *budget;
    struct visited_options options;
    struct visited_field *halves; /* half words in use */
    uint32_t half_count, bits;    /* and the bits in them */
    struct visited_field *fields; /* the state's, where they are known; not too many */
    uint32_t field_count;
    struct visited_field *cells; /* the same one by one; NULL: they are too many to be squeezed */
    uint32_t cell_count;
    struct visited_plan plan;
    struct narrow *narrow; /* states are squeezed; NULL: folded, or whole */
    struct strays *strays; /* then: those that do not fit */
    struct whole whole;    /* all states; without places: it is not in use, and the table below is */
    struct table top;      /* the states: pairs, or whole */
    uint32_t epoch;        /* counts the changes of the top's mixer */
    uint32_t plan_number;  /* counts the changes of the plan */
    uint64_t foreseen;     /* states, in the end */
    bool is_at_end;        /* a map of parts is full, and as large as maps become */
    bool is_lost;          /* what waited in a file could not be read again: nothing goes in ever */
    unsigned char apart[LINE_APART];
    _Atomic uint64_t granted, settled; /* settled: those that states have taken; only where states are limited */
    unsigned char apart_too[LINE_APART];
};

static inline bool visited_is_folded(const struct visited *visited)
{
    return visited->plan.fold_count > 0;
}

/* States there is room for. */
static inline uint64_t visited_room(const struct visited *visited)
{
    return visited->whole.places ? whole_capacity(&visited->whole) : quotient_capacity(&visited->top.set);
}

static inline bool visited_can_narrow(const struct visited *visited)
{
    return visited->cells && visited_is_folded(visited);
}

/* Under any plan. */
static inline size_t visited_most_folds(const struct visited *visited)
{
    return 2 * (size_t)(visited->half_count > visited->field_count ? visited->half_count : visited->field_count);
}

/* A pair as one key. */
static inline uint64_t table_join(const struct table *table, uint32_t left, uint32_t right)
{
    return (uint64_t)left << table->right_bits | right;
}

/* How many insertions a hand may be granted at once: exactly one where states are counted. */
static inline uint64_t visited_grant_size(const struct visited *visited)
{
    uint64_t size = visited_room(visited) / 64;
    if (visited->options.max_states)
        return 1;
    return size < 1 ? 1 : size < VISITED_GRANT ? size : VISITED_GRANT;
}

/* visited_plan.c: which half words and fields are in use; how they are folded, after the sample if there is one */
void visited_list_halves(struct visited *visited);
void visited_list_fields(struct visited *visited);
/* false: no memory, and there is nothing but the arrays. */
bool visited_make_plan(struct visited *visited, const struct visited_sample *sample);
/* visited_plan_index.c: what is looked at for each state, from the folds. */
void fold_plan_index(struct visited_plan *plan);
void fold_plan_destroy(struct visited_plan *plan);

/* visited_narrow.c: states squeezed after the sample, if they fit. false: they do not, or no memory; nothing has
 * changed. */
bool visited_make_narrow(struct visited *visited, const struct visited_sample *sample);
/* The same with ranges that all states are in, which are the set's then. */
bool visited_squeeze(struct visited *visited, struct narrow *narrow, const struct visited_sample *all);
/* Strays are planned for. false: no memory, and nothing has changed. */
bool visited_settle_strays(struct visited *visited, struct spill *spill);
void visited_destroy_narrow(struct visited *visited);

/* visited_whole.c: room for more whole states; else they are folded or squeezed from now on. false: no memory, and
 * nothing has changed. */
bool visited_grow_whole(struct visited *visited);
/* All of them go into empty tables. false: no memory, or the time is over. */
bool visited_refill_all(struct visited *visited, const struct visited_sample *all);
/* May states be kept whole? Then *head is the word with a bit that is never set. */
bool visited_suits_whole(const struct visited_options *options, uint32_t *head);

/* visited_grow.c: moves the states to numbers of other ranges. `spill`: a file where they may wait. */
bool visited_remake_narrow(struct visited *visited, const struct narrow *wider, uint64_t capacity, struct spill *spill);

/* Must the set of states grow before more go in? */
static inline bool visited_is_full(const struct visited *visited)
{
    return atomic_load(&visited->granted) + visited_grant_size(visited) > visited_room(visited) ||
           (!visited->whole.places && quotient_overflows(&visited->top.set));
}

/* visited.c: empty tables, planned after the sample if there is one. false: no memory; what there is is to be
 * destroyed. */
bool visited_create_tables(struct visited *visited, const struct visited_sample *sample, uint64_t capacity);
/* The same for another plan (a NULL sample: a first one), and states into them. */
bool visited_fold_anew(const struct visited *visited, const struct visited_sample *sample, uint64_t capacity,
                       struct visited *anew);
bool visited_refill(struct visited *visited, struct visited_hand *hand, const uint64_t *state);
void visited_destroy_tables(struct visited *visited);
/* The other plan instead of what there is. */
void visited_become(struct visited *visited, struct visited *anew);

/* How many bits the numbers of a fold have at most. */
static inline uint32_t fold_number_bits(const struct fold *fold)
{
    return fold->table.set.shape.value_bits;
}

#endif
