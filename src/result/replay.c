/* Independent replay: the IR evaluator alone says whether a trace is a run of the model. */
#include "result/fair.h"
#include "result/path.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/watch.h"
#include "exec/conditions.h"
#include "ir/face.h"
#include "ir/instance.h"
#include "result/chance.h"
#include "result/replaying.h"

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

/* Step `number`: what the evaluator says about the instance that the trace names, after `before` (NULL: it is a start
 * state). STEP_END: it is not enabled. */
static enum step_outcome replay_find(struct stepper *stepper, const int32_t *before, const struct trace_step *claim,
                                     struct step *step)
{
    enum step_outcome outcome;
    if (before)
        stepper_begin_successors(stepper, before);
    else
        stepper_begin_starts(stepper);
    if (claim->instance >= claim->rule->instance_count)
        return STEP_END;
    stepper_seek_evaluator(stepper, claim->rule, claim->instance);
    outcome = stepper_next(stepper, step);
    bool is_it = outcome != STEP_END && step->rule == claim->rule && step->instance == claim->instance;
    return is_it ? outcome : STEP_END;
}

/* Is any rule enabled? */
static bool replay_moves(struct stepper *stepper, const int32_t *cells)
{
    struct step step = {0};
    enum step_outcome outcome;
    stepper_begin_successors(stepper, cells);
    while ((outcome = stepper_next(stepper, &step)) != STEP_END)
        if (outcome != STEP_DISCARDED)
            return true;
    return false;
}

enum step_outcome replay_fire(struct stepper *stepper, const int32_t *before, const struct trace_step *claim,
                              int32_t *cells, struct step *step)
{
    const struct system *system = stepper->system;
    size_t size = stepper->layout->cell_count * sizeof *cells;
    enum step_outcome outcome = replay_find(stepper, before, claim, step);
    if (!before)
        return outcome;
    if (outcome == STEP_END && system->idle && !system_passes_through(system, before) &&
        !replay_moves(stepper, before)) {
        memcpy(cells, before, size);
        cells[system->idle->address] = true;
        outcome = replay_find(stepper, cells, claim, step);
    }
    if (outcome != STEP_STATE)
        return outcome;
    memcpy(cells, step->cells, size);
    step->cells = cells;
    if (system->idle)
        cells[system->idle->address] = false;
    if (system_passes_through(system, cells) && !replay_moves(stepper, cells))
        cells[system->holder->address] = system_nobody(system);
    return outcome;
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
    enum truth truth;
    struct fault fault = {0};
    const struct property *broken = conditions_breach(stepper, trace->steps[number].cells, &truth, &fault);
    /* A fault is what the last state of a trace may be there to show. */
    if (!broken || (truth == TRUTH_FAULT && number + 1 == trace->count))
        return NULL;
    return replay_complain("step %u: the state breaks the assumption %s", (unsigned)trace_number(trace, number),
                           broken->name);
}

/* A step of a chain that has no probability, or a wrong one, or that fails and may happen. */
static char *replay_chance(const struct trace *trace, uint32_t number)
{
    const struct trace_step *claim = &trace->steps[number];
    struct chance_fault fault = {claim->rule, claim->instance, claim->fault};
    bool is_right = chances_confirm_fault(trace->layout, trace->steps[number - 1].cells, &fault);
    return is_right ? NULL : replay_complain("step %u: it does not fail in that way", (unsigned)number);
}

/* One rule that fires, after `before`. */
static char *replay_firing(struct stepper *stepper, const int32_t *before, const struct trace_step *claim,
                           uint32_t number)
{
    const struct layout *layout = stepper->layout;
    int32_t *cells = memory_alloc(((size_t)layout->cell_count + 1) * sizeof *cells);
    struct step step = {0};
    char *wrong = NULL;
    switch (replay_fire(stepper, before, claim, cells, &step)) {
    case STEP_END:
    case STEP_ENDLESS: /* not of a stepper of single rules */
        wrong = replay_not_enabled(claim, number);
        break;
    case STEP_DISCARDED:
        wrong = replay_complain("step %u: an assume statement in it is false", (unsigned)number);
        break;
    case STEP_FAULT:
        wrong = claim->cells ? replay_complain("step %u: it fails instead of leading to a state", (unsigned)number)
                             : replay_fault(claim, number, &step.fault);
        break;
    case STEP_STATE:
        wrong = claim->cells ? replay_difference(layout, number, claim->cells, step.cells)
                             : replay_complain("step %u: it leads to a state instead of failing", (unsigned)number);
        break;
    }
    free(cells);
    return wrong;
}

/* The states that the step passes through are passed through, and the one it leads to is not. */
static char *replay_passage(const struct trace *trace, uint32_t number)
{
    const struct trace_step *claim = &trace->steps[number];
    for (uint32_t p = 0; p < claim->passed_count; p++)
        if (!system_passes_through(trace->system, claim->passed[p].cells))
            return replay_complain("step %u: it goes on behind a state", (unsigned)number);
    if (claim->cells && system_passes_through(trace->system, claim->cells))
        return replay_complain("step %u: it ends before it has led to a state", (unsigned)trace_number(trace, number));
    return NULL;
}

