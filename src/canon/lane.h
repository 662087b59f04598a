/* What is known of a state whose successors are looked at: private to successor.c, lane_discover.c,
 * repeat.c and key.c. */
#ifndef NOETHER_CANON_LANE_H
#define NOETHER_CANON_LANE_H

#include "canon/canon_inner.h"

/* What a change of the cell does to the signatures. */
struct lane_cell {
    uint64_t weight;  /* 0: see `use` */
    uint32_t element; /* the plain cell of this one's row */
    uint32_t use;     /* as structure->cell_use */
    bool is_ref;
    uint64_t links; /* as discovery_list_links */
};

/* The cells of a multiset that have changed are among these; none: both are 0. */
struct lane_slots {
    uint32_t begin, end;
};

struct successor_lane {
    struct lane_cell *cell_of;
    const int32_t *parent; /* NULL: nothing begun */
    const uint64_t *packed;
    bool is_known;       /* the rest is that of the parent */
    uint64_t *signature; /* by element: the sum; */
    uint64_t *ranked;    /* the same, but those known by name (canon_discover) have signatures of their own */
    uint64_t *fact_sum;  /* by fact */
    uint64_t referenced;
    uint32_t *twin;    /* by element: neighbours that are twins have the same number */
    uint64_t *members; /* by factor: its elements' bits */
    uint64_t *classes; /* by factor: class starts, when it is settled */
    uint64_t all_classes;
    bool *is_settled;  /* by factor: in order of signature, and every class a set of twins */
    uint64_t found;    /* factors with elements that are known by name */
    uint64_t *named;   /* by factor: these elements' bits */
    uint64_t relinked; /* those in which other elements may be known by name in the successor, */
    uint64_t affected; /* and what discovery_change says of the elements in them */
    bool has_twins;
    bool is_fresh;   /* the signatures of the canonicaliser are `ranked` */
    bool is_ordered; /* the root's order is the identity */

    uint32_t *diff;           /* changed cells nobody listed */
    uint32_t *dirty;          /* multisets with changes */
    struct lane_slots *slots; /* by multiset */
    uint32_t dirty_count;
    int32_t *cells; /* a representative */
    /* Of the last successor: how many elements went to other places, as canon->image says. SIZE_MAX: not known. */
    size_t moved_count;
    uint32_t *spare; /* elements of a class of twins that lose their positions */
};

/* Knows the state begun with from now on. */
void lane_know_parent(struct canon *canon);
static inline void lane_know(struct canon *canon)
{
    if (!canon->lane->is_known)
        lane_know_parent(canon);
}
/* Notes who is known by name in the state, whose signatures are those of the canonicaliser. */
void lane_note_named(struct canon *canon);
/* Who is known by name in the successor: the same as in the parent, unless references say something else. Sets the
 * signatures; those that are others than in the parent are touched. Returns the factors in which the signatures of all
 * elements may have changed. */
uint64_t lane_discover(struct canon *canon, const int32_t *cells);

#endif
