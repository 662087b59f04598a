/* The tree of Karp and Miller ("Parallel program schemata", JCSS 1969), for systems without broadcasts: configurations
 * with any number of threads in some local states. A node that is above one on its way from the root, with the same
 * shared state, can be pumped: where it has more, it has any number. What can be reached is below some node. */
#include <string.h>

#include "engine/cover/cover.h"

/* A node: its number of words, the shared state, then local states in order, each with how many threads are there. */
enum { NODE_HEAD = 2 };
#define TREE_MANY UINT32_MAX

static uint32_t node_places(const uint32_t *node)
{
    return (node[0] - NODE_HEAD) / 2;
}

static uint32_t node_count(const uint32_t *node, uint32_t local)
{
    for (uint32_t p = 0; p < node_places(node); p++)
        if (node[NODE_HEAD + 2 * p] == local)
            return node[NODE_HEAD + 2 * p + 1];
    return 0;
}

static bool node_is_below(const uint32_t *low, const uint32_t *high)
{
    bool is_below = low[1] == high[1];
    for (uint32_t p = 0; is_below && p < node_places(low); p++)
        is_below = low[NODE_HEAD + 2 * p + 1] <= node_count(high, low[NODE_HEAD + 2 * p]);
    return is_below;
}

/* Some more threads in a local state (or fewer: what is taken is there). Places without threads are left out. */
static void node_add(uint32_t *node, uint32_t local, int32_t more)
{
    uint32_t p = 0, places = node_places(node);
    while (p < places && node[NODE_HEAD + 2 * p] < local)
        p++;
    uint32_t *place = node + NODE_HEAD + 2 * p;
    size_t behind = (size_t)(places - p) * 2;
    if (p == places || place[0] != local) {
        memmove(place + 2, place, behind * sizeof *place);
        place[0] = local;
        place[1] = 0;
        node[0] += 2;
        behind += 2;
    }
    if (place[1] != TREE_MANY)
        place[1] += (uint32_t)more;
    if (!place[1]) {
        memmove(place, place + 2, (behind - 2) * sizeof *place);
        node[0] -= 2;
    }
}

void tree_begin(struct cover_tree *tree, struct cover *cover)
{
    *tree = (struct cover_tree){.cover = cover, .is_open = true};
    for (size_t s = 0; s < cover->threads->steps.count && tree->is_open; s++)
        tree->is_open = !cover->threads->steps.items[s].is_broadcast;
}

void tree_end(struct cover_tree *tree)
{
    words_free(&tree->nodes);
    VEC_FREE(&tree->parents);
    for (size_t s = 0; s < tree->by_shared.count; s++)
        VEC_FREE(&tree->by_shared.items[s].list);
    VEC_FREE(&tree->by_shared);
}

/* Where it has more than one above it on the way, any number. */
static void tree_pump(const struct cover_tree *tree, uint32_t *node, uint32_t parent)
{
    for (uint32_t above = parent; above != WORDS_NONE; above = tree->parents.items[above]) {
        const uint32_t *old = words_at(&tree->nodes, above);
        if (!node_is_below(old, node))
            continue;
        for (uint32_t p = 0; p < node_places(node); p++)
            if (node[NODE_HEAD + 2 * p + 1] > node_count(old, node[NODE_HEAD + 2 * p]))
                node[NODE_HEAD + 2 * p + 1] = TREE_MANY;
    }
}

static bool tree_covers(const struct cover_tree *tree, const uint32_t *node)
{
    if (node[1] >= tree->by_shared.count)
        return false;
    const struct thread_numbers *same = &tree->by_shared.items[node[1]];
    for (size_t i = 0; i < same->list.count; i++)
        if (node_is_below(node, words_at(&tree->nodes, same->list.items[i])))
            return true;
    return false;
}

