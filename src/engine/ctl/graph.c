#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "engine/ctl/checker.h"

/* --- pointed states --- */

static void graph_make_view(struct graph *graph, const struct system *system)
{
    graph->view = *system;
    graph->view.globals.items = memory_alloc((system->globals.count + graph->arity) * sizeof(struct variable *));
    memcpy(graph->view.globals.items, system->globals.items, system->globals.count * sizeof(struct variable *));
    for (uint32_t i = 0; i < graph->arity; i++) {
        struct variable *variable = memory_zeroed(1, sizeof *variable);
        *variable = (struct variable){.name = "", .type = graph->types[i], .is_global = true};
        variable->address = system->state_cells + i;
        graph->view.globals.items[graph->view.globals.count++] = variable;
    }
    graph->view.state_cells += graph->arity;
    graph->layout = layout_create(&graph->view);
}

static struct graph *graph_create(struct checker *checker, const struct variable *const *variables, uint32_t count)
{
    struct graph *graph = memory_zeroed(1, sizeof *graph);
    graph->arity = count;
    graph->types = memory_alloc((count + 1) * sizeof *graph->types);
    for (uint32_t i = 0; i < count; i++)
        graph->types[i] = variables[i]->type;
    graph_make_view(graph, checker->system);
    /* of a part, what is expanded is limited, not what is met */
    graph->explore = explore_create(graph->layout, checker->system->state_cells, checker->symmetry, &checker->budget,
                                    checker->most ? 0 : checker->options->limits.states);
    graph->cells = memory_zeroed(graph->layout->cell_count + 1, sizeof *graph->cells);
    return graph;
}

void graph_destroy(struct checker *checker, struct graph *graph)
{
    if (!graph)
        return;
    checker_free(checker, graph->first, graph->first_capacity, sizeof *graph->first);
    checker_free(checker, graph->targets, graph->target_capacity, sizeof *graph->targets);
    if (graph->back_first) {
        checker_free(checker, graph->back_first, (size_t)graph->count + 1, sizeof *graph->back_first);
        checker_free(checker, graph->back_sources, graph->target_count + 1, sizeof *graph->back_sources);
    }
    checker_free(checker, graph->deadlocks, bit_words((uint32_t)graph->first_capacity), sizeof *graph->deadlocks);
    checker_free(checker, graph->open, bit_words((uint32_t)graph->first_capacity), sizeof *graph->open);
    checker_free(checker, graph->fair, bit_words(graph->count), sizeof *graph->fair);
    explore_destroy(graph->explore);
    layout_destroy(graph->layout);
    for (uint32_t i = 0; i < graph->arity; i++)
        free(graph->view.globals.items[graph->view.globals.count - 1 - i]);
    free(graph->view.globals.items);
    free(graph->types);
    free(graph->cells);
    free(graph);
}

uint32_t graph_find(struct checker *checker, struct graph *graph, const struct variable *const *variables,
                    const int32_t *cells)
{
    uint32_t number, state = checker->system->state_cells;
    memcpy(graph->cells, cells, state * sizeof *cells);
    for (uint32_t i = 0; i < graph->arity; i++)
        graph->cells[state + i] = *checker_value(checker, variables[i]);
    enum store_outcome outcome = explore_find(graph->explore, graph->cells, &number);
    ENSURE(outcome == STORE_FOUND);
    return number;
}

const int32_t *graph_load(struct checker *checker, struct graph *graph, const struct variable *const *variables,
                          uint32_t node)
{
    layout_unpack(graph->layout, store_state(explore_store(graph->explore), node), graph->cells);
    for (uint32_t i = 0; i < graph->arity; i++)
        *checker_value(checker, variables[i]) = graph->cells[checker->system->state_cells + i];
    return graph->cells;
}

/* --- building --- */

struct ctl_building {
    struct checker *checker;
    struct graph *graph;
};

bool checker_grants(struct checker *checker, const int32_t *cells)
{
    struct fault fault;
    for (uint32_t i = 0; i < checker->assumption_count; i++)
        if (stepper_holds(checker->judge, checker->assumptions[i], cells, &fault) != TRUTH_TRUE)
            return false;
    return true;
}

static bool graph_stop_full(struct checker *checker, const struct graph *graph)
{
    if (store_is_at_state_limit(explore_store(graph->explore)))
        checker_stop(checker, stop_limit(STOP_STATES, checker->options->limits.states));
    else
        checker_stop(checker, stop_limit(STOP_MEMORY, checker->budget.limit));
    return false;
}

