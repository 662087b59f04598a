/* The data structures of the canonicaliser, shared by its files. See docs/symmetry.md.
 *
 *   signature.c  first colours: a sum for each element, kept up when cells change
 *   discover.c  elements that variables name, and those that these name
 *   chase.c    references followed from element to element
 *   refine.c   an ordered partition of the elements, split until stable
 *   twins.c    which elements are interchangeable as they stand
 *   search.c   the tree of individualisations, least leaf wins
 *   label.c          canonical labelling when the tree is too large
 *   move.c     a labelling applied to the packed state
 *   successor.c  the incremental computation for successors of a known state
 *   lane_discover.c  who is known by name in them
 *   reinsert.c   one element of a factor in order has changed
 *   families.c  full groups that move several families of elements together
 *   generated.c  groups that are not products of full symmetric ones
 *   strategy.c, strategy_sort.c, marker.c  other representatives
 *   repeat.c   which instances of a rule lead to the same orbits
 *   key.c      numbers of instances that permutations keep
 *
 * Why the representative is the same for the whole orbit: every decision on the way (order of classes, the class
 * to branch on, whether to hand over to nauty) is a function of the state that commutes with the group, and what
 * is chosen arbitrarily (the order of twins, of children with equal leaves) does not change the result. Hashes
 * only ever order or split classes; whether two things are equal is decided on the cells themselves. */
#ifndef NOETHER_CANON_CANON_INNER_H
#define NOETHER_CANON_CANON_INNER_H

#include "base/watch.h"
#include "canon/canon.h"
#include "canon/structure.h"

/* An ordered partition: classes are runs of positions; factor f owns positions first..first+degree-1. */
struct canon_partition {
    uint32_t *order;  /* element at a position */
    uint32_t *rank;   /* by element: the first position of its class */
    uint32_t *length; /* by first position: elements in the class */
    uint32_t classes;
};

/* A leaf of the search tree. */
struct canon_leaf {
    bool is_set;
    uint64_t *packed; /* the relabelled state */
    uint32_t *order;
    uint32_t *path; /* the elements individualised on the way */
    uint32_t depth;
};

struct canon_level {
    struct canon_partition partition;
    uint32_t *children; /* elements to individualise, one of each set of twins */
    uint32_t *weight;   /* how many twins each stands for */
    uint32_t *parent;   /* union-find over children: equal under automorphisms that fix the path */
    uint64_t *leaves;   /* leaves below each explored child; 0: not explored */
    uint64_t *trace;
    uint32_t child_count;
};

/* move.c: a state and what is known of it. */
struct canon_move {
    uint64_t *plain;   /* it packed as it stands */
    uint32_t *changed; /* references that may hold elements besides those held: their uses */
    uint32_t changed_count;
    int32_t *multiset;
    int32_t *out;   /* cells of the image that did not just move: */
    uint32_t *list; /* these */
    uint32_t list_count;
    uint32_t *places; /* to which another element comes, for canon_move_listed */
    uint32_t place_count;
    bool is_small;  /* see canon->held_by */
    bool is_still;  /* canon->image is the identity */
    uint64_t moved; /* the elements that get another place, by canon_bit */
};

enum { CANON_GENERATORS = 64, CANON_BUDGET = 4096, CANON_ROW_SHIFT = 30 };

/* What canon_work counts: about nanoseconds. */
enum {
    WORK_SUCCESSOR = 100, /* a successor whose elements only have to be sorted */
    WORK_PARENT = 40,     /* a state whose successors are looked at */
    WORK_CHASE = 3,       /* an element, when references are followed */
    WORK_ELEMENT = 5,     /* an element in a round of refinement */
    WORK_FACT = 5,        /* a fact there */
    WORK_MOVE = 100,      /* a leaf of the search */
    WORK_CELL = 4,        /* a cell of an image, or signed from scratch */
    WORK_PAIR = 1,        /* of elements, in a round of refinement by pairs */
    WORK_LEAF = 60,       /* an image, besides its cells */
    WORK_NAUTY = 20000
};

struct canon {
    struct structure *structure;
    const struct symmetry *symmetry;
    uint32_t *orbit_moves; /* of canon_visit_orbit: images of the elements, one generator after the other; or NULL */
    uint32_t orbit_move_count;
    uint64_t budget; /* leaves of the unpruned tree beyond which nauty takes over */

    /* first colours */
    uint64_t *signature; /* by element; also of each round of refinement */
    uint64_t *row_sum;   /* by element: what its row says, in the state signed last from scratch */
    uint64_t *fact_sum;  /* by fact of several elements: the sum of its cells */
    /* Sets of elements, a bit for each, shared by those whose numbers agree modulo 64: they may be too large. */
    uint64_t touched;    /* mentioned by what was added and taken away */
    uint64_t referenced; /* named outside their rows */

