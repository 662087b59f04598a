#include "result/fair.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "exec/conditions.h"
#include "exec/own.h"
#include "ir/fairness.h"
#include "result/path.h"

/* A requirement with values for its variables, on the cycle of a run. */
struct fair_look {
    const struct trace *trace;
    struct stepper *stepper, *judge;
    const struct fairness *fairness;
    int32_t *values;
    bool is_obliged;
    enum fair_how how; /* it is met, first by this step */
    uint32_t step;
};

static void fair_meet(struct fair_look *look, enum fair_how how, uint32_t at)
{
    if (look->how != FAIR_FREE)
        return;
    look->how = how;
    look->step = at;
}

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
        is_enabled = outcome == STEP_STATE && step_enables(&step, look->fairness, look->values) &&
                     conditions_admit(look->judge, step.cells);
    return is_enabled;
}

/* The events of the state after step `at`, of the cycle. */
static void fair_look_at(struct fair_look *look, uint32_t at)
{
    const struct fairness *fairness = look->fairness;
    const struct trace_step *step = &look->trace->steps[at];
    if (fairness->kind == FAIRNESS_CONDITION) {
        look->is_obliged |= !fairness->when || fair_is_true(look, fairness->when, step->cells);
        if (fair_is_true(look, fairness->then, step->cells))
            fair_meet(look, FAIR_IS_TRUE, at);
        return;
    }
    bool is_enabled = fair_is_enabled(look, step->cells);
    look->is_obliged |= is_enabled || fairness->kind == FAIRNESS_WEAK;
    /* the step that led here is one of the cycle, unless nothing moves */
    if (look->trace->has_loop && trace_step_is_own(step, fairness, look->values))
        fair_meet(look, FAIR_MOVES, at);
    if (fairness->kind == FAIRNESS_WEAK && !is_enabled)
        fair_meet(look, FAIR_CANNOT_MOVE, at);
}

static bool fair_is_kept(struct fair_look *look)
{
    const struct trace *trace = look->trace;
    look->is_obliged = false;
    look->how = FAIR_FREE;
    for (uint32_t at = trace->has_loop ? trace->loop + 1 : trace->count - 1; at < trace->count; at++)
        fair_look_at(look, at);
    return look->how != FAIR_FREE || !look->is_obliged;
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

/* With every choice of values: false when `use` says so. */
typedef bool fair_use(struct fair_look *look, void *user);

static bool fair_each_value(struct fair_look *look, uint32_t position, fair_use *use, void *user)
{
    if (position == look->fairness->variable_count)
        return use(look, user);
    const struct type *type = look->fairness->variables[position]->type;
    for (uint32_t i = 0; i < type->size; i++) {
        look->values[position] = type_code(type, i);
        if (!fair_each_value(look, position + 1, use, user))
            return false;
    }
    return true;
}

static void fair_each(const struct trace *trace, fair_use *use, void *user)
{
    const struct system *system = trace->system;
    struct fair_look look = {.trace = trace};
    bool goes_on = true;
    look.stepper = stepper_create_evaluator(system, trace->layout);
    look.judge = stepper_create_evaluator(system, trace->layout);
    for (size_t p = 0; p < system->properties.count && goes_on; p++) {
        look.fairness = system->properties.items[p]->fairness;
        if (!look.fairness)
            continue;
        look.values = memory_zeroed((size_t)look.fairness->variable_count + 1, sizeof *look.values);
        goes_on = fair_each_value(&look, 0, use, user);
        free(look.values);
    }
    stepper_destroy(look.stepper);
    stepper_destroy(look.judge);
}

static bool fair_require(struct fair_look *look, void *user)
{
    char **wrong = user;
    *wrong = fair_is_kept(look) ? NULL : fair_complain(look);
    return !*wrong;
}

char *fair_complaint(const struct trace *trace)
{
    char *wrong = NULL;
    if (trace->drops_finite && !trace->has_loop)
        return memory_string("the run ends, and does not count (--finite-runs drop)");
    fair_each(trace, fair_require, &wrong);
    return wrong;
}

static bool fair_note(struct fair_look *look, void *user)
{
    struct fair_events *events = user;
    size_t size = look->fairness->variable_count * sizeof *look->values;
    struct fair_event event = {.fairness = look->fairness, .values = memory_alloc(size + 1)};
    memcpy(event.values, look->values, size);
    fair_is_kept(look);
    event.how = look->how;
    event.step = trace_number(look->trace, look->step);
    VEC_PUSH(&events->items, event);
    return true;
}

void fair_find_events(const struct trace *trace, struct fair_events *events)
{
    if (!fairness_is_required(trace->system))
        return;
    struct result_path *path = path_create(trace);
    if (path_is_maximal(path))
        fair_each(trace, fair_note, events);
    path_destroy(path);
}

void fair_free_events(struct fair_events *events)
{
    for (size_t i = 0; i < events->items.count; i++)
        free(events->items.items[i].values);
    VEC_FREE(&events->items);
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
        text_format(out, ": steps %u to %u repeat for ever", (unsigned)trace_number(trace, trace->loop) + 1,
                    (unsigned)trace_number(trace, trace->count - 1));
    else
        text_append(out, ": nothing can move in its last state, which repeats for ever");
    fair_describe(trace, out);
}
