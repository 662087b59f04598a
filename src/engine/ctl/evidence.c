/* What the graphs know of ways that show why a formula is true or false (result/story.h). */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "engine/ctl/fairly.h"
#include "result/fair.h"
#include "result/story.h"

/* The graph, the variables, and the way found last. */
struct ctl_evidence {
    struct checker *checker;
    struct way way;
    struct graph *graph; /* the run begins in this node of it; NULL: in any */
    uint32_t start;
};

static enum truth evidence_truth(void *user, const struct ctl *ctl, const int32_t *cells)
{
    struct ctl_evidence *evidence = user;
    struct ctl_spot spot = {.cells = cells};
    return truth_at(evidence->checker, ctl, &spot);
}

static bool evidence_is_at(void *user, const struct ctl *ctl, const int32_t *cells, size_t position)
{
    struct ctl_evidence *evidence = user;
    const struct temporal *t = truth_of(evidence->checker, ctl);
    return graph_find(evidence->checker, t->graph, ctl->free, cells) == evidence->way.nodes.items[position];
}

static const struct canon *evidence_canonise(void *user, const struct ctl *ctl, const int32_t *cells)
{
    struct ctl_evidence *evidence = user;
    const struct temporal *t = truth_of(evidence->checker, ctl);
    graph_find(evidence->checker, t->graph, ctl->free, cells);
    return explore_canon(t->graph->explore);
}

static bool evidence_counts(const struct graph *graph, uint32_t node)
{
    return !graph->fair || bits_has(graph->fair, node);
}

/* The nodes with `set` equal to `is_in` that have a path that counts, in heap memory. */
static uint64_t *evidence_goal(const struct graph *graph, const uint64_t *set, bool is_in)
{
    uint64_t *goal = memory_zeroed(bit_words(graph->count), sizeof *goal);
    for (uint32_t n = 0; n < graph->count; n++)
        if (bits_has(set, n) == is_in && evidence_counts(graph, n))
            bits_add(goal, n);
    return goal;
}

static bool evidence_find_next(const struct temporal *t, const struct sets *sets, uint32_t from, bool is_true,
                               struct way *way)
{
    VEC_PUSH(&way->nodes, from);
    for (uint64_t i = t->graph->first[from]; i < t->graph->first[from + 1]; i++)
        if (bits_has(sets->left, t->graph->targets[i]) == is_true && evidence_counts(t->graph, t->graph->targets[i])) {
            VEC_PUSH(&way->nodes, t->graph->targets[i]);
            return true;
        }
    return false;
}

/* To a node that counts with `set` equal to `is_in`, through nodes with `inside` equal to `is_inside`. */
static bool evidence_find_way(const struct graph *graph, uint32_t from, uint32_t count, const uint64_t *inside,
                              bool is_inside, const uint64_t *set, bool is_in, struct way *way)
{
    uint64_t *goal = evidence_goal(graph, set, is_in);
    bool is_found = way_to_from(graph, from, count, inside, is_inside, goal, true, way);
    free(goal);
    return is_found;
}

/* A fair way is not one of nodes alone: evidence_go_on goes it. */
static bool evidence_find_for_ever(struct ctl_evidence *evidence, const struct temporal *t, const struct sets *sets,
                                   uint32_t from, bool is_true, struct story_way *found)
{
    struct way *way = &evidence->way;
    found->goes_on = evidence->checker->is_fair;
    if (!found->goes_on)
        return way_for_ever(t->graph, from, sets->holds, is_true, way);
    VEC_PUSH(&way->nodes, from);
    return true;
}

/* A[f U g] is false: a way without g to where f is false too, or one without g for ever. */
static bool evidence_find_no_until(struct ctl_evidence *evidence, const struct temporal *t, const struct sets *sets,
                                   uint32_t from, struct story_way *found)
{
    size_t words = bit_words(t->graph->count);
    uint64_t *either = memory_zeroed(words, sizeof *either);
    for (size_t w = 0; w < words; w++)
        either[w] = sets->left[w] | sets->right[w];
    bool is_found = evidence_find_way(t->graph, from, 1, sets->right, false, either, false, &evidence->way);
    free(either);
    return is_found || evidence_find_for_ever(evidence, t, sets, from, false, found);
}

static bool evidence_find(void *user, const struct ctl *ctl, bool is_true, const int32_t *cells,
                          struct story_way *found)
{
    struct ctl_evidence *evidence = user;
    struct way *way = &evidence->way;
    const struct temporal *t = truth_of(evidence->checker, ctl);
    const struct sets *sets = temporal_sets(t, is_true);
    uint32_t from = graph_find(evidence->checker, t->graph, ctl->free, cells);
    bool is_found;
    VEC_CLEAR(&way->nodes);
    way->back = SIZE_MAX;
    if (ctl->kind == CTL_EX || ctl->kind == CTL_AX)
        is_found = evidence_find_next(t, sets, from, is_true, way);
    else if (ctl->kind == CTL_EG || ctl->kind == CTL_AF)
        is_found = evidence_find_for_ever(evidence, t, sets, from, is_true, found);
    else if (ctl->kind == CTL_AU)
        is_found = evidence_find_no_until(evidence, t, sets, from, found);
    else if (ctl->kind == CTL_EU)
        is_found = evidence_find_way(t->graph, from, 1, sets->left, true, sets->right, true, way);
    else
        is_found = evidence_find_way(t->graph, from, 1, NULL, false, sets->left, is_true, way);
    ENSURE(is_found);
    found->length = way->nodes.count - 1;
    found->back = way->back;
    return true;
}

