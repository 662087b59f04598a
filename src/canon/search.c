/* The search for the least leaf when refinement leaves classes that are not sets of twins.
 *
 * Individualisation and refinement as in McKay's "Practical graph isomorphism" (1981): a node of the tree is an
 * ordered partition; a child gives one element of the first smallest class that is not a set of twins a colour of
 * its own and refines. Only children whose refinement has the least trace are kept. A leaf (every class a set of
 * twins) is a labelling of the elements; the representative is the least relabelled state over all leaves. The
 * tree of a state and that of its image under the group are images of each other, so the least leaf is the same.
 *
 * Two leaves with the same relabelled state give an automorphism that fixes their common path: the subtrees where
 * the paths part are images of each other, and only one is explored. For the same reason the elements
 * individualised there lie in one orbit of the stabiliser of the path, and all elements of that orbit are found
 * so: the order of the state's stabiliser is the product of these orbits' sizes along the best path and the
 * factorials of the twins at its leaf. */
#include <string.h>

#include "canon/canon_inner.h"

enum { WENT_UP = 1 << 30, TOO_LARGE = (1 << 30) + 1 };

struct symmetry_search {
    struct canon *canon;
    const int32_t *cells;
    uint32_t partner; /* on going up: the child equal to the one left */
    uint64_t leaves;  /* below the node just completed */
};

static uint64_t search_individualise(struct symmetry_search *search, uint32_t level, uint32_t element)
{
    struct canon *canon = search->canon;
    struct canon_partition *child = &canon_level(canon, level + 1)->partition;
    partition_single_out(canon, &canon->levels[level].partition, element, child);
    return canon_refine(canon, search->cells, child);
}

/* How many sets of twins are in the class? */
static uint32_t search_count_twins(const struct canon *canon, const struct canon_partition *partition, uint32_t start)
{
    uint32_t count = 0;
    for (uint32_t i = start; i < start + partition->length[start]; i++) {
        bool is_new = true;
        for (uint32_t j = start; j < i && is_new; j++)
            is_new = canon->twin[partition->order[j]] != canon->twin[partition->order[i]];
        count += is_new;
    }
    return count;
}

/* The first of the classes with the fewest sets of twins, two at least; NO_ELEMENT at a leaf. */
static uint32_t search_choose_class(const struct canon *canon, const struct canon_partition *partition)
{
    uint32_t chosen = NO_ELEMENT, fewest = UINT32_MAX;
    for (uint32_t at = 0; at < canon->structure->element_count; at += partition->length[at]) {
        uint32_t twins = partition->length[at] > 1 ? search_count_twins(canon, partition, at) : 1;
        if (twins > 1 && twins < fewest) {
            fewest = twins;
            chosen = at;
        }
    }
    return chosen;
}

static void search_list_children(struct canon *canon, struct canon_level *level, uint32_t start)
{
    const struct canon_partition *partition = &level->partition;
    level->child_count = 0;
    for (uint32_t i = start; i < start + partition->length[start]; i++) {
        uint32_t c = 0;
        while (c < level->child_count && canon->twin[level->children[c]] != canon->twin[partition->order[i]])
            c++;
        if (c == level->child_count) {
            level->children[level->child_count++] = partition->order[i];
            level->weight[c] = 0;
        }
        level->weight[c]++;
    }
}

/* Keeps the children whose refinement has the least trace. */
static void search_filter_children(struct symmetry_search *search, uint32_t depth)
{
    struct canon_level *level = &search->canon->levels[depth];
    uint64_t least = UINT64_MAX;
    for (uint32_t c = 0; c < level->child_count; c++) {
        uint64_t trace = search_individualise(search, depth, level->children[c]);
        level->trace[c] = trace;
        least = trace < least ? trace : least;
    }
    uint32_t kept = 0;
    for (uint32_t c = 0; c < level->child_count; c++)
        if (level->trace[c] == least) {
            level->children[kept] = level->children[c];
            level->weight[kept] = level->weight[c];
            level->parent[kept] = kept;
            level->leaves[kept++] = 0;
        }
    level->child_count = kept;
}

static uint32_t search_find(const struct canon_level *level, uint32_t child)
{
    while (level->parent[child] != child)
        child = level->parent[child];
    return child;
}

/* The root of a merged set is its explored member, if any. */
static void search_unite(struct canon_level *level, uint32_t c, uint32_t d)
{
    c = search_find(level, c);
    d = search_find(level, d);
    if (c == d)
        return;
    if (level->leaves[d]) {
        uint32_t kept = c;
        c = d;
        d = kept;
    }
    level->parent[d] = c;
}

static uint32_t search_child(const struct canon *canon, const struct canon_level *level, uint32_t element)
{
    for (uint32_t c = 0; c < level->child_count; c++)
        if (canon->twin[level->children[c]] == canon->twin[element])
            return c;
    return NO_ELEMENT;
}

static void search_apply_generator(const struct canon *canon, uint32_t depth, const uint32_t *image)
{
    struct canon_level *level = &canon->levels[depth];
    for (uint32_t d = 0; d < depth; d++)
        if (image[canon->path[d]] != canon->path[d])
            return;
    for (uint32_t c = 0; c < level->child_count; c++) {
        uint32_t d = search_child(canon, level, image[level->children[c]]);
        if (d != NO_ELEMENT)
            search_unite(level, c, d);
    }
}

static void search_add_generator(struct canon *canon, const uint32_t *from, const uint32_t *to)
{
    if (canon->generator_count == CANON_GENERATORS)
        return;
    uint32_t n = canon->structure->element_count;
    uint32_t *image = canon->generators + (size_t)canon->generator_count++ * n;
    for (uint32_t i = 0; i < n; i++)
        image[from[i]] = to[i];
}