static char *replay_step(struct stepper *stepper, const struct trace *trace, uint32_t number)
{
    const struct trace_step *claim = &trace->steps[number];
    const int32_t *before = number ? trace->steps[number - 1].cells : NULL;
    uint32_t shown = trace_number(trace, number);
    if (system_has_probabilities(trace->system) && number && !claim->cells)
        return replay_chance(trace, number);
    char *wrong = replay_passage(trace, number);
    for (uint32_t p = 0; p < claim->passed_count && !wrong; p++) {
        wrong = replay_firing(stepper, before, &claim->passed[p], shown - claim->passed_count + p);
        before = claim->passed[p].cells;
    }
    if (!wrong)
        wrong = replay_firing(stepper, before, claim, shown);
    return wrong || !claim->cells ? wrong : replay_assumptions(stepper, trace, number);
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
    struct stepper *stepper = stepper_create_single(trace->system, trace->layout);
    stepper->is_watched = watch_is_epilogue();
    for (uint32_t i = 0; i < trace->count && !wrong; i++)
        wrong = replay_step(stepper, trace, i);
    stepper_destroy(stepper);
    return wrong ? wrong : replay_loop(trace);
}

/* What no user sees of the state: a trace that was read says nothing of it. */
static void fold_take_unseen(const struct layout *layout, int32_t *cells, const int32_t *found)
{
    const struct face *face = layout->system->face;
    bool *is_seen = memory_zeroed((size_t)layout->cell_count + 1, sizeof *is_seen);
    for (size_t i = 0; i < face->parts.count; i++) {
        const struct face_part *part = &face->parts.items[i];
        bool is_there = part->stands || face_part_is_there(face, part, cells);
        for (uint32_t c = 0; is_there && c < part->type->cells; c++)
            is_seen[face_address(part) + c] = true;
    }
    for (uint32_t c = 0; c < layout->cell_count; c++)
        cells[c] = is_seen[c] ? cells[c] : found[c];
    free(is_seen);
}

/* What is internal in the state after a step of one rule. False: it is no step. */
static bool fold_complete(struct stepper *stepper, const int32_t *before, struct trace_step *step, int32_t *cells)
{
    const struct system *system = stepper->system;
    struct step found = {0};
    if (replay_fire(stepper, before, step, cells, &found) != STEP_STATE)
        return false;
    if (system->face)
        fold_take_unseen(stepper->layout, step->cells, found.cells);
    if (system->holder)
        step->cells[system->holder->address] = found.cells[system->holder->address];
    if (system->idle)
        step->cells[system->idle->address] = found.cells[system->idle->address];
    return true;
}

/* The steps before this one that end in states passed through become part of it. */
static void fold_gather(struct trace *trace, uint32_t *count, const struct trace_step *step)
{
    uint32_t first = *count;
    while (first > 0 && system_passes_through(trace->system, trace->steps[first - 1].cells))
        first--;
    struct trace_step whole = *step;
    whole.passed_count = *count - first;
    if (whole.passed_count) {
        whole.passed = memory_alloc(whole.passed_count * sizeof *whole.passed);
        memcpy(whole.passed, trace->steps + first, whole.passed_count * sizeof *whole.passed);
    }
    trace->steps[first] = whole;
    *count = first + 1;
}

void trace_fold(struct trace *trace)
{
    if (!system_has_macro_steps(trace->system) && !trace->system->face)
        return;
    struct stepper *stepper = stepper_create_single(trace->system, trace->layout);
    int32_t *cells = memory_alloc(((size_t)trace->layout->cell_count + 1) * sizeof *cells);
    bool is_run = true;
    for (uint32_t i = 0; i < trace->count && is_run; i++)
        is_run = trace->steps[i].cells &&
                 fold_complete(stepper, i ? trace->steps[i - 1].cells : NULL, &trace->steps[i], cells);
    uint32_t count = 0, steps = trace->count;
    for (uint32_t i = 0; i < steps; i++) {
        const struct trace_step step = trace->steps[i];
        bool is_whole = !step.cells || !system_passes_through(trace->system, step.cells) || i + 1 == steps;
        if (is_whole)
            fold_gather(trace, &count, &step);
        else
            trace->steps[count++] = step;
        if (trace->has_loop && trace->loop == i)
            trace->loop = is_whole ? count - 1 : steps; /* no cycle closes within a step */
    }
    trace->count = count;
    free(cells);
    stepper_destroy(stepper);
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
    return stepper->is_watched && watch_cuts() ? replay_complain("the time was over: more may be enabled") : NULL;
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
    stepper->is_watched = watch_is_epilogue();
    char *wrong;
    if (evidence == TRACE_SHOWS_TRUE || evidence == TRACE_SHOWS_FALSE)
        wrong = confirm_formula(stepper, property, last, evidence == TRACE_SHOWS_TRUE);
    else
        wrong = confirm_deadlock(stepper, trace->layout, last, evidence == TRACE_SHOWS_STUTTERING);
    stepper_destroy(stepper);
    return wrong;
}
