/* Representatives other than the canonical one (survey section 4, and the tools of 4.4).
 *
 *   sorted     SymmSpin: elements of full factors sorted by the part of their local state that mentions no element,
 * with selection sort as in section 4.3; several representatives of an orbit. Factors that are not full: the least
 * image when they are small, else a descent by their generators segmented  SymmSpin: sorted, then the least image over
 * all permutations within the segments of equal keys; unique when all factors are full, unless there are more than
 * STRATEGY_SEGMENTS of them: then as sorted enumerate  the least image over all elements of the group (section 4.2,
 * "try all permutations") local      TopSPIN: factor by factor (section 4.2, "composite groups"), then a descent by
 * exchanges of two elements and by generators, to an image that none of them makes less nauty      ProB: the canonical
 * labelling of the state as a coloured graph greedy     as canonical without a search: the first labelling that the
 * signatures of the elements allow; several for an orbit
 *
 * "Least" is in the order of the cells: as variables are declared. Each is a function of the state with values in its
 * orbit, which is all that a search needs (section 3.2). */
#ifndef NOETHER_CANON_STRATEGY_H
#define NOETHER_CANON_STRATEGY_H

#include "canon/canon_inner.h"

enum { STRATEGY_SEGMENTS = 5040, STRATEGY_SMALL = 1000 };

/* Permutations of the elements, one after the other. */
struct strategy_moves {
    uint32_t *images, count;
    bool is_all; /* every element of a group; else generators and their inverses */
};

struct strategy {
    enum representative kind;
    struct strategy_moves all;      /* enumerate, and canon_each_image: the whole group */
    struct strategy_moves *factors; /* by factor of the symmetry: of those that are not full */
    uint32_t factor_count;
    uint32_t *order; /* element at a place */
    uint32_t *image;
    uint32_t *shuffle;                 /* segmented: by place, which of the segment's elements stands there */
    uint32_t *segments, segment_count; /* their first places, and the end */
    int32_t *current, *candidate;
};

struct strategy *strategy_create(const struct canon *canon, enum representative kind);
void strategy_destroy(struct strategy *strategy);
void strategy_apply(struct canon *canon, const int32_t *cells, int32_t *out);

/* Is `a` before `b`, cell by cell? */
bool strategy_is_less(const struct canon *canon, const int32_t *a, const int32_t *b);
/* strategy_sort.c: current = the state sorted; with all permutations of segments. */
void strategy_sort(struct canon *canon, const int32_t *cells);
void strategy_segment(struct canon *canon, const int32_t *cells);

#endif
