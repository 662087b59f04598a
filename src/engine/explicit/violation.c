/* From a finding to its evidence: the quotient run, lifted, replayed, confirmed. A trace that does not stand up to that
 * is a bug of ours and must not be shown as one of the model. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "engine/explicit/search.h"

/* The representatives from a start state to the finding. */
static int32_t *violation_path(struct explicit_search *search, const struct explicit_finding *finding, uint32_t *count)
{
    size_t cells = search->layout->cell_count;
    int32_t *path = path_to(search, finding->last, count);
    if (!path)
        UNREACHABLE("the temporary file with the log of the search cannot be read");
    if (finding->beyond) {
        path = memory_resize(path, (*count + 1) * cells * sizeof *path);
        memcpy(path + *count * cells, finding->beyond, cells * sizeof *path);
        ++*count;
    }
    return path;
}

static void violation_insist(char *wrong)
{
    if (wrong)
        UNREACHABLE(wrong);
}

struct trace *violation_trace(struct explicit_search *search, const struct explicit_finding *finding)
{
    uint32_t count;
    struct watch *watch = watch_suspend();
    int32_t *path = violation_path(search, finding, &count);
    enum trace_goal goal = finding->evidence == TRACE_SHOWS_FAULT ? TRACE_GOAL_FAULT : TRACE_GOAL_STATE;
    struct trace *trace = trace_lift(search->layout, search->symmetry, path, count, goal, &finding->fault);
    free(path);
    if (!trace)
        UNREACHABLE("the run found by the search cannot be lifted to a run of the model");
    violation_insist(trace_replay(trace));
    violation_insist(trace_confirm(trace, finding->evidence, finding->property));
    watch_adopt(watch);
    return trace;
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
        result_set_verdict(search->result, finding->property, VERDICT_HOLDS, NULL);
        search->result->properties[finding->property->id].trace = violation_trace(search, finding);
        search_decide(search, finding->property);
    } else {
        violation_set(search, finding->property, is_fault ? &finding->fault : NULL, violation_trace(search, finding),
                      violation_reason(finding));
    }
}
