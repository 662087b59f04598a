/* One permutation of the group, acting on sets of states.
 *
 * It moves cells (variables are renamed), renames values (a small relation for each cell that holds a point) and puts
 * multisets back in order (compare and exchange, on sets). `decreases` are the states whose image comes before them in
 * the order of states: as numbers, the bits of the cells that are moved first, in the order of the variables. */
#ifndef NOETHER_ENGINE_SYMBOLIC_SHUFFLE_H
#define NOETHER_ENGINE_SYMBOLIC_SHUFFLE_H

#include "engine/symbolic/footprint.h"
#include "engine/symbolic/relation.h"

struct sorters;

struct shuffle {
    const struct dd_permutation *cells; /* NULL: none moves */
    VEC(struct dd_relation) renames;    /* referenced */
    bool *sorts;                        /* by multiset of the layout: must it be sorted again? */
    dd decreases;                       /* referenced; DD_FALSE unless asked for */
};

/* What shuffles of one model share. */
struct shuffler {
    const struct footprint *footprint;
    struct encoding *encoding;
    struct sorters *sorters;
};

/* images[f]: a permutation of the points of factor f, NULL: the identity. False: no memory or time. */
bool shuffle_make(const struct shuffler *shuffler, const uint32_t *const *images, bool with_order,
                  struct shuffle *shuffle);
void shuffle_free(struct dd_manager *m, struct shuffle *shuffle);
dd shuffle_apply(const struct shuffler *shuffler, const struct shuffle *shuffle, dd set);
/* The relation of a state and its image, for all bits of the cells that `concerns` names; multisets are not sorted. */
bool shuffle_relation(const struct shuffler *shuffler, const uint32_t *const *images, const bool *concerns,
                      struct dd_relation *relation);
/* Where the image, in the cells that `concerns` names, comes before the state itself. */
dd shuffle_compare(const struct shuffler *shuffler, const uint32_t *const *images, const bool *concerns);
/* A relation r(s, t) becomes r(s, p(t)): the next variables of these cells get the values of the image. */
dd shuffle_next(const struct shuffler *shuffler, const uint32_t *const *images, const bool *concerns, dd relation);

/* sort.c: multisets put in order. */
struct sorters *sorters_create(struct encoding *encoding);
void sorters_destroy(struct sorters *sorters);
dd sorters_apply(struct sorters *sorters, uint32_t multiset, dd set);

#endif