static void search_set_leaf(struct canon *canon, struct canon_leaf *leaf, const struct canon_partition *partition,
                            uint32_t depth)
{
    uint32_t n = canon->structure->element_count;
    leaf->is_set = true;
    leaf->depth = depth;
    memcpy(leaf->packed, canon->leaf, canon->structure->layout->words * sizeof *leaf->packed);
    memcpy(leaf->order, partition->order, n * sizeof *leaf->order);
    memcpy(leaf->path, canon->path, depth * sizeof *leaf->path);
}

static int search_compare(const struct canon *canon, const struct canon_leaf *leaf)
{
    for (uint32_t w = 0; w < canon->structure->layout->words; w++)
        if (canon->leaf[w] != leaf->packed[w])
            return canon->leaf[w] < leaf->packed[w] ? -1 : 1;
    return 0;
}

/* The leaf equals an earlier one: remember the automorphism and go up to where the paths part. */
static uint32_t search_go_up(struct symmetry_search *search, const struct canon_leaf *leaf,
                             const struct canon_partition *partition)
{
    struct canon *canon = search->canon;
    uint32_t depth = 0;
    search_add_generator(canon, leaf->order, partition->order);
    while (leaf->path[depth] == canon->path[depth])
        depth++;
    search->partner = leaf->path[depth];
    return depth;
}

static uint32_t search_leaf(struct symmetry_search *search, uint32_t depth)
{
    struct canon *canon = search->canon;
    const struct canon_partition *partition = &canon->levels[depth].partition;
    if (++canon->visited > canon->budget)
        return TOO_LARGE;
    canon_move(canon, partition->order, search->cells, canon->leaf);
    canon->work += WORK_MOVE;
    int order = canon->best.is_set ? search_compare(canon, &canon->best) : -1;
    if (order == 0)
        return search_go_up(search, &canon->best, partition);
    if (order > 0 && search_compare(canon, &canon->first) == 0)
        return search_go_up(search, &canon->first, partition);
    if (!canon->first.is_set)
        search_set_leaf(canon, &canon->first, partition, depth);
    if (order < 0) {
        search_set_leaf(canon, &canon->best, partition, depth);
        memcpy(canon->twin_lengths, partition->length, canon->structure->element_count * sizeof(uint32_t));
    }
    search->leaves = 1;
    return WENT_UP;
}

/* The node is complete: count its leaves, and if the best leaf is below it, the orbit of the child it is under. */
static void search_complete(struct symmetry_search *search, uint32_t depth)
{
    struct canon *canon = search->canon;
    const struct canon_level *level = &canon->levels[depth];
    uint64_t leaves = 0;
    for (uint32_t c = 0; c < level->child_count; c++)
        if (__builtin_add_overflow(leaves, level->leaves[search_find(level, c)], &leaves))
            leaves = UINT64_MAX / 2;
    search->leaves = leaves > UINT64_MAX / 2 ? UINT64_MAX / 2 : leaves;
    if (memcmp(canon->best.path, canon->path, depth * sizeof *canon->path) != 0)
        return;
    uint32_t best = search_find(level, search_child(canon, level, canon->best.path[depth])), orbit = 0;
    for (uint32_t c = 0; c < level->child_count; c++)
        orbit += search_find(level, c) == best ? level->weight[c] : 0;
    canon->factors[depth] = orbit;
}

/* Returns WENT_UP when the node is complete, a smaller depth when its subtree turned out to be the image of an
 * earlier one, TOO_LARGE when the budget is spent. */
static uint32_t search_node(struct symmetry_search *search, uint32_t depth)
{
    struct canon *canon = search->canon;
    struct canon_level *level = &canon->levels[depth];
    if (canon_cuts(canon))
        return TOO_LARGE;
    uint32_t class = search_choose_class(canon, &level->partition);
    if (class == NO_ELEMENT)
        return search_leaf(search, depth);
    search_list_children(canon, level, class);
    search_filter_children(search, depth);
    for (uint32_t g = 0; g < canon->generator_count; g++)
        search_apply_generator(canon, depth, canon->generators + (size_t)g * canon->structure->element_count);
    for (uint32_t c = 0; c < level->child_count; c++) {
        if (level->leaves[search_find(level, c)])
            continue;
        uint32_t generators = canon->generator_count;
        canon->path[depth] = level->children[c];
        search_individualise(search, depth, level->children[c]);
        uint32_t went = search_node(search, depth + 1);
        if (went == TOO_LARGE || went < depth)
            return went;
        if (went == depth)
            search_unite(level, c, search_child(canon, level, search->partner));
        else
            level->leaves[search_find(level, c)] = search->leaves;
        for (uint32_t g = generators; g < canon->generator_count; g++)
            search_apply_generator(canon, depth, canon->generators + (size_t)g * canon->structure->element_count);
    }
    search_complete(search, depth);
    return WENT_UP;
}

/* The number of leaves of the tree without pruning by automorphisms is an invariant of the orbit; how many were
 * visited is not, but never more. So deciding by the former is sound, and by the latter early is the same
 * decision. */
enum search_result canon_search(struct canon *canon, const int32_t *cells)
{
    struct symmetry_search search = {.canon = canon, .cells = cells};
    canon->best.is_set = canon->first.is_set = false;
    canon->generator_count = 0;
    canon->visited = 0;
    uint32_t went = search_node(&search, 0);
    return went == TOO_LARGE || search.leaves > canon->budget ? SEARCH_TOO_LARGE : SEARCH_DONE;
}
