#include "result/onward.h"

#include <string.h>

#include "exec/conditions.h"

/* Adds a step to the run; false when nothing leads to another state. */
static bool take_step(struct trace *run, struct stepper *stepper, struct stepper *judge)
{
    const int32_t *last = run->steps[run->count - 1].cells;
    size_t size = run->layout->cell_count * sizeof *last;
    struct step step;
    enum step_outcome outcome;
    stepper_begin_successors(stepper, last);
    while ((outcome = stepper_next(stepper, &step)) != STEP_END) {
        if (outcome != STEP_STATE || !memcmp(step.cells, last, size) || !conditions_admit(judge, step.cells))
            continue;
        trace_push_step(run, &step, STEP_STATE);
        return true;
    }
    return false;
}

static bool closes_loop(struct trace *run, uint32_t from)
{
    const int32_t *last = run->steps[run->count - 1].cells;
    for (uint32_t i = from; i + 1 < run->count; i++) {
        if (memcmp(last, run->steps[i].cells, run->layout->cell_count * sizeof *last))
            continue;
        run->has_loop = true;
        run->loop = i;
        return true;
    }
    return false;
}

static void cut_back(struct trace *run, const struct trace *original)
{
    struct trace *copy = trace_create(run->system, run->layout);
    for (uint32_t i = 0; i < original->count; i++)
        trace_push_copy(copy, &run->steps[i]);
    struct trace old = *run;
    *run = *copy;
    *copy = old;
    trace_destroy(copy);
}

struct trace *trace_onward(const struct trace *trace, uint32_t most)
{
    struct trace *run = trace_create(trace->system, trace->layout);
    for (uint32_t i = 0; i < trace->count; i++)
        trace_push_copy(run, &trace->steps[i]);
    if (!run->count || !run->steps[run->count - 1].cells)
        return run;
    struct stepper *stepper = stepper_create_evaluator(trace->system, trace->layout);
    struct stepper *judge = stepper_create_evaluator(trace->system, trace->layout);
    bool is_over = false;
    for (uint32_t taken = 0; !is_over && taken < most; taken++)
        is_over = !take_step(run, stepper, judge) || closes_loop(run, trace->count - 1);
    if (!is_over)
        cut_back(run, trace);
    stepper_destroy(stepper);
    stepper_destroy(judge);
    return run;
}
