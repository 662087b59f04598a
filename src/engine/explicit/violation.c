/* From a finding to its evidence: the quotient run from the store, lifted, replayed, confirmed. A trace that does not
 * stand up to that is a bug of ours and must not be shown as one of the model. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "engine/explicit/search.h"

static uint32_t violation_path_length(const struct search *search, uint32_t number)
{
    uint32_t length = 0;
    for (; number != STORE_NO_PARENT; number = store_parent(search->store, number))
        length++;
    return length;
}

/* The representatives from a start state to the finding. */
static int32_t *violation_path(const struct search *search, const struct finding *finding, uint32_t *count)
{
    size_t cells = search->layout->cell_count;
    uint32_t stored = violation_path_length(search, finding->number);
    *count = stored + (finding->beyond != NULL);
    int32_t *path = memory_alloc(*count * cells * sizeof *path);
    uint32_t number = finding->number;
    for (uint32_t i = stored; i > 0; i--) {
        layout_unpack(search->layout, store_state(search->store, number), path + (i - 1) * cells);
        number = store_parent(search->store, number);
    }
    if (finding->beyond)
        memcpy(path + stored * cells, finding->beyond, cells * sizeof *path);
    return path;
}

static void violation_insist(char *wrong)
{
    if (wrong)
        UNREACHABLE(wrong);
}

struct trace *violation_trace(struct search *search, const struct finding *finding)
{
    uint32_t count;
    int32_t *path = violation_path(search, finding, &count);
    enum trace_goal goal = finding->evidence == TRACE_SHOWS_FAULT ? TRACE_GOAL_FAULT : TRACE_GOAL_STATE;
    struct trace *trace = trace_lift(search->layout, search->symmetry, path, count, goal, finding->fault);
    free(path);
    if (!trace)
        UNREACHABLE("the run found by the search cannot be lifted to a run of the model");
    violation_insist(trace_replay(trace));
    violation_insist(trace_confirm(trace, finding->evidence, finding->property));
    return trace;
}

bool violation_report(struct search *search, const struct finding *finding, const char *reason)
{
    struct trace *trace = violation_trace(search, finding);
    result_set_violated(search->result, finding->property, finding->fault, trace, "%s", reason);
    if (!search->options->keep_going && !search->stopped)
        search_stop(search, "first violation");
    search_decide(search, finding->property);
    return !search->stopped;
}

/* The lifted run may be numbered differently and end in another failure (see dispute.c): what it shows is what counts. */
bool violation_report_fault(struct search *search, uint32_t number, const struct fault *fault)
{
    struct finding finding = {fault->property, TRACE_SHOWS_FAULT, fault, number, NULL};
    struct trace *trace = violation_trace(search, &finding);
    struct fault shown = trace->steps[trace->count - 1].fault;
    if (search->decided[shown.property->id]) {
        trace_destroy(trace);
        dispute_leave_open(search, fault->property);
        return !search->stopped;
    }
    struct text reason = {0};
    fault_print(&shown, &reason);
    result_set_violated(search->result, shown.property, &shown, trace, "%s", text_chars(&reason));
    text_free(&reason);
    if (!search->options->keep_going && !search->stopped)
        search_stop(search, "first violation");
    search_decide(search, shown.property);
    return !search->stopped;
}
