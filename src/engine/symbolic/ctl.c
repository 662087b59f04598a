#include "engine/symbolic/ctl.h"

#include <stdlib.h>

#include "base/clock.h"
#include "ir/point.h"

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

static struct symmetry *stage_symmetry(const struct stage *stage, const struct symmetry *symmetry)
{
    return symmetry_is_trivial(symmetry) ? symmetry_none(stage->system) : symmetry_find(stage->system);
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

/* False: see stage->model->stopped_by. */
static bool stage_open(struct stage *stage, struct search *search, const struct variables *variables)
{
    struct symbolic_model *main = &search->model;
    *stage = (struct stage){.model = main};
    if (!variables->count)
        return true;
    stage->system = point_system(main->system, variables->items, (uint32_t)variables->count);
    if (!stage->system) {
        main->stopped_by = memory_string("the formula has too many variables");
        return false;
    }
    stage->layout = layout_create(stage->system);
    stage->symmetry = stage_symmetry(stage, main->symmetry);
    stage->options = *search->options;
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

static void answer_truth(struct search *search, const struct property *property, struct symbolic_model *model,
                         const struct ctl_sets *sets)
{
    dd holds = dd_is_subset(model->m, model->starts, sets->sure);
    dd may_hold = dd_is_subset(model->m, model->starts, sets->maybe);
    if (holds == DD_TRUE)
        result_set_verdict(search->result, property, VERDICT_HOLDS, NULL);
    else if (holds == DD_NONE || may_hold == DD_NONE)
        symbolic_failed(model);
    else if (may_hold == DD_FALSE)
        result_set_violated(search->result, property, NULL, NULL, "a start state does not satisfy it");
    else
        result_set_violated(search->result, property, NULL, NULL, "it cannot be evaluated in a reachable state");
}

static void ctl_answer_one(struct search *search, const struct property *property)
{
    struct variables variables = {0};
    struct stage stage;
    struct ctl_sets sets = {DD_FALSE, DD_FALSE};
    variables_collect(property->ctl, &variables);
    bool is_open = stage_open(&stage, search, &variables);
    const struct ctl *ctl = stage.system ? stage.system->properties.items[property->id]->ctl : property->ctl;
    if (is_open && ctl_sets_find(stage.model, ctl, &sets))
        answer_truth(search, property, stage.model, &sets);
    if (stage.model->stopped_by)
        result_set_verdict(search->result, property, VERDICT_UNKNOWN, "%s", stage.model->stopped_by);
    if (is_open)
        ctl_sets_free(stage.model, &sets);
    stage_close(&stage);
    VEC_FREE(&variables);
    search->decided[property->id] = true;
}

void ctl_answer(struct search *search)
{
    const struct system *system = search->model.system;
    for (size_t i = 0; i < system->properties.count; i++)
        if (system->properties.items[i]->kind == PROPERTY_CTL)
            ctl_answer_one(search, system->properties.items[i]);
}
