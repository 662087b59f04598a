/* What a larger group would take, short of the full one: the places without which the elements of a type would have
 * more symmetry than they have, as when one line costs a ring its rotations. One place where one is enough, else two.
 */
#include <string.h>

#include "base/text.h"
#include "detect/detecting.h"

enum { MOST_POINTS = 64, MOST_BREAKS = 32, MOST_PAIRED = 10, MOST_HOPES = 3, MOST_CHAIN_WORK = 1000000 };

struct hoping {
    struct detecting *d;
    uint32_t carrier;
    struct group *now; /* on the elements of the carrier */
    struct symmetry_hope hopes[MOST_HOPES];
    struct bigint *orders[MOST_HOPES]; /* the largest first */
    uint32_t count;
};

static const char *hope_words(struct arena *arena, const struct group *group)
{
    struct text words = {0};
    struct group_factors *factors = group_factorise(group);
    for (uint32_t f = 0; f < factors->count; f++) {
        text_append(&words, f ? "; " : "");
        group_factor_print(&factors->items[f], &words);
    }
    const char *kept = arena_string(arena, text_chars(&words));
    group_factors_destroy(factors);
    text_free(&words);
    return kept;
}

/* Among the best, in order; what is no better than another comes after it. Takes the order. */
static void hope_add(struct hoping *h, struct symmetry_hope hope, struct bigint *order)
{
    uint32_t at = 0;
    while (at < h->count && bigint_compare(h->orders[at], order) >= 0)
        at++;
    if (at == MOST_HOPES) {
        bigint_destroy(order);
        return;
    }
    if (h->count == MOST_HOPES)
        bigint_destroy(h->orders[--h->count]);
    memmove(h->orders + at + 1, h->orders + at, (h->count - at) * sizeof *h->orders);
    memmove(h->hopes + at + 1, h->hopes + at, (h->count - at) * sizeof *h->hopes);
    h->orders[at] = order;
    h->hopes[at] = hope;
    h->count++;
}

static void hope_try(struct hoping *h, const struct span *places, uint32_t count)
{
    struct detecting *d = h->d;
    struct model_graph_options options = d->graph_options;
    options.healed = places;
    options.healed_count = count;
    options.without_formulas = system_is_ground(d->system);
    struct group *group = detect_group_with(d, options), *own = detect_restrict(d, group, h->carrier);
    if (detect_is_larger(own, h->now) && !detect_is_full(d, group, h->carrier)) {
        struct arena *arena = d->found.symmetry->arena;
        struct bigint *order = bigint_create(1);
        group_order(own, order);
        char *digits = bigint_digits(order);
        struct symmetry_hope hope = {
            .place_count = count, .words = hope_words(arena, own), .order = arena_string(arena, digits)};
        memcpy(hope.places, places, count * sizeof *places);
        hope_add(h, hope, order);
        free(digits);
    }
    group_destroy(own);
    group_destroy(group);
}

void detect_hopes(struct detecting *d, uint32_t carrier, struct symmetry_factor *factor)
{
    const struct model_graph *graph = d->graph;
    struct hoping h = {.d = d, .carrier = carrier};
    if (!d->group || graph->point_count > MOST_POINTS || graph->break_count > MOST_BREAKS ||
        (system_is_ground(d->system) && graph->vertices * graph->break_count > MOST_CHAIN_WORK))
        return;
    h.now = detect_restrict(d, d->group, carrier);
    for (uint32_t a = 0; a < graph->break_count && !watch_is_over(d->watch); a++)
        hope_try(&h, &graph->breaks[a].span, 1);
    for (uint32_t a = 0; !h.count && graph->break_count <= MOST_PAIRED && a < graph->break_count; a++)
        for (uint32_t b = a + 1; b < graph->break_count && !watch_is_over(d->watch); b++)
            hope_try(&h, (struct span[]){graph->breaks[a].span, graph->breaks[b].span}, 2);
    factor->hopes = arena_copy(d->found.symmetry->arena, h.hopes, h.count * sizeof *h.hopes);
    factor->hope_count = h.count;
    for (uint32_t i = 0; i < h.count; i++)
        bigint_destroy(h.orders[i]);
    group_destroy(h.now);
}
