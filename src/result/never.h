/* An automaton that comes with the model (LTL_NEVER), on one run: from which positions on does it accept the run?
 *
 * Of the product of positions and states of the automaton, the pairs from which accepting states can be passed again
 * and again (a greatest solution around a least one); once with what is unknown counted, once without. Time: about
 * proportional to the product, times the ways back in the automaton. */
#ifndef NOETHER_RESULT_NEVER_H
#define NOETHER_RESULT_NEVER_H

#include "result/path.h"

/* In every position: PATH_FALSE where it accepts. */
void never_fill(struct result_path *path, const struct ctl *ctl, enum path_truth *out);

#endif
