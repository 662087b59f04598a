#include "result/never.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

struct never_product {
    const struct result_path *path;
    uint32_t count; /* of positions */
    const struct never *never;
    const enum path_truth *conditions; /* by number and position */
    bool is_sure;                      /* what is unknown does not count; false: it does */
    bool *stays;                       /* by position and state: on the way to accepting states, for ever */
};

static bool edge_fits(const struct never_product *product, const struct never_edge *edge, uint32_t at)
{
    for (uint32_t c = 0; c < product->never->condition_count; c++) {
        enum path_truth truth = product->conditions[(size_t)c * product->count + at];
        bool is_wanted = edge->positive >> c & 1, is_unwanted = edge->negative >> c & 1;
        if ((is_wanted || is_unwanted) &&
            (truth == PATH_UNKNOWN ? product->is_sure : (truth == PATH_TRUE) != is_wanted))
            return false;
    }
    return true;
}

/* From here, an edge leads to what is marked in `next` (of an accepting state: in stays). A run that has not ended goes
 * on in a way that is not known. */
static bool goes_on(const struct never_product *product, uint32_t at, uint32_t state, const bool *next)
{
    const struct never *never = product->never;
    uint32_t after = path_next(product->path, at);
    bool is_open = after == PATH_END && !path_is_maximal(product->path);
    const bool *marked = never->is_accepting[state] ? product->stays : next;
    if (is_open && never->is_accepting[state] && never->is_finite)
        return true;
    for (uint32_t e = never->first[state]; e < never->first[state + 1]; e++) {
        uint32_t target = never->edges[e].target;
        size_t to = (size_t)(after == PATH_END ? at : after) * never->state_count + target;
        bool is_marked =
            is_open ? !product->is_sure || (never->is_finite && never->is_accepting[target]) : marked[to] || next[to];
        if (is_marked && edge_fits(product, &never->edges[e], at))
            return true;
    }
    return false;
}

/* Whence an accepting state is reached from which it can go on to what `stays`: the least solution. False: nothing
 * changes. */
static bool prune(struct never_product *product, bool *next)
{
    uint32_t states = product->never->state_count;
    size_t size = (size_t)product->count * states;
    memset(next, 0, size * sizeof *next);
    for (bool has_changed = true; has_changed;) {
        has_changed = false;
        for (size_t i = size; i-- > 0;)
            if (!next[i] && goes_on(product, (uint32_t)(i / states), (uint32_t)(i % states), next))
                has_changed = next[i] = true;
    }
    bool is_less = memcmp(next, product->stays, size * sizeof *next) != 0;
    memcpy(product->stays, next, size * sizeof *next);
    return is_less;
}

static void fill_accepted(struct never_product *product, bool is_sure)
{
    size_t size = (size_t)product->count * product->never->state_count;
    bool *next = memory_alloc(size * sizeof *next + 1);
    product->is_sure = is_sure;
    memset(product->stays, 1, size * sizeof *next);
    while (prune(product, next))
        ;
    free(next);
}

void never_fill(struct result_path *path, const struct ctl *ctl, enum path_truth *out)
{
    const struct never *never = ctl->never;
    enum path_truth *conditions =
        memory_alloc(((size_t)never->condition_count * path_count(path) + 1) * sizeof *conditions);
    struct never_product product = {.path = path, .count = path_count(path), .never = never, .conditions = conditions};
    product.stays = memory_alloc((size_t)path_count(path) * never->state_count * sizeof *product.stays + 1);
    for (uint32_t c = 0; c < never->condition_count; c++)
        path_fill(path, ctl_never_condition(ctl, c), conditions + (size_t)c * path_count(path));
    fill_accepted(&product, false);
    for (uint32_t p = 0; p < path_count(path); p++)
        out[p] = product.stays[(size_t)p * never->state_count + never->start] ? PATH_UNKNOWN : PATH_TRUE;
    fill_accepted(&product, true);
    for (uint32_t p = 0; p < path_count(path); p++)
        if (product.stays[(size_t)p * never->state_count + never->start])
            out[p] = PATH_FALSE;
    free(product.stays);
    free(conditions);
}
