/* A continuation of a run.
 *
 * A violated liveness property has a run to a state from which the goal is unreachable; the rest does not matter to
 * the verdict. For display the run is continued to a cycle, or to its end. */
#ifndef NOETHER_RESULT_ONWARD_H
#define NOETHER_RESULT_ONWARD_H

#include "result/trace.h"

/* A copy of the run, and at most `most` steps more: taken by the first rule that leads to another state (and breaks no
 * assumption), until a state from the old end on is met again (has_loop) or nothing can move. Just a copy when neither
 * happens. */
struct trace *trace_onward(const struct trace *trace, uint32_t most);

#endif
