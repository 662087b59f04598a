/* Ways through sets of states: forward by layers, back by picking a state of each. */
#include <stdlib.h>
#include <string.h>

#include "engine/symbolic/ctl.h"

/* Layers: referenced; each state is in the first one it can be reached in. */
struct layers {
    dd *items;
    size_t count, capacity;
};

static void layers_free(struct symbolic_model *model, struct layers *layers)
{
    for (size_t i = 0; i < layers->count; i++)
        dd_unref(model->m, layers->items[i]);
    VEC_FREE(layers);
}

static int32_t *way_push(struct symbolic_model *model, struct ctl_way *way, size_t count)
{
    size_t cells = model->layout->cell_count, first = way->count;
    way->count += count;
    if (way->count > way->capacity) {
        way->capacity = 2 * way->count;
        way->cells = memory_resize(way->cells, (way->capacity * cells + 1) * sizeof *way->cells);
    }
    return way->cells + first * cells;
}

/* A state of each layer, the last of them in `goal`; those before in `inside`. Position 0 of the layers is appended
 * only when the way is empty: else it is the last state of the way already. */
static bool way_append(struct symbolic_model *model, const struct layers *layers, dd inside, dd goal,
                       struct ctl_way *way)
{
    size_t cells = model->layout->cell_count, skipped = way->count ? 1 : 0, length = layers->count;
    int32_t *states = way_push(model, way, length - skipped) - skipped * cells;
    dd here = set_and(model, layers->items[length - 1], goal);
    for (size_t i = length; i-- > skipped && here != DD_NONE;) {
        encoding_pick(model->encoding, here, states + i * cells);
        dd_unref(model->m, here);
        here = DD_FALSE;
        if (i == 0)
            break;
        dd before = symbolic_previous_plain(model, encoding_state(model->encoding, states + i * cells));
        dd_ref(model->m, before);
        dd allowed = set_and(model, layers->items[i - 1], inside);
        here = dd_ref(model->m, symbolic_meet(model, before, allowed));
        dd_unref(model->m, before);
        dd_unref(model->m, allowed);
    }
    bool is_good = here != DD_NONE;
    dd_unref(model->m, here);
    return is_good || symbolic_failed(model);
}

/* Where a way may go on, and where it may go. */
struct way_bounds {
    dd from, to;
};

/* Adds what one step leads to from the last layer; CTL_WAY_NONE: nothing new. */
static enum ctl_way_found layers_grow(struct symbolic_model *model, struct layers *layers,
                                      const struct way_bounds *bounds, dd *seen)
{
    dd from = set_and(model, VEC_LAST(layers), bounds->from), after = set_after(model, from);
    dd allowed = set_and(model, after, bounds->to);
    dd new = set_without(model, allowed, *seen), all = set_or(model, *seen, new);
    dd_unref(model->m, from);
    dd_unref(model->m, after);
    dd_unref(model->m, allowed);
    dd_unref(model->m, *seen);
    *seen = all;
    if (new == DD_NONE || all == DD_NONE) {
        dd_unref(model->m, new);
        symbolic_failed(model);
        return CTL_WAY_FAILED;
    }
    if (new == DD_FALSE)
        return CTL_WAY_NONE;
    VEC_PUSH(layers, new);
    return CTL_WAY_FOUND;
}

static enum ctl_way_found layers_meet(struct symbolic_model *model, const struct layers *layers, dd goal)
{
    dd apart = dd_is_disjoint(model->m, VEC_LAST(layers), goal);
    if (apart == DD_NONE)
        symbolic_failed(model);
    return apart == DD_NONE ? CTL_WAY_FAILED : apart == DD_TRUE ? CTL_WAY_NONE : CTL_WAY_FOUND;
}

/* `seen`: states that are not looked for any more. */
static enum ctl_way_found layers_reach(struct symbolic_model *model, struct layers *layers,
                                       const struct way_bounds *bounds, dd goal, dd *seen)
{
    for (;;) {
        enum ctl_way_found grown = layers_grow(model, layers, bounds, seen);
        enum ctl_way_found met = grown == CTL_WAY_FOUND ? layers_meet(model, layers, goal) : grown;
        if (grown != CTL_WAY_FOUND || met != CTL_WAY_NONE)
            return met;
    }
}

