/* A graph for programs: docs/json.md. */
#include "ir/walk.h"
#include "report/report.h"
#include "report/trace_file.h"
#include "result/chance.h"
#include "result/chart.h"

static struct json *node_to_json(const struct chart *chart, uint32_t number)
{
    const struct chart_node *node = &chart->nodes.items[number];
    struct json *object = json_make_object();
    json_set(object, "number", json_make_integer(number));
    json_set(object, "orbit", json_make_text(node->orbit));
    json_set(object, "depth", json_make_integer(node->depth));
    json_set(object, "start", json_make_bool(node->is_start));
    json_set(object, "expanded", json_make_bool(node->is_expanded));
    json_set(object, "state", state_to_json(chart->layout, node->cells));
    return object;
}

static struct json *edge_to_json(const struct chart *chart, const struct chart_edge *edge, struct chances *chances)
{
    struct json *object = json_make_object();
    json_set(object, "from", json_make_integer(edge->from));
    json_set(object, "to", edge->to == CHART_FAULT ? json_make_null() : json_make_integer(edge->to));
    json_set(object, "rule", json_make_text(edge->rule->name));
    json_set(object, "parameters", parameters_to_json(edge->rule, edge->instance));
    json_set(object, "instances", json_make_integer(edge->count));
    json_set(object, "path", json_make_bool(edge->is_on_path));
    if (chances) {
        chances_load(chances, chart->nodes.items[edge->from].cells);
        json_set(object, "weight", json_make_real(chances_weight(chances, edge->rule, edge->instance)));
    }
    return object;
}

static struct json *path_to_json(const struct chart *chart)
{
    struct json *object = json_make_object(), *nodes = json_make_array();
    struct text claim = {0};
    report_text_claim(chart->shown, &claim);
    for (size_t i = 0; i < chart->path.count; i++)
        json_push(nodes, json_make_integer(chart->path.items[i]));
    json_set(object, "claim", json_make_text(text_chars(&claim)));
    json_set(object, "nodes", nodes);
    text_free(&claim);
    return object;
}

static struct json *defines_to_json(const struct report *report)
{
    struct json *object = json_make_object();
    for (size_t i = 0; i < report->define_count; i++)
        json_set(object, report->defines[i].name, json_make_text(report->defines[i].value));
    return object;
}

struct json *report_json_chart(const struct report *report, const struct chart *chart)
{
    struct json *document = json_make_object(), *nodes = json_make_array(), *edges = json_make_array();
    struct chances *chances = walk_is_overgrown(chart->layout->system) ? NULL : chances_create(chart->layout);
    for (uint32_t i = 0; i < chart->nodes.count; i++)
        if (chart->nodes.items[i].is_shown)
            json_push(nodes, node_to_json(chart, i));
    for (size_t i = 0; i < chart->edges.count; i++) {
        const struct chart_edge *edge = &chart->edges.items[i];
        if (chart->nodes.items[edge->from].is_shown &&
            (edge->to == CHART_FAULT || chart->nodes.items[edge->to].is_shown))
            json_push(edges, edge_to_json(chart, edge, chances));
    }
    chances_destroy(chances);
    json_set(document, "version", json_make_integer(REPORT_JSON_VERSION));
    json_set(document, "tool", json_make_text("noether " NOETHER_VERSION));
    json_set(document, "model", json_make_text(report->model));
    json_set(document, "defines", defines_to_json(report));
    json_set(document, "reduced", json_make_bool(chart->is_reduced));
    json_set(document, "complete", json_make_bool(chart->is_complete));
    json_set(document, "explored", json_make_integer((int64_t)chart->nodes.count));
    json_set(document, "around", chart->around == UINT32_MAX ? json_make_null() : json_make_integer(chart->around));
    json_set(document, "path", chart->shown ? path_to_json(chart) : json_make_null());
    json_set(document, "nodes", nodes);
    json_set(document, "edges", edges);
    return document;
}
