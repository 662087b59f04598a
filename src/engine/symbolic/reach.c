/* Images, and the reachable states. */
#include "engine/symbolic/model.h"

#include <stdlib.h>

typedef dd image_step(struct dd_manager *m, dd states, dd relation, dd changed);

/* By the rules that are chosen (NULL: all). */
static dd symbolic_union(struct symbolic_model *model, dd set, const bool *chosen, image_step *step)
{
    dd keep[2] = {set, DD_FALSE};
    dd_register(model->m, keep, 2);
    for (size_t r = 0; r < model->ground.rules.count && keep[1] != DD_NONE; r++) {
        if (chosen && !chosen[r])
            continue;
        const struct dd_relation *relation = &model->ground.rules.items[r].step;
        dd image = step(model->m, keep[0], relation->relation, relation->changed);
        keep[1] = dd_or(model->m, keep[1], image);
    }
    dd_unregister(model->m, keep);
    return keep[1];
}

dd symbolic_next_plain(struct symbolic_model *model, dd set)
{
    return symbolic_union(model, set, NULL, dd_next);
}

dd symbolic_previous_plain(struct symbolic_model *model, dd set)
{
    return symbolic_union(model, set, NULL, dd_previous);
}

dd symbolic_represent(struct symbolic_model *model, dd set)
{
    return model->reducer ? reducer_represent(model->reducer, set) : set;
}

dd symbolic_close_orbits(struct symbolic_model *model, dd set)
{
    return model->reducer ? reducer_close(model->reducer, set) : set;
}

dd symbolic_meet(struct symbolic_model *model, dd states, dd set)
{
    dd keep[2] = {states, set};
    dd_register(model->m, keep, 2);
    bool is_whole = model->reducer && !model->reducer->is_unique;
    dd candidates = is_whole ? symbolic_close_orbits(model, keep[0]) : symbolic_represent(model, keep[0]);
    dd_unregister(model->m, keep);
    return dd_and(model->m, candidates, set);
}

/* Representatives in the reachable set, when that is known: an orbit may have several. */
static dd symbolic_settle(struct symbolic_model *model, dd set)
{
    if (model->reducer && !model->reducer->is_unique && model->is_reached)
        return dd_and(model->m, symbolic_close_orbits(model, set), model->reached);
    return symbolic_represent(model, set);
}

dd symbolic_next_by(struct symbolic_model *model, dd set, const bool *chosen)
{
    dd next = symbolic_union(model, set, chosen, dd_next);
    return symbolic_settle(model, dd_and(model->m, next, model->assumed));
}

dd symbolic_previous_by(struct symbolic_model *model, dd set, const bool *chosen)
{
    return symbolic_settle(model, symbolic_union(model, set, chosen, dd_previous));
}

dd symbolic_next(struct symbolic_model *model, dd set)
{
    return symbolic_next_by(model, set, NULL);
}

dd symbolic_previous(struct symbolic_model *model, dd set)
{
    return symbolic_previous_by(model, set, NULL);
}

dd symbolic_alive(struct symbolic_model *model, enum deadlock_mode mode)
{
    struct dd_manager *m = model->m;
    dd alive = DD_FALSE;
    dd_register(m, &alive, 1);
    for (size_t r = 0; r < model->ground.rules.count; r++) {
        const struct ground_rule *rule = &model->ground.rules.items[r];
        alive = dd_or(m, alive, mode == DEADLOCK_STUCK ? rule->fires : rule->alters);
        alive = dd_or(m, alive, rule->faults);
    }
    dd_unregister(m, &alive);
    return alive;
}

static bool symbolic_is_on_the_fly(const struct symbolic_model *model)
{
    return model->reducer && model->reducer->method == METHOD_ONTHEFLY;
}

/* Adds to a set of the model; when that fails, the set stays what it was: a part of what can be reached. */
static bool symbolic_extend(struct symbolic_model *model, dd *set, dd all)
{
    if (all == DD_NONE)
        return symbolic_failed(model);
    *set = all;
    return true;
}

