/* Independent replay: the IR evaluator alone says whether a trace is a run of the model. */
#include "result/fair.h"
#include "result/path.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "exec/conditions.h"
#include "ir/instance.h"
#include "result/chance.h"

static char *replay_complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

static char *replay_complain(const char *format, ...)
{
    struct text text = {0};
    va_list arguments;
    va_start(arguments, format);
    text_vformat(&text, format, arguments);
    va_end(arguments);
    char *message = memory_string(text_chars(&text));
    text_free(&text);
    return message;
}

/* Step `number`: what the evaluator says about the instance that the trace names. STEP_END: it is not enabled. */
static enum step_outcome replay_find(struct stepper *stepper, const struct trace *trace, uint32_t number,
                                     struct step *step)
{
    const struct trace_step *claim = &trace->steps[number];
    enum step_outcome outcome;
    if (number == 0)
        stepper_begin_starts(stepper);
    else
        stepper_begin_successors(stepper, trace->steps[number - 1].cells);
    if (claim->instance >= claim->rule->instance_count)
        return STEP_END;
    stepper_seek_evaluator(stepper, claim->rule, claim->instance);
    outcome = stepper_next(stepper, step);
    bool is_it = outcome != STEP_END && step->rule == claim->rule && step->instance == claim->instance;
    return is_it ? outcome : STEP_END;
}

static char *replay_difference(const struct layout *layout, uint32_t number, const int32_t *claimed,
                               const int32_t *found)
{
    for (uint32_t i = 0; i < layout->cell_count; i++) {
        if (claimed[i] == found[i])
            continue;
        struct text name = {0};
        layout_cell_name(layout, i, &name);
        char *message = replay_complain("step %u: the state differs in %s", (unsigned)number, text_chars(&name));
        text_free(&name);
        return message;
    }
    return NULL;
}

static char *replay_fault(const struct trace_step *claim, uint32_t number, const struct fault *found)
{
    if (claim->fault.kind == found->kind && claim->fault.property == found->property)
        return NULL;
    struct text text = {0};
    fault_print(found, &text);
    char *message = replay_complain("step %u: it fails in another way: %s", (unsigned)number, text_chars(&text));
    text_free(&text);
    return message;
}

static char *replay_not_enabled(const struct trace_step *claim, uint32_t number)
{
    struct text text = {0};
    if (claim->instance < claim->rule->instance_count)
        instance_print(claim->rule, claim->instance, &text);
    else
        text_format(&text, "%s, instance %llu", claim->rule->name, (unsigned long long)claim->instance);
    char *message = replay_complain("step %u: not enabled: %s", (unsigned)number, text_chars(&text));
    text_free(&text);
    return message;
}

static char *replay_assumptions(struct stepper *stepper, const struct trace *trace, uint32_t number)
{
    for (size_t i = 0; i < trace->system->properties.count; i++) {
        const struct property *property = trace->system->properties.items[i];
        struct fault fault = {0};
        if (property->kind != PROPERTY_ASSUMPTION || !property->formula)
            continue;
        enum truth truth = stepper_holds(stepper, property, trace->steps[number].cells, &fault);
        /* A fault is what the last state of a trace may be there to show; the assumptions behind it are not asked any
         * more. */
        if (truth == TRUTH_FAULT && number + 1 == trace->count)
            return NULL;
        if (truth != TRUTH_TRUE)
            return replay_complain("step %u: the state breaks the assumption %s", (unsigned)number, property->name);
    }
    return NULL;
}

/* A step of a chain that has no probability, or a wrong one, or that fails and may happen. */
static char *replay_chance(const struct trace *trace, uint32_t number)
{
    const struct trace_step *claim = &trace->steps[number];
    struct chance_fault fault = {claim->rule, claim->instance, claim->fault};
    bool is_right = chances_confirm_fault(trace->layout, trace->steps[number - 1].cells, &fault);
    return is_right ? NULL : replay_complain("step %u: it does not fail in that way", (unsigned)number);
}

static char *replay_step(struct stepper *stepper, const struct trace *trace, uint32_t number)
{
    const struct trace_step *claim = &trace->steps[number];
    struct step step = {0};
    if (system_has_probabilities(trace->system) && number && !claim->cells)
        return replay_chance(trace, number);
    switch (replay_find(stepper, trace, number, &step)) {
    case STEP_END:
        return replay_not_enabled(claim, number);
    case STEP_DISCARDED:
        return replay_complain("step %u: an assume statement in it is false", (unsigned)number);
    case STEP_FAULT:
        if (claim->cells)
            return replay_complain("step %u: it fails instead of leading to a state", (unsigned)number);
        return replay_fault(claim, number, &step.fault);
    case STEP_STATE:
        break;
    }
    if (!claim->cells)
        return replay_complain("step %u: it leads to a state instead of failing", (unsigned)number);
    char *wrong = replay_difference(trace->layout, number, claim->cells, step.cells);
    return wrong ? wrong : replay_assumptions(stepper, trace, number);
}

