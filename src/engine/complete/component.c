/* A strongly connected component is finished: nothing above its root on the stack leads below it.
 *
 * While a cycle is open the interpolants on it are too weak: they were learnt from a part of the subtree only. So they
 * are kept back until the component is closed, and are then strengthened along the edges inside the component
 * until none changes any more. What comes out is an invariant of all the runs that stay in it (section 4, FIX-POINT;
 * here for a whole component at once, with the edges that were recorded).
 *
 * Edges that were taken on the hope that a renamed interpolant would cover their target are checked at the end. If one
 * does not, the state it leads to is explored, and the component is finished again later. */
#include <stdlib.h>

#include "base/memory.h"
#include "engine/complete/explore.h"

/* So often, and so far, may an interpolant grow before it is pinned to its state, which ends every chain. */
enum { COMPONENT_MAX_ADDITIONS = 40, COMPONENT_MAX_ATOMS = 32 };

struct queue {
    VEC(struct node *) nodes; /* those from `next` on wait */
    size_t next;
};

static void component_enqueue(struct queue *queue, struct node *node)
{
    if (node->is_queued)
        return;
    node->is_queued = true;
    VEC_PUSH(&queue->nodes, node);
}

static void component_grow(struct complete_search *search, struct queue *queue, struct node *node)
{
    struct complete_scene at = {.shape = search->shape, .cells = node->cells};
    uint64_t objects = search->shape->object_count, cells = search->layout->cell_count + objects;
    uint64_t atoms = node->fixed.bounds.count + node->fixed.facts.count;
    /* Masks of single cells are as many as there are cells; more are about cells found through others. */
    if (node->fixed.masks.count > cells)
        atoms += node->fixed.masks.count - cells;
    if (++node->additions > COMPONENT_MAX_ADDITIONS || atoms > COMPONENT_MAX_ATOMS + objects * objects)
        interpolant_pin(&node->fixed, search->terms, &at);
    component_enqueue(queue, node);
}

/* A node may lead to itself: what is added to an interpolant must not be read from it at the same time. */
static enum addition component_add(struct complete_search *search, const struct complete_edge *edge,
                                   const struct node *node)
{
    struct interpolant copy;
    if (edge->from != node)
        return edge_add(search, edge, &node->fixed, edge->map, &edge->from->fixed);
    interpolant_copy(&copy, &node->fixed);
    enum addition addition = edge_add(search, edge, &copy, edge->map, &edge->from->fixed);
    interpolant_free(&copy);
    return addition;
}

static void component_spread(struct complete_search *search, struct queue *queue, struct node *node)
{
    for (size_t i = 0; i < node->incoming.count; i++) {
        struct complete_edge *edge = node->incoming.items[i];
        if (edge->is_refuted)
            continue;
        enum addition addition = component_add(search, edge, node);
        if (addition == ADDITION_FALSE) {
            ENSURE(edge->map);
            edge->is_refuted = true;
        } else if (addition == ADDITION_NEW) {
            component_grow(search, queue, edge->from);
        }
    }
}

/* False: the search was stopped. */
static bool component_fix(struct complete_search *search, struct node **members, size_t count)
{
    struct queue queue = {0};
    for (size_t i = 0; i < count; i++) {
        interpolant_free(&members[i]->fixed);
        interpolant_copy(&members[i]->fixed, &members[i]->interpolant);
        members[i]->additions = 0;
    }
    for (size_t i = count; i > 0; i--)
        component_enqueue(&queue, members[i - 1]);
    while (queue.next < queue.nodes.count) {
        struct node *node = queue.nodes.items[queue.next++];
        node->is_queued = false;
        if (explore_spend(search))
            component_spread(search, &queue, node);
    }
    VEC_FREE(&queue.nodes);
    return !search->stopped;
}

static bool component_is_refuted(const struct complete_search *search, const struct node *node,
                                 const struct complete_edge *edge)
{
    struct complete_scene scene = {.shape = search->shape, .cells = edge->target, .map = edge->map};
    return edge->map && (edge->is_refuted || !interpolant_holds(&node->fixed, &scene));
}

/* Moves the refuted edges into the node of which the frame is. */
static bool component_collect_refuted(struct complete_search *search, struct frame *frame, struct node *node)
{
    size_t kept = 0;
    for (size_t i = 0; i < node->incoming.count; i++) {
        struct complete_edge *edge = node->incoming.items[i];
        if (component_is_refuted(search, node, edge)) {
            search->hopes_refuted++;
            VEC_PUSH(&frame->retries, edge);
        } else {
            search->hopes_met += edge->map != NULL;
            node->incoming.items[kept++] = edge;
        }
    }
    bool is_clean = kept == node->incoming.count;
    node->incoming.count = kept;
    return is_clean;
}

static void component_release(struct complete_search *search, struct node *node)
{
    open_remove(search, node);
    node->memo = memos_add(search->memos, node->cells, &node->fixed);
    for (size_t i = 0; i < node->incoming.count; i++) {
        search->node_bytes -= sizeof(struct complete_edge) + search->layout->cell_count * sizeof(int32_t);
        edge_destroy(node->incoming.items[i]);
    }
    node->incoming.count = 0;
    VEC_PUSH(&search->released, node);
}

bool component_finish(struct complete_search *search, struct frame *frame)
{
    size_t first = search->open.count;
    bool is_clean = true;
    while (search->open.items[first - 1] != frame->node)
        first--;
    first--;
    struct node **members = search->open.items + first;
    size_t count = search->open.count - first;
    if (count == 1 && !frame->node->incoming.count) {
        frame->node->fixed = frame->node->interpolant;
        frame->node->interpolant = (struct interpolant){0};
    } else {
        if (!component_fix(search, members, count))
            return false;
        for (size_t i = 0; i < count; i++)
            is_clean = component_collect_refuted(search, frame, members[i]) && is_clean;
        if (!is_clean)
            return false;
    }
    for (size_t i = count; i > 0; i--)
        component_release(search, members[i - 1]);
    search->open.count = first;
    return true;
}
