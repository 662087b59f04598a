/* What one run says about a formula of CTL.
 *
 * A run is one of the paths of the model: it can make an E-formula true and an A-formula false, and what it says
 * nothing about is unknown (Kleene's three values). Evaluated by the IR evaluator, with no graph: an independent check of the
 * counterexamples and witnesses of CTL engines. */
#ifndef NOETHER_RESULT_PATH_H
#define NOETHER_RESULT_PATH_H

#include "result/trace.h"

enum path_truth { PATH_FALSE, PATH_TRUE, PATH_UNKNOWN };

/* In the first state of the run. Its steps must be what they are said to be (trace_replay). */
enum path_truth path_evaluate(const struct trace *trace, const struct ctl *ctl);

#endif
