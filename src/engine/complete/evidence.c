/* The run that shows a finding: every state on the way is a real one, so it needs no lifting, only replay. */
#include <stdlib.h>

#include "base/memory.h"
#include "engine/complete/explore.h"

static void evidence_push_run(struct trace *trace, const struct node *last)
{
    VEC(const struct node *) run = {0};
    for (const struct node *node = last; node; node = node->parent)
        VEC_PUSH(&run, node);
    while (run.count) {
        const struct node *node = VEC_POP(&run);
        trace_push(trace, node->rule, node->instance, node->cells, NULL);
    }
    VEC_FREE(&run);
}

struct trace *evidence_trace(struct complete_search *search, const struct finding *finding)
{
    struct trace *trace = trace_create(search->system, search->layout);
    evidence_push_run(trace, finding->node);
    if (finding->rule)
        trace_push(trace, finding->rule, finding->instance, finding->cells, finding->cells ? NULL : finding->fault);
    trace_insist(trace_replay(trace));
    trace_insist(trace_confirm(trace, finding->evidence, finding->property));
    return trace;
}

bool evidence_report(struct complete_search *search, const struct finding *finding, const char *reason)
{
    struct trace *trace = evidence_trace(search, finding);
    result_set_failed(search->result, finding->property, finding->fault, trace, reason);
    if (!search->options->keep_going && !search->stopped)
        explore_stop(search, stop_of(STOP_VIOLATION));
    explore_decide(search, finding->property);
    return !search->stopped;
}
