/* What a model says about states besides its rules: which are considered at all (assumptions), and in which it may end
 * (final conditions). */
#ifndef NOETHER_EXEC_CONDITIONS_H
#define NOETHER_EXEC_CONDITIONS_H

#include "exec/stepper.h"

/* The first assumption that is not true in the state, with what its evaluation gave; NULL: the state is considered. */
const struct property *conditions_breach(struct stepper *judge, const int32_t *cells, enum truth *truth,
                                         struct fault *fault);
/* Of the start states, which does an assumption leave out? What is no assumption leaves out none; an assume statement,
 * and one of too many start states, perhaps some. */
enum condition_cut { CUTS_NONE, CUTS_SOME, CUTS_ALL };
void conditions_cut(struct stepper *judge, enum condition_cut *cuts); /* by property */
bool conditions_admit(struct stepper *judge, const int32_t *cells);
/* Is it no deadlock if nothing can move here? Only where a final condition is true, and none before it
 * fails. */
bool conditions_allow_end(struct stepper *judge, const int32_t *cells);

#endif
