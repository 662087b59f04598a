#include "engine/symbolic/ctl.h"

#include <stdlib.h>

#include "base/clock.h"
#include "result/path.h"
#include "rewrite/point.h"

/* What a property is decided on: the model of the search, or one of pointed states. */
struct stage {
    struct symbolic_model *model;
    struct system *system; /* of its own, with what follows; else NULL */
    struct layout *layout;
    struct symmetry *symmetry;
    struct engine_options options; /* with the time that is left */
    struct symbolic_model own;
};

struct variables {
    const struct variable **items;
    size_t count, capacity;
};

static void variables_collect(const struct ctl *ctl, struct variables *list)
{
    if (ctl->variable)
        VEC_PUSH(list, ctl->variable);
    if (ctl->left)
        variables_collect(ctl->left, list);
    if (ctl->right)
        variables_collect(ctl->right, list);
}

/* The time and the memory that the model of the search has left. */
static void stage_leave_rest(struct limits *limits, const struct symbolic_model *main)
{
    uint64_t used = dd_statistics(main->m).bytes;
    double left = limits->seconds - (clock_wall() - main->begin);
    if (limits->seconds > 0)
        limits->seconds = left > 0.001 ? left : 0.001;
    if (limits->memory_bytes)
        limits->memory_bytes = limits->memory_bytes > 2 * used ? limits->memory_bytes - used : limits->memory_bytes / 2;
}

/* False: see stage->model->stop. */
static bool stage_open(struct stage *stage, struct symbolic_search *search, const struct variables *variables,
                       bool is_past)
{
    struct symbolic_model *main = &search->model;
    bool is_plain = is_past || symmetry_is_trivial(main->symmetry); /* orbits tell nothing of the past for sure */
    *stage = (struct stage){.model = main};
    if (!variables->count && is_plain == symmetry_is_trivial(main->symmetry))
        return true;
    stage->system = point_system(main->system, variables->items, (uint32_t)variables->count);
    if (!stage->system) {
        stop_once(&main->stop, stop_because(STOP_UNDECIDED, "the formula has too many variables"));
        return false;
    }
    stage->layout = layout_create(stage->system);
    stage->symmetry = is_plain ? symmetry_none(stage->system) : symmetry_find(stage->system);
    stage->options = *search->options;
    if (is_plain)
        stage->options.method = METHOD_NONE;
    stage_leave_rest(&stage->options.limits, main);
    stage->model = &stage->own;
    return symbolic_open(&stage->own, stage->layout, stage->symmetry, &stage->options) && symbolic_reach(&stage->own);
}

static void stage_close(struct stage *stage)
{
    if (!stage->system)
        return;
    symbolic_close(&stage->own);
    layout_destroy(stage->layout);
    symmetry_destroy(stage->symmetry);
    system_destroy(stage->system);
}

/* --- the answer --- */

static void answer_holds(struct symbolic_search *search, const struct property *property, struct symbolic_model *model,
                         const struct ctl_table *table, const struct ctl *ctl)
{
    struct text words = {0};
    struct trace *trace =
        search->options->witness ? ctl_show(model, search->model.layout, table, ctl, true, &words) : NULL;
    result_set_verdict(search->result, property, VERDICT_HOLDS, trace ? "%s" : NULL, text_chars(&words));
    search->result->properties[property->id].trace = trace;
    text_free(&words);
}

static void answer_violated(struct symbolic_search *search, const struct property *property,
                            struct symbolic_model *model, const struct ctl_table *table, const struct ctl *ctl)
{
    struct text words = {0};
    struct trace *trace = ctl_show(model, search->model.layout, table, ctl, false, &words);
    result_set_violated(search->result, property, NULL, trace, "%s",
                        trace ? text_chars(&words) : "a start state does not satisfy it");
    text_free(&words);
}

