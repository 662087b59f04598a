/* Exchanges of places of control.
 *
 * A process that treats two others alike may do so at two places: between `len(a) <= len(b)` and `a!m` a load balancer
 * stands elsewhere than between `len(b) <= len(a)` and `b!m`. An exchange of the servers is a symmetry if it exchanges
 * these places, too: program counters are data. So places are points of the model graph like the values of any other
 * type, and a permutation of them is proved as any other is.
 *
 * States in which processes stand at exchanged places alone (two options with the same text) are not worth a place as
 * an index type: the group is taken only if it does more to all other points. */
#include <stdlib.h>

#include "detect/detecting.h"

static uint32_t places_find(const struct detecting *d)
{
    uint32_t found = NO_CARRIER, points = d->graph->point_count;
    for (uint32_t c = 0; c < d->carriers->count; c++)
        if (d->carriers->items[c].is_places)
            found = c;
    if (found == NO_CARRIER)
        return NO_CARRIER;
    points += (uint32_t)(d->carriers->items[found].hi - d->carriers->items[found].lo + 1);
    return points < DETECT_MOST_POINTS ? found : NO_CARRIER;
}

/* The action on everything but the places. */
static struct group *places_restrict(const struct detecting *d, const struct model_graph *graph,
                                     const struct group *group, uint32_t places)
{
    uint32_t first = graph->first[places], count = 0;
    uint32_t size = (uint32_t)(d->carriers->items[places].hi - d->carriers->items[places].lo + 1);
    uint32_t *points = memory_alloc(((size_t)graph->point_count + 1) * sizeof *points);
    for (uint32_t p = 0; p < graph->point_count; p++)
        if (p < first || p >= first + size)
            points[count++] = p;
    struct group *others = group_restrict(group, points, count);
    free(points);
    return others;
}

void detect_places(struct detecting *d)
{
    uint32_t places = places_find(d);
    if (places == NO_CARRIER || watch_is_over(d->watch))
        return;
    d->is_graphed[places] = true;
    struct model_graph *graph = model_graph_create(d->carriers, &d->graph_options);
    struct group *group = detect_group_on(d, graph, d->graph_options);
    struct group *others = places_restrict(d, graph, group, places);
    bool is_taken = detect_is_larger(others, d->group) && detect_is_sound(d);
    group_destroy(others);
    if (!is_taken) {
        d->is_graphed[places] = false;
        group_destroy(group);
        model_graph_destroy(graph);
        return;
    }
    group_destroy(d->group);
    model_graph_destroy(d->graph);
    d->group = group;
    d->graph = graph;
    detect_number(d, d->is_graphed);
    d->keeps_rules = false;
}
