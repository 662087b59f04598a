/* Sets of nodes. Everything is reduced to EX, EU, EG, EY and EP; paths are maximal, so a node without successors is the
 * end of one: it is in EG f when it is in f. With fairness, paths are fair ones (fairly.h). */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "engine/ctl/fairly.h"

static uint64_t *set_new(struct checker *checker, const struct graph *graph)
{
    return checker_alloc(checker, bit_words(graph->count), sizeof(uint64_t));
}

static void set_invert(const struct graph *graph, uint64_t *set)
{
    for (size_t w = 0; w < bit_words(graph->count); w++)
        set[w] = ~set[w];
}

/* The nodes with `set` equal to `is_in` that have a path that counts. */
static void set_take(const struct graph *graph, const uint64_t *set, bool is_in, uint64_t *out)
{
    memcpy(out, set, bit_words(graph->count) * sizeof *out);
    if (!is_in)
        set_invert(graph, out);
    for (size_t w = 0; graph->fair && w < bit_words(graph->count); w++)
        out[w] &= graph->fair[w];
}

/* The nodes for which a successor is in `set` with the value `is_in`, and has a path that counts. */
static void fixpoint_ex(const struct graph *graph, const uint64_t *set, bool is_in, uint64_t *out)
{
    for (uint32_t n = 0; n < graph->count; n++)
        for (uint64_t i = graph->first[n]; i < graph->first[n + 1]; i++)
            if (bits_has(set, graph->targets[i]) == is_in &&
                (!graph->fair || bits_has(graph->fair, graph->targets[i]))) {
                bits_add(out, n);
                break;
            }
}

static void fixpoint_ey(const struct graph *graph, const uint64_t *set, uint64_t *out)
{
    for (uint32_t n = 0; n < graph->count; n++)
        for (uint64_t i = graph->first[n]; bits_has(set, n) && i < graph->first[n + 1]; i++)
            bits_add(out, graph->targets[i]);
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
        if (bits_has(out, n))
            stack[top++] = n;
    while (top) {
        uint32_t n = stack[--top];
        for (uint64_t i = first[n]; i < first[n + 1]; i++) {
            uint32_t next = nodes[i];
            if (bits_has(out, next) || (through && bits_has(through, next) != is_through))
                continue;
            bits_add(out, next);
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

bool fixpoint_lead_to(struct checker *checker, struct graph *graph, const uint64_t *through, bool is_through,
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
        if (!bits_has(out, n))
            stack[top++] = n;
        left[n] = graph_out(graph, n);
    }
    while (left && top) {
        uint32_t n = stack[--top];
        for (uint64_t i = graph->back_first[n]; i < graph->back_first[n + 1]; i++) {
            uint32_t source = graph->back_sources[i];
            if (--left[source] == 0 && bits_has(out, source)) {
                bits_remove(out, source);
                stack[top++] = source;
            }
        }
    }
    bool is_good = left != NULL;
    checker_free(checker, stack, size, sizeof *stack);
    checker_free(checker, left, size, sizeof *left);
    return is_good;
}

/* The nodes with a path that counts, for ever with `set` equal to `is_in`. */
static bool fixpoint_for_ever(struct checker *checker, const struct temporal *t, const uint64_t *set, bool is_in,
                              uint64_t *out)
{
    if (checker->is_fair)
        return fairly_find_cycles(checker, t->graph, t->ctl->free, set, is_in, out) &&
               fixpoint_lead_to(checker, t->graph, set, is_in, out);
    set_take(t->graph, set, is_in, out);
    return fixpoint_eg(checker, t->graph, out);
}

/* A[f U g] = !(E[!g U (!f & !g)] | EG !g) */
static bool fixpoint_au(struct checker *checker, const struct temporal *t, struct sets *sets)
{
    struct graph *graph = t->graph;
    uint64_t *neither = set_new(checker, graph);
    if (!neither)
        return false;
    set_take(graph, sets->left, false, neither);
    for (size_t w = 0; w < bit_words(graph->count); w++)
        neither[w] &= ~sets->right[w];
    bool is_good = fixpoint_lead_to(checker, graph, sets->right, false, neither) &&
                   fixpoint_for_ever(checker, t, sets->right, false, sets->holds);
    for (size_t w = 0; w < bit_words(graph->count); w++)
        sets->holds[w] = ~(sets->holds[w] | neither[w]);
    checker_free(checker, neither, bit_words(graph->count), sizeof *neither);
    return is_good;
}

static bool fixpoint_unary(struct checker *checker, const struct temporal *t, struct sets *sets)
{
    struct graph *graph = t->graph;
    enum ctl_kind kind = t->ctl->kind;
    bool is_good = true, is_universal = kind == CTL_AX || kind == CTL_AG || kind == CTL_AF;
    switch (kind) {
    case CTL_EX:
    case CTL_AX:
        fixpoint_ex(graph, sets->left, !is_universal, sets->holds);
        break;
    case CTL_EF:
    case CTL_AG:
        set_take(graph, sets->left, !is_universal, sets->holds);
        is_good = fixpoint_lead_to(checker, graph, NULL, false, sets->holds);
        break;
    case CTL_EG:
    case CTL_AF:
        is_good = fixpoint_for_ever(checker, t, sets->left, !is_universal, sets->holds);
        break;
    case CTL_EY:
        fixpoint_ey(graph, sets->left, sets->holds);
        break;
    case CTL_EP:
        memcpy(sets->holds, sets->left, bit_words(graph->count) * sizeof *sets->holds);
        is_good = fixpoint_ep(checker, graph, sets->holds);
        break;
    default:
        UNREACHABLE("temporal operator");
    }
    if (is_universal)
        set_invert(graph, sets->holds);
    return is_good;
}

bool fixpoint_decide(struct checker *checker, const struct temporal *t, struct sets *sets)
{
    sets->holds = set_new(checker, t->graph);
    if (!sets->holds)
        return false;
    if (t->ctl->kind == CTL_AU)
        return fixpoint_au(checker, t, sets);
    if (t->ctl->kind != CTL_EU)
        return fixpoint_unary(checker, t, sets);
    set_take(t->graph, sets->right, true, sets->holds);
    return fixpoint_lead_to(checker, t->graph, sets->left, true, sets->holds);
}
