/* Ways through a graph: shortest to a set, short for ever within one. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "engine/ctl/checker.h"

enum { NOWHERE = UINT32_MAX };

static bool is_inside_of(const uint64_t *inside, bool is_inside, uint32_t node)
{
    return !inside || bits_has(inside, node) == is_inside;
}

/* A breadth-first search: where each node was reached from, and the nodes in order. */
struct tour {
    uint32_t *parents; /* NOWHERE: not reached; its own parent: a first one */
    uint32_t *queue;
    uint32_t head, tail;
};

static void tour_begin(struct tour *tour, const struct graph *graph)
{
    tour->parents = memory_alloc(((size_t)graph->count + 1) * sizeof *tour->parents);
    memset(tour->parents, 0xff, ((size_t)graph->count + 1) * sizeof *tour->parents);
    tour->queue = memory_alloc(((size_t)graph->count + 1) * sizeof *tour->queue);
    tour->head = tour->tail = 0;
}

static void tour_end(struct tour *tour)
{
    free(tour->parents);
    free(tour->queue);
}

static void tour_reach(struct tour *tour, uint32_t node, uint32_t parent)
{
    if (tour->parents[node] != NOWHERE)
        return;
    tour->parents[node] = parent;
    tour->queue[tour->tail++] = node;
}

/* Appends the way to a node, without the first node of it when there is something to append to. */
static void tour_append(const struct tour *tour, uint32_t node, struct way *way)
{
    size_t begin = way->nodes.count;
    for (; tour->parents[node] != node; node = tour->parents[node])
        VEC_PUSH(&way->nodes, node);
    if (!begin)
        VEC_PUSH(&way->nodes, node);
    for (size_t a = begin, b = way->nodes.count; a + 1 < b; a++, b--) {
        uint32_t kept = way->nodes.items[a];
        way->nodes.items[a] = way->nodes.items[b - 1];
        way->nodes.items[b - 1] = kept;
    }
}

bool way_to_from(const struct graph *graph, uint32_t from, uint32_t count, const uint64_t *inside, bool is_inside,
                 const uint64_t *goal, bool is_goal, struct way *way)
{
    struct tour tour;
    bool is_found = false;
    tour_begin(&tour, graph);
    for (uint32_t node = from; node < from + count; node++)
        tour_reach(&tour, node, node);
    while (!is_found && tour.head < tour.tail) {
        uint32_t node = tour.queue[tour.head++];
        is_found = bits_has(goal, node) == is_goal;
        if (is_found)
            tour_append(&tour, node, way);
        else if (is_inside_of(inside, is_inside, node))
            for (uint64_t i = graph->first[node]; i < graph->first[node + 1]; i++)
                tour_reach(&tour, graph->targets[i], node);
    }
    tour_end(&tour);
    way->back = SIZE_MAX;
    return is_found;
}

/* --- cycles --- */

/* Tarjan's strongly connected components over the nodes inside, iteratively. */
struct ctl_components {
    const struct graph *graph;
    const uint64_t *inside;
    bool is_inside;
    uint32_t *index, *low; /* index 0: not met yet */
    uint64_t *next;        /* the edge to look at next */
    bool *is_open;
    VEC(uint32_t) path, open;
    uint32_t clock;
    uint64_t *is_cyclic; /* bits: on a cycle */
};

static void components_enter(struct ctl_components *c, uint32_t node)
{
    c->index[node] = c->low[node] = ++c->clock;
    c->next[node] = c->graph->first[node];
    c->is_open[node] = true;
    VEC_PUSH(&c->path, node);
    VEC_PUSH(&c->open, node);
}

