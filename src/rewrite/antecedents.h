/* Properties "if a then b" that say nothing since a is never true. */
#ifndef NOETHER_REWRITE_ANTECEDENTS_H
#define NOETHER_REWRITE_ANTECEDENTS_H

#include "ir/system.h"

/* Gives each invariant that is an implication, perhaps for all parameters, its antecedent; so a CTL or LTL formula,
 * where the implication is claimed of start states or (AG, G) of all states: see ctl_antecedent. Before system_finish.
 */
void antecedents_add(struct system *system);

#endif
