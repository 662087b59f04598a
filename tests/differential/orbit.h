/* Orbits by brute force: every permutation of every factor in use, applied one by one. */
#ifndef NOETHER_TESTS_ORBIT_H
#define NOETHER_TESTS_ORBIT_H

#include "failure.h"
#include "plain.h"

/* All elements of the group, as images for symmetry_act. */
struct permutations {
    const struct symmetry *symmetry;
    uint32_t **images; /* by element * factor_count + factor; NULL: the factor is not in use */
    uint64_t count;
};

enum { PERMUTATIONS_LIMIT = 6000 };

/* NULL when the group has more than PERMUTATIONS_LIMIT elements. */
struct permutations *permutations_create(const struct symmetry *symmetry);
void permutations_destroy(struct permutations *permutations);
const uint32_t *const *permutations_images(const struct permutations *permutations, uint64_t element);

/* What the stored states should be: every reachable state represented; no orbit stored twice. */
struct orbit_claim {
    bool is_complete, is_unique;
    uint32_t represented; /* set: how many states they represent */
};

/* Checks that the stored states represent states of the plain exploration, and what is claimed of them. `stored` holds
 * `count` packed states. Where a start state picks elements by their order, some state of each orbit must be reachable,
 * else all. */
bool orbit_check_stored(const struct plain *plain, const struct permutations *permutations, const uint64_t *stored,
                        uint64_t count, struct orbit_claim *claim, struct failure *failure);

/* Checks the canonicaliser on every plain state: one representative for the whole orbit, reached by the permutation it
 * names, and the exact size of the orbit. */
bool orbit_check_canon(const struct plain *plain, const struct permutations *permutations, struct failure *failure);

#endif
