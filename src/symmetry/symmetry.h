/* The symmetry of a system: which elements are interchangeable, proved, and why others are not.
 *
 * The group is a product of *factors* with disjoint supports. A factor permutes its *points*, elements of index types,
 * and so the elements of arrays over them and the values of cells that hold them, everywhere at once. */
#ifndef NOETHER_SYMMETRY_SYMMETRY_H
#define NOETHER_SYMMETRY_SYMMETRY_H

#include "base/bigint.h"
#include "group/group.h"
#include "ir/layout.h"

enum symmetry_kind {
    SYMMETRY_FULL,     /* every permutation of its points, all of one type */
    SYMMETRY_GENERATED /* what its generators make */
};

struct symmetry_point {
    const struct type *type; /* an index type */
    uint32_t ordinal;
};

/* Why an index type is not interchangeable: a place in the source. */
struct symmetry_breach {
    struct span span;
    const char *message; /* "clear picks the first element of Node" */
};

/* A larger but not full group that would be obtained by removing these source places. */
struct symmetry_hope {
    struct span places[2];
    uint32_t place_count;
    const char *words, *order; /* of the group on the elements of the type */
};

/* What kinds of breaches there are; also of those beyond the first few that are kept. */
enum {
    BREACH_NAMES = 1,    /* elements are named */
    BREACH_COMPUTES = 2, /* elements are compared by order or used as numbers */
    BREACH_ORDERS = 4    /* the order of iterations, or of a multiset, decides */
};

struct symmetry_factor {
    enum symmetry_kind kind;
    const struct type *type; /* FULL: its points are elements of it; GENERATED: the type of the first point */
    uint32_t degree;         /* how many points */
    const struct symmetry_point *points;
    const uint32_t *generators; /* GENERATED: images of the points 0..degree-1, one generator after the other */
    uint32_t generator_count;   /* GENERATED */
    bool is_used;               /* false: excluded, see breaches */
    bool is_assumed;            /* used although there are breaches: see is_assumed of the symmetry */
    struct symmetry_breach *breaches;
    uint32_t breach_count;
    uint32_t breach_kinds;
    const bool *orders_in; /* of a full one, by rule: a loop in it may depend on the order; NULL: that is not known */
    /* Of one that is used: where a start state picks elements by their order, or NULL. Which of symmetric states the
     * runs begin in depends on the numbering, what follows does not. */
    const struct symmetry_breach *start_choice;
    /* Of one that is used: a loop over it whose iterations were run to see that they commute (commute.h), or NULL. A
     * second iteration may do what the first has not: counting an element once for all like it is not enough. */
    const struct span *loop_by_cases;
    struct symmetry_hope *hopes; /* looked for when somebody asks for an explanation */
    uint32_t hope_count;
    const char
        *words;      /* its action, or, if not used, the distinguished elements; NULL: it is the full group on a type */
    bool is_partial; /* of one not used: no two elements are distinguished, but not every permutation is a symmetry */
    const char *shape; /* the same for programs: "cyclic", "dihedral", "wreath", "generic"; NULL: full */
};

/* A property that makes the group smaller: it distinguishes elements that the rules do not. */
struct symmetry_shrink {
    const struct property *property; /* NULL: several together */
    const char *order;               /* what the order of the group would be without it */
};

/* A group for some of the properties, of a copy of the system with a layout of its own. */
struct symmetry_part {
    const struct symmetry *symmetry;
    const struct layout *layout;
};

struct symmetry {
    const struct system *system;
    struct arena *arena;
    struct symmetry_factor *factors;
    uint32_t factor_count;
    /* Does the group take instances of a rule to instances of the same rule, parameters renamed? Else it may
     * exchange rules. */
    bool keeps_rules;
    /* Virtual symmetry (pass/virtual.h): permutations need not map steps to steps, but states of an orbit have
     * successors in the same orbits. Orbits may have unreachable states. */
    bool is_assumed;
    struct symmetry_shrink *shrinks; /* looked for when somebody asks for an explanation (detect.h) */
    uint32_t shrink_count;
    /* Chains: the properties (by id) that need not be invariant under this group (NULL: all are), and the groups under
     * which they are (detect.h). */
    const bool *left_out;
    const struct symmetry_part *parts;
    uint32_t part_count;
    const char *cut_short; /* NULL, or why the analysis ended early: what there is, is proved; there may be more */
};

/* Checks the scalarset discipline over the whole system: one factor for each index type, in order of declaration.
 * Types that break it are excluded, with the reasons. */
struct symmetry *symmetry_find(const struct system *system);
/* The same factors, none in use. */
struct symmetry *symmetry_none(const struct system *system);
void symmetry_destroy(struct symmetry *symmetry);
bool symmetry_is_trivial(const struct symmetry *symmetry);
/* Is the property invariant under the group? */
static inline bool symmetry_keeps(const struct symmetry *symmetry, const struct property *property)
{
    return !symmetry->left_out || !symmetry->left_out[property->id];
}
/* Does some start state pick elements by their order? Then images of start states may be none. */
bool symmetry_picks_starts(const struct symmetry *symmetry);
struct bigint *symmetry_order(const struct symmetry *symmetry);
/* The same in digits; where there are thousands of them, as a product: "1048576! * 2". On the heap. */
char *symmetry_order_digits(const struct symmetry *symmetry);
char *symmetry_factor_digits(const struct symmetry_factor *factor);
/* `order` times the order of one factor. */
void symmetry_multiply_order(const struct symmetry_factor *factor, struct bigint *order);

/* Permutations that generate a factor: FULL: exchanges of neighbours. `image` has room for the degree. */
uint32_t symmetry_generator_count(const struct symmetry_factor *factor);
void symmetry_generator(const struct symmetry_factor *factor, uint32_t number, uint32_t *image);

/* orbit[p] = the first point of the orbit of point p. */
void symmetry_orbits(const struct symmetry_factor *factor, uint32_t *orbit);
/* The factor as a group on its points. */
struct group *symmetry_factor_group(const struct symmetry_factor *factor);

static inline int32_t symmetry_code(struct symmetry_point point)
{
    return point.type->blocks->lo + (int32_t)point.ordinal;
}

#endif
