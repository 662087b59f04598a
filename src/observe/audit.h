/* The audit of a group on the states themselves, independent of the analysis that found it: every
 * generator maps states to states, start states to start states, steps to steps, and properties and faults are the same
 * in a state and its image. */
#ifndef NOETHER_OBSERVE_AUDIT_H
#define NOETHER_OBSERVE_AUDIT_H

#include "ir/layout.h"
#include "symmetry/symmetry.h"

struct audit;

enum audit_scope {
    AUDIT_REACHABLE, /* states */
    AUDIT_DEFINITE,  /* all combinations of values; undefined ones only of variables that may be (ir/definite.h) */
    AUDIT_WHOLE      /* all combinations, undefined ones too */
};

/* The states and their steps (a model with multisets has no combinations that are known). NULL: there are more than
 * `most`. */
struct audit *audit_open(const struct layout *layout, const struct symmetry *symmetry, enum audit_scope scope,
                         uint64_t most);
void audit_close(struct audit *audit);
uint32_t audit_states(const struct audit *audit);
uint64_t audit_steps(const struct audit *audit);

/* Is a permutation (images[f] of the points of each factor; NULL: identity) an automorphism? If not, `why` says so. */
bool audit_permutation(struct audit *audit, const struct symmetry *symmetry, const uint32_t *const *images,
                       struct text *why);
/* All generators of the factors in use. */
bool audit_symmetry(struct audit *audit, const struct symmetry *symmetry, struct text *why);
/* After that: into how many orbits they join the states. Counted on all states, without a canonicaliser. */
uint32_t audit_orbits(const struct audit *audit);

#endif