    const int32_t *base; /* the state signed last from scratch */
    /* Uses outside slots that hold an element there, by its factor: from factor->refs on. NO_USE: not yet listed. */
    uint32_t *held, *held_count;
    uint64_t *held_bit; /* of the element that each holds in the state signed last from scratch */
    /* The same another way round, where a factor has up to 64: by element, a bit for each of factor_refs, from
     * factor->refs on. */
    uint64_t *held_by;
    uint64_t held_listed; /* the factors that are listed, by canon_bit */
    uint64_t *held_now;   /* by factor: the references to those that move; 0 between uses */

    struct canon_move move;

    /* refinement */
    uint64_t *plain_hash; /* by fact: of its plain values */
    uint64_t *slot_hash;  /* by slot and part, consecutively */
    uint32_t *slot_start; /* by multiset: first of its hashes */
    uint32_t *active;     /* facts that may tell more when ranks change */
    uint32_t active_count;

    /* twins: equal numbers are interchangeable; valid within classes of the root partition */
    uint32_t *twin;
    int32_t *buffer; /* one multiset */
    uint32_t *swap;  /* a permutation, the identity between uses */

    /* search */
    struct canon_level *levels; /* levels[0].partition is the root; others made when first needed */
    uint32_t level_count;
    struct canon_leaf best, first;
    uint64_t *leaf; /* the packed state at the leaf in hand */
    uint32_t *path;
    uint32_t *generators; /* element images, CANON_GENERATORS of them at most */
    uint32_t generator_count;
    uint64_t visited;
    uint32_t *factors;      /* by level of the best path: size of the orbit of the element individualised there */
    uint32_t *twin_lengths; /* class lengths of the best leaf, by position */
    struct labeller *labeller;

    struct discovery *discovery;          /* discover.c */
    struct chase *chase;                  /* chase.c */
    struct successor_lane *lane;          /* successor.c */
    struct symmetry_generated *generated; /* generated.c; NULL: every factor is full */
    struct strategy *strategy;            /* strategy.c; NULL: canonical */
    bool is_nauty;                        /* nauty labels every state */
    bool is_greedy;                       /* the first labelling that the signatures allow is taken */
    uint64_t work;                        /* see canon_work */
    bool was_cut;                         /* see canon_was_cut */
    bool is_exact;                        /* see canon_set_exact */
    struct repeat *repeat;                /* repeat.c */
    uint64_t group_order;                 /* 0: does not fit */

    uint32_t *image;    /* by element: result of the last canon_apply */
    uint32_t *ordinals; /* the same as ordinals within the factor */
};

static inline uint64_t canon_bit(uint32_t element)
{
    return (uint64_t)1 << (element & 63);
}

/* Of what a cell of a row says to its element: the upper part; and what a change of a plain cell adds. */
static inline uint64_t canon_row_part(uint64_t value)
{
    return value >> CANON_ROW_SHIFT << CANON_ROW_SHIFT;
}

static inline uint64_t canon_row_change(uint64_t weight, int32_t old, int32_t new)
{
    return canon_row_part(weight * (uint32_t) new) - canon_row_part(weight * (uint32_t)old);
}

/* True if the thread's time is over: the caller leaves its work undone, and the form that it makes is not canonical. */
static inline bool canon_cuts(struct canon *canon)
{
    bool is_cut = !canon->is_exact && watch_cuts();
    canon->was_cut |= is_cut;
    return is_cut;
}

enum search_result { SEARCH_DONE, SEARCH_TOO_LARGE };

/* How a labelling was found, for the count of the stabiliser. */
enum canon_way { WAY_TWINS, WAY_SEARCH, WAY_NAUTY };

/* Gives those elements that are known by name signatures of their own, below all others. Returns the factors that have
 * such elements, by canon_bit. */
uint64_t canon_discover(struct canon *canon, const int32_t *cells);
/* The same of some factors, where discovery_change has been told of every reference in a row that has changed. */
uint64_t canon_discover_again(struct canon *canon, const int32_t *cells, uint64_t factors);
/* Returns the elements of which it is then to be found out again whom they make known, by canon_bit. */
uint64_t discovery_change(struct discovery *discovery, const struct structure *structure, uint32_t use, int32_t old,
                          int32_t new);
/* The elements of a factor that are known by name in a state that differs from the last one of canon_discover, in the
 * order in which they are found, and how many. Only what the affected ones say (discovery_change; UINT64_MAX: all) is
 * followed again. Of up to 64 elements. */
uint32_t discovery_follow(struct canon *canon, uint32_t factor, const int32_t *cells, uint64_t affected,
                          const uint32_t **found);
struct discovery *discovery_create(const struct structure *structure);
void discovery_destroy(struct discovery *discovery);
/* By use, which are 0 before: the factors for which it matters which element its cell names, by canon_bit. */
void discovery_list_links(const struct discovery *discovery, const struct structure *structure, uint64_t *links);
/* Signatures of all elements, and who is referenced, from the cells alone. */
void canon_sign(struct canon *canon, const int32_t *cells);
/* The same after a change of the cell of this use, and of so many neighbouring slots of a multiset. What is referenced
 * only grows. */