/* The start state in graph->cells with every choice of values. */
static bool graph_insert_start(struct ctl_building *b, uint32_t position)
{
    struct graph *graph = b->graph;
    uint32_t number;
    if (position == graph->arity)
        return explore_insert(graph->explore, graph->cells, &number) == STORE_FULL ? graph_stop_full(b->checker, graph)
                                                                                   : checker_spend(b->checker, 1);
    const struct type *type = graph->types[position];
    for (uint32_t i = 0; i < type->size; i++) {
        graph->cells[b->checker->system->state_cells + position] = type_code(type, i);
        if (!graph_insert_start(b, position + 1))
            return false;
    }
    return true;
}

static bool graph_insert_starts(struct ctl_building *b)
{
    struct checker *checker = b->checker;
    struct step step = {0};
    enum step_outcome outcome;
    stepper_begin_starts(checker->stepper);
    while ((outcome = stepper_next(checker->stepper, &step)) != STEP_END) {
        if (outcome != STEP_STATE || !checker_grants(checker, step.cells))
            continue;
        memcpy(b->graph->cells, step.cells, checker->system->state_cells * sizeof *step.cells);
        if (!graph_insert_start(b, 0))
            return false;
    }
    b->graph->starts = store_count(explore_store(b->graph->explore));
    return true;
}

/* Bits for more nodes. False: stopped. */
static bool graph_widen(struct checker *checker, uint64_t **bits, uint64_t old, uint64_t new)
{
    uint64_t *wide = checker_alloc(checker, bit_words((uint32_t) new), sizeof *wide);
    if (!wide)
        return false;
    if (old)
        memcpy(wide, *bits, bit_words((uint32_t)old) * sizeof *wide);
    checker_free(checker, *bits, bit_words((uint32_t)old), sizeof *wide);
    *bits = wide;
    return true;
}

static bool graph_make_room(struct ctl_building *b, uint32_t node)
{
    struct checker *checker = b->checker;
    struct graph *graph = b->graph;
    if (node + 1 < graph->first_capacity)
        return true;
    uint64_t old = graph->first_capacity, new = old ? 2 * old : 1024;
    uint64_t *first = checker_alloc(checker, new, sizeof *first);
    if (!first)
        return false;
    if (old)
        memcpy(first, graph->first, old * sizeof *first);
    checker_free(checker, graph->first, old, sizeof *first);
    graph->first = first;
    if (!graph_widen(checker, &graph->deadlocks, old, new) || !graph_widen(checker, &graph->open, old, new))
        return false; /* what was widened counts as the rest: less is given back than was taken, never more */
    graph->first_capacity = new;
    return true;
}

/* Twice the same edge from a node says nothing new. */
static bool graph_add_edge(struct ctl_building *b, uint32_t source, uint32_t target)
{
    struct graph *graph = b->graph;
    for (uint64_t i = graph->first[source]; i < graph->target_count; i++)
        if (graph->targets[i] == target)
            return true;
    if (graph->target_count == graph->target_capacity) {
        uint64_t old = graph->target_capacity, new = old ? 2 * old : 4096;
        uint32_t *targets = checker_alloc(b->checker, new, sizeof *targets);
        if (!targets)
            return false;
        if (old)
            memcpy(targets, graph->targets, old * sizeof *targets);
        checker_free(b->checker, graph->targets, old, sizeof *targets);
        graph->targets = targets;
        graph->target_capacity = new;
    }
    graph->targets[graph->target_count++] = target;
    return true;
}

/* Does the node stay open: does a part of a graph not have its successors? Of a graph with more values than the part:
 * where that has not those of the state. */
static bool graph_leaves_open(struct ctl_building *b, uint32_t node, const int32_t *cells)
{
    const struct graph *part = b->checker->part;
    uint32_t number;
    if (!b->checker->most || !part)
        return b->checker->most && node >= b->checker->most;
    return explore_find(part->explore, cells, &number) != STORE_FOUND || graph_is_open(part, number);
}

