/* Sets of nodes. Everything is reduced to EX, EU, EG, EY and EP; paths are maximal, so a node without successors is the
 * end of one: it is in EG f when it is in f. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "engine/ctl/checker.h"

static uint64_t *set_new(struct checker *checker, const struct graph *graph)
{
    return checker_alloc(checker, bit_words(graph->count), sizeof(uint64_t));
}

static void set_invert(const struct graph *graph, uint64_t *set)
{
    for (size_t w = 0; w < bit_words(graph->count); w++)
        set[w] = ~set[w];
}

/* The nodes for which a successor is in `set` with the value `is_in`. */
static void fixpoint_ex(const struct graph *graph, const uint64_t *set, bool is_in, uint64_t *out)
{
    for (uint32_t n = 0; n < graph->count; n++)
        for (uint64_t i = graph->first[n]; i < graph->first[n + 1]; i++)
            if (bit_get(set, graph->targets[i]) == is_in) {
                bit_set(out, n);
                break;
            }
}

static void fixpoint_ey(const struct graph *graph, const uint64_t *set, uint64_t *out)
{
    for (uint32_t n = 0; n < graph->count; n++)
        for (uint64_t i = graph->first[n]; bit_get(set, n) && i < graph->first[n + 1]; i++)
            bit_set(out, graph->targets[i]);
}

/* Adds to `out` every node that is reached from one in it along the edges nodes[first[n]] .. nodes[first[n + 1] - 1],
 * through nodes with `through` equal to `is_through` (NULL: any). */
static bool fixpoint_spread(struct checker *checker, const struct graph *graph, const uint64_t *first,
                            const uint32_t *nodes, const uint64_t *through, bool is_through, uint64_t *out)
{
    uint32_t *stack = checker_alloc(checker, (size_t)graph->count + 1, sizeof *stack), top = 0;
    if (!stack)
        return false;
    for (uint32_t n = 0; n < graph->count; n++)
        if (bit_get(out, n))
            stack[top++] = n;
    while (top) {
        uint32_t n = stack[--top];
        for (uint64_t i = first[n]; i < first[n + 1]; i++) {
            uint32_t next = nodes[i];
            if (bit_get(out, next) || (through && bit_get(through, next) != is_through))
                continue;
            bit_set(out, next);
            stack[top++] = next;
        }
    }
    checker_free(checker, stack, (size_t)graph->count + 1, sizeof *stack);
    return true;
}

static bool fixpoint_ep(struct checker *checker, const struct graph *graph, uint64_t *out)
{
    return fixpoint_spread(checker, graph, graph->first, graph->targets, NULL, false, out);
}

static bool fixpoint_eu(struct checker *checker, struct graph *graph, const uint64_t *through, bool is_through,
                        uint64_t *out)
{
    return graph_reverse(checker, graph) &&
           fixpoint_spread(checker, graph, graph->back_first, graph->back_sources, through, is_through, out);
}

/* Removes from `out` every node that has successors, but none in it, until there are no more. */
static bool fixpoint_eg(struct checker *checker, struct graph *graph, uint64_t *out)
{
    if (!graph_reverse(checker, graph))
        return false;
    size_t size = (size_t)graph->count + 1;
    uint32_t *stack = checker_alloc(checker, size, sizeof *stack), top = 0;
    uint32_t *left = stack ? checker_alloc(checker, size, sizeof *left) : NULL; /* successors in the set */
    for (uint32_t n = 0; left && n < graph->count; n++) {
        if (!bit_get(out, n))
            stack[top++] = n;
        left[n] = graph_out(graph, n);
    }
    while (left && top) {
        uint32_t n = stack[--top];
        for (uint64_t i = graph->back_first[n]; i < graph->back_first[n + 1]; i++) {
            uint32_t source = graph->back_sources[i];
            if (--left[source] == 0 && bit_get(out, source)) {
                bit_clear(out, source);
                stack[top++] = source;
            }
        }
    }
    bool is_good = left != NULL;
    checker_free(checker, stack, size, sizeof *stack);
    checker_free(checker, left, size, sizeof *left);
    return is_good;
}

static void set_copy(const struct graph *graph, const uint64_t *set, bool is_inverted, uint64_t *out)
{
    memcpy(out, set, bit_words(graph->count) * sizeof *out);
    if (is_inverted)
        set_invert(graph, out);
}

/* A[f U g] = !(E[!g U (!f & !g)] | EG !g) */
static bool fixpoint_au(struct checker *checker, struct graph *graph, struct sets *t)
{
    uint64_t *neither = set_new(checker, graph);
    if (!neither)
        return false;
    for (size_t w = 0; w < bit_words(graph->count); w++)
        neither[w] = ~t->left[w] & ~t->right[w];
    set_copy(graph, t->right, true, t->holds);
    bool is_good = fixpoint_eu(checker, graph, t->right, false, neither) && fixpoint_eg(checker, graph, t->holds);
    for (size_t w = 0; w < bit_words(graph->count); w++)
        t->holds[w] = ~(t->holds[w] | neither[w]);
    checker_free(checker, neither, bit_words(graph->count), sizeof *neither);
    return is_good;
}

static bool fixpoint_unary(struct checker *checker, enum ctl_kind kind, struct graph *graph, struct sets *t)
{
    bool is_good = true;
    switch (kind) {
    case CTL_EX:
        fixpoint_ex(graph, t->left, true, t->holds);
        break;
    case CTL_AX:
        fixpoint_ex(graph, t->left, false, t->holds);
        set_invert(graph, t->holds);
        break;
    case CTL_EF:
        set_copy(graph, t->left, false, t->holds);
        is_good = fixpoint_eu(checker, graph, NULL, false, t->holds);
        break;
    case CTL_AG:
        set_copy(graph, t->left, true, t->holds);
        is_good = fixpoint_eu(checker, graph, NULL, false, t->holds);
        set_invert(graph, t->holds);
        break;
    case CTL_EG:
        set_copy(graph, t->left, false, t->holds);
        is_good = fixpoint_eg(checker, graph, t->holds);
        break;
    case CTL_AF:
        set_copy(graph, t->left, true, t->holds);
        is_good = fixpoint_eg(checker, graph, t->holds);
        set_invert(graph, t->holds);
        break;
    case CTL_EY:
        fixpoint_ey(graph, t->left, t->holds);
        break;
    case CTL_EP:
        set_copy(graph, t->left, false, t->holds);
        is_good = fixpoint_ep(checker, graph, t->holds);
        break;
    default:
        UNREACHABLE("temporal operator");
    }
    return is_good;
}

bool fixpoint_decide(struct checker *checker, const struct temporal *temporal, struct sets *sets)
{
    struct graph *graph = temporal->graph;
    enum ctl_kind kind = temporal->ctl->kind;
    sets->holds = set_new(checker, graph);
    if (!sets->holds)
        return false;
    if (kind == CTL_AU)
        return fixpoint_au(checker, graph, sets);
    if (kind != CTL_EU)
        return fixpoint_unary(checker, kind, graph, sets);
    set_copy(graph, sets->right, false, sets->holds);
    return fixpoint_eu(checker, graph, sets->left, true, sets->holds);
}
