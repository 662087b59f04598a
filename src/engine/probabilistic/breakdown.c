#include "engine/probabilistic/breakdown.h"

#include "engine/probabilistic/walk.h"

/* As it was found. */
static void way_to(const struct markov *markov, uint32_t state, struct markov_walk *walk)
{
    uint32_t count, *path = explore_path(markov->store, state, &count);
    for (uint32_t i = 0; i < count; i++)
        VEC_PUSH(&walk->states, path[i]);
    free(path);
}

/* Of a start state. */
static bool find_start(const struct markov *markov, struct trace *trace, struct fault *fault)
{
    struct stepper *stepper = stepper_create_evaluator(markov->layout->system, markov->layout);
    struct step step;
    enum step_outcome outcome;
    stepper_begin_starts(stepper);
    while ((outcome = stepper_next(stepper, &step)) != STEP_END && outcome != STEP_FAULT)
        ;
    if (outcome == STEP_FAULT) {
        *fault = step.fault;
        trace_push(trace, step.rule, step.instance, NULL, fault);
    }
    stepper_destroy(stepper);
    return outcome == STEP_FAULT;
}

/* What is wrong in the last state of the run; a step that fails becomes its last. */
static bool find_in_state(const struct markov *markov, struct trace *trace, struct fault *fault)
{
    size_t count;
    struct chance_fault *faults = chances_find_faults(markov->layout, trace->steps[trace->count - 1].cells, &count);
    if (count) {
        *fault = faults[0].fault;
        if (faults[0].rule)
            trace_push(trace, faults[0].rule, faults[0].instance, NULL, fault);
    }
    free(faults);
    return count > 0;
}

static struct trace *find_run(struct markov *markov, struct fault *fault)
{
    struct trace *trace;
    bool is_found;
    if (markov->expanded == MARKOV_START) {
        trace = trace_create(markov->layout->system, markov->layout);
        is_found = find_start(markov, trace, fault);
    } else {
        struct markov_walk walk = {0};
        way_to(markov, markov->expanded, &walk);
        trace = walk_run(markov, &walk);
        walk_free(&walk);
        is_found = trace && find_in_state(markov, trace, fault);
    }
    if (is_found)
        return trace;
    trace_destroy(trace);
    return NULL;
}

bool breakdown_report(struct markov *markov)
{
    const struct system *system = markov->layout->system;
    struct fault fault = {0};
    struct text what = {0};
    struct trace *trace = markov->is_mistaken ? find_run(markov, &fault) : NULL;
    if (!trace)
        return false;
    fault_print(&fault, &what);
    for (size_t i = 0; i < system->properties.count; i++)
        if (system->properties.items[i]->kind == PROPERTY_PCTL)
            result_set_verdict(markov->result, system->properties.items[i], VERDICT_UNKNOWN,
                               "the model has a run-time error");
    result_set_violated(markov->result, system->properties.items[SYSTEM_RUNTIME], &fault, trace, "%s",
                        text_chars(&what));
    result_set_stopped(markov->result, stop_of(STOP_FAULT));
    text_free(&what);
    return true;
}
