#include "base/watch.h"
#include "engine/adaptive/edge.h"

#include <string.h>

#include "base/hash.h"

void rulebook_create(struct rulebook *book, struct adaptive_scene *scene, struct partitions *partitions,
                     uint32_t coarsest, struct variants *variants)
{
    *book = (struct rulebook){.arena = arena_create(),
                              .roster = scene->roster,
                              .scene = scene,
                              .partitions = partitions,
                              .coarsest = coarsest,
                              .variants = variants};
    unaries_create(&book->unaries, scene->roster);
    formulas_create(&book->formulas, &book->unaries);
    partial_create(&book->partial, scene, &book->unaries, &book->formulas);
}

void rulebook_destroy(struct rulebook *book)
{
    partial_destroy(&book->partial);
    formulas_destroy(&book->formulas);
    unaries_destroy(&book->unaries);
    words_free(&book->effects);
    words_free(&book->maps);
    words_free(&book->keys);
    pairs_free(&book->mapped);
    pairs_free(&book->truths);
    VEC_FREE(&book->faults);
    VEC_FREE(&book->lists);
    arena_destroy(book->arena);
}

bool rulebook_is_true(struct rulebook *book, uint32_t function, uint32_t local)
{
    uint64_t key = pairs_key(function, local);
    uint32_t known = pairs_get(&book->truths, key);
    if (known == WORDS_NONE) {
        known = unary_at(&book->unaries, function, local_slots(book->scene, local)) != 0;
        pairs_set(&book->truths, key, known);
    }
    return known;
}

/* A group of items, and whether something is one of them. */
struct family_of_items {
    struct rulebook *book;
    const struct adaptive_item *items;
    uint32_t count, actor_count;
    struct words known; /* actors, condition, effect */
};

static uint32_t item_words(const struct adaptive_item *item, uint32_t actor_count, uint32_t *words)
{
    memcpy(words, item->actors, actor_count * sizeof *words);
    words[actor_count] = item->condition;
    words[actor_count + 1] = item->effect;
    return actor_count + 2;
}

/* Is the image of the item under (p q) an item of the group; the item itself, if its actors stay where they are? */
static bool group_has_image(struct family_of_items *group, const struct adaptive_item *item, uint32_t p, uint32_t q)
{
    struct adaptive_item image = *item;
    uint32_t words[VARIANT_MOST_ACTORS + 2];
    bool is_moved = false;
    for (uint32_t a = 0; a < group->actor_count; a++) {
        if (item->actors[a] == p)
            image.actors[a] = q;
        if (item->actors[a] == q)
            image.actors[a] = p;
        is_moved |= image.actors[a] != item->actors[a];
    }
    image.condition = formula_swap(&group->book->formulas, item->condition, p, q);
    image.effect = effect_swap(group->book, group->actor_count, item->effect, p, q);
    if (!is_moved)
        return image.condition == item->condition && image.effect == item->effect;
    uint32_t length = item_words(&image, group->actor_count, words);
    return words_find(&group->known, words, length) != WORDS_NONE;
}

static bool group_is_invariant(void *user, uint32_t p, uint32_t q)
{
    struct family_of_items *group = user;
    for (uint32_t i = 0; i < group->count; i++)
        if (watch_cuts() || !group_has_image(group, &group->items[i], p, q))
            return false;
    return true;
}

/* The coarsest partition whose permutations map the group to itself. */
static uint32_t group_partition(struct rulebook *book, const struct adaptive_item *items, uint32_t count,
                                uint32_t actor_count)
{
    const struct roster *roster = book->roster;
    struct family_of_items group = {.book = book, .items = items, .count = count, .actor_count = actor_count};
    uint32_t words[VARIANT_MOST_ACTORS + 2];
    uint32_t *labels = memory_alloc(roster->element_count * sizeof *labels);
    for (uint32_t i = 0; i < count; i++)
        words_intern(&group.known, words, item_words(&items[i], actor_count, words));
    roster_label(roster, group_is_invariant, &group, labels);
    uint32_t partition = partitions_intern(book->partitions, labels);
    words_free(&group.known);
    free(labels);
    return partition;
}

