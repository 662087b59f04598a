#include "driver/graph.h"

#include <stdlib.h>
#include <string.h>

#include "driver/assume.h"
#include "driver/inquiry.h"
#include "explore/explore.h"
#include "report/report.h"

struct explorer {
    struct chart *chart;
    const struct layout *layout;
    const struct graph_request *request;
    struct stepper *stepper, *judge; /* the judge is asked while the stepper is busy */
    struct explore *explore;
    struct budget budget;
    struct bigint *orbit;
    int32_t *cells;
    bool is_whole; /* nothing was left out so far */
};

static void explorer_begin(struct explorer *explorer, const struct check *check, const struct graph_request *request)
{
    const struct layout *layout = check->layout;
    *explorer = (struct explorer){
        .chart = chart_create(layout),
        .layout = layout,
        .request = request,
        .stepper = stepper_create_vm(layout->system, layout),
        .judge = stepper_create_vm(layout->system, layout),
        .orbit = bigint_create(1),
        .cells = memory_zeroed(layout->cell_count + 1, sizeof(int32_t)),
        .is_whole = true,
    };
    explorer->stepper->is_watched = explorer->judge->is_watched = true;
    explorer->chart->is_reduced = !symmetry_is_trivial(check->symmetry);
    explorer->explore = explore_create(layout, layout->cell_count, check->symmetry, &explorer->budget, request->states);
    explore_go_on_when_full(explorer->explore);
}

static void explorer_end(struct explorer *explorer)
{
    stepper_destroy(explorer->stepper);
    stepper_destroy(explorer->judge);
    explore_destroy(explorer->explore);
    bigint_destroy(explorer->orbit);
    free(explorer->cells);
}

/* A number that the chart does not know yet is its next node. */
static void add_node(struct explorer *explorer, uint32_t number, uint32_t depth)
{
    struct canon *canon = explore_canon(explorer->explore);
    if (number < explorer->chart->nodes.count)
        return;
    layout_unpack(explorer->layout, store_state(explore_store(explorer->explore), number), explorer->cells);
    if (canon)
        canon_orbit_size(canon, explorer->cells, explorer->orbit);
    char *digits = bigint_digits(explorer->orbit);
    uint32_t node = chart_add_node(explorer->chart, explorer->cells, digits, depth);
    ENSURE(node == number);
    free(digits);
}

/* False when there is no room for it. */
static bool reach(struct explorer *explorer, const int32_t *cells, uint32_t depth, uint32_t *number)
{
    if (explore_insert(explorer->explore, cells, number) == STORE_FULL)
        return false;
    add_node(explorer, *number, depth);
    return true;
}

static void add_starts(struct explorer *explorer)
{
    struct step step = {0};
    enum step_outcome outcome;
    uint32_t number;
    stepper_begin_starts(explorer->stepper);
    while ((outcome = stepper_next(explorer->stepper, &step)) != STEP_END) {
        if (outcome != STEP_STATE || !assume_holds(explorer->judge, step.cells))
            continue;
        if (reach(explorer, step.cells, 0, &number))
            explorer->chart->nodes.items[number].is_start = true;
        else
            explorer->is_whole = false;
    }
}

static bool is_interrupted(const struct graph_request *request)
{
    return watch_is_up() || flag_is_set(request->interrupted);
}

static bool expand_node(void *user, uint32_t from, const int32_t *cells)
{
    struct explorer *explorer = user;
    struct step step = {0};
    enum step_outcome outcome;
    (void)from;
    stepper_begin_successors(explorer->stepper, cells);
    while ((outcome = stepper_next(explorer->stepper, &step)) != STEP_END)
        if (outcome == STEP_FAULT)
            explore_send_fault(explorer->explore, &step);
        else if (outcome == STEP_STATE && assume_holds(explorer->judge, step.cells))
            explore_send(explorer->explore, &step);
    return !is_interrupted(explorer->request);
}

static bool settle_node(void *user, uint32_t from, const struct explore_edge *edges, size_t count)
{
    struct explorer *explorer = user;
    struct chart *chart = explorer->chart;
    bool is_whole = true;
    for (size_t i = 0; i < count; i++) {
        bool is_fault = edges[i].target == EXPLORE_FAULT;
        is_whole &= edges[i].target != EXPLORE_NOWHERE;
        if (edges[i].target == EXPLORE_NOWHERE)
            continue;
        if (!is_fault)
            add_node(explorer, edges[i].target, chart->nodes.items[from].depth + 1);
        chart_add_edge(chart, from, is_fault ? CHART_FAULT : edges[i].target, edges[i].rule, edges[i].instance);
    }
    chart->nodes.items[from].is_expanded = is_whole;
    explorer->is_whole &= is_whole;
    return true;
}

enum { GRAPH_LATE_EDGES = 500 };

