#include "engine/symbolic/ctl.h"

#include <stdlib.h>

#include "engine/symbolic/stage.h"
#include "result/path.h"

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

/* --- the answer --- */

static void answer_holds(struct symbolic_search *search, const struct property *property, struct symbolic_model *model,
                         const struct ctl_table *table, const struct ctl *ctl)
{
    struct text words = {0};
    struct watch epilogue;
    watch_begin_epilogue(&epilogue);
    struct trace *trace =
        search->options->witness ? ctl_show(model, search->model.layout, table, ctl, true, &words) : NULL;
    watch_end(&epilogue);
    result_set_verdict(search->result, property, VERDICT_HOLDS, trace ? "%s" : NULL, text_chars(&words));
    search->result->properties[property->id].trace = trace;
    text_free(&words);
}

static void answer_violated(struct symbolic_search *search, const struct property *property,
                            struct symbolic_model *model, const struct ctl_table *table, const struct ctl *ctl)
{
    struct text words = {0};
    struct watch epilogue;
    watch_begin_epilogue(&epilogue);
    struct trace *trace = ctl_show(model, search->model.layout, table, ctl, false, &words);
    watch_end(&epilogue);
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

struct trace *ctl_fault_trace(struct symbolic_search *search, const struct property *property, const int32_t *cells)
{
    struct symbolic_model *model = &search->model;
    struct target target = {.kind = TARGET_LOST, .property = property, .beyond = DD_FALSE};
    uint32_t depth;
    target.set = set_close(model, encoding_state(model->encoding, cells));
    struct trace *trace =
        target.set != DD_NONE && hunt_nearest(search, &target, &depth) ? route_trace(search, &target, depth) : NULL;
    dd_unref(model->m, target.set);
    if (trace && path_evaluate(trace, property->ctl ? property->ctl : property->ltl) ==
                     PATH_TRUE) { /* it begins where the failure does not matter */
        trace_destroy(trace);
        trace = NULL;
    }
    return trace;
}

/* False: no memory or time. */
static bool answer_unevaluated(struct symbolic_search *search, const struct property *property,
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
    bool is_found = fault.kind != FAULT_NONE;
    if (is_found)
        result_set_failed(search->result, property, &fault, ctl_fault_trace(search, property, cells), NULL);
    free(cells);
    return is_found || symbolic_failed(model);
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
        return answer_unevaluated(search, property, model, table, ctl);
    return true;
}

void ctl_answer(struct symbolic_search *search, const struct property *property)
{
    struct variables variables = {0};
    struct stage stage;
    struct ctl_table table = {0};
    variables_collect(property->ctl, &variables);
    const char *why = property->ctl->is_past ? "it looks back, and orbits tell nothing of the past for sure" : NULL;
    bool is_open = stage_open(&stage, search, property, variables.items, variables.count, why);
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