static bool symbolic_add_layer(struct symbolic_model *model, dd layer)
{
    VEC_PUSH(&model->layers, dd_ref(model->m, layer));
    if (!model->is_reached && !symbolic_extend(model, &model->reached, dd_or(model->m, model->reached, layer)))
        return false;
    if (symbolic_is_on_the_fly(model))
        layer = symbolic_close_orbits(model, layer);
    return symbolic_extend(model, &model->explored, dd_or(model->m, model->explored, layer));
}

/* Under-approximation (Barner, Grumberg, "Combining symmetry reduction and under-approximation for symbolic model
 * checking", CAV 2002): only a part that is small to write down becomes the next layer. The rest waits, so that in the
 * end nothing is left out. */
static dd symbolic_take_some(struct symbolic_model *model, dd layer)
{
    model->waiting = dd_or(model->m, model->waiting, layer);
    model->waiting = dd_difference(model->m, model->waiting, model->explored);
    layer = dd_thin(model->m, model->waiting, model->options->frontier);
    dd_ref(model->m, layer);
    model->waiting = dd_difference(model->m, model->waiting, layer);
    dd_unref(model->m, layer);
    return model->waiting == DD_NONE ? DD_NONE : layer;
}

bool symbolic_deepen(struct symbolic_model *model)
{
    dd layer = model->starts;
    if (model->layers.count) {
        layer = symbolic_next_plain(model, VEC_LAST(&model->layers));
        layer = symbolic_represent(model, dd_and(model->m, layer, model->assumed));
        layer = dd_difference(model->m, layer, model->explored);
        if (model->options->frontier && symbolic_is_on_the_fly(model))
            layer = symbolic_take_some(model, layer);
    }
    if (layer == DD_NONE)
        return symbolic_failed(model);
    return layer != DD_FALSE && symbolic_add_layer(model, layer);
}

bool symbolic_can_saturate(const struct symbolic_model *model)
{
    return !model->reducer && !model->has_assumptions;
}

dd symbolic_saturate(struct symbolic_model *model, dd set)
{
    size_t count = model->ground.rules.count;
    struct dd_relation *relations = memory_alloc((count + 1) * sizeof *relations);
    for (size_t r = 0; r < count; r++)
        relations[r] = model->ground.rules.items[r].step;
    dd all = dd_saturate(model->m, set, relations, count);
    free(relations);
    return all;
}

/* One rule, from all that is known. *is_new: there is something new. */
static bool symbolic_chain_rule(struct symbolic_model *model, const struct dd_relation *step, bool *is_new)
{
    struct dd_manager *m = model->m;
    dd image = dd_next(m, model->reached, step->relation, step->changed);
    image = symbolic_represent(model, dd_and(m, image, model->assumed));
    dd all = dd_or(m, model->reached, image);
    *is_new |= all != model->reached;
    return symbolic_extend(model, &model->reached, all);
}

/* Rule by rule: the next one starts from what the one before has found. */
static bool symbolic_chain(struct symbolic_model *model)
{
    bool is_new = true, is_ok = true;
    while (is_new && is_ok) {
        is_new = false;
        for (size_t r = 0; r < model->ground.rules.count && is_ok; r++)
            is_ok = symbolic_chain_rule(model, &model->ground.rules.items[r].step, &is_new);
    }
    return is_ok;
}

bool symbolic_reach(struct symbolic_model *model)
{
    bool is_done;
    if (model->reducer) { /* sorting is dear: better few large images than many small ones */
        while (symbolic_deepen(model))
            ;
        is_done = !stop_is_set(&model->stop);
    } else {
        is_done = symbolic_extend(model, &model->reached, dd_or(model->m, model->starts, model->explored)) &&
                  (symbolic_can_saturate(model)
                       ? symbolic_extend(model, &model->reached, symbolic_saturate(model, model->reached))
                       : symbolic_chain(model));
    }
    model->is_reached = is_done;
    return is_done;
}
