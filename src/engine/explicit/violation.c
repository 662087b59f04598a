/* From a finding to its evidence: the quotient run, lifted, replayed, confirmed. A trace that does not stand up to that
 * is a bug of ours and must not be shown as one of the model. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "engine/explicit/search.h"

/* The representatives from a start state to the finding. NULL: the time is over. */
static int32_t *violation_path(struct explicit_search *search, const struct explicit_finding *finding, uint32_t *count)
{
    size_t cells = search->layout->cell_count;
    int32_t *path = path_to(search, finding->last, count);
    if (!path && watch_is_up())
        return NULL;
    if (!path)
        UNREACHABLE("the temporary file with the log of the search cannot be read");
    if (finding->beyond) {
        path = memory_resize(path, (*count + 1) * cells * sizeof *path);
        memcpy(path + *count * cells, finding->beyond, cells * sizeof *path);
        ++*count;
    }
    return path;
}

struct trace *violation_trace(struct explicit_search *search, const struct explicit_finding *finding)
{
    uint32_t count;
    struct watch epilogue;
    watch_begin_epilogue(&epilogue);
    int32_t *path = violation_path(search, finding, &count);
    enum trace_goal goal = finding->evidence == TRACE_SHOWS_FAULT ? TRACE_GOAL_FAULT : TRACE_GOAL_STATE;
    struct trace *trace =
        path ? trace_lift(search->layout, search->symmetry, path, count, goal, &finding->fault) : NULL;
    free(path);
    char *wrong = trace ? trace_replay(trace) : memory_string("the run that was found cannot be lifted");
    if (!wrong)
        wrong = trace_confirm(trace, finding->evidence, finding->property);
    bool is_late = wrong && watch_cuts();
    watch_end(&epilogue);
    if (!is_late)
        trace_insist(wrong);
    else if (trace)
        trace_destroy(trace);
    free(wrong);
    return is_late ? NULL : trace;
}

static void violation_stop(struct explicit_search *search)
{
    if (!search->options->keep_going && !search->stopped)
        search_stop(search, stop_of(STOP_VIOLATION));
}

static void violation_set(struct explicit_search *search, const struct property *property, const struct fault *fault,
                          struct trace *trace, const char *reason)
{
    result_set_failed(search->result, property, fault, trace, reason);
    violation_stop(search);
    search_decide(search, property);
}

/* A rule or start state faults. The lifted run may be numbered differently and end in another failure (see dispute.c):
 * what it shows is what counts. */
static void violation_report_fault(struct explicit_search *search, const struct explicit_finding *finding)
{
    struct trace *trace = violation_trace(search, finding);
    if (!trace)
        return;
    struct fault shown = trace->steps[trace->count - 1].fault;
    if (!search->decided[shown.property->id]) {
        violation_set(search, shown.property, &shown, trace, NULL);
        return;
    }
    trace_destroy(trace);
    dispute_leave_open(search, finding->property);
}

static const char *violation_reason(const struct explicit_finding *finding)
{
    switch (finding->evidence) {
    case TRACE_SHOWS_STUCK:
        return deadlock_reason(DEADLOCK_STUCK);
    case TRACE_SHOWS_STUTTERING:
        return deadlock_reason(DEADLOCK_STUTTERING);
    default:
        return "a reachable state violates it";
    }
}

void violation_report(struct explicit_search *search, const struct explicit_finding *finding)
{
    bool is_fault = finding->fault.kind != FAULT_NONE;
    keep_note_report(search, finding);
    if (finding->evidence == TRACE_SHOWS_FAULT) {
        violation_report_fault(search, finding);
    } else if (finding->evidence == TRACE_SHOWS_TRUE) {
        struct trace *trace = violation_trace(search, finding);
        if (!trace)
            return;
        result_set_verdict(search->result, finding->property, VERDICT_HOLDS, NULL);
        search->result->properties[finding->property->id].trace = trace;
        search_decide(search, finding->property);
    } else {
        struct trace *trace = violation_trace(search, finding);
        if (trace)
            violation_set(search, finding->property, is_fault ? &finding->fault : NULL, trace,
                          violation_reason(finding));
    }
}
