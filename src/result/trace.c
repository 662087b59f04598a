#include "result/trace.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

bool trace_step_is_own(const struct trace_step *step, const struct fairness *fairness, const int32_t *values)
{
    bool is_own = fairness_is_own(fairness, step->rule, step->instance, values);
    for (uint32_t i = 0; i < step->passed_count && !is_own; i++)
        is_own = fairness_is_own(fairness, step->passed[i].rule, step->passed[i].instance, values);
    return is_own;
}

struct trace *trace_create(const struct system *system, const struct layout *layout)
{
    struct trace *trace = memory_zeroed(1, sizeof *trace);
    trace->system = system;
    trace->layout = layout;
    return trace;
}

static void step_free(struct trace_step *step)
{
    for (uint32_t i = 0; i < step->passed_count; i++)
        free(step->passed[i].cells);
    free(step->passed);
    free(step->cells);
}

void trace_destroy(struct trace *trace)
{
    if (!trace)
        return;
    for (uint32_t i = 0; i < trace->count; i++)
        step_free(&trace->steps[i]);
    free(trace->steps);
    free(trace->automaton);
    free(trace->places);
    free(trace);
}

/* NULL of NULL. */
static int32_t *cells_copy(const struct trace *trace, const int32_t *cells)
{
    size_t size = trace->layout->cell_count * sizeof *cells;
    return cells ? memcpy(memory_alloc(size), cells, size) : NULL;
}

void trace_push(struct trace *trace, const struct rule *rule, uint64_t instance, const int32_t *cells,
                const struct fault *fault)
{
    /* The array is full whenever its count is a power of two (or zero). */
    if ((trace->count & (trace->count - 1)) == 0)
        trace->steps =
            memory_resize(trace->steps, (trace->count ? 2 * (size_t)trace->count : 1) * sizeof *trace->steps);
    struct trace_step *step = &trace->steps[trace->count++];
    *step = (struct trace_step){.rule = rule, .instance = instance};
    step->number = trace->count > 1 ? step[-1].number + 1 : 0;
    if (fault)
        step->fault = *fault;
    step->cells = cells_copy(trace, cells);
}

void trace_push_step(struct trace *trace, const struct step *step, enum step_outcome outcome)
{
    trace_push(trace, step->rule, step->instance, outcome == STEP_STATE ? step->cells : NULL,
               outcome == STEP_FAULT ? &step->fault : NULL);
    struct trace_step *pushed = &trace->steps[trace->count - 1];
    for (const struct passed *p = step->passed; p; p = p->before)
        pushed->passed_count++;
    pushed->number += pushed->passed_count;
    if (!step->passed)
        return;
    pushed->passed = memory_zeroed(pushed->passed_count, sizeof *pushed->passed);
    uint32_t at = pushed->passed_count;
    for (const struct passed *p = step->passed; p; p = p->before)
        pushed->passed[--at] = (struct trace_step){p->rule, p->instance, .cells = cells_copy(trace, p->cells)};
}

void trace_push_copy(struct trace *trace, const struct trace_step *step)
{
    trace_push(trace, step->rule, step->instance, step->cells, &step->fault);
    struct trace_step *pushed = &trace->steps[trace->count - 1];
    if (!step->passed_count)
        return;
    pushed->passed_count = step->passed_count;
    pushed->number += step->passed_count;
    pushed->passed = memory_zeroed(step->passed_count, sizeof *pushed->passed);
    for (uint32_t i = 0; i < step->passed_count; i++) {
        pushed->passed[i] = step->passed[i];
        pushed->passed[i].cells = cells_copy(trace, step->passed[i].cells);
    }
}

void trace_pop(struct trace *trace)
{
    ENSURE(trace->count > 0);
    step_free(&trace->steps[--trace->count]);
}

struct fault trace_last_fault(const struct trace *trace, const struct property *property)
{
    struct fault fault = {0};
    struct stepper *stepper = stepper_create_evaluator(trace->system, trace->layout);
    if (stepper_holds(stepper, property, trace->steps[trace->count - 1].cells, &fault) != TRUTH_FAULT)
        fault = (struct fault){0};
    stepper_destroy(stepper);
    return fault;
}

static bool trace_is_flat(const struct trace *trace)
{
    return !trace->count || trace_number(trace, trace->count - 1) == trace->count - 1;
}

/* What is passed through has the place of the state before. */
static uint32_t *unfold_places(const struct trace *trace, uint32_t count)
{
    uint32_t *places = memory_zeroed((size_t)count + 1, sizeof *places), at = 0;
    for (uint32_t i = 0; i < trace->count; i++) {
        for (uint32_t p = 0; p < trace->steps[i].passed_count; p++)
            places[at++] = trace->places[i - 1];
        places[at++] = trace->places[i];
    }
    return places;
}

static struct trace *trace_unfold(const struct trace *trace)
{
    struct trace *flat = trace_create(trace->system, trace->layout);
    for (uint32_t i = 0; i < trace->count; i++) {
        const struct trace_step *step = &trace->steps[i];
        for (uint32_t p = 0; p < step->passed_count; p++)
            trace_push(flat, step->passed[p].rule, step->passed[p].instance, step->passed[p].cells, NULL);
        trace_push(flat, step->rule, step->instance, step->cells, &step->fault);
    }
    flat->has_loop = trace->has_loop;
    flat->loop = trace->has_loop ? trace_number(trace, trace->loop) : 0;
    flat->drops_finite = trace->drops_finite;
    flat->automaton = trace->automaton ? memory_string(trace->automaton) : NULL;
    flat->places = trace->places ? unfold_places(trace, flat->count) : NULL;
    return flat;
}

const struct trace *trace_show(const struct trace *trace, struct trace **made)
{
    *made = trace_is_flat(trace) ? NULL : trace_unfold(trace);
    return *made ? *made : trace;
}

void trace_insist(const char *wrong)
{
    if (wrong)
        UNREACHABLE(wrong);
}
