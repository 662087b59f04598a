/* How a run might go on.
 *
 * A violated liveness property has a run to a state from which the goal is out of reach; nothing that follows matters to
 * the verdict. To see it, one wants to see a way on: here is one that goes round for ever, or ends. */
#ifndef NOETHER_RESULT_ONWARD_H
#define NOETHER_RESULT_ONWARD_H

#include "result/trace.h"

/* A copy of the run, and at most `most` steps more: taken by the first rule that leads to another state (and breaks no assumption),
 * until a state from the old end on is met again (has_loop) or nothing can move. Just a copy when neither happens. */
struct trace *trace_onward(const struct trace *trace, uint32_t most);

#endif
