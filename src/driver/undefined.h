/* Where comparisons met undefined values (--undefined warn): a warning for each place in the text, with the first step.
 *
 * The comparisons themselves cost nothing more: after the check, the evaluator goes through the first states of the
 * model once more, breadth first, and tells of the tests that the front end implied (struct expr). It stops when every
 * place has been met, after UNDEFINED_STATES states, or after a tenth of the time that the check took. There is no
 * search where the text and the start states show that nothing is ever undefined, and the caller does not ask for it
 * where the steppers met nothing (result->is_defined), which costs them nothing. */
#ifndef NOETHER_DRIVER_UNDEFINED_H
#define NOETHER_DRIVER_UNDEFINED_H

#include "base/diag.h"
#include "driver/model.h"

enum { UNDEFINED_STATES = 10000 };

/* `seconds`: what the check took. */
void undefined_find(const struct model *model, double seconds, struct diagnostics *notes);

#endif