/* The condition as a conjunction of leaves that are about whole cells, where it is one. */
static bool edge_add_leaf(struct rulebook *book, struct adaptive_edge *edge, uint32_t actor_count, uint32_t formula)
{
    const struct partition partition = *partitions_at(book->partitions, edge->partition);
    enum formula_kind kind = formula_kind(&book->formulas, formula);
    if (kind != FORMULA_ALL && kind != FORMULA_ANY)
        return false;
    const uint32_t *set = formula_set(&book->formulas, formula);
    struct leaf leaf = {.is_all = kind == FORMULA_ALL, .function = formula_function(&book->formulas, formula)};
    uint8_t *seen = arena_alloc(book->arena, partition.cell_count);
    leaf.in_cell = arena_alloc(book->arena, partition.cell_count);
    for (uint32_t e = 0; e < book->roster->element_count; e++) {
        bool is_actor = false, is_in = set_has(set, e);
        uint32_t cell = partition.cell_of[e];
        for (uint32_t a = 0; a < actor_count; a++)
            is_actor |= edge->actors[a] == e;
        if (is_actor)
            continue;
        if (seen[cell] && leaf.in_cell[cell] != is_in)
            return false;
        seen[cell] = true;
        leaf.in_cell[cell] = is_in;
    }
    edge->leaves[edge->leaf_count++] = leaf;
    return true;
}

static void edge_read_condition(struct rulebook *book, struct adaptive_edge *edge, uint32_t actor_count)
{
    uint32_t count = 1;
    const uint32_t *parts = &edge->condition;
    if (formula_kind(&book->formulas, edge->condition) == FORMULA_AND)
        parts = formula_parts(&book->formulas, edge->condition, &count);
    edge->is_simple = true;
    if (edge->condition == FORMULA_TRUE)
        return;
    edge->leaves = ARENA_ARRAY(book->arena, struct leaf, count);
    for (uint32_t i = 0; i < count && edge->is_simple; i++)
        edge->is_simple = edge_add_leaf(book, edge, actor_count, parts[i]);
}

static void edge_read_effect(struct rulebook *book, struct adaptive_edge *edge, uint32_t actor_count, uint32_t effect)
{
    const struct partition partition = *partitions_at(book->partitions, edge->partition);
    const uint32_t *words = words_at(&book->effects, effect);
    uint32_t length = words_length(&book->effects, effect);
    edge->outcome = (enum adaptive_outcome)words[0];
    if (edge->outcome == OUTCOME_FAULT)
        edge->fault = book->faults.items[words[1]];
    if (edge->outcome != OUTCOME_STATE)
        return;
    edge->shared = words[1];
    memcpy(edge->locals_after, words + 2, actor_count * sizeof *words);
    if (length == 2 + actor_count)
        return;
    edge->map_of_cell = ARENA_ARRAY(book->arena, uint32_t, partition.cell_count);
    for (uint32_t c = 0; c < partition.cell_count; c++)
        edge->map_of_cell[c] = NO_MAP;
    for (uint32_t at = 2 + actor_count; at < length; at += 1 + book->formulas.set_words)
        for (uint32_t e = 0; e < book->roster->element_count; e++)
            if (set_has(words + at + 1, e))
                edge->map_of_cell[partition.cell_of[e]] = words[at];
}

static void edge_make(struct rulebook *book, uint32_t variant, uint32_t partition, const uint32_t *locals,
                      const struct adaptive_item *item, struct adaptive_edge *edge)
{
    uint32_t actor_count = book->variants->items[variant].actor_count;
    *edge = (struct adaptive_edge){.variant = variant, .partition = partition, .condition = item->condition};
    edge->is_symmetric = partition == book->coarsest;
    for (uint32_t a = 0; a < actor_count; a++) {
        edge->actors[a] = item->actors[a];
        edge->cells[a] = partitions_at(book->partitions, partition)->cell_of[item->actors[a]];
        edge->locals[a] = locals[a];
    }
    edge_read_condition(book, edge, actor_count);
    edge_read_effect(book, edge, actor_count, item->effect);
}

/* For sorting items into groups. */
struct sorted_item {
    uint64_t label;
    uint32_t number;
};

