/* Requirements of fairness: where their events happen, in the graph of their threads. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "engine/ctl/linear.h"
#include "exec/own.h"

static void set_bit(uint64_t *bits, uint64_t number)
{
    bits[number / 64] |= (uint64_t)1 << number % 64;
}

static size_t edge_words(const struct graph *graph)
{
    return (size_t)(graph->target_count / 64) + 1;
}

static void requirement_free(struct linear_case *linear, struct requirement *r)
{
    struct checker *checker = linear->checker;
    const struct graph *graph = r->threads.graph;
    if (graph) {
        size_t words = bit_words(graph->count), below = (size_t)linear->product.graph->count + 2;
        checker_free(checker, r->often, words, sizeof *r->often);
        checker_free(checker, r->met, words, sizeof *r->met);
        checker_free(checker, r->own, edge_words(graph), sizeof *r->own);
        checker_free(checker, r->threads.below, (size_t)graph->count + 1, sizeof *r->threads.below);
        checker_free(checker, r->fibre_first, below, sizeof *r->fibre_first);
        checker_free(checker, r->fibres, (size_t)graph->count + 1, sizeof *r->fibres);
    }
    free(r->variables);
}

/* --- the nodes above each node --- */

static void requirement_sort_fibres(struct requirement *r, uint32_t count)
{
    const uint32_t *below = r->threads.below;
    for (uint32_t n = 0; n < r->threads.graph->count; n++)
        r->fibre_first[below[n] + 1]++;
    for (uint32_t n = 0; n < count; n++)
        r->fibre_first[n + 1] += r->fibre_first[n];
    /* first[n] counts up to the end of n's fibre, which is where the next one begins */
    for (uint32_t n = 0; n < r->threads.graph->count; n++)
        r->fibres[r->fibre_first[below[n]]++] = n;
    for (uint32_t n = count; n > 0; n--)
        r->fibre_first[n] = r->fibre_first[n - 1];
    r->fibre_first[0] = 0;
}

static bool requirement_find_below(struct linear_case *linear, struct requirement *r)
{
    struct checker *checker = linear->checker;
    struct graph *graph = r->threads.graph, *base = linear->product.graph;
    if (graph == base)
        return true;
    r->threads.below = checker_alloc(checker, (size_t)graph->count + 1, sizeof *r->threads.below);
    r->fibre_first = checker_alloc(checker, (size_t)base->count + 2, sizeof *r->fibre_first);
    r->fibres = checker_alloc(checker, (size_t)graph->count + 1, sizeof *r->fibres);
    if (!r->threads.below || !r->fibre_first || !r->fibres)
        return false;
    for (uint32_t n = 0; n < graph->count; n++) {
        const int32_t *cells = graph_load(checker, graph, r->variables, n);
        r->threads.below[n] = graph_find(checker, base, linear->product.variables, cells);
        if (!checker_spend(checker, 1))
            return false;
    }
    requirement_sort_fibres(r, base->count);
    return true;
}

/* --- events --- */

/* A step of its own, from the node to `cells`: marks the edge. */
static void requirement_mark_step(struct linear_case *linear, struct requirement *r, uint32_t node,
                                  const int32_t *values, const int32_t *cells)
{
    struct checker *checker = linear->checker;
    const struct graph *graph = r->threads.graph;
    for (uint32_t v = 0; v < r->fairness->variable_count; v++)
        *checker_value(checker, r->fairness->variables[v]) = values[v];
    uint32_t target = graph_find(checker, r->threads.graph, r->variables, cells);
    for (uint64_t e = graph->first[node]; e < graph->first[node + 1]; e++)
        if (graph->targets[e] == target)
            set_bit(r->own, e);
}

/* The successors once more: which of them are steps of its own? True: some are. */
static bool requirement_mark_steps(struct linear_case *linear, struct requirement *r, uint32_t node, int32_t *state)
{
    struct checker *checker = linear->checker;
    uint32_t cells = r->threads.graph->layout->cell_count, state_cells = checker->system->state_cells;
    struct step step = {0};
    enum step_outcome outcome;
    bool is_enabled = false;
    memcpy(state, graph_load(checker, r->threads.graph, r->variables, node), cells * sizeof *state);
    const int32_t *values = state + state_cells + linear->claim.tracked.count;
    stepper_begin_successors(checker->stepper, state);
    while ((outcome = stepper_next(checker->stepper, &step)) != STEP_END) {
        if (outcome != STEP_STATE || !step_is_own(&step, r->fairness, values) || !checker_grants(checker, step.cells))
            continue;
        is_enabled |= step_enables(&step, r->fairness, values);
        /* tracked values as in the node: graph_find has changed none of them */
        requirement_mark_step(linear, r, node, values, step.cells);
        if (!checker_spend(checker, 1))
            break;
    }
    return is_enabled;
}

