/* The interpolants kept, by program point, and the search for one that covers a state.
 *
 * A program point is kept up to permutation: the objects of each family sorted by location. Memos whose sorted
 * locations are the same stand in one bucket, oldest first. A state is covered by a memo when some permutation that
 * takes the memo's locations to the state's makes the interpolant true (line 3 of the algorithm, section 4). */
#ifndef NOETHER_ENGINE_COMPLETE_MEMO_H
#define NOETHER_ENGINE_COMPLETE_MEMO_H

#include "engine/complete/interpolant.h"
#include "engine/engine.h"

struct point {
    uint32_t *order;    /* the objects, by family, location and number */
    int32_t *locations; /* theirs, in that order */
};

struct memo {
    uint32_t *order;
    int32_t *locations;
    struct interpolant interpolant;
    /* For the search of permutations: the objects the interpolant names, and for each the atoms that can be decided
     * once it is placed. NULL: not yet made. */
    struct complete_plan *plan;
};

struct complete_bucket {
    uint64_t hash;
    VEC(struct memo *) memos;
};

struct memos {
    const struct shape *shape;
    enum complete_method method;
    struct complete_bucket **table;
    size_t capacity, count;
    struct point point; /* of the state that was looked up last */
    uint32_t *map;
    uint32_t *tally; /* for sorting */
    uint64_t bytes;
    uint64_t budget; /* placements left in the present search */
    bool is_cut;     /* some search ended since its budget was spent, or could not begin */
};

struct memos *memos_create(const struct shape *shape, enum complete_method method);
void memos_destroy(struct memos *memos);
/* The program point of a state, in memos->point. */
void memos_find_point(struct memos *memos, const int32_t *cells);
/* The same, from the point of a state that differs from it in the locations of few objects: a point that was kept,
 * then each of those objects. */
void memos_set_point(struct memos *memos, const struct point *point);
void memos_move_object(struct memos *memos, uint32_t object, int32_t from, int32_t to);
void point_keep(const struct memos *memos, struct point *point);
void point_free(struct point *point);
/* A memo that covers the state, whose point was found before; memos->map takes its objects to the state's. NULL:
 * none. */
const struct memo *memos_find(struct memos *memos, const int32_t *cells);
/* Takes the interpolant over. */
const struct memo *memos_add(struct memos *memos, const int32_t *cells, struct interpolant *interpolant);

bool interpolant_holds(const struct interpolant *interpolant, const struct complete_scene *scene);

/* match.c */
void plan_destroy(struct complete_plan *plan);
/* Searches a permutation; memos->map when there is one. */
bool plan_search(struct memos *memos, struct memo *memo, const int32_t *cells);

#endif
