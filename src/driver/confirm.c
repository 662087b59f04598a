/* Traces are replayed by the evaluator, which shares nothing with the engines, before anybody sees them. */
#include <stdlib.h>

#include "base/watch.h"
#include "driver/check.h"
#include "result/chance.h"

static enum trace_evidence evidence_of(const struct trace *trace, const struct property *property, enum verdict verdict,
                                       enum deadlock_mode deadlock)
{
    if (!trace->steps[trace->count - 1].cells)
        return TRACE_SHOWS_FAULT;
    if (verdict == VERDICT_UNKNOWN)
        return TRACE_SHOWS_STATE; /* just a run */
    if (property->kind == PROPERTY_DEADLOCK)
        return deadlock == DEADLOCK_STUCK ? TRACE_SHOWS_STUCK : TRACE_SHOWS_STUTTERING;
    if (property->kind == PROPERTY_RUNTIME && system_has_probabilities(trace->system))
        return TRACE_SHOWS_BROKEN;
    if ((!property->formula && !property->ctl && !property->ltl) || property->kind == PROPERTY_LIVENESS)
        return TRACE_SHOWS_STATE;
    return verdict == VERDICT_HOLDS ? TRACE_SHOWS_TRUE : TRACE_SHOWS_FALSE;
}

char *check_evidence(struct trace *trace, const struct property *property, enum verdict verdict,
                     const struct evidence_mode *mode)
{
    trace->drops_finite = mode->drops_finite || property->drops_finite;
    char *wrong = trace_replay(trace);
    if (!wrong)
        wrong = trace_confirm(trace, evidence_of(trace, property, verdict, mode->deadlock), property);
    return wrong;
}

struct fault check_last_fault(const struct trace *trace, const struct property *property)
{
    struct fault fault = {0};
    const int32_t *last = trace->steps[trace->count - 1].cells;
    if (last && property->kind == PROPERTY_RUNTIME && system_has_probabilities(trace->system)) {
        size_t count;
        struct chance_fault *faults = chances_find_faults(trace->layout, last, &count);
        fault = count ? faults[0].fault : fault;
        free(faults);
    }
    if (!last || !property->formula || property->kind == PROPERTY_DEADLOCK)
        return fault;
    struct stepper *stepper = stepper_create_evaluator(trace->system, trace->layout);
    if (stepper_holds(stepper, property, last, &fault) != TRUTH_FAULT)
        fault = (struct fault){0};
    stepper_destroy(stepper);
    return fault;
}

/* A wrong verdict is the worst answer: evidence that does not stand, or was not replayed in time, is no evidence. */
static void withdraw(struct property_result *property, char *wrong)
{
    struct text reason = {0};
    if (watch_cuts())
        text_append(&reason, "a run was found, but the time was over before it was replayed");
    else
        text_format(&reason, "internal error, please report it: the trace does not replay: %s", wrong);
    trace_destroy(property->trace);
    property->trace = NULL;
    property->verdict = VERDICT_UNKNOWN;
    free(property->reason);
    property->reason = reason.chars;
    free(wrong);
}

/* Does the run end where a value cannot be held? What the model does there is not known. */
static bool is_of_limit(const struct property_result *property)
{
    const struct trace_step *last = &property->trace->steps[property->trace->count - 1];
    return fault_is_of_limit(last->cells ? &property->fault : &last->fault);
}

/* Behind a step that fails no state was seen; it may have failed since a value cannot be held, even if the one that is
 * shown is another. */
static void cut_at_limits(struct result *result)
{
    const struct system *system = result->system;
    const struct property_result *steps = &result->properties[SYSTEM_RUNTIME];
    bool is_cut = false;
    for (size_t t = 0; t < system->types.count; t++)
        is_cut |= system->types.items[t]->is_cut;
    if (!is_cut || (!steps->is_left_out && steps->verdict != VERDICT_VIOLATED))
        return;
    for (size_t i = 0; i < system->properties.count; i++)
        if (system->properties.items[i]->ltl && result->properties[i].verdict == VERDICT_VIOLATED)
            result_leave_out(result, system->properties.items[i],
                             "the run may end, or be fair, only since a step fails");
    if (result->is_complete || steps->is_left_out)
        result_cut(result, stop_because(STOP_UNDECIDED, "a step may store %d, which no variable can hold", INT32_MIN));
}

void check_confirm(struct result *result, const struct evidence_mode *mode)
{
    struct watch epilogue;
    watch_begin_epilogue(&epilogue);
    for (size_t i = 0; i < result->system->properties.count; i++) {
        struct property_result *property = &result->properties[i];
        const struct trace *run = property->quantity.run.trace;
        char *wrong = result->checked[i] && run ? trace_replay(run) : NULL;
        if (wrong) {
            withdraw(property, wrong);
            quantity_free(&property->quantity);
        }
        if (!result->checked[i] || !property->trace)
            continue;
        wrong = check_evidence(property->trace, property->property, property->verdict, mode);
        if (wrong)
            withdraw(property, wrong);
        else if (is_of_limit(property))
            result_leave_out(result, property->property, property->reason);
    }
    cut_at_limits(result);
    watch_end(&epilogue);
}
