/* The data of a search for representatives under a group (canon/generated.h), made by generated_make.c and used by
 * generated.c. */
#ifndef NOETHER_CANON_GENERATED_INNER_H
#define NOETHER_CANON_GENERATED_INNER_H

#include "base/vec.h"
#include "canon/generated.h"

struct generated_level {
    uint32_t *
        *elements;   /* by point of the orbit: the chain's element that takes the base point there, made when needed */
    uint32_t *right; /* what is settled: where the chain's points of this level are in the state */
    uint32_t *candidates, candidate_count;
    uint64_t *trace;
    uint32_t *orbit;    /* by element: least one that known automorphisms which fix the path take it to */
    uint32_t known;     /* automorphisms that `orbit` knows of */
    uint32_t partition; /* the level of canon->levels it is coloured by */
};

struct symmetry_generated {
    struct group *group;
    uint32_t n, level_count;
    struct generated_level *levels; /* level_count + 1 */
    VEC(uint32_t) automorphisms;    /* n images each */
    bool *is_path;                  /* by element: chosen on the way here */
    uint32_t *path, *best_path;
    int32_t *best, *leaf;
    uint32_t *inverse;
    uint32_t *seen; /* by colour: how often; 0 between uses */
    /* By pair of elements: an odd number of the pair's orbit under the group; NULL: too many pairs. By element: of its
     * colour. */
    uint64_t *pairs, *shades;
    bool has_best, has_twins;
    bool is_refined; /* the colours of this state: are they refined at all? */
    uint32_t *sizes;
};

#endif