/* Deadlocks as the explicit engine has them (expand_state). */
static bool graph_expand(void *user, uint32_t node, const int32_t *cells)
{
    struct ctl_building *b = user;
    struct checker *checker = b->checker;
    struct step step = {0};
    enum step_outcome outcome;
    bool is_alive = false, has_own = false, has_weak = false;
    if (!graph_make_room(b, node + 1))
        return false;
    if (graph_leaves_open(b, node, cells)) {
        bits_add(b->graph->open, node);
        return checker_spend(checker, 1);
    }
    stepper_begin_successors(checker->stepper, cells);
    while ((outcome = stepper_next(checker->stepper, &step)) != STEP_END) {
        bool is_other = outcome != STEP_STATE || step_is_other(&step, cells, checker->system->state_cells);
        if (outcome != STEP_DISCARDED && (is_other || checker->options->deadlock == DEADLOCK_STUCK))
            is_alive = true;
        if (outcome != STEP_STATE || !checker_grants(checker, step.cells))
            continue;
        *(step.rule->own_guard ? &has_weak : &has_own) = true;
        explore_send(b->graph->explore, &step);
        if (!checker_spend(checker, 1))
            return false;
    }
    if (watch_is_up() && !checker_spend(checker, 1)) /* perhaps not all of its successors were seen */
        return false;
    if (has_weak && !has_own)
        checker->options->note_exits(checker->options->guarded, cells);
    if (!is_alive)
        bits_add(b->graph->deadlocks, node);
    return true;
}

static bool graph_settle(void *user, uint32_t node, const struct explore_edge *edges, size_t count)
{
    struct ctl_building *b = user;
    struct graph *graph = b->graph;
    graph->first[node] = graph->target_count;
    for (size_t i = 0; i < count; i++)
        if (!graph_add_edge(b, node, edges[i].target))
            return false;
    graph->first[node + 1] = graph->target_count;
    return true;
}

static bool graph_build(struct checker *checker, struct graph *graph)
{
    struct ctl_building b = {checker, graph};
    const struct explore_client client = {&b, graph_expand, graph_settle};
    if (!graph_insert_starts(&b) || !graph_make_room(&b, 0))
        return false;
    enum explore_end end = explore_run(graph->explore, &client);
    if (end == EXPLORE_FULL)
        graph_stop_full(checker, graph);
    else if (end == EXPLORE_STOPPED)
        checker_spend(checker, 0); /* it may not know yet that the time is over */
    graph->count = store_count(explore_store(graph->explore));
    /* Start states may be missing if the time was over while they were enumerated. */
    return end == EXPLORE_DONE && (!watch_is_up() || checker_spend(checker, 1));
}

struct graph *graph_get(struct checker *checker, const struct variable *const *variables, uint32_t count)
{
    for (size_t g = 0; g < checker->graphs.count; g++) {
        struct graph *graph = checker->graphs.items[g];
        bool is_it = graph->arity == count;
        for (uint32_t i = 0; is_it && i < count; i++)
            is_it = graph->types[i] == variables[i]->type;
        if (is_it)
            return graph;
    }
    struct graph *graph = graph_create(checker, variables, count);
    /* Without variables it serves all properties, so its time is not that of this one. */
    struct watch *share = count ? watch_of_thread : watch_leave_share();
    bool is_built = graph_build(checker, graph);
    watch_of_thread = share;
    if (!is_built) {
        graph_destroy(checker, graph);
        return NULL;
    }
    VEC_PUSH(&checker->graphs, graph);
    return graph;
}

/* --- predecessors --- */

bool graph_reverse(struct checker *checker, struct graph *graph)
{
    uint32_t count = graph->count;
    if (graph->back_first)
        return true;
    uint64_t *first = checker_alloc(checker, (size_t)count + 1, sizeof *first);
    uint32_t *sources = checker_alloc(checker, graph->target_count + 1, sizeof *sources);
    if (!first || !sources) {
        checker_free(checker, first, (size_t)count + 1, sizeof *first);
        checker_free(checker, sources, graph->target_count + 1, sizeof *sources);
        return false;
    }
    for (uint64_t i = 0; i < graph->target_count; i++)
        first[graph->targets[i]]++;
    for (uint32_t n = 0; n < count; n++)
        first[n + 1] += first[n];
    /* first[n] is one past the end of n's sources, and counts down to their beginning. */
    for (uint32_t n = count; n > 0; n--)
        for (uint64_t i = graph->first[n - 1]; i < graph->first[n]; i++)
            sources[--first[graph->targets[i]]] = n - 1;
    graph->back_first = first;
    graph->back_sources = sources;
    return true;
}