static char *replay_loop(const struct trace *trace)
{
    const int32_t *last = trace->steps[trace->count - 1].cells;
    if (!trace->has_loop)
        return NULL;
    if (!last || trace->loop + 1 >= trace->count)
        return replay_complain("the run does not close its cycle from step %u", (unsigned)trace->loop);
    return memcmp(last, trace->steps[trace->loop].cells, trace->layout->cell_count * sizeof *last)
               ? replay_complain("the last state is not that of step %u", (unsigned)trace->loop)
               : NULL;
}

char *trace_replay(const struct trace *trace)
{
    char *wrong = NULL;
    if (trace->count == 0)
        return replay_complain("the trace is empty");
    for (uint32_t i = 0; i + 1 < trace->count; i++)
        if (!trace->steps[i].cells)
            return replay_complain("step %u: it fails, but is not the last", (unsigned)i);
    struct stepper *stepper = stepper_create_evaluator(trace->system, trace->layout);
    for (uint32_t i = 0; i < trace->count && !wrong; i++)
        wrong = replay_step(stepper, trace, i);
    stepper_destroy(stepper);
    return wrong ? wrong : replay_loop(trace);
}

static char *confirm_formula(struct stepper *stepper, const struct property *property, const int32_t *cells,
                             bool expected)
{
    struct fault fault = {0};
    enum truth truth = stepper_holds(stepper, property, cells, &fault);
    if (expected ? truth == TRUTH_TRUE : truth != TRUTH_TRUE)
        return NULL;
    return replay_complain("the last state does not show that %s is %s", property->name,
                           expected ? "reached" : "violated");
}

/* A cycle is there to be a fair run. */
static char *confirm_ctl(const struct trace *trace, const struct property *property, bool expected)
{
    char *wrong = trace->has_loop && ctl_has_future(property->ctl) ? fair_complaint(trace) : NULL;
    if (wrong)
        return wrong;
    enum path_truth truth = path_evaluate(trace, property->ctl);
    if (truth == PATH_UNKNOWN || (truth == PATH_TRUE) == expected)
        return NULL;
    return replay_complain("the run shows that %s %s", property->name, expected ? "does not hold" : "holds");
}

/* The run, fair if it is complete, violates the formula; or a condition in it could not be evaluated, and the run is
 * one to such a state. */
static char *confirm_ltl(const struct trace *trace, const struct property *property)
{
    struct result_path *path = path_create(trace);
    enum path_truth *truths = memory_alloc(((size_t)path_count(path) + 1) * sizeof *truths);
    path_fill(path, property->ltl, truths);
    bool is_failure = path_has_fault(path) && (truths[0] == PATH_UNKNOWN || !trace->has_loop);
    bool is_wrong = truths[0] != PATH_FALSE && !is_failure;
    bool is_complete = truths[0] == PATH_FALSE && path_is_maximal(path);
    free(truths);
    path_destroy(path);
    if (is_wrong)
        return replay_complain("the run does not show that %s is violated", property->name);
    return is_complete ? fair_complaint(trace) : NULL;
}

static char *confirm_deadlock(struct stepper *stepper, const struct layout *layout, const int32_t *cells,
                              bool stuttering)
{
    struct step step = {0};
    enum step_outcome outcome;
    if (conditions_allow_end(stepper, cells))
        return replay_complain("the last state is not a deadlock: a final condition is true");
    stepper_begin_successors(stepper, cells);
    while ((outcome = stepper_next(stepper, &step)) != STEP_END) {
        if (outcome == STEP_DISCARDED)
            continue;
        if (outcome == STEP_STATE && stuttering && memcmp(step.cells, cells, layout->cell_count * sizeof *cells) == 0)
            continue;
        return replay_complain("the last state is not a deadlock: %s is enabled", step.rule->name);
    }
    return NULL;
}

static char *confirm_broken(const struct trace *trace, const int32_t *cells)
{
    size_t count;
    free(chances_find_faults(trace->layout, cells, &count));
    return count ? NULL : replay_complain("nothing goes wrong in the last state");
}

char *trace_confirm(const struct trace *trace, enum trace_evidence evidence, const struct property *property)
{
    const int32_t *last = trace->steps[trace->count - 1].cells;
    if ((last == NULL) != (evidence == TRACE_SHOWS_FAULT))
        return replay_complain("the last step %s", last ? "does not fail" : "fails");
    if (evidence == TRACE_SHOWS_FAULT || evidence == TRACE_SHOWS_STATE)
        return NULL;
    if (evidence == TRACE_SHOWS_BROKEN)
        return confirm_broken(trace, last);
    if (property && property->ctl)
        return confirm_ctl(trace, property, evidence == TRACE_SHOWS_TRUE);
    if (property && property->ltl)
        return confirm_ltl(trace, property);
    struct stepper *stepper = stepper_create_evaluator(trace->system, trace->layout);
    char *wrong;
    if (evidence == TRACE_SHOWS_TRUE || evidence == TRACE_SHOWS_FALSE)
        wrong = confirm_formula(stepper, property, last, evidence == TRACE_SHOWS_TRUE);
    else
        wrong = confirm_deadlock(stepper, trace->layout, last, evidence == TRACE_SHOWS_STUTTERING);
    stepper_destroy(stepper);
    return wrong;
}
