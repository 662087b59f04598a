/* The product of a graph with the automaton, never stored: its edges are those of both. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "engine/ctl/linear.h"

/* --- edges --- */

static bool product_fits(const struct linear_case *linear, struct logic_label label, uint32_t node)
{
    uint64_t is_true = linear->is_true[node], is_false = linear->is_false[node];
    if (linear->is_sure)
        return !(label.positive & ~is_true) && !(label.negative & ~is_false);
    return !(label.positive & is_false) && !(label.negative & is_true);
}

/* An edge of the automaton with each edge of the graph in turn. A state without successors repeats itself, unless
 * finite runs do not count or its successors are not known. */
bool product_next(const struct linear_product *product, uint32_t state, uint64_t *cursor, struct product_edge *edge)
{
    const struct linear_case *linear = product->linear;
    const struct automaton *automaton = linear->automaton;
    const struct graph *graph = product->graph;
    uint32_t node = product_node(product, state), place = product_place(product, state);
    uint32_t below = product->below ? product->below[node] : node, out = graph_out(graph, node);
    bool stays = !out;
    if (stays && (graph_is_open(graph, node) || linear->drops_finite))
        return false;
    uint32_t ways = stays ? 1 : out, edges = automaton->first[place + 1] - automaton->first[place];
    for (; *cursor < (uint64_t)edges * ways; *cursor += ways - *cursor % ways) {
        const struct automaton_edge *step = &automaton->edges[automaton->first[place] + *cursor / ways];
        if (!product_fits(linear, step->label, below))
            continue;
        uint64_t graph_edge = graph->first[node] + *cursor % ways;
        uint32_t target = stays ? node : graph->targets[graph_edge];
        *edge = (struct product_edge){.target = target * automaton->state_count + step->target,
                                      .graph_edge = stays ? PRODUCT_STAYS : graph_edge,
                                      .marks = step->marks};
        ++*cursor;
        return true;
    }
    return false;
}

static bool product_is_in(const struct linear_product *product, uint32_t region, uint32_t state)
{
    return !region || product->linear->region[product_below(product, state)] == region;
}

/* --- components: Tarjan's, iteratively --- */

bool linear_components_create(struct linear_components *c, const struct linear_product *product)
{
    struct checker *checker = product->linear->checker;
    size_t size = (size_t)product_count(product) + 1;
    c->product = product;
    c->index = checker_alloc(checker, size, sizeof *c->index);
    c->low = checker_alloc(checker, size, sizeof *c->low);
    c->number = checker_alloc(checker, size, sizeof *c->number);
    c->cursor = checker_alloc(checker, size, sizeof *c->cursor);
    return c->index && c->low && c->number && c->cursor;
}

void linear_components_destroy(struct linear_components *c)
{
    struct checker *checker = c->product->linear->checker;
    size_t size = (size_t)product_count(c->product) + 1;
    checker_free(checker, c->index, size, sizeof *c->index);
    checker_free(checker, c->low, size, sizeof *c->low);
    checker_free(checker, c->number, size, sizeof *c->number);
    checker_free(checker, c->cursor, size, sizeof *c->cursor);
    VEC_FREE(&c->path);
    VEC_FREE(&c->open);
    VEC_FREE(&c->seen);
}

static void components_enter(struct linear_components *c, uint32_t state)
{
    c->index[state] = c->low[state] = ++c->clock;
    c->cursor[state] = 0;
    VEC_PUSH(&c->path, state);
    VEC_PUSH(&c->open, state);
    VEC_PUSH(&c->seen, state);
}

static bool has_own_loop(const struct linear_components *c, uint32_t state)
{
    uint64_t cursor = 0;
    struct product_edge edge;
    while (product_next(c->product, state, &cursor, &edge))
        if (edge.target == state)
            return true;
    return false;
}

/* A component is complete; its number is the index of the state that was met first. */
static void components_close(struct linear_components *c, uint32_t state)
{
    size_t begin = c->open.count;
    do
        c->number[c->open.items[--begin]] = c->index[state];
    while (c->open.items[begin] != state);
    size_t count = c->open.count - begin;
    c->found(c->user, c->open.items + begin, count, count > 1 || has_own_loop(c, state));
    c->open.count = begin;
}

static void components_leave(struct linear_components *c)
{
    uint32_t state = VEC_POP(&c->path), low = c->low[state];
    if (c->path.count && low < c->low[VEC_LAST(&c->path)])
        c->low[VEC_LAST(&c->path)] = low;
    if (low == c->index[state])
        components_close(c, state);
}

static void components_follow(struct linear_components *c, uint32_t state, uint32_t target)
{
    if (!c->index[target]) {
        if (product_is_in(c->product, c->region, target))
            components_enter(c, target);
    } else if (!c->number[target] && c->index[target] < c->low[state]) {
        c->low[state] = c->index[target];
    }
}

