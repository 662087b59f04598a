#include "result/fair.h"

#include <stdlib.h>

#include "base/memory.h"
#include "exec/conditions.h"
#include "ir/fairness.h"

/* A requirement with values for its variables, on the cycle of a run. */
struct fair_look {
    const struct trace *trace;
    struct stepper *stepper, *judge;
    const struct fairness *fairness;
    int32_t *values;
};

static bool fair_is_true(struct fair_look *look, const struct proposition *proposition, const int32_t *cells)
{
    const struct fairness *fairness = look->fairness;
    int32_t *values = memory_zeroed((size_t)proposition->variable_count + 1, sizeof *values);
    for (uint32_t v = 0; v < proposition->variable_count; v++)
        for (uint32_t f = 0; f < fairness->variable_count; f++)
            if (fairness->variables[f] == proposition->variables[v])
                values[v] = look->values[f];
    struct fault fault;
    enum truth truth = stepper_judge(look->judge, proposition, cells, values, &fault);
    free(values);
    return truth == TRUTH_TRUE;
}

static bool fair_is_enabled(struct fair_look *look, const int32_t *cells)
{
    struct step step = {0};
    enum step_outcome outcome;
    bool is_enabled = false;
    stepper_begin_successors(look->stepper, cells);
    while (!is_enabled && (outcome = stepper_next(look->stepper, &step)) != STEP_END)
        is_enabled = outcome == STEP_STATE && fairness_is_own(look->fairness, step.rule, step.instance, look->values) &&
                     conditions_admit(look->judge, step.cells);
    return is_enabled;
}

/* The events of the state after step `at`, of the cycle. */
static void fair_look_at(struct fair_look *look, uint32_t at, bool *is_obliged, bool *is_met)
{
    const struct fairness *fairness = look->fairness;
    const struct trace_step *step = &look->trace->steps[at];
    if (fairness->kind == FAIRNESS_CONDITION) {
        *is_obliged |= !fairness->when || fair_is_true(look, fairness->when, step->cells);
        *is_met |= fair_is_true(look, fairness->then, step->cells);
        return;
    }
    bool is_enabled = fair_is_enabled(look, step->cells);
    *is_obliged |= is_enabled || fairness->kind == FAIRNESS_WEAK;
    *is_met |= fairness->kind == FAIRNESS_WEAK && !is_enabled;
    /* the step that led here is one of the cycle, unless nothing moves */
    *is_met |= look->trace->has_loop && fairness_is_own(fairness, step->rule, step->instance, look->values);
}

static bool fair_is_kept(struct fair_look *look)
{
    const struct trace *trace = look->trace;
    bool is_obliged = false, is_met = false;
    for (uint32_t at = trace->has_loop ? trace->loop + 1 : trace->count - 1; at < trace->count; at++)
        fair_look_at(look, at, &is_obliged, &is_met);
    return is_met || !is_obliged;
}

static char *fair_complain(const struct fair_look *look)
{
    struct text wrong = {0};
    text_append(&wrong, "the run is not fair: ");
    fairness_print(look->fairness, &wrong);
    for (uint32_t v = 0; v < look->fairness->variable_count; v++) {
        text_format(&wrong, "%s%s: ", v ? ", " : " (", look->fairness->variables[v]->name);
        type_print_value(look->fairness->variables[v]->type, look->values[v], &wrong);
    }
    text_append(&wrong, look->fairness->variable_count ? ")" : "");
    return wrong.chars;
}

static char *fair_check(struct fair_look *look, uint32_t position)
{
    char *wrong = NULL;
    if (position == look->fairness->variable_count)
        return fair_is_kept(look) ? NULL : fair_complain(look);
    const struct type *type = look->fairness->variables[position]->type;
    for (uint32_t i = 0; i < type->size && !wrong; i++) {
        look->values[position] = type_code(type, i);
        wrong = fair_check(look, position + 1);
    }
    return wrong;
}

char *fair_complaint(const struct trace *trace)
{
    const struct system *system = trace->system;
    struct fair_look look = {.trace = trace};
    char *wrong = NULL;
    look.stepper = stepper_create_evaluator(system, trace->layout);
    look.judge = stepper_create_evaluator(system, trace->layout);
    for (size_t p = 0; p < system->properties.count && !wrong; p++) {
        look.fairness = system->properties.items[p]->fairness;
        if (!look.fairness)
            continue;
        look.values = memory_zeroed((size_t)look.fairness->variable_count + 1, sizeof *look.values);
        wrong = fair_check(&look, 0);
        free(look.values);
    }
    stepper_destroy(look.stepper);
    stepper_destroy(look.judge);
    return wrong;
}

void fair_describe(const struct trace *trace, struct text *out)
{
    bool is_first = true;
    for (size_t p = 0; p < trace->system->properties.count; p++) {
        const struct fairness *fairness = trace->system->properties.items[p]->fairness;
        if (!fairness)
            continue;
        text_append(out, is_first ? "; the run has " : ", ");
        fairness_print(fairness, out);
        is_first = false;
    }
}

void fair_say_run(const struct trace *trace, bool is_finite, const char *values, struct text *out)
{
    text_format(out, "%s%s",
                is_finite ? "whatever follows, the formula is false on this run" : "the formula is false on this run",
                values);
    if (is_finite)
        return;
    if (trace->has_loop)
        text_format(out, ": steps %u to %u repeat for ever", (unsigned)trace->loop + 1, (unsigned)trace->count - 1);
    else
        text_append(out, ": nothing can move in its last state, which repeats for ever");
    fair_describe(trace, out);
}
