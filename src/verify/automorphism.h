/* Does each generator map rules and properties onto themselves?
 *
 * Each instance of a rule becomes a function from states to states (verify/symbolic.h), as decision diagrams over the
 * cells with the values that occur; so do formulas. A generator is a bijection of such states. The image of each
 * instance must be an instance: diagrams are unique, so it is the same diagrams. */
#ifndef NOETHER_VERIFY_AUTOMORPHISM_H
#define NOETHER_VERIFY_AUTOMORPHISM_H

#include "verify/check.h"

struct automorphism;

/* The generators must be maps of states (canonical_create has checked that). */
struct automorphism *automorphism_create(const struct group_action *action, const struct layout *layout);
void automorphism_destroy(struct automorphism *automorphism);
/* A state of R, or one that a step from R passes through: its values occur. */
void automorphism_note(struct automorphism *automorphism, const int32_t *cells);
/* `why` gets the reason if the answer is not VERIFY_ACCEPTED. */
enum verify_outcome automorphism_check(struct automorphism *automorphism, struct text *why);

#endif
