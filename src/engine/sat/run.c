/* A run that was found becomes a trace: the evaluator takes each of its steps. A run that it cannot take is a bug of
 * ours, and must not be shown as one of the model. */
#include <stdlib.h>
#include <string.h>

#include "engine/sat/search.h"

/* Pushes the step to these cells. */
static void run_push(struct trace *trace, struct stepper *stepper, const int32_t *cells)
{
    struct step step = {0};
    enum step_outcome outcome;
    while ((outcome = stepper_next(stepper, &step)) != STEP_END)
        if (outcome == STEP_STATE && !memcmp(step.cells, cells, trace->layout->cell_count * sizeof *cells)) {
            trace_push_step(trace, &step, outcome);
            return;
        }
    UNREACHABLE("the model cannot take a step of the run found by the search");
}

static void run_push_fault(struct trace *trace, struct stepper *stepper, const struct property *property)
{
    struct step step = {0};
    enum step_outcome outcome;
    while ((outcome = stepper_next(stepper, &step)) != STEP_END)
        if (outcome == STEP_FAULT && step.fault.property == property) {
            trace_push_step(trace, &step, outcome);
            return;
        }
    UNREACHABLE("no step fails behind the run found by the search");
}

static enum trace_evidence run_evidence(const struct sat_search *search, const struct sat_target *target)
{
    switch (target->kind) {
    case SAT_BAD:
    case SAT_UNEVALUATED:
        return TRACE_SHOWS_FALSE;
    case SAT_GOAL:
        return TRACE_SHOWS_TRUE;
    case SAT_FAULT:
        return TRACE_SHOWS_FAULT;
    case SAT_COVERED:
        return TRACE_SHOWS_STATE;
    case SAT_DEADLOCK:
        break;
    }
    return search->options->deadlock == DEADLOCK_STUCK ? TRACE_SHOWS_STUCK : TRACE_SHOWS_STUTTERING;
}

struct trace *sat_run_trace(struct sat_search *search, const struct sat_target *target, const bool *states,
                            uint32_t count)
{
    const struct layout *layout = search->layout;
    struct watch *watch = watch_suspend(); /* what was found is shown, also when the time is over */
    struct trace *trace = trace_create(search->system, layout);
    struct stepper *stepper = stepper_create_evaluator(search->system, layout);
    int32_t *cells = memory_alloc(layout->cell_count * sizeof *cells + 1);
    stepper_begin_starts(stepper);
    for (uint32_t i = 0; i < count; i++) {
        circuit_decode(&search->circuit, states + (size_t)i * search->circuit.variable_count, cells);
        run_push(trace, stepper, cells);
        stepper_begin_successors(stepper, cells);
    }
    if (target->kind == SAT_FAULT)
        run_push_fault(trace, stepper, target->property);
    stepper_destroy(stepper);
    free(cells);
    trace_insist(trace_replay(trace));
    trace_insist(trace_confirm(trace, run_evidence(search, target), target->property));
    watch_adopt(watch);
    return trace;
}
