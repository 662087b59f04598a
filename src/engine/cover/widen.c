/* A run with more threads: those that are new stay where they begin, but for broadcasts. */
#include "engine/cover/cover.h"
#include "ir/instance.h"

/* The instance of the same rule that names the same elements, in the system with more threads. */
static uint64_t widen_instance(const struct rule *narrow, uint64_t instance, const struct rule *wide)
{
    int32_t values[SHAPE_MOST_PARAMETERS];
    ENSURE(narrow->parameter_count <= SHAPE_MOST_PARAMETERS);
    instance_values(narrow, instance, values);
    for (uint32_t p = 0; p < narrow->parameter_count; p++)
        values[p] = type_code(wide->parameters[p].type, (uint32_t)type_ordinal(narrow->parameters[p].type, values[p]));
    return instance_number(wide, values);
}

static enum step_outcome widen_start(struct stepper *stepper, const struct trace_step *step, struct step *taken)
{
    enum step_outcome outcome;
    stepper_begin_starts(stepper);
    while ((outcome = stepper_next(stepper, taken)) != STEP_END)
        if (taken->rule->id == step->rule->id &&
            taken->instance == widen_instance(step->rule, step->instance, taken->rule))
            break;
    return outcome;
}

static enum step_outcome widen_step(struct stepper *stepper, const struct trace_step *step, const int32_t *cells,
                                    struct step *taken)
{
    const struct rule *rule = stepper->system->rules.items[step->rule->id];
    stepper_begin_successors(stepper, cells);
    return stepper_fire_evaluator(stepper, rule, widen_instance(step->rule, step->instance, rule), taken);
}

struct trace *widen_trace(const struct trace *run, const struct layout *layout)
{
    struct trace *trace = trace_create(layout->system, layout);
    struct stepper *stepper = stepper_create_evaluator(layout->system, layout);
    bool is_same = true;
    for (uint32_t s = 0; s < run->count && is_same; s++) {
        const struct trace_step *step = &run->steps[s];
        struct step taken = {0};
        enum step_outcome outcome =
            s ? widen_step(stepper, step, trace->steps[s - 1].cells, &taken) : widen_start(stepper, step, &taken);
        is_same = outcome == (step->cells ? STEP_STATE : STEP_FAULT) &&
                  (step->cells || taken.fault.property->id == step->fault.property->id);
        if (is_same)
            trace_push_step(trace, &taken, outcome);
    }
    stepper_destroy(stepper);
    if (is_same)
        return trace;
    trace_destroy(trace);
    return NULL;
}
