/* Quantifiers of a CTL or LTL formula, moved to its front.
 *
 * AG forall i: f(i) says the same as forall i: AG f(i), and that all start states satisfy forall i: g(i) says that all
 * pointed start states (rewrite/point.h), with any value for i, satisfy g. So a formula whose quantifiers can all be
 * moved to the front as universal ones becomes one without quantifiers, of pointed states: the process i is factored
 * out (survey, section 2.2), also in a counter abstraction (reduce/). */
#ifndef NOETHER_REWRITE_PRENEX_H
#define NOETHER_REWRITE_PRENEX_H

#include "rewrite/point.h"

/* Does "for all i" in the left (right) operand of an operator that has to be true say the same in front of it? With
 * is_positive false: "for some i" in an operator that has to be false. */
bool prenex_lets_pass(enum ctl_kind kind, bool is_positive, bool is_right);
/* Does a quantifier stand around a temporal operator? */
bool prenex_is_needed(const struct ctl *ctl);
/* Can all of them be brought to the front? Else *where is one that cannot. */
bool prenex_is_possible(const struct ctl *ctl, struct span *where);
/* The system of pointed states, with this one property and those that rules and assumptions refer to; the property is
 * the last. The variables stand behind the others in the state; the last parameters of a start state choose their
 * values. NULL: it takes too many cells. */
struct system *prenex_system(const struct system *system, const struct property *property);

#endif