enum ctl_way_found ctl_way_to(struct symbolic_model *model, dd from, dd inside, dd goal, struct ctl_way *way)
{
    struct layers layers = {0};
    dd seen = dd_ref(model->m, from);
    VEC_PUSH(&layers, dd_ref(model->m, from));
    way->back = SIZE_MAX;
    enum ctl_way_found found = layers_meet(model, &layers, goal);
    if (found == CTL_WAY_NONE)
        found = layers_reach(model, &layers, &(struct way_bounds){inside, DD_TRUE}, goal, &seen);
    if (found == CTL_WAY_FOUND && !way_append(model, &layers, inside, goal, way))
        found = CTL_WAY_FAILED;
    dd_unref(model->m, seen);
    layers_free(model, &layers);
    return found;
}

enum ctl_way_found ctl_way_step(struct symbolic_model *model, dd from, dd goal, struct ctl_way *way)
{
    struct layers layers = {0};
    VEC_PUSH(&layers, dd_ref(model->m, from));
    VEC_PUSH(&layers, set_after(model, from));
    way->back = SIZE_MAX;
    enum ctl_way_found found = VEC_LAST(&layers) == DD_NONE ? CTL_WAY_FAILED : layers_meet(model, &layers, goal);
    if (found == CTL_WAY_FOUND && !way_append(model, &layers, DD_TRUE, goal, way))
        found = CTL_WAY_FAILED;
    layers_free(model, &layers);
    return found;
}

/* From the last state of the way to an end, or back to it; else on to a state from which there is no way back: the next
 * component (Clarke, Grumberg, McMillan, Zhao 1995). CTL_WAY_NONE: goes on from the new last state. */
static enum ctl_way_found way_round(struct symbolic_model *model, dd from, dd inside, dd ends, struct ctl_way *way)
{
    struct layers layers = {0};
    dd goal = set_or(model, from, ends), seen = DD_FALSE, last;
    size_t position = way->count ? way->count - 1 : 0;
    VEC_PUSH(&layers, dd_ref(model->m, from));
    enum ctl_way_found found = layers_meet(model, &layers, ends);
    if (found == CTL_WAY_NONE)
        found = layers_reach(model, &layers, &(struct way_bounds){DD_TRUE, inside}, goal, &seen);
    ENSURE(found != CTL_WAY_NONE || layers.count > 1); /* every state inside has a successor inside, or is an end */
    last = found == CTL_WAY_FOUND ? goal : VEC_LAST(&layers);
    if (found != CTL_WAY_FAILED && !way_append(model, &layers, inside, last, way))
        found = CTL_WAY_FAILED;
    if (found == CTL_WAY_FOUND && layers.count > 1) {
        dd state = encoding_state(model->encoding, way->cells + (way->count - 1) * (size_t)model->layout->cell_count);
        dd apart = state == DD_NONE ? DD_NONE : dd_is_disjoint(model->m, state, ends);
        if (apart == DD_NONE)
            found = CTL_WAY_FAILED;
        else if (apart == DD_TRUE)
            way->back = position;
    }
    dd_unref(model->m, goal);
    dd_unref(model->m, seen);
    layers_free(model, &layers);
    return found;
}

enum ctl_way_found ctl_way_for_ever(struct symbolic_model *model, dd from, dd inside, struct ctl_way *way)
{
    dd all_ends = set_ends(model), ends = set_and(model, all_ends, inside), here = dd_ref(model->m, from);
    enum ctl_way_found found = here == DD_NONE || ends == DD_NONE ? CTL_WAY_FAILED : CTL_WAY_NONE;
    way->back = SIZE_MAX;
    while (found == CTL_WAY_NONE) {
        found = way_round(model, here, inside, ends, way);
        dd_unref(model->m, here);
        const int32_t *last = way->cells + (way->count - 1) * (size_t)model->layout->cell_count;
        here = found == CTL_WAY_NONE ? set_close(model, encoding_state(model->encoding, last)) : DD_FALSE;
        if (here == DD_NONE)
            found = CTL_WAY_FAILED;
    }
    dd_unref(model->m, here);
    dd_unref(model->m, ends);
    dd_unref(model->m, all_ends);
    if (found == CTL_WAY_FAILED)
        symbolic_failed(model);
    return found;
}