/* Some state of the set in which a proposition of the formula cannot be evaluated, and how it fails there. */
static struct fault answer_fault(struct symbolic_model *model, const struct ctl_table *table, dd within, int32_t *cells)
{
    struct fault fault = {0};
    struct stepper *stepper = stepper_create_evaluator(model->system, model->layout);
    int32_t *values = NULL;
    for (size_t i = 0; i < table->count && fault.kind == FAULT_NONE; i++) {
        const struct proposition *proposition = table->items[i].ctl->proposition;
        dd doubtful = proposition ? set_without(model, table->items[i].maybe, table->items[i].sure) : DD_FALSE;
        dd wrong = doubtful == DD_NONE ? DD_NONE : set_and(model, doubtful, within);
        dd_unref(model->m, doubtful);
        if (wrong != DD_FALSE && wrong != DD_NONE) {
            encoding_pick(model->encoding, wrong, cells);
            values = memory_resize(values, (proposition->variable_count + 1) * sizeof *values);
            for (uint32_t v = 0; v < proposition->variable_count; v++)
                values[v] = cells[proposition->variables[v]->address];
            stepper_judge(stepper, proposition, cells, values, &fault);
        }
        dd_unref(model->m, wrong);
    }
    free(values);
    stepper_destroy(stepper);
    return fault;
}

/* The run to such a state; the model of the search has the layers for it. */
static struct trace *answer_fault_trace(struct symbolic_search *search, const struct property *property,
                                        const int32_t *cells)
{
    struct symbolic_model *model = &search->model;
    struct target target = {.kind = TARGET_LOST, .property = property, .beyond = DD_FALSE};
    uint32_t depth;
    target.set = set_close(model, encoding_state(model->encoding, cells));
    struct trace *trace =
        target.set != DD_NONE && hunt_nearest(search, &target, &depth) ? route_trace(search, &target, depth) : NULL;
    dd_unref(model->m, target.set);
    if (trace && path_evaluate(trace, property->ctl) == PATH_TRUE) { /* it begins where the failure does not matter */
        trace_destroy(trace);
        trace = NULL;
    }
    return trace;
}

static void answer_unevaluated(struct symbolic_search *search, const struct property *property,
                               struct symbolic_model *model, const struct ctl_table *table, const struct ctl *ctl)
{
    int32_t *cells = memory_zeroed((size_t)model->layout->cell_count + 1, sizeof *cells);
    dd open = set_without(model, model->starts, ctl_table_get(table, ctl)->sure); /* there it matters */
    struct fault fault = {0};
    if (open != DD_NONE)
        fault = answer_fault(model, table, open, cells);
    dd_unref(model->m, open);
    if (fault.kind == FAULT_NONE)
        fault = answer_fault(model, table, model->reached, cells);
    result_set_failed(search->result, property, &fault, answer_fault_trace(search, property, cells), NULL);
    free(cells);
}

/* False: no memory or time. */
static bool answer_truth(struct symbolic_search *search, const struct property *property, struct symbolic_model *model,
                         const struct ctl_table *table, const struct ctl *ctl)
{
    const struct ctl_sets *sets = ctl_table_get(table, ctl);
    dd holds = dd_is_subset(model->m, model->starts, sets->sure);
    dd may_hold = dd_is_subset(model->m, model->starts, sets->maybe);
    if (holds == DD_NONE || may_hold == DD_NONE)
        return symbolic_failed(model);
    if (holds == DD_TRUE)
        answer_holds(search, property, model, table, ctl);
    else if (may_hold == DD_FALSE)
        answer_violated(search, property, model, table, ctl);
    else
        answer_unevaluated(search, property, model, table, ctl);
    return true;
}

static void ctl_answer_one(struct symbolic_search *search, const struct property *property)
{
    struct variables variables = {0};
    struct stage stage;
    struct ctl_table table = {0};
    variables_collect(property->ctl, &variables);
    bool is_open = stage_open(&stage, search, &variables, property->ctl->is_past);
    const struct ctl *ctl = stage.system ? stage.system->properties.items[property->id]->ctl : property->ctl;
    if (!is_open || !ctl_table_fill(stage.model, ctl, &table) ||
        !answer_truth(search, property, stage.model, &table, ctl))
        result_set_unknown(search->result, property, &stage.model->stop);
    if (is_open)
        ctl_table_free(stage.model, &table);
    stage_close(&stage);
    VEC_FREE(&variables);
    search->decided[property->id] = true;
}

void ctl_answer(struct symbolic_search *search)
{
    const struct system *system = search->model.system;
    for (size_t i = 0; i < system->properties.count; i++)
        if (system->properties.items[i]->kind == PROPERTY_CTL)
            ctl_answer_one(search, system->properties.items[i]);
}
