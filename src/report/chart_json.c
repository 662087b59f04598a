/* A graph for programs: docs/json.md. */
#include <stdlib.h>

#include "ir/chain.h"
#include "ir/walk.h"
#include "report/report.h"
#include "report/trace_file.h"
#include "result/chance.h"
#include "result/chart.h"

struct chart_choice {
    uint32_t choice;
    uint64_t way;
};

/* The choices of a state are numbered from 0, as its edges come: source by source. */
struct chart_choices {
    struct chances *chances; /* NULL: the model has no probabilities */
    uint32_t from;
    VEC(struct chart_choice) seen; /* of that state */
};

static size_t number_of_choice(struct chart_choices *choices, const struct chain *chain, const struct chart_edge *edge)
{
    uint32_t choice = chain_choice(chain, edge->rule);
    uint64_t way = edge->rule->joint ? chain_way(edge->rule, edge->instance) : 0;
    if (choices->from != edge->from)
        choices->seen.count = 0;
    choices->from = edge->from;
    for (size_t i = 0; i < choices->seen.count; i++)
        if (choices->seen.items[i].choice == choice && choices->seen.items[i].way == way)
            return i;
    VEC_PUSH(&choices->seen, ((struct chart_choice){choice, way}));
    return choices->seen.count - 1;
}

static struct json *labels_to_json(const struct chain *chain, struct chances *chances)
{
    struct json *names = json_make_array();
    for (uint32_t i = 0; i < chain->label_count; i++)
        if (chances_hold(chances, chain->labels[i].formula))
            json_push(names, json_make_text(chain->labels[i].name));
    return names;
}

static struct json *node_to_json(const struct chart *chart, uint32_t number, struct chances *chances)
{
    const struct chart_node *node = &chart->nodes.items[number];
    struct json *object = json_make_object();
    json_set(object, "number", json_make_integer(number));
    json_set(object, "orbit", json_make_text(node->orbit));
    json_set(object, "depth", json_make_integer(node->depth));
    json_set(object, "start", json_make_bool(node->is_start));
    json_set(object, "expanded", json_make_bool(node->is_expanded));
    json_set(object, "state", state_to_json(chart->layout, node->cells));
    if (chances) {
        chances_load(chances, node->cells);
        json_set(object, "labels", labels_to_json(chart->layout->system->chain, chances));
    }
    return object;
}

static void add_chances(const struct chart *chart, const struct chart_edge *edge, struct chart_choices *choices,
                        struct json *object)
{
    const struct chain *chain = chart->layout->system->chain;
    const char *action = chain->choices[chain_choice(chain, edge->rule)].action;
    chances_load(choices->chances, chart->nodes.items[edge->from].cells);
    char *digits = chances_weight_digits(choices->chances, edge->rule, edge->instance);
    json_set(object, "weight", json_make_real(chances_weight(choices->chances, edge->rule, edge->instance)));
    json_set(object, "exact", digits ? json_make_text(digits) : json_make_null());
    json_set(object, "choice", json_make_integer((int64_t)number_of_choice(choices, chain, edge)));
    json_set(object, "action", action ? json_make_text(action) : json_make_null());
    free(digits);
}

static struct json *edge_to_json(const struct chart *chart, const struct chart_edge *edge,
                                 struct chart_choices *choices)
{
    struct json *object = json_make_object();
    json_set(object, "from", json_make_integer(edge->from));
    json_set(object, "to", edge->to == CHART_FAULT ? json_make_null() : json_make_integer(edge->to));
    json_set(object, "rule", json_make_text(edge->rule->name));
    json_set(object, "parameters", parameters_to_json(edge->rule, edge->instance));
    json_set(object, "instances", json_make_integer(edge->count));
    json_set(object, "path", json_make_bool(edge->is_on_path));
    if (choices->chances)
        add_chances(chart, edge, choices, object);
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
    static const char *const kinds[] = {[CHAIN_DTMC] = "dtmc", [CHAIN_MDP] = "mdp", [CHAIN_CTMC] = "ctmc"};
    struct json *document = json_make_object(), *nodes = json_make_array(), *edges = json_make_array();
    struct chances *chances = walk_is_overgrown(chart->layout->system) ? NULL : chances_create(chart->layout);
    struct chart_choices choices = {.chances = chances, .from = UINT32_MAX};
    for (uint32_t i = 0; i < chart->nodes.count; i++)
        if (chart->nodes.items[i].is_shown)
            json_push(nodes, node_to_json(chart, i, chances));
    for (size_t i = 0; i < chart->edges.count; i++) {
        const struct chart_edge *edge = &chart->edges.items[i];
        if (chart->nodes.items[edge->from].is_shown &&
            (edge->to == CHART_FAULT || chart->nodes.items[edge->to].is_shown))
            json_push(edges, edge_to_json(chart, edge, &choices));
    }
    chances_destroy(chances);
    VEC_FREE(&choices.seen);
    json_set(document, "version", json_make_integer(REPORT_JSON_VERSION));
    json_set(document, "tool", json_make_text("noether " NOETHER_VERSION));
    json_set(document, "model", json_make_text(report->model));
    json_set(document, "defines", defines_to_json(report));
    json_set(document, "reduced", json_make_bool(chart->is_reduced));
    json_set(document, "complete", json_make_bool(chart->is_complete && chart->shown_count == chart->nodes.count));
    json_set(document, "explored", json_make_integer((int64_t)chart->nodes.count));
    json_set(document, "shown", json_make_integer((int64_t)chart->shown_count));
    json_set(document, "chain", chances ? json_make_text(kinds[chart->layout->system->chain->kind]) : json_make_null());
    json_set(document, "around", chart->around == UINT32_MAX ? json_make_null() : json_make_integer(chart->around));
    json_set(document, "path", chart->shown ? path_to_json(chart) : json_make_null());
    json_set(document, "nodes", nodes);
    json_set(document, "edges", edges);
    return document;
}