static void explore_all(struct explorer *explorer)
{
    const struct explore_client client = {explorer, expand_node, settle_node};
    add_starts(explorer);
    bool is_done = explore_run(explorer->explore, &client) == EXPLORE_DONE && !is_interrupted(explorer->request);
    explorer->chart->is_complete = is_done && explorer->is_whole;
    /* Writing takes time as well, and there is none left. */
    if (!is_done && explorer->chart->edges.count > GRAPH_LATE_EDGES)
        explorer->chart->edges.count = GRAPH_LATE_EDGES;
}

/* The run that the check has found. Several threads may have found it among other states than those explored here. */
static void trace_path(struct explorer *explorer, const struct result *result)
{
    const struct property_result *shown = report_main_trace(result);
    if (!shown || shown->verdict != VERDICT_VIOLATED)
        return;
    const struct trace *trace = shown->trace;
    store_set_limit(explore_store(explorer->explore), 0);
    for (uint32_t i = 0; i < trace->count; i++) {
        const struct trace_step *step = &trace->steps[i];
        uint32_t node = CHART_FAULT;
        if (watch_is_up() || (step->cells && !reach(explorer, step->cells, i, &node)))
            return;
        chart_add_to_path(explorer->chart, node, step->rule, step->instance);
    }
    explorer->chart->shown = shown;
}

static int32_t restore_code(const struct type *type, int32_t code)
{
    for (uint32_t b = 0; type && code != UNDEFINED && b < type->block_count; b++) {
        const struct type *owner = type->blocks[b].owner;
        if (owner->origin && code >= owner->blocks->lo && type_has(owner, code))
            return code - owner->blocks->lo + owner->origin->blocks->lo;
    }
    return code;
}

/* A state of a copy with other codes (ir/retype.h), as the model itself has it. */
static void restore_codes(const struct layout *model, const struct layout *copy, const int32_t *cells, int32_t *out)
{
    for (uint32_t i = 0; i < copy->cell_count; i++) {
        out[i] = restore_code(copy->cells[i].type, cells[i]);
        ENSURE(out[i] == UNDEFINED || !model->cells[i].type || type_has(model->cells[i].type, out[i]));
    }
    layout_normalise(model, out);
}

static bool find_condition(const struct model *model, struct chart *chart, const char *condition, uint32_t *found,
                           struct text *message)
{
    struct inquiry *inquiry = inquiry_create(model, condition, true, message);
    struct fault fault;
    if (!inquiry)
        return false;
    int32_t *cells = memory_zeroed(model->layout->cell_count + 1, sizeof *cells);
    *found = UINT32_MAX;
    for (uint32_t i = 0; i < chart->nodes.count && *found == UINT32_MAX; i++) {
        restore_codes(model->layout, chart->layout, chart->nodes.items[i].cells, cells);
        if (inquiry_holds(inquiry, cells, &fault) == TRUTH_TRUE)
            *found = i;
    }
    if (*found == UINT32_MAX)
        text_format(message, "the condition \"%s\" is true in none of the %zu states explored%s", condition,
                    chart->nodes.count, chart->is_complete ? "" : " (--states N explores more)");
    free(cells);
    inquiry_destroy(inquiry);
    return *found != UINT32_MAX;
}

static bool find_centre(const struct model *model, struct chart *chart, const char *around, uint32_t *found,
                        struct text *message)
{
    char *end;
    *found = UINT32_MAX;
    if (!around)
        return true;
    if (around[strspn(around, "0123456789")])
        return find_condition(model, chart, around, found, message);
    unsigned long long number = strtoull(around, &end, 10);
    if (!*around || number >= chart->nodes.count) {
        text_format(message, "there is no state %s: the %zu states explored are numbered from 0%s", around,
                    chart->nodes.count, chart->is_complete ? "" : " (--states N explores more)");
        return false;
    }
    *found = (uint32_t)number;
    return true;
}

bool graph_draw(const struct model *model, const struct graph_request *request, struct drawing *drawing,
                struct text *message)
{
    struct engine_options options = {.deadlock = request->deadlock,
                                     .store = STORE_PLAIN,
                                     .stepper = STEPPER_VM,
                                     .interrupted = request->interrupted,
                                     .limits = {.states = request->states}};
    struct explorer explorer;
    uint32_t centre;
    *drawing = (struct drawing){0};
    if (system_has_probabilities(
            model->system)) /* nothing that the explicit engine could check, but something to look at */
        drawing->check = check_symmetry(model, request->symmetry);
    else
        drawing->check = check_model(model, ENGINE_EXPLICIT, request->symmetry, &options);
    if (drawing->check.refusal) {
        text_append(message, drawing->check.refusal);
        return false;
    }
    explorer_begin(&explorer, &drawing->check, request);
    explore_all(&explorer);
    if (drawing->check.result)
        trace_path(&explorer, drawing->check.result);
    drawing->chart = explorer.chart;
    explorer_end(&explorer);
    if (!find_centre(model, drawing->chart, request->around, &centre, message))
        return false;
    chart_select(drawing->chart, centre, request->most);
    return true;
}

void drawing_free(struct drawing *drawing)
{
    chart_destroy(drawing->chart);
    check_free(&drawing->check);
}
