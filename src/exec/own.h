/* Whose step it is, where fairness asks. A step of several rules (atomic sequences) is a step of each rule, and of each
 * process, that moves in it; enabled by it is what fires first, in the state that the step comes from. */
#ifndef NOETHER_EXEC_OWN_H
#define NOETHER_EXEC_OWN_H

#include "exec/stepper.h"
#include "ir/fairness.h"

/* With these values of the requirement's variables; not of a CONDITION. */
bool step_is_own(const struct step *step, const struct fairness *fairness, const int32_t *values);
bool step_enables(const struct step *step, const struct fairness *fairness, const int32_t *values);

#endif