void canon_sign_change(struct canon *canon, uint32_t use, int32_t old, int32_t new);
void canon_sign_slots_change(struct canon *canon, const struct slots *slots, uint32_t count, const int32_t *old,
                             const int32_t *new);

/* The root partition (levels[0]) by the signatures: from scratch; from elements already in order of signature. */
void canon_colour(struct canon *canon);
void canon_colour_sorted(struct canon *canon);
/* The root's order by the signatures alone; elements they leave equal stay where they are if they can. */
void canon_order_greedily(struct canon *canon);
/* Splits classes of the root partition as far as references in the rows tell, cheaply. Returns whether any was split.
 */
bool canon_chase(struct canon *canon, const int32_t *cells);
struct chase *chase_create(const struct structure *structure);
void chase_destroy(struct chase *chase);
/* Refines the root partition; returns what canon_refine does. */
uint64_t canon_refine_root(struct canon *canon, const int32_t *cells);
/* Splits classes until nothing changes; returns an invariant of how they were split. */
uint64_t canon_refine(struct canon *canon, const int32_t *cells, struct canon_partition *partition);
/* An invariant of the state with the colours of the partition: which facts there are, elements known by colour. */
uint64_t canon_sum_facts(const struct canon *canon, const int32_t *cells, const struct canon_partition *partition);
/* Splits the classes by canon->signature; adds to the trace how. Returns whether any was split. */
bool partition_split(const struct canon *canon, struct canon_partition *partition, uint64_t *trace);
/* `to` = the partition with a class of its own, the first, for one element of a class. */
void partition_single_out(const struct canon *canon, const struct canon_partition *from, uint32_t element,
                          struct canon_partition *to);
static inline bool partition_is_shared(const struct canon_partition *partition, uint32_t element)
{
    return partition->length[partition->rank[element]] > 1;
}
/* Does the exchange of two elements of a factor leave the state as it is? */
bool canon_are_twins(struct canon *canon, uint32_t a, uint32_t b, const int32_t *cells);
/* Numbers the twins of all classes of the partition; returns whether every class is one set of twins. */
bool canon_find_twins(struct canon *canon, const int32_t *cells, const struct canon_partition *partition);
/* Labels a state in canon->move whose root partition by signature is made and has a class that is no set of twins. */
enum canon_way canon_label_hard(struct canon *canon, const int32_t *cells, const uint32_t **order);
/* packed = the state in canon->move relabelled so that the element at each position gets that position's name; sets
 * canon->image. */
void canon_move(struct canon *canon, const uint32_t *order, const int32_t *cells, uint64_t *packed);
/* The same where move.places lists the positions of an order by factors that have not their own element. (Where there
 * are none, canon->image is left as it was.) */
void canon_move_listed(struct canon *canon, const uint32_t *order, const int32_t *cells, uint64_t *packed);
/* Prepares it for the state signed last. */
void canon_move_pack(struct canon *canon, const int32_t *cells);
void canon_move_create(struct canon *canon);
void canon_move_destroy(struct canon *canon);
/* Leaves the representative in best.packed, the labelling in best.order. The state must be in canon->move. */
enum search_result canon_search(struct canon *canon, const int32_t *cells);
/* The level's buffers, made when first asked for. */
struct canon_level *canon_level(struct canon *canon, uint32_t level);

/* Puts an element of a factor whose others are in order, classes of twins with these starts, where its signature has
 * its place: the root's order, which was the identity, and move.places of this factor, and the classes then. Of up to
 * 64 elements. False: it has the signature of others, and is no twin of theirs; nothing has changed then. */
bool canon_reinsert(struct canon *canon, const struct moved_factor *factor, uint32_t element, const int32_t *cells,
                    uint64_t *classes);

enum { REPEAT_PARAMETERS = 8 };
struct repeat *repeat_create(const struct structure *structure);
void repeat_destroy(struct repeat *repeat);
/* The instance that a permutation of the elements, by their images, takes it to. False: not known. */
bool repeat_image(const struct repeat *repeat, uint32_t rule, const uint32_t *images, uint64_t *instance);

/* The elements that an instance names, in order of its parameters. Returns how many; 0: none, or it is not known. */
uint32_t repeat_name(const struct repeat *repeat, uint32_t rule, uint64_t instance, uint32_t *elements);
/* By instance of a rule with one parameter: the element, or NO_ELEMENT. NULL: it has others. */
const uint32_t *repeat_elements(const struct repeat *repeat, uint32_t rule);

struct successor_lane *lane_create(const struct structure *structure, const struct discovery *discovery);
void lane_destroy(struct successor_lane *lane);
/* The signatures are no longer those of the lane's state. */
void lane_leave(struct successor_lane *lane);

#endif