static void components_leave(struct ctl_components *c, uint32_t node)
{
    (void)VEC_POP(&c->path);
    if (c->path.count && c->low[node] < c->low[VEC_LAST(&c->path)])
        c->low[VEC_LAST(&c->path)] = c->low[node];
    if (c->low[node] != c->index[node])
        return;
    bool is_large = VEC_LAST(&c->open) != node;
    for (uint32_t member = UINT32_MAX; member != node;) {
        member = VEC_POP(&c->open);
        c->is_open[member] = false;
        if (is_large)
            bits_add(c->is_cyclic, member);
    }
}

static void components_follow(struct ctl_components *c, uint32_t node, uint32_t target)
{
    if (!is_inside_of(c->inside, c->is_inside, target))
        return;
    if (target == node)
        bits_add(c->is_cyclic, node);
    if (!c->index[target])
        components_enter(c, target);
    else if (c->is_open[target] && c->index[target] < c->low[node])
        c->low[node] = c->index[target];
}

static void components_find(struct ctl_components *c, uint32_t from)
{
    components_enter(c, from);
    while (c->path.count) {
        uint32_t node = VEC_LAST(&c->path);
        if (c->next[node] < c->graph->first[node + 1])
            components_follow(c, node, c->graph->targets[c->next[node]++]);
        else
            components_leave(c, node);
    }
}

static uint64_t *components_cyclic(const struct graph *graph, uint32_t from, const uint64_t *inside, bool is_inside)
{
    size_t size = (size_t)graph->count + 1;
    struct ctl_components c = {.graph = graph, .inside = inside, .is_inside = is_inside};
    c.index = memory_zeroed(size, sizeof *c.index);
    c.low = memory_zeroed(size, sizeof *c.low);
    c.next = memory_zeroed(size, sizeof *c.next);
    c.is_open = memory_zeroed(size, sizeof *c.is_open);
    c.is_cyclic = memory_zeroed(bit_words(graph->count), sizeof *c.is_cyclic);
    components_find(&c, from);
    free(c.index);
    free(c.low);
    free(c.next);
    free(c.is_open);
    VEC_FREE(&c.path);
    VEC_FREE(&c.open);
    return c.is_cyclic;
}

/* A shortest way from the node, which is the last of the way, back to itself. */
static void way_around(const struct graph *graph, uint32_t node, const uint64_t *inside, bool is_inside,
                       struct way *way)
{
    struct tour tour;
    bool is_closed = false;
    way->back = way->nodes.count - 1;
    tour_begin(&tour, graph);
    tour_reach(&tour, node, node);
    while (!is_closed && tour.head < tour.tail) {
        uint32_t last = tour.queue[tour.head++];
        for (uint64_t i = graph->first[last]; !is_closed && i < graph->first[last + 1]; i++) {
            is_closed = graph->targets[i] == node;
            if (is_closed)
                tour_append(&tour, last, way);
            else if (is_inside_of(inside, is_inside, graph->targets[i]))
                tour_reach(&tour, graph->targets[i], last);
        }
    }
    ENSURE(is_closed);
    VEC_PUSH(&way->nodes, node);
    tour_end(&tour);
}

bool way_for_ever(const struct graph *graph, uint32_t from, const uint64_t *inside, bool is_inside, struct way *way)
{
    struct tour tour;
    bool is_found = false;
    uint64_t *is_cyclic = components_cyclic(graph, from, inside, is_inside);
    tour_begin(&tour, graph);
    tour_reach(&tour, from, from);
    way->back = SIZE_MAX;
    while (!is_found && tour.head < tour.tail) {
        uint32_t node = tour.queue[tour.head++];
        is_found = bits_has(is_cyclic, node) || !graph_out(graph, node);
        if (is_found)
            tour_append(&tour, node, way);
        if (is_found && graph_out(graph, node))
            way_around(graph, node, inside, is_inside, way);
        for (uint64_t i = graph->first[node]; !is_found && i < graph->first[node + 1]; i++)
            if (is_inside_of(inside, is_inside, graph->targets[i]))
                tour_reach(&tour, graph->targets[i], node);
    }
    tour_end(&tour);
    free(is_cyclic);
    return is_found;
}
