#include "observe/reachable.h"

#include <stdlib.h>

#include "base/flag.h"
#include "exec/conditions.h"
#include "explore/explore.h"

struct explorer {
    struct chart *chart;
    const struct layout *layout;
    const volatile int *interrupted;
    struct stepper *stepper, *judge; /* the judge is asked while the stepper is busy */
    struct explore *explore;
    struct budget budget;
    struct bigint *orbit;
    int32_t *cells;
    bool is_whole; /* nothing was left out so far */
};

static void explorer_begin(struct explorer *explorer, const struct layout *layout, const struct symmetry *symmetry,
                           uint64_t states, const volatile int *interrupted)
{
    *explorer = (struct explorer){
        .chart = chart_create(layout),
        .layout = layout,
        .interrupted = interrupted,
        .stepper = stepper_create_vm(layout->system, layout),
        .judge = stepper_create_vm(layout->system, layout),
        .orbit = bigint_create(1),
        .cells = memory_zeroed(layout->cell_count + 1, sizeof(int32_t)),
        .is_whole = true,
    };
    explorer->stepper->is_watched = explorer->judge->is_watched = true;
    explorer->chart->is_reduced = !symmetry_is_trivial(symmetry);
    explorer->explore = explore_create(layout, layout->cell_count, symmetry, &explorer->budget, states);
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
    if (canon) {
        canon_set_exact(canon, true);
        canon_orbit_size(canon, explorer->cells, explorer->orbit);
        canon_set_exact(canon, false);
    }
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
        if (outcome != STEP_STATE || !conditions_admit(explorer->judge, step.cells))
            continue;
        if (reach(explorer, step.cells, 0, &number))
            explorer->chart->nodes.items[number].is_start = true;
        else
            explorer->is_whole = false;
    }
}

static bool is_interrupted(const struct explorer *explorer)
{
    return watch_is_up() || flag_is_set(explorer->interrupted);
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
        else if (outcome == STEP_STATE && conditions_admit(explorer->judge, step.cells))
            explore_send(explorer->explore, &step);
    return !is_interrupted(explorer);
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
    bool is_done = explore_run(explorer->explore, &client) == EXPLORE_DONE && !is_interrupted(explorer);
    explorer->chart->is_complete = is_done && explorer->is_whole;
    /* Writing takes time as well, and there is none left. */
    if (!is_done && explorer->chart->edges.count > GRAPH_LATE_EDGES)
        explorer->chart->edges.count = GRAPH_LATE_EDGES;
}

/* The run that the check has found. Several threads may have found it among other states than those explored here. */
static void trace_path(struct explorer *explorer, const struct property_result *shown)
{
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

struct chart *reachable_chart(const struct layout *layout, const struct symmetry *symmetry, uint64_t states,
                              const struct property_result *shown, const volatile int *interrupted)
{
    struct explorer explorer;
    if (watch_is_up() && !shown) { /* of a wide state, the canonicaliser alone takes long */
        explorer.chart = chart_create(layout);
        explorer.chart->is_reduced = !symmetry_is_trivial(symmetry);
        return explorer.chart;
    }
    explorer_begin(&explorer, layout, symmetry, states, interrupted);
    explore_all(&explorer);
    if (shown)
        trace_path(&explorer, shown);
    explorer_end(&explorer);
    return explorer.chart;
}