/* Does it have a violation of an open property below it? */
static bool tree_violates(const struct cover_tree *tree, const uint32_t *node)
{
    const struct thread_system *threads = tree->cover->threads;
    const struct thread_numbers *generated = &threads->generated.items[node[1]];
    bool is_found = false;
    for (size_t i = 0; i < generated->list.count && !is_found; i++) {
        const struct thread_generator *generator = &threads->generators.items[generated->list.items[i]];
        const uint32_t *locals = VEC_FROM(&threads->tuples, generator->first);
        is_found = tree->cover->is_open[generator->property];
        for (uint32_t t = 0, equal = 0; is_found && t < generator->width; t++) {
            equal = t && locals[t] == locals[t - 1] ? equal + 1 : 1;
            is_found = node_count(node, locals[t]) >= equal;
        }
    }
    return is_found;
}

/* False: there is a violation, which the other searches find with the least number of threads. */
static bool tree_meet(struct cover_tree *tree, uint32_t *node, uint32_t parent)
{
    struct thread_numbers none = {0};
    tree_pump(tree, node, parent);
    if (tree_covers(tree, node))
        return true;
    uint32_t number = words_intern(&tree->nodes, node, node[0]);
    VEC_PUSH(&tree->parents, parent);
    while (tree->by_shared.count <= node[1])
        VEC_PUSH(&tree->by_shared, none);
    VEC_PUSH(&tree->by_shared.items[node[1]].list, number);
    return !tree_violates(tree, node);
}

static bool tree_starts(struct cover_tree *tree, uint32_t *node)
{
    const struct thread_system *threads = tree->cover->threads;
    bool is_fine = true;
    for (size_t i = 0; i < threads->starts.count && is_fine; i++) {
        const struct thread_start *start = &threads->starts.items[i];
        node[0] = NODE_HEAD;
        node[1] = start->shared;
        if (start->chosen != WORDS_NONE)
            node_add(node, start->chosen, 1);
        node_add(node, start->rest, 1);
        for (uint32_t p = 0; p < node_places(node); p++)
            if (node[NODE_HEAD + 2 * p] == start->rest)
                node[NODE_HEAD + 2 * p + 1] = TREE_MANY;
        is_fine = tree_meet(tree, node, WORDS_NONE);
    }
    return is_fine;
}

/* False: the participants are not there. */
static bool tree_step(const struct thread_system *threads, const struct thread_step *step, uint32_t *node)
{
    for (uint32_t p = 0; p < step->width; p++) {
        if (!node_count(node, threads_before(threads, step)[p]))
            return false;
        node_add(node, threads_before(threads, step)[p], -1);
    }
    for (uint32_t p = 0; p < step->width; p++)
        node_add(node, threads_after(threads, step)[p], 1);
    node[1] = step->to;
    return true;
}

static bool tree_expand(struct cover_tree *tree, uint32_t *scratch)
{
    const struct thread_system *threads = tree->cover->threads;
    uint32_t number = tree->next++;
    const struct thread_numbers *leaving = &threads->leaving.items[words_at(&tree->nodes, number)[1]];
    for (size_t i = 0; i < leaving->list.count; i++) {
        const uint32_t *node = words_at(&tree->nodes, number);
        memcpy(scratch, node, node[0] * sizeof *scratch);
        if (tree_step(threads, &threads->steps.items[leaving->list.items[i]], scratch) &&
            !tree_meet(tree, scratch, number))
            return false;
    }
    return true;
}

enum cover_outcome tree_go(struct cover_tree *tree, uint64_t most)
{
    struct cover *cover = tree->cover;
    uint64_t begin = cover->work;
    enum cover_outcome outcome = COVER_GOES_ON;
    if (!tree->is_open)
        return outcome;
    /* All local states, and one that is about to be left. */
    uint32_t *scratch =
        memory_zeroed(NODE_HEAD + 2 * (size_t)words_count(&cover->threads->locals) + 2, sizeof *scratch);
    if (!words_count(&tree->nodes))
        tree->is_open = tree_starts(tree, scratch);
    while (tree->is_open && outcome == COVER_GOES_ON && cover->work - begin < most) {
        if (tree->next == words_count(&tree->nodes))
            outcome = COVER_DONE;
        else if (!tree_expand(tree, scratch))
            tree->is_open = false;
        else if (!cover_spend(cover, words_count(&tree->nodes) / 16 + 1))
            outcome = COVER_STOPPED;
    }
    free(scratch);
    return outcome;
}
