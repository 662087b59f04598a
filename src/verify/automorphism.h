/* Does each generator map rules and properties onto themselves?
 *
 * Each instance of a rule becomes a function from states to states (verify/symbolic.h), as decision diagrams over the
 * cells with the values that occur; so do formulas. A generator is a bijection of such states. The image of each
 * instance must be an instance: diagrams are unique, so it is the same diagrams. */
#ifndef NOETHER_VERIFY_AUTOMORPHISM_H
#define NOETHER_VERIFY_AUTOMORPHISM_H

#include "verify/check.h"

/* The values that each cell has in some state. */
struct value_lists;
struct value_lists *values_create(const struct layout *layout);
void values_destroy(struct value_lists *values);
void values_note(struct value_lists *values, const int32_t *cells);

/* `why` gets the reason if the answer is not VERIFY_ACCEPTED. */
enum verify_outcome automorphism_check(const struct group_action *action, const struct layout *layout,
                                       struct value_lists *values, struct text *why);

#endif