static int sorted_compare(const void *left, const void *right)
{
    const struct sorted_item *a = left, *b = right;
    if (a->label != b->label)
        return a->label < b->label ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

struct grouping {
    struct rulebook *book;
    uint32_t variant, actor_count;
    const uint32_t *locals;
    VEC(struct adaptive_edge) edges;
};

/* A group all of whose actors share cells: one edge for each item of its first actors. */
static void grouping_make_edges(struct grouping *grouping, const struct adaptive_item *items, uint32_t count)
{
    struct rulebook *book = grouping->book;
    uint32_t partition = group_partition(book, items, count, grouping->actor_count);
    for (uint32_t i = 0; i < count; i++) {
        struct adaptive_edge edge;
        if (memcmp(items[i].actors, items[0].actors, grouping->actor_count * sizeof(uint32_t)))
            continue;
        edge_make(book, grouping->variant, partition, grouping->locals, &items[i], &edge);
        VEC_PUSH(&grouping->edges, edge);
    }
}

/* Splits items by a label and calls `use` for each part. */
static void grouping_split(struct grouping *grouping, struct adaptive_item *items, uint32_t count,
                           const uint64_t *labels, void (*use)(struct grouping *, struct adaptive_item *, uint32_t))
{
    struct sorted_item *order = memory_alloc((count + 1) * sizeof *order);
    struct adaptive_item *sorted = memory_alloc((count + 1) * sizeof *sorted);
    for (uint32_t i = 0; i < count; i++)
        order[i] = (struct sorted_item){labels[i], i};
    qsort(order, count, sizeof *order, sorted_compare);
    for (uint32_t i = 0; i < count; i++)
        sorted[i] = items[order[i].number];
    for (uint32_t first = 0, end; first < count && !watch_cuts(); first = end) {
        for (end = first + 1; end < count && order[end].label == order[first].label;)
            end++;
        use(grouping, sorted + first, end - first);
    }
    free(order);
    free(sorted);
}

static void grouping_use_class(struct grouping *grouping, struct adaptive_item *items, uint32_t count)
{
    grouping_make_edges(grouping, items, count);
}

/* Items that look alike: split by the cells in which their actors are. */
static void grouping_use_alike(struct grouping *grouping, struct adaptive_item *items, uint32_t count)
{
    uint32_t number = group_partition(grouping->book, items, count, grouping->actor_count);
    const struct partition partition = *partitions_at(grouping->book->partitions, number);
    uint64_t *labels = memory_alloc((count + 1) * sizeof *labels);
    for (uint32_t i = 0; i < count; i++) {
        labels[i] = 0;
        for (uint32_t a = 0; a < grouping->actor_count; a++)
            labels[i] = labels[i] * partition.cell_count + partition.cell_of[items[i].actors[a]];
    }
    grouping_split(grouping, items, count, labels, grouping_use_class);
    free(labels);
}

static void grouping_run(struct grouping *grouping, struct items *items)
{
    uint64_t *labels = memory_alloc((items->count + 1) * sizeof *labels);
    for (size_t i = 0; i < items->count; i++)
        labels[i] = hash_combine(formula_signature(&grouping->book->formulas, items->items[i].condition),
                                 effect_signature(grouping->book, grouping->actor_count, items->items[i].effect));
    grouping_split(grouping, items->items, (uint32_t)items->count, labels, grouping_use_alike);
    free(labels);
}

/* Runs the variant for every choice of actors from position `at` on. */
static enum go edge_enumerate(struct rulebook *book, const struct variant *variant, uint32_t shared,
                              const uint32_t *locals, uint32_t *actors, uint32_t at, struct items *items)
{
    if (at == variant->actor_count)
        return variant_admits(variant, book->roster, actors) ? items_add(book, variant, shared, actors, locals, items)
                                                             : GO_OK;
    const struct family *family = &book->roster->families[variant->family[at]];
    for (uint32_t e = family->first; e < family->first + family->size && !watch_cuts(); e++) {
        bool is_taken = false;
        for (uint32_t a = 0; a < at; a++)
            is_taken |= actors[a] == e;
        actors[at] = e;
        if (!is_taken && edge_enumerate(book, variant, shared, locals, actors, at + 1, items) != GO_OK)
            return GO_UNCLEAR;
    }
    return GO_OK;
}

static struct edge_list edge_infer(struct rulebook *book, uint32_t number, uint32_t shared, const uint32_t *locals)
{
    struct variant *variant = &book->variants->items[number];
    struct items items = {0};
    uint32_t actors[VARIANT_MOST_ACTORS];
    struct grouping grouping = {.book = book, .variant = number, .actor_count = variant->actor_count, .locals = locals};
    struct edge_list list = {0};
    partial_load(&book->partial, shared);
    if (edge_enumerate(book, variant, shared, locals, actors, 0, &items) != GO_OK)
        list.is_unclear = variant->is_unclear = true;
    else
        grouping_run(&grouping, &items);
    list.count = (uint32_t)grouping.edges.count;
    list.items = VEC_SEAL(&grouping.edges, book->arena);
    VEC_FREE(&items);
    return list;
}

const struct edge_list *rulebook_edges(struct rulebook *book, uint32_t variant, uint32_t shared, const uint32_t *locals)
{
    uint32_t key[VARIANT_MOST_ACTORS + 2] = {variant, shared}, count = 2;
    for (uint32_t a = 0; a < book->variants->items[variant].actor_count; a++)
        key[count++] = locals[a];
    uint32_t number = words_intern(&book->keys, key, count);
    if (number == book->lists.count) {
        struct edge_list made = edge_infer(book, variant, shared, locals);
        VEC_PUSH(&book->lists, made);
    }
    return &book->lists.items[number];
}
