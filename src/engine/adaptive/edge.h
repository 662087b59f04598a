/* Edges: what a rule does, and the partition under which it does the same (the paper's A --phi,Q--> B, Section 5).
 *
 * An edge belongs to a variant, the shared values, and the local states of its actors: that is the paper's local
 * state transition with the shared variables added. It is found by running the variant (partial.h) for every choice
 * of actors: that gives items (actors, condition, effect). Items are grouped so that each group has a coarse
 * partition: first by what permutations cannot change, then by the cells of their actors ("split by actor class": a
 * guard `prio[j] < prio[i]` gives three cells for each class of priority, not the meet of all of them). In the
 * partition Q of a group, p and q share a cell iff the transposition (p q) maps the items of the group to each
 * other; that is an equivalence, since (p r) = (p q)(q r)(p q). Every permutation in <Q> is then an automorphism of
 * the group, so one item for each edge is enough. */
#ifndef NOETHER_ENGINE_ADAPTIVE_EDGE_H
#define NOETHER_ENGINE_ADAPTIVE_EDGE_H

#include "engine/adaptive/partial.h"
#include "engine/adaptive/partition.h"
#include "engine/adaptive/variant.h"

enum adaptive_outcome {
    OUTCOME_STATE,
    OUTCOME_DISCARDED,
    OUTCOME_FAULT,
    OUTCOME_SHOWN /* of a formula: what is looked for */
};
#define NO_MAP UINT32_MAX

/* A part of a simple condition: the function is true of all (or of some) elements, the actors left out, in some
 * cells. */
struct leaf {
    bool is_all;
    uint32_t function;
    bool *in_cell; /* by cell of the edge's partition */
};

struct adaptive_edge {
    uint32_t variant;
    uint32_t partition;
    bool is_symmetric;                    /* the partition is the coarsest */
    uint32_t actors[VARIANT_MOST_ACTORS]; /* of the item that stands for all */
    uint32_t cells[VARIANT_MOST_ACTORS];  /* of the partition, in which the actors are */
    uint32_t locals[VARIANT_MOST_ACTORS];
    uint32_t condition; /* formula, for `actors` */
    bool is_simple;     /* the condition is the conjunction of `leaves` */
    struct leaf *leaves;
    uint32_t leaf_count;
    enum adaptive_outcome outcome;
    const struct fault *fault;
    uint32_t shared; /* after it */
    uint32_t locals_after[VARIANT_MOST_ACTORS];
    uint32_t *map_of_cell; /* what happens to all others: by cell a map or NO_MAP; NULL: nothing */
};

struct edge_list {
    struct adaptive_edge *items;
    uint32_t count;
    bool is_unclear; /* partial evaluation failed: nothing is known */
};

struct rulebook {
    struct arena *arena;
    struct roster *roster;
    struct adaptive_scene *scene;
    struct unaries unaries;
    struct formulas formulas;
    struct partial partial;
    struct partitions *partitions;
    uint32_t coarsest; /* partition */
    struct variants *variants;
    struct words effects; /* outcome, then: shared, locals, (map, set of elements)...; or the number of the fault */
    struct words maps;    /* family, then (slot, is it a number, two words)... in order of slot */
    struct pairs mapped;  /* (map, local) -> local */
    struct pairs truths;  /* (function, local) -> 0 or 1 */
    VEC(const struct fault *) faults;
    struct words keys; /* variant, shared, locals of the actors */
    VEC(struct edge_list) lists;
};

void rulebook_create(struct rulebook *book, struct adaptive_scene *scene, struct partitions *partitions,
                     uint32_t coarsest, struct variants *variants);
void rulebook_destroy(struct rulebook *book);

/* The edges of a variant that suits the shared values, for actors in these local states. */
const struct edge_list *rulebook_edges(struct rulebook *book, uint32_t variant, uint32_t shared,
                                       const uint32_t *locals);
bool rulebook_is_true(struct rulebook *book, uint32_t function, uint32_t local);

/* effect.c: the effect of the path that has just been run, as a number in book->effects */
enum go effect_take(struct rulebook *book, const struct variant *variant, uint32_t shared, const uint32_t *actors,
                    const uint32_t *locals, uint32_t *effect);
uint32_t effect_of_fault(struct rulebook *book, const struct fault *fault);
uint32_t effect_plain(struct rulebook *book, enum adaptive_outcome outcome);
uint32_t effect_swap(struct rulebook *book, uint32_t actor_count, uint32_t effect, uint32_t p, uint32_t q);
uint64_t effect_signature(const struct rulebook *book, uint32_t actor_count, uint32_t effect);
uint32_t effect_map(struct rulebook *book, uint32_t map, uint32_t local);

/* item.c: running a variant for one choice of actors. GO_OK: the items are appended. */
struct adaptive_item {
    uint32_t actors[VARIANT_MOST_ACTORS];
    uint32_t condition, effect;
};
struct items {
    struct adaptive_item *items;
    size_t count, capacity;
};
enum go items_add(struct rulebook *book, const struct variant *variant, uint32_t shared, const uint32_t *actors,
                  const uint32_t *locals, struct items *items);
/* Runs the variant in a whole known state (locals by element). The one outcome there is: GO_OK with the effect done
 * in book->partial.memory, or GO_DISABLED, GO_DISCARDED, GO_FAULT (in book->partial.fault). */
enum go rulebook_run_concrete(struct rulebook *book, const struct variant *variant, uint32_t shared,
                              const uint32_t *locals, const uint32_t *actors);

#endif
