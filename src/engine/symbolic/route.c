/* A run to a state of a target: backwards through the layers, then lifted to the model and replayed. A run that does
 * not stand up to that is a bug of ours and must not be shown as one of the model. */
#include <stdlib.h>
#include <string.h>

#include "engine/symbolic/search.h"

/* Some state of the layer before from which one step leads to `cells`, or to a state symmetric to it. With
 * options->frontier it may have waited, and the layer is one further back. *depth: the layer of the state, and then of
 * the one before. */
static bool route_back(struct symbolic_search *search, uint32_t *depth, int32_t *cells)
{
    struct symbolic_model *model = &search->model;
    dd state = encoding_state(model->encoding, cells), before = DD_FALSE;
    dd all = dd_ref(model->m, symbolic_previous_plain(model, state));
    while (all != DD_NONE && before == DD_FALSE) {
        if (!*depth)
            UNREACHABLE("a state of a layer has no predecessor in the layers before");
        before = symbolic_meet(model, all, model->layers.items[--*depth]);
    }
    dd_unref(model->m, all);
    if (all == DD_NONE || before == DD_NONE)
        return symbolic_failed(model);
    encoding_pick(model->encoding, before, cells - model->layout->cell_count);
    return true;
}

/* The states to one in layer *depth that is in `set`, as cells; *depth + 1 of them (then; layers may be skipped). NULL:
 * no memory or time. */
static int32_t *route_to(struct symbolic_search *search, uint32_t *depth, dd set)
{
    struct symbolic_model *model = &search->model;
    size_t cells = model->layout->cell_count, first = *depth;
    dd last = dd_and(model->m, model->layers.items[*depth], set);
    if (last == DD_NONE) {
        symbolic_failed(model);
        return NULL;
    }
    int32_t *path = memory_alloc(((size_t)*depth + 2) * cells * sizeof *path + 1);
    encoding_pick(model->encoding, last, path + first * cells);
    for (uint32_t layer = *depth; layer; first--)
        if (!route_back(search, &layer, path + first * cells)) {
            free(path);
            return NULL;
        }
    *depth -= (uint32_t)first;
    memmove(path, path + first * cells, (*depth + 1) * cells * sizeof *path);
    return path;
}

/* The states of the path become those that lifting looks for. */
static void route_canonise(const struct symbolic_search *search, int32_t *path, uint32_t count)
{
    const struct symbolic_model *model = &search->model;
    size_t cells = model->layout->cell_count;
    if (symmetry_is_trivial(model->symmetry))
        return;
    struct canon *canon = canon_create(model->symmetry, model->layout);
    canon_set_exact(canon, true);
    int32_t *image = memory_alloc(cells * sizeof *image + 1);
    for (uint32_t i = 0; i < count; i++) {
        canon_apply(canon, path + i * cells, image);
        memcpy(path + i * cells, image, cells * sizeof *image);
    }
    free(image);
    canon_destroy(canon);
}

/* How a step from the state fails: by the property, if any does. */
static struct fault route_fault(const struct symbolic_search *search, const int32_t *cells,
                                const struct property *property)
{
    const struct symbolic_model *model = &search->model;
    struct stepper *stepper = stepper_create_evaluator(model->system, model->layout);
    struct step step = {0};
    struct fault fault = {.property = property};
    enum step_outcome outcome;
    stepper_begin_successors(stepper, cells);
    while ((outcome = stepper_next(stepper, &step)) != STEP_END)
        if (outcome == STEP_FAULT && step.fault.property == property) {
            fault = step.fault;
            break;
        }
    stepper_destroy(stepper);
    return fault;
}

static enum trace_evidence route_evidence(const struct symbolic_search *search, const struct target *target)
{
    switch (target->kind) {
    case TARGET_GOAL:
        return TRACE_SHOWS_TRUE;
    case TARGET_FAULT:
        return TRACE_SHOWS_FAULT;
    case TARGET_DEADLOCK:
        return search->options->deadlock == DEADLOCK_STUCK ? TRACE_SHOWS_STUCK : TRACE_SHOWS_STUTTERING;
    case TARGET_LOST:
        return TRACE_SHOWS_STATE;
    default:
        return TRACE_SHOWS_FALSE;
    }
}

/* Adds the state beyond the path, one that the assumptions exclude. */
static bool route_go_beyond(struct symbolic_search *search, const struct target *target, int32_t *path, uint32_t *count)
{
    struct symbolic_model *model = &search->model;
    size_t cells = model->layout->cell_count;
    dd next = model->all_starts;
    if (*count) {
        dd last = encoding_state(model->encoding, path + (*count - 1) * cells);
        next = symbolic_next_plain(model, last);
    }
    dd beyond = dd_and(model->m, next, target->beyond);
    if (beyond == DD_NONE)
        return symbolic_failed(model);
    encoding_pick(model->encoding, beyond, path + *count * cells);
    ++*count;
    return true;
}

static struct trace *route_lift(struct symbolic_search *search, const struct target *target, int32_t *path,
                                uint32_t count)
{
    const struct symbolic_model *model = &search->model;
    enum trace_evidence evidence = route_evidence(search, target);
    struct fault fault = {0};
    if (target->kind == TARGET_FAULT)
        fault = route_fault(search, path + (count - 1) * (size_t)model->layout->cell_count, target->property);
    route_canonise(search, path, count);
    struct trace *trace = trace_lift(model->layout, model->symmetry, path, count,
                                     target->kind == TARGET_FAULT ? TRACE_GOAL_FAULT : TRACE_GOAL_STATE, &fault);
    if (!trace)
        UNREACHABLE("the run found by the search cannot be lifted to a run of the model");
    trace_insist(trace_replay(trace));
    trace_insist(trace_confirm(trace, evidence, target->property));
    return trace;
}

struct trace *route_trace(struct symbolic_search *search, const struct target *target, uint32_t depth)
{
    bool is_start = depth == UINT32_MAX;
    size_t cells = search->model.layout->cell_count;
    int32_t *path = is_start ? memory_alloc(cells * sizeof *path + 1) : route_to(search, &depth, target->set);
    uint32_t count = is_start ? 0 : depth + 1;
    struct trace *trace = NULL;
    if (!path)
        return NULL;
    if (target->kind != TARGET_UNGRANTED || route_go_beyond(search, target, path, &count))
        trace = route_lift(search, target, path, count);
    free(path);
    return trace;
}
