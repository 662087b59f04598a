#include "lang/promela/lower.h"

#include <string.h>

#include "lang/promela/jumps.h"
#include "lang/promela/unroll.h"
#include "lang/promela/walk.h"
#include "rewrite/antecedents.h"

struct pml_kind_search {
    enum pml_expr_kind kind;
    bool is_found;
};

static void note_kind(void *user, struct pml_expr *expr, bool is_operated)
{
    struct pml_kind_search *search = user;
    (void)is_operated;
    search->is_found |= expr->kind == search->kind;
}

static bool has_kind(struct pml_model *model, enum pml_expr_kind kind)
{
    struct pml_kind_search search = {.kind = kind};
    const struct pml_walk walk = {.user = &search, .expr = note_kind};
    pml_walk_model(&walk, model);
    return search.is_found;
}

static bool flow_of(struct pml_lower *lower, uint32_t p)
{
    struct pml_proctype *proctype = lower->model->proctypes.items[p];
    struct pml_flow *flow = &lower->flows[p];
    if (!pml_flow_build(flow, proctype, lower->arena, lower->diagnostics))
        return false;
    if (!proctype->is_init || !pml_unroll(lower->model, flow, proctype))
        return true;
    pml_flow_free(flow);
    return pml_flow_build(flow, proctype, lower->arena, lower->diagnostics);
}

static bool study(struct pml_lower *lower)
{
    struct pml_model *model = lower->model;
    pml_keep_asked_jumps(model);
    for (size_t p = 0; p < model->proctypes.count; p++)
        model->proctypes.items[p]->keeps_loops = lower->asked.keeps_loops;
    if (model->never)
        model->never->keeps_loops = true;
    if (model->trace)
        model->trace->keeps_loops = true;
    lower->flows = memory_zeroed(model->proctypes.count + 1, sizeof *lower->flows);
    for (size_t p = 0; p < model->proctypes.count; p++)
        if (!flow_of(lower, (uint32_t)p))
            return false;
    lower->cast = pml_cast_make(model, lower->flows, &lower->asked, lower->diagnostics);
    if (lower->diagnostics->errors)
        return false;
    if (!lower->cast.known.count) {
        diag_error(lower->diagnostics, model->proctypes.items[0]->span, "no process runs");
        diag_hint(lower->diagnostics, "add init { run %s() }, or write: active proctype %s",
                  model->proctypes.items[0]->name, model->proctypes.items[0]->name);
        return false;
    }
    lower->channels = pml_channels_find(model, &lower->cast, lower->diagnostics);
    if (lower->diagnostics->errors ||
        !pml_values_find(&lower->values, model, lower->flows, &lower->cast, &lower->channels, lower->diagnostics))
        return false;
    if (!lower->values.mixes)
        return true;
    pml_channels_order(&lower->channels);
    pml_values_free(&lower->values);
    return pml_values_find(&lower->values, model, lower->flows, &lower->cast, &lower->channels, lower->diagnostics);
}

static void build(struct pml_lower *lower)
{
    struct system *system = lower->system;
    lower->is_fair = lower->asked.is_weak || lower->asked.is_strong;
    lower->role_types = ARENA_ARRAY(lower->arena, const struct type *, lower->model->proctypes.count + 1);
    memset(lower->role_types, 0, sizeof *lower->role_types * (lower->model->proctypes.count + 1));
    lower->has_last = has_kind(lower->model, PML_LAST);
    if (has_kind(lower->model, PML_TIMEOUT))
        lower->idle = system->idle =
            system_add_global(system, "idle", system->boolean, lower->model->proctypes.items[0]->span);
    if (!pml_declare_state(lower))
        return;
    pml_lower_face(lower);
    pml_lower_start(lower);
    for (size_t p = 0; p < lower->model->proctypes.count && !lower->diagnostics->errors; p++)
        if (lower->cast.roles[p].first <= lower->cast.roles[p].last)
            pml_lower_moves(lower, lower->model->proctypes.items[p]);
    pml_settle_deaths(lower);
    if (!lower->diagnostics->errors)
        pml_lower_properties(lower);
}

void pml_lower_model(struct system *system, struct pml_model *model, struct pml_asked asked, struct question *question,
                     struct diagnostics *diagnostics)
{
    struct pml_lower lower = {
        .system = system, .arena = model->arena, .model = model, .asked = asked, .diagnostics = diagnostics};
    if (study(&lower))
        build(&lower);
    if (question && !diagnostics->errors)
        pml_lower_question(&lower, model->asked, question);
    for (size_t p = 0; lower.flows && p < model->proctypes.count; p++)
        pml_flow_free(&lower.flows[p]);
    pml_flow_free(&lower.trace);
    free(lower.flows);
    pml_cast_free(&lower.cast);
    pml_channels_free(&lower.channels);
    pml_values_free(&lower.values);
    if (!diagnostics->errors)
        antecedents_add(system);
    if (!diagnostics->errors && !system_finish(system))
        diag_error(diagnostics, model->proctypes.items[0]->span, "the processes take too much memory");
}