/* The way for ever that shows the formula, appended to the run; NULL: any fair one. */
static bool evidence_go_on(void *user, const struct ctl *ctl, bool is_true, struct trace *trace)
{
    struct ctl_evidence *evidence = user;
    struct checker *checker = evidence->checker;
    if (!ctl)
        return fairly_go_on(checker, graph_get(checker, NULL, 0), NULL, NULL, false, trace);
    const struct temporal *t = truth_of(checker, ctl);
    const struct sets *sets = temporal_sets(t, is_true);
    const uint64_t *inside = ctl->kind == CTL_AU ? sets->right : sets->left;
    return fairly_go_on(checker, t->graph, ctl->free, inside, is_true, trace);
}

/* A run to a state shows AG false, or EF true: from which start state is it shortest? */
static void evidence_choose_start(struct ctl_evidence *evidence, const struct ctl *ctl, bool is_true)
{
    for (; ctl->kind == CTL_NOT; ctl = ctl->left)
        is_true = !is_true;
    if (ctl->kind != (is_true ? CTL_EF : CTL_AG) || ctl->free_count)
        return;
    const struct temporal *t = truth_of(evidence->checker, ctl);
    if (!evidence_find_way(t->graph, 0, t->graph->starts, NULL, false, temporal_sets(t, is_true)->left, is_true,
                           &evidence->way))
        return;
    evidence->graph = t->graph;
    evidence->start = evidence->way.nodes.items[0];
}

static bool evidence_begins(void *user, const int32_t *cells)
{
    struct ctl_evidence *evidence = user;
    return !evidence->graph || graph_find(evidence->checker, evidence->graph, NULL, cells) == evidence->start;
}

static const struct story_source evidence_source = {.truth = evidence_truth,
                                                    .find = evidence_find,
                                                    .go_on = evidence_go_on,
                                                    .is_at = evidence_is_at,
                                                    .canonise = evidence_canonise,
                                                    .begins = evidence_begins};

struct trace *evidence_show(struct checker *checker, const struct ctl *ctl, bool verdict, struct text *words)
{
    struct ctl_evidence evidence = {.checker = checker};
    struct story story = {.layout = checker->layout,
                          .symmetry = checker->symmetry,
                          .source = &evidence_source,
                          .user = &evidence,
                          .must_go_on = checker->is_fair && ctl_has_future(ctl) &&
                                        !(fairness_is_closed(checker->system) && !checker->options->drops_finite),
                          .values = checker->values,
                          .words = words};
    evidence_choose_start(&evidence, ctl, verdict);
    struct trace *trace = story_tell(&story, ctl, verdict);
    if (trace && trace->has_loop)
        fair_describe(trace, words);
    VEC_FREE(&evidence.way.nodes);
    return trace;
}

/* --- a proposition that cannot be evaluated --- */

static bool evidence_fails_at(struct checker *checker, const struct graph *graph, const struct ctl *ctl, uint32_t node,
                              int32_t *cells)
{
    struct ctl_spot spot = {.cells = cells};
    layout_unpack(checker->layout, store_state(explore_store(graph->explore), node), cells);
    return truth_has_fault(checker, ctl, &spot);
}

/* From a start state of which nothing is known to the nearest state where a proposition fails: elsewhere it may not
 * matter. */
struct trace *evidence_fault(struct checker *checker, const struct ctl *ctl)
{
    struct graph *graph = graph_get(checker, NULL, 0);
    struct way way = {0};
    size_t cells = checker->system->state_cells;
    if (!graph)
        return NULL;
    uint64_t *goal = memory_zeroed(bit_words(graph->count), sizeof *goal);
    int32_t *state = memory_zeroed(cells + 1, sizeof *state);
    for (uint32_t n = 0; n < graph->count && checker_spend(checker, 1); n++)
        if (evidence_fails_at(checker, graph, ctl, n, state))
            bits_add(goal, n);
    bool is_found = way_to_from(graph, checker->open_start, 1, NULL, false, goal, true, &way) ||
                    way_to_from(graph, 0, graph->starts, NULL, false, goal, true, &way); /* looking back */
    free(goal);
    if (is_found)
        evidence_fails_at(checker, graph, ctl, VEC_LAST(&way.nodes), state);
    free(state);
    if (!is_found)
        return NULL;
    int32_t *path = memory_zeroed(way.nodes.count * cells + 1, sizeof *path);
    for (size_t i = 0; i < way.nodes.count; i++)
        layout_unpack(checker->layout, store_state(explore_store(graph->explore), way.nodes.items[i]),
                      path + i * cells);
    struct trace *trace =
        trace_lift(checker->layout, checker->symmetry, path, (uint32_t)way.nodes.count, TRACE_GOAL_STATE, NULL);
    free(path);
    VEC_FREE(&way.nodes);
    return trace;
}
