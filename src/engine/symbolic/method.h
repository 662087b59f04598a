/* Symbolic symmetry reduction: how a set is mapped to representatives of its orbits. Sections are those of the survey
 * (Wahl, Donaldson, "Replication and Abstraction: Symmetry in Automated Formal Verification", 2010).
 *
 *   orbit     5.1  the orbit relation as a diagram, and from it the relation of a state and its unique representative
 *   multiple  5.2  a state is related to all states that an exchange with process 1 makes least at process 1
 *   onthefly  5.3  the states met first represent their orbits; all their images count as visited
 *   dynamic   5.4  neighbours are exchanged in those states where that makes the state less, until there are none
 *
 * method.c chooses and holds what they share; each has a file method_NAME.c. */
#ifndef NOETHER_ENGINE_SYMBOLIC_METHOD_H
#define NOETHER_ENGINE_SYMBOLIC_METHOD_H

#include "engine/engine.h"
#include "engine/symbolic/shuffle.h"

struct symbolic_reducer {
    enum method method;
    struct shuffler shuffler;
    struct footprint *footprint;
    VEC(struct shuffle) generators; /* of the whole group */
    VEC(struct shuffle) moves;      /* dynamic: those that are tried */
    VEC(struct dd_relation)
    maps;                     /* orbit, multiple: a state and its representatives, one after the other; referenced */
    bool is_unique;           /* one representative for each orbit */
    const struct type *loose; /* the type of a factor whose states represent themselves; NULL: there is none */
};

/* Why the method cannot be had for this system, or NULL. The answer lives as long as the symmetry. */
const char *method_refusal(enum method method, const struct symmetry *symmetry, const struct layout *layout);
/* NULL: no memory or time. */
struct symbolic_reducer *reducer_create(enum method method, const struct symmetry *symmetry, struct encoding *encoding);
void reducer_destroy(struct symbolic_reducer *reducer);

/* Representatives of the states in the set. */
dd reducer_represent(struct symbolic_reducer *reducer, dd set);
/* All states that are symmetric to one in the set. */
dd reducer_close(struct symbolic_reducer *reducer, dd set);

/* Calls `visit` with every element of the product of the factors in a cluster (images of all factors, NULL: identity),
 * until it returns false. */
typedef bool reducer_visit(struct symbolic_reducer *reducer, const uint32_t *const *images);
bool reducer_each(struct symbolic_reducer *reducer, uint32_t cluster, reducer_visit *visit);
/* The order of that product, or UINT64_MAX. */
uint64_t reducer_order(const struct symbolic_reducer *reducer, uint32_t cluster);
/* The exchange of two points of a factor, or its generator of that number. */
bool reducer_exchange(struct symbolic_reducer *reducer, uint32_t factor, uint32_t a, uint32_t b, reducer_visit *visit);

bool reducer_open_dynamic(struct symbolic_reducer *reducer);
bool reducer_open_orbit(struct symbolic_reducer *reducer);
bool reducer_open_multiple(struct symbolic_reducer *reducer);
dd reducer_represent_dynamic(struct symbolic_reducer *reducer, dd set);

#endif
