#include "result/chart.h"

#include <stdlib.h>

struct chart *chart_create(const struct layout *layout)
{
    struct chart *chart = memory_zeroed(1, sizeof *chart);
    chart->layout = layout;
    chart->arena = arena_create();
    chart->around = UINT32_MAX;
    return chart;
}

void chart_destroy(struct chart *chart)
{
    if (!chart)
        return;
    VEC_FREE(&chart->nodes);
    VEC_FREE(&chart->edges);
    VEC_FREE(&chart->path);
    arena_destroy(chart->arena);
    free(chart);
}

uint32_t chart_add_node(struct chart *chart, const int32_t *cells, const char *orbit, uint32_t depth)
{
    struct chart_node node = {
        .cells = arena_copy(chart->arena, cells, chart->layout->cell_count * sizeof *cells),
        .orbit = arena_string(chart->arena, orbit),
        .depth = depth,
    };
    VEC_PUSH(&chart->nodes, node);
    return (uint32_t)chart->nodes.count - 1;
}

void chart_add_edge(struct chart *chart, uint32_t from, uint32_t to, const struct rule *rule, uint64_t instance)
{
    for (size_t i = chart->edges.count; i-- && chart->edges.items[i].from == from;)
        if (chart->edges.items[i].to == to && chart->edges.items[i].rule == rule && !rule->joint) {
            chart->edges.items[i].count++;
            return;
        }
    VEC_PUSH(&chart->edges,
             ((struct chart_edge){.from = from, .to = to, .rule = rule, .instance = instance, .count = 1}));
}

/* The edge of that rule; where symmetry exchanges rules, any. */
static struct chart_edge *find_edge(const struct chart *chart, uint32_t from, uint32_t to, const struct rule *rule)
{
    struct chart_edge *found = NULL;
    for (size_t i = 0; i < chart->edges.count; i++) {
        struct chart_edge *edge = &chart->edges.items[i];
        if (edge->from != from || edge->to != to)
            continue;
        if (edge->rule == rule)
            return edge;
        found = found ? found : edge;
    }
    return found;
}

void chart_add_to_path(struct chart *chart, uint32_t node, const struct rule *rule, uint64_t instance)
{
    if (chart->path.count) {
        uint32_t from = VEC_LAST(&chart->path);
        if (!find_edge(chart, from, node, rule))
            chart_add_edge(chart, from, node, rule, instance);
        find_edge(chart, from, node, rule)->is_on_path = true;
    }
    if (node == CHART_FAULT)
        return;
    chart->nodes.items[node].is_on_path = true;
    VEC_PUSH(&chart->path, node);
}

static void show_node(struct chart *chart, uint32_t node)
{
    chart->shown_count += !chart->nodes.items[node].is_shown;
    chart->nodes.items[node].is_shown = true;
}

/* Breadth first over the edges, whichever way they go. Each round looks at all edges: graphs that are drawn are small.
 */
static void show_around(struct chart *chart, uint32_t centre, uint32_t most)
{
    size_t count = chart->nodes.count;
    uint32_t *distance = memory_zeroed(count + 1, sizeof *distance);
    distance[centre] = 1;
    show_node(chart, centre);
    bool has_more = true;
    for (uint32_t round = 1; has_more; round++) {
        has_more = false;
        for (size_t i = 0; i < chart->edges.count && chart->shown_count < most; i++) {
            const struct chart_edge *edge = &chart->edges.items[i];
            if (edge->to == CHART_FAULT || (distance[edge->from] == round) == (distance[edge->to] == round))
                continue;
            uint32_t other = distance[edge->from] == round ? edge->to : edge->from;
            if (distance[other])
                continue;
            distance[other] = round + 1;
            show_node(chart, other);
            has_more = true;
        }
    }
    free(distance);
}

static void show_path(struct chart *chart)
{
    for (size_t i = 0; i < chart->path.count; i++)
        show_node(chart, chart->path.items[i]);
}

void chart_select(struct chart *chart, uint32_t around, uint32_t most)
{
    chart->around = around;
    if (around != UINT32_MAX) {
        show_around(chart, around, most);
        return;
    }
    show_path(chart);
    for (uint32_t i = 0; i < chart->nodes.count && chart->shown_count < most; i++)
        show_node(chart, i);
}

void chart_select_path(struct chart *chart, uint32_t most)
{
    chart->around = UINT32_MAX;
    show_path(chart);
    for (size_t i = 0; i < chart->edges.count && chart->shown_count < most; i++) {
        const struct chart_edge *edge = &chart->edges.items[i];
        if (edge->to == CHART_FAULT)
            continue;
        if (chart->nodes.items[edge->from].is_on_path)
            show_node(chart, edge->to);
        else if (chart->nodes.items[edge->to].is_on_path)
            show_node(chart, edge->from);
    }
}
