/* Layer by layer.
 *
 * What is found is reported in rounds, as the explicit engine does it: first what the start states show; then, for each
 * layer, what its states show when they are expanded (deadlocks, steps that fail) and what their successors show. In a
 * round goals come first, then the shortest run, then the property that comes first in the model. */
#include "engine/symbolic/search.h"

struct prey {
    const struct target *target; /* NULL: none */
    uint32_t depth;              /* of the state in the target; UINT32_MAX: a start state is beyond */
    uint32_t length;             /* of the run */
};

/* Is the target about what happens when a state is expanded? */
static bool target_is_step(const struct target *target)
{
    return target->kind == TARGET_FAULT || target->kind == TARGET_DEADLOCK || target->kind == TARGET_UNGRANTED;
}

static bool target_is_wanted(const struct symbolic_search *search, const struct target *target)
{
    return !search->decided[target->property->id] && target->kind != TARGET_UNEVALUATED && target->kind != TARGET_LOST;
}

static bool prey_is_better(const struct prey *a, const struct prey *b)
{
    bool a_is_goal = a->target->kind == TARGET_GOAL;
    if (!b->target)
        return true;
    if (a_is_goal != (b->target->kind == TARGET_GOAL))
        return a_is_goal;
    if (a->length != b->length)
        return a->length < b->length;
    return a->target->property->id < b->target->property->id;
}

/* The best among the targets that the layer meets, of those about steps or of the others. False: no memory or time. */
static bool hunt_look(struct symbolic_search *search, uint32_t depth, bool is_step, struct prey *best)
{
    struct symbolic_model *model = &search->model;
    for (size_t i = 0; i < search->targets.count; i++) {
        const struct target *target = &search->targets.items[i];
        bool is_long = target->kind == TARGET_FAULT || target->kind == TARGET_UNGRANTED;
        struct prey prey = {target, depth, depth + is_long};
        if (target_is_step(target) != is_step || !target_is_wanted(search, target))
            continue;
        dd disjoint = dd_is_disjoint(model->m, model->layers.items[depth], target->set);
        if (disjoint == DD_NONE)
            return symbolic_failed(model);
        if (disjoint == DD_FALSE && prey_is_better(&prey, best))
            *best = prey;
    }
    return true;
}

/* Start states in which an assumption cannot be evaluated. */
static bool hunt_look_beyond(struct symbolic_search *search, struct prey *best)
{
    struct symbolic_model *model = &search->model;
    for (size_t i = 0; i < search->targets.count; i++) {
        struct prey prey = {&search->targets.items[i], UINT32_MAX, 0};
        if (prey.target->kind != TARGET_UNGRANTED || !target_is_wanted(search, prey.target))
            continue;
        dd disjoint = dd_is_disjoint(model->m, model->all_starts, prey.target->beyond);
        if (disjoint == DD_NONE)
            return symbolic_failed(model);
        if (disjoint == DD_FALSE && prey_is_better(&prey, best))
            *best = prey;
    }
    return true;
}

/* All that a round has to offer, one after the other. `depth` is that of the layer just expanded, or UINT32_MAX; the
 * states found then are in the layer after it, if there is one. */
static bool hunt_round(struct symbolic_search *search, uint32_t depth)
{
    struct symbolic_model *model = &search->model;
    uint32_t fresh = depth == UINT32_MAX ? 0 : depth + 1;
    while (!search->is_over) {
        struct prey best = {0};
        bool is_ok = depth == UINT32_MAX ? hunt_look_beyond(search, &best) : hunt_look(search, depth, true, &best);
        if (is_ok && fresh < model->layers.count)
            is_ok = hunt_look(search, fresh, false, &best);
        if (!is_ok)
            return false;
        if (!best.target)
            return true;
        struct trace *trace = route_trace(search, best.target, best.depth);
        if (!trace)
            return symbolic_failed(model);
        answer_report(search, best.target, trace);
    }
    return true;
}

static bool hunt_is_done(struct symbolic_search *search, enum hunt_end end)
{
    struct symbolic_model *model = &search->model;
    if (search->is_over)
        return true;
    if (end == HUNT_SMALL) {
        search->work += dd_size(model->m, VEC_LAST(&model->layers)) * (model->ground.rules.count + 1);
        return search->work > HUNT_SMALL_WORK;
    }
    for (size_t i = 0; end == HUNT_MARKED && i < search->targets.count; i++)
        if (search->targets.items[i].is_met && target_is_wanted(search, &search->targets.items[i]))
            return false;
    return end == HUNT_MARKED;
}

/* Is there a layer at this depth? */
static bool hunt_has_layer(struct symbolic_search *search, uint32_t depth)
{
    struct symbolic_model *model = &search->model;
    if (depth < model->layers.count)
        return true;
    if (!search->is_exhausted && symbolic_deepen(model))
        return true;
    search->is_exhausted = !stop_is_set(&model->stop);
    return false;
}

bool hunt(struct symbolic_search *search, enum hunt_end end)
{
    struct symbolic_model *model = &search->model;
    uint32_t most = search->options->limits.depth;
    if (!search->round)
        answer_report_start_faults(search);
    for (;; search->round++) {
        bool has_layer = hunt_has_layer(search, search->round);
        if (stop_is_set(&model->stop) || !hunt_round(search, search->round - 1))
            return false;
        if (!has_layer || hunt_is_done(search, end))
            return true;
        if (most && search->round >= most) {
            search->is_cut = true;
            return true;
        }
    }
}

bool hunt_nearest(struct symbolic_search *search, const struct target *target, uint32_t *depth)
{
    struct symbolic_model *model = &search->model;
    for (*depth = 0;; ++*depth) {
        if (*depth == model->layers.count && !symbolic_deepen(model))
            return false;
        dd disjoint = dd_is_disjoint(model->m, model->layers.items[*depth], target->set);
        if (disjoint == DD_NONE)
            return symbolic_failed(model);
        if (disjoint == DD_FALSE)
            return true;
    }
}

bool hunt_lost(struct symbolic_search *search)
{
    for (size_t i = 0; i < search->targets.count; i++) {
        const struct target *target = &search->targets.items[i];
        uint32_t depth;
        if (target->kind != TARGET_LOST || !target->is_met || search->decided[target->property->id])
            continue;
        if (!hunt_nearest(search, target, &depth))
            return false;
        struct trace *trace = route_trace(search, target, depth);
        if (!trace)
            return false;
        answer_report(search, target, trace);
    }
    return true;
}
