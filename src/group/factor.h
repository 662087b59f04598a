/* The structure of a group: its finest decomposition into factors on disjoint sets of points, and the kind of each
 * factor.
 *
 * A factor's points are those it moves, orbit by orbit. If it is *parallel* all its orbits are moved in the same way:
 * point i of one goes where point i of another goes (clients and their mailboxes). */
#ifndef NOETHER_GROUP_FACTOR_H
#define NOETHER_GROUP_FACTOR_H

#include "base/arena.h"
#include "group/group.h"

enum group_kind {
    GROUP_FULL,     /* all permutations of the points of an orbit; parallel */
    GROUP_CYCLIC,   /* rotations: point i to point i + 1, in the order of the orbit's points; parallel */
    GROUP_DIHEDRAL, /* rotations and reflections, likewise */
    GROUP_WREATH, /* blocks of the first orbit (the points of a block side by side), each moved in itself by a group of
                     its own, the blocks among each other by another. Other orbits follow */
    GROUP_GENERATED
};

struct group_factor {
    enum group_kind kind;
    uint32_t **orbits; /* orbit_count arrays of points */
    uint32_t *lengths;
    uint32_t orbit_count;
    bool is_parallel;
    uint32_t block_size; /* of GROUP_WREATH */
    bool is_inner_full, is_outer_full;
    struct bigint *order;
    struct group *group; /* on all points of the whole group; fixes those of the other factors */
};

struct group_factors {
    struct arena *arena;
    struct group_factor *items;
    uint32_t count;
};

/* No factor for points that are fixed; the trivial group has none. */
struct group_factors *group_factorise(const struct group *group);
void group_factors_destroy(struct group_factors *factors);
/* In words: "all 5 interchangeable (120)", "rotations of the ring of 7". */
void group_factor_print(const struct group_factor *factor, struct text *out);

#endif
