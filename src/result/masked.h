/* Masked failures: failures that another one hides.
 *
 * Where two iterations of a loop over an index type fail in different ways, the numbering of the elements decides which
 * failure is met (symmetry/failures.h). A search over one state of each orbit, or over counters, meets one of them: the
 * reported failure is real, but "holds" would be unsound for the other properties. */
#ifndef NOETHER_RESULT_MASKED_H
#define NOETHER_RESULT_MASKED_H

#include "result/verdict.h"

/* May a failure hide this one? */
bool masked_concerns(const struct property *property);
/* Was a failure found that may hide others? */
bool masked_is_possible(const struct result *result);
/* Unknown, for this reason. */
void masked_leave_open(struct result *result, const struct property *property);
/* All that hold and may have been hidden. */
void masked_leave_all_open(struct result *result);

#endif
