/* From a finding to its evidence: the quotient run, lifted, replayed, confirmed. A trace that does not stand up to that
 * is a bug of ours and must not be shown as one of the model. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "engine/explicit/keep.h"

/* A run that is none is a bug of ours, unless others may have written what it was taken from: then the checkpoint is
 * refused. */
static void violation_refuse(struct explicit_search *search, const char *what)
{
    if (!search->is_restored)
        UNREACHABLE(what);
    stop_free(&search->result->stop); /* that is what counts */
    search_stop(search, stop_because(STOP_REFUSED,
                                     "%s: what it says of how states were reached is not true of the "
                                     "model (%s)",
                                     checkpoint_folder(search->keeper->checkpoint), what));
}

/* The representatives from a start state to the finding. NULL: the time is over, or the log cannot be read, or is not
 * of this model. */
static int32_t *violation_path(struct explicit_search *search, const struct explicit_finding *finding, uint32_t *count)
{
    size_t cells = search->layout->cell_count;
    int32_t *path = path_to(search, finding->last, count);
    if (path && finding->beyond) {
        path = memory_resize(path, (*count + 1) * cells * sizeof *path);
        memcpy(path + *count * cells, finding->beyond, cells * sizeof *path);
        ++*count;
    }
    return path;
}

/* *wrong: why it is no run of the model that shows what it should, on the heap; NULL: it is one. */
static struct trace *violation_follow(struct explicit_search *search, const struct explicit_finding *finding,
                                      char **wrong)
{
    uint32_t count;
    int32_t *path = violation_path(search, finding, &count);
    if (!path) {
        *wrong = memory_string("the log of the search cannot be read");
        return NULL;
    }
    enum trace_goal goal = finding->evidence == TRACE_SHOWS_FAULT ? TRACE_GOAL_FAULT : TRACE_GOAL_STATE;
    struct trace *trace = trace_lift(search->layout, search->symmetry, path, count, goal, &finding->fault);
    free(path);
    *wrong = trace ? trace_replay(trace) : memory_string("the run that was found cannot be lifted");
    if (!*wrong)
        *wrong = trace_confirm(trace, finding->evidence, finding->property);
    return trace;
}

struct trace *violation_trace(struct explicit_search *search, const struct explicit_finding *finding)
{
    char *wrong;
    struct watch epilogue;
    watch_begin_epilogue(&epilogue);
    struct trace *trace = violation_follow(search, finding, &wrong);
    bool is_late = wrong && watch_cuts();
    watch_end(&epilogue);
    if (search->ranks && ranks_sum(search, is_late)) { /* all ranks have it, or none */
        if (!wrong)
            wrong = memory_string("another rank had no time for it");
        is_late = true;
        search_stop(search, watch_is_up() ? watch_stop(watch_of_thread)
                                          : stop_time(limits_asked_seconds(&search->options->limits)));
    }
    if (!wrong)
        return trace;
    if (trace)
        trace_destroy(trace);
    if (!is_late)
        violation_refuse(search, wrong);
    free(wrong);
    return NULL;
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
    result_set_found(search->result, finding->property, finding->length); /* whatever becomes of its run */
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