static bool components_from(struct linear_components *c, uint32_t root)
{
    components_enter(c, root);
    while (c->path.count) {
        struct product_edge edge;
        uint32_t state = VEC_LAST(&c->path);
        if (!checker_spend(c->product->linear->checker, 1))
            return false;
        if (product_next(c->product, state, &c->cursor[state], &edge))
            components_follow(c, state, edge.target);
        else
            components_leave(c);
    }
    return true;
}

bool linear_components_find(struct linear_components *c, uint32_t region, const uint32_t *roots, size_t count)
{
    bool is_good = true;
    for (size_t i = 0; i < c->seen.count; i++)
        c->index[c->seen.items[i]] = c->number[c->seen.items[i]] = 0;
    VEC_CLEAR(&c->seen);
    VEC_CLEAR(&c->path);
    VEC_CLEAR(&c->open);
    c->clock = 0;
    c->region = region;
    for (size_t i = 0; is_good && i < count; i++)
        if (!c->index[roots[i]] && product_is_in(c->product, region, roots[i]))
            is_good = components_from(c, roots[i]);
    return is_good;
}

/* --- shortest ways: breadth first --- */

struct hunt_step {
    uint32_t from;
    struct product_edge edge;
};

static void hunt_trace(struct hunt *hunt, const struct hunt_step *steps, uint32_t state)
{
    VEC_CLEAR(&hunt->way);
    for (; steps[state].from != state; state = steps[state].from)
        VEC_PUSH(&hunt->way, steps[state].edge);
    for (size_t a = 0, b = hunt->way.count; a + 1 < b; a++, b--) {
        struct product_edge kept = hunt->way.items[a];
        hunt->way.items[a] = hunt->way.items[b - 1];
        hunt->way.items[b - 1] = kept;
    }
    hunt->from = state;
}

static bool hunt_expand(struct hunt *hunt, struct hunt_step *steps, uint32_t *queue, uint32_t *tail, uint32_t state)
{
    uint64_t cursor = 0;
    struct product_edge edge;
    while (product_next(hunt->product, state, &cursor, &edge)) {
        if (!product_is_in(hunt->product, hunt->region, edge.target))
            continue;
        if (hunt->ends_with && hunt->ends_with(hunt, &edge)) {
            hunt_trace(hunt, steps, state);
            VEC_PUSH(&hunt->way, edge);
            return true;
        }
        if (steps[edge.target].from != UINT32_MAX)
            continue;
        steps[edge.target] = (struct hunt_step){state, edge};
        queue[(*tail)++] = edge.target;
    }
    return false;
}

bool hunt_run(struct hunt *hunt, const uint32_t *from, size_t count)
{
    struct checker *checker = hunt->product->linear->checker;
    size_t size = (size_t)product_count(hunt->product) + 1;
    struct hunt_step *steps = checker_alloc(checker, size, sizeof *steps);
    uint32_t *queue = checker_alloc(checker, size, sizeof *queue), head = 0, tail = 0;
    bool is_found = false, is_good = steps && queue;
    for (size_t i = 0; is_good && i < size; i++)
        steps[i].from = UINT32_MAX;
    for (size_t i = 0; is_good && i < count; i++)
        if (steps[from[i]].from == UINT32_MAX) {
            steps[from[i]].from = from[i];
            queue[tail++] = from[i];
        }
    while (is_good && !is_found && head < tail && checker_spend(checker, 1)) {
        uint32_t state = queue[head++];
        is_found = hunt->ends_in && hunt->ends_in(hunt, state);
        if (is_found)
            hunt_trace(hunt, steps, state);
        else
            is_found = hunt_expand(hunt, steps, queue, &tail, state);
    }
    checker_free(checker, steps, size, sizeof *steps);
    checker_free(checker, queue, size, sizeof *queue);
    return is_found;
}

bool hunt_from_starts(struct hunt *hunt)
{
    const struct linear_case *linear = hunt->product->linear;
    uint32_t count = linear->product.graph->starts;
    uint32_t *starts = memory_alloc(((size_t)count + 1) * sizeof *starts);
    for (uint32_t n = 0; n < count; n++)
        starts[n] = n * linear->automaton->state_count + linear->automaton->start;
    bool is_found = hunt_run(hunt, starts, count);
    free(starts);
    return is_found;
}

bool hunt_ends_in_violation(const struct hunt *hunt, uint32_t state)
{
    const struct automaton *automaton = hunt->product->linear->automaton;
    uint64_t cursor = 0;
    struct product_edge edge;
    while (product_next(hunt->product, state, &cursor, &edge))
        if (automaton_accepts_all(automaton, product_place(hunt->product, edge.target)))
            return true;
    return false;
}