static void requirement_mark_move(struct linear_case *linear, struct requirement *r, uint32_t node, int32_t *state)
{
    bool is_enabled = requirement_mark_steps(linear, r, node, state);
    if (r->fairness->kind == FAIRNESS_WEAK || is_enabled)
        bits_add(r->often, node);
    if (r->fairness->kind == FAIRNESS_WEAK && !is_enabled)
        bits_add(r->met, node);
}

/* Where it cannot be evaluated: `else_is`. */
static bool requirement_judge(struct linear_case *linear, const struct requirement *r,
                              const struct proposition *proposition, const int32_t *cells, bool else_is)
{
    struct checker *checker = linear->checker;
    int32_t *values = memory_alloc(((size_t)proposition->variable_count + 1) * sizeof *values);
    struct fault fault = {0};
    for (uint32_t v = 0; v < proposition->variable_count; v++)
        values[v] = *checker_value(checker, proposition->variables[v]);
    enum truth truth = stepper_judge(checker->judge, proposition, cells, values, &fault);
    free(values);
    if (truth == TRUTH_FAULT)
        stop_once(&linear->fair_doubt,
                  stop_because(STOP_UNDECIDED, "the fairness condition of line %u cannot be evaluated in some state",
                               r->property->span.line));
    return truth == TRUTH_FAULT ? else_is : truth == TRUTH_TRUE;
}

static void requirement_mark_condition(struct linear_case *linear, struct requirement *r, uint32_t node)
{
    const struct fairness *fairness = r->fairness;
    const int32_t *cells = graph_load(linear->checker, r->threads.graph, r->variables, node);
    if (!fairness->when || requirement_judge(linear, r, fairness->when, cells, linear->is_sure))
        bits_add(r->often, node);
    if (requirement_judge(linear, r, fairness->then, cells, !linear->is_sure))
        bits_add(r->met, node);
}

static bool requirement_mark(struct linear_case *linear, struct requirement *r)
{
    struct checker *checker = linear->checker;
    struct graph *graph = r->threads.graph;
    size_t words = bit_words(graph->count);
    r->often = checker_alloc(checker, words, sizeof *r->often);
    r->met = checker_alloc(checker, words, sizeof *r->met);
    r->own = checker_alloc(checker, edge_words(graph), sizeof *r->own);
    if (!r->often || !r->met || !r->own)
        return false;
    int32_t *state = memory_alloc(((size_t)graph->layout->cell_count + 1) * sizeof *state);
    for (uint32_t node = 0; node < graph->count && checker_spend(checker, 1) && !stop_is_set(&linear->claim.stop);
         node++)
        if (graph_is_open(graph, node))
            continue; /* on no cycle, and its successors are no nodes */
        else if (r->fairness->kind == FAIRNESS_CONDITION)
            requirement_mark_condition(linear, r, node);
        else
            requirement_mark_move(linear, r, node, state);
    free(state);
    /* perhaps not all successors of the last node were seen */
    return checker_spend(checker, 1) && !stop_is_set(&checker->stop) && !stop_is_set(&linear->claim.stop);
}

static bool requirement_find(struct linear_case *linear, const struct property *property)
{
    const struct fairness *fairness = property->fairness;
    size_t tracked = linear->claim.tracked.count, count = tracked + fairness->variable_count;
    struct requirement r = {.property = property, .fairness = fairness};
    r.variables = memory_zeroed(count + 1, sizeof *r.variables);
    for (size_t i = 0; i < count; i++)
        r.variables[i] = i < tracked ? linear->claim.tracked.items[i] : fairness->variables[i - tracked];
    r.threads = (struct linear_product){
        .linear = linear, .graph = graph_get(linear->checker, r.variables, (uint32_t)count), .variables = r.variables};
    bool is_good = r.threads.graph && requirement_find_below(linear, &r) && requirement_mark(linear, &r);
    if (is_good && (uint64_t)r.threads.graph->count * linear->automaton->state_count >= UINT32_MAX) {
        stop_once(&linear->claim.stop, stop_because(STOP_UNDECIDED, "the product has more than 2^32 states"));
        is_good = false;
    }
    VEC_PUSH(&linear->requirements, r); /* also to be freed */
    return is_good;
}

void requirements_forget(struct linear_case *linear)
{
    for (size_t i = 0; i < linear->requirements.count; i++)
        requirement_free(linear, &linear->requirements.items[i]);
    VEC_CLEAR(&linear->requirements);
}

bool requirements_find(struct linear_case *linear)
{
    const struct system *system = linear->checker->system;
    bool is_good = true;
    requirements_forget(linear);
    for (size_t i = 0; is_good && i < system->properties.count; i++)
        if (system->properties.items[i]->fairness)
            is_good = requirement_find(linear, system->properties.items[i]);
    return is_good;
}
