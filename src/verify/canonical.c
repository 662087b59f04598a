#include "verify/canonical.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "base/sorted.h"
#include "base/watch.h"

/* Cells that belong together: one that is labelled, or a slot of a multiset, whose number says nothing. */
struct clue {
    uint32_t first, count;
    uint32_t kind; /* of the first cell */
    uint64_t seed;
};

struct canonical {
    const struct group_action *action;
    const struct layout *layout;
    uint32_t count;               /* of elements */
    bool *is_free;                /* by element: in a full factor */
    VEC(const uint32_t *) others; /* all permutations of the other factors */
    VEC(struct clue) facts;
    struct action_map map; /* for any permutation */
    uint32_t *image;       /* its image of elements */
    uint64_t *sums;
    uint32_t *order;
    int32_t *cells, *leaf; /* cells: the state in question */
    uint64_t *packed, *best;
    bool has_best;
};

static bool is_permutation(struct canonical *canonical)
{
    bool is_good = true;
    memset(canonical->order, 0xff, canonical->count * sizeof *canonical->order);
    for (uint32_t e = 0; e < canonical->count; canonical->order[canonical->image[e]] = e, e++)
        is_good &= canonical->order[canonical->image[e]] == UINT32_MAX;
    return is_good;
}

/* Adds a permutation of the factors that are not full, unless it is known. False: there are too many. */
static bool add_other(struct canonical *canonical, const uint32_t *image)
{
    size_t size = canonical->count * sizeof *image;
    for (size_t o = 0; o < canonical->others.count; o++)
        if (!memcmp(canonical->others.items[o], image, size))
            return true;
    VEC_PUSH(&canonical->others, arena_copy(canonical->action->arena, image, size));
    return canonical->others.count <= CANONICAL_LARGEST;
}

/* All products of the generators of factors that are not full. NULL, or what is wrong. */
static const char *list_others(struct canonical *canonical)
{
    uint32_t *image = canonical->image, *product = canonical->order;
    for (uint32_t e = 0; e < canonical->count; e++)
        image[e] = e;
    add_other(canonical, image);
    for (size_t o = 0; o < canonical->others.count; o++)
        for (uint32_t g = 0; action_generator(canonical->action, g, image); g++) {
            bool is_other = true;
            for (uint32_t e = 0; e < canonical->count; e++) {
                product[e] = image[canonical->others.items[o][e]];
                is_other &= !canonical->is_free[e] || image[e] == e;
            }
            if (is_other && !add_other(canonical, product))
                return "the group is too large";
        }
    return NULL;
}

static const char *check_generators(struct canonical *canonical)
{
    for (uint32_t g = 0; action_generator(canonical->action, g, canonical->image); g++)
        if (!is_permutation(canonical) || !action_map(&canonical->map, canonical->layout))
            return "a generator of the group is no permutation of the states";
    return NULL;
}

static void list_facts(struct canonical *canonical)
{
    const struct layout *layout = canonical->layout;
    bool *is_in_slot = memory_zeroed((size_t)layout->cell_count + 1, sizeof *is_in_slot);
    for (uint32_t m = 0; m < layout->multiset_count; m++) {
        const struct type *type = layout->multisets[m].type;
        for (uint32_t s = 0; s < type->capacity; s++) {
            uint32_t slot = s * multiset_stride(type), first = layout->multisets[m].address + slot;
            const struct action_cell *label = canonical->action->by_cell[first];
            uint32_t kind = label ? (uint32_t)label->kind : first;
            VEC_PUSH(&canonical->facts,
                     ((struct clue){first, multiset_stride(type), kind, hash_mix(~(uint64_t)(kind - slot))}));
            for (uint32_t c = 0; c < multiset_stride(type); c++)
                is_in_slot[first + c] = true;
        }
    }
    for (size_t i = 0; i < canonical->action->cells.count; i++) {
        const struct action_cell *cell = &canonical->action->cells.items[i];
        uint32_t kind = cell->arity ? (uint32_t)cell->kind : cell->cell;
        if (!is_in_slot[cell->cell])
            VEC_PUSH(&canonical->facts,
                     ((struct clue){cell->cell, 1, kind, hash_mix(2 * (uint64_t)kind + (cell->arity > 0))}));
    }
    free(is_in_slot);
}

struct canonical *canonical_create(const struct group_action *action, const struct layout *layout, const char **flaw)
{
    struct arena *arena = action->arena;
    struct canonical *canonical = ARENA_NEW(arena, struct canonical);
    size_t cells = layout->cell_count + 1, count = action->element_count + 1;
    canonical->action = action;
    canonical->layout = layout;
    canonical->count = action->element_count;
    canonical->is_free = ARENA_ARRAY(arena, bool, count);
    canonical->image = ARENA_ARRAY(arena, uint32_t, count);
    canonical->map =
        (struct action_map){action, canonical->image, ARENA_ARRAY(arena, uint32_t, action->cells.count + 1)};
    canonical->sums = ARENA_ARRAY(arena, uint64_t, count);
    canonical->order = ARENA_ARRAY(arena, uint32_t, count);
    canonical->cells = ARENA_ARRAY(arena, int32_t, cells);
    canonical->leaf = ARENA_ARRAY(arena, int32_t, cells);
    canonical->packed = ARENA_ARRAY(arena, uint64_t, layout->words);
    canonical->best = ARENA_ARRAY(arena, uint64_t, layout->words);
    for (size_t f = 0; f < action->factors.count; f++)
        for (uint32_t e = 0; e < action->factors.items[f].degree; e++)
            canonical->is_free[action->factors.items[f].first + e] = action->factors.items[f].is_full;
    *flaw = check_generators(canonical);
    *flaw = *flaw ? *flaw : list_others(canonical);
    list_facts(canonical);
    if (!*flaw)
        return canonical;
    canonical_destroy(canonical);
    return NULL;
}

void canonical_destroy(struct canonical *canonical)
{
    VEC_FREE(&canonical->others);
    VEC_FREE(&canonical->facts);
}

/* Which cell of its fact, whatever the elements. */
static uint32_t place_in_fact(const struct clue *fact, uint32_t c, const struct action_cell *label)
{
    return label && label->arity ? (uint32_t)label->kind - fact->kind : c;
}

/* What a cell says, with elements named by their colours. */
static uint64_t cell_hash(const struct canonical *canonical, const struct clue *fact, uint32_t c,
                          const uint32_t *colours)
{
    const struct action_cell *label = canonical->action->by_cell[fact->first + c];
    int32_t code = canonical->cells[fact->first + c];
    const struct action_value *value = label ? action_element(canonical->action, label, code) : NULL;
    uint64_t hash = value ? hash_combine(value->sort + 1, colours[value->element]) : hash_combine(0, (uint32_t)code);
    for (uint32_t t = 0; label && t < label->arity; t++)
        hash = hash_combine(hash, colours[label->tuple[t]]);
    return hash_combine(place_in_fact(fact, c, label), hash);
}

/* Each element hears what the facts it is in say. */
static void sum_facts(struct canonical *canonical, const uint32_t *colours)
{
    memset(canonical->sums, 0, canonical->count * sizeof *canonical->sums);
    for (size_t f = 0; f < canonical->facts.count; f++) {
        const struct clue *fact = &canonical->facts.items[f];
        uint64_t hash = fact->seed;
        for (uint32_t c = 0; c < fact->count; c++)
            hash += cell_hash(canonical, fact, c, colours);
        for (uint32_t c = 0; c < fact->count; c++) {
            const struct action_cell *label = canonical->action->by_cell[fact->first + c];
            if (!label)
                continue;
            uint64_t said =
                hash_combine(hash, hash_combine(cell_hash(canonical, fact, c, colours), place_in_fact(fact, c, label)));
            const struct action_value *value =
                action_element(canonical->action, label, canonical->cells[fact->first + c]);
            for (uint32_t t = 0; t < label->arity; t++)
                canonical->sums[label->tuple[t]] += hash_combine(said, t);
            if (value)
                canonical->sums[value->element] += hash_combine(said, ACTION_WIDEST);
        }
    }
}

/* Splits colours until they say no more. The colour of a class is the number of elements before it. */
static void refine(struct canonical *canonical, uint32_t *colours)
{
    uint32_t *order = canonical->order, *fresh = canonical->image, classes = 0, before;
    const uint64_t *sums = canonical->sums;
    do {
        before = classes;
        classes = 0;
        sum_facts(canonical, colours);
        for (uint32_t e = 0, at; e < canonical->count; order[at] = e++)
            for (at = e; at && (colours[order[at - 1]] > colours[e] ||
                                (colours[order[at - 1]] == colours[e] && sums[order[at - 1]] > sums[e]));
                 at--)
                order[at] = order[at - 1];
        for (uint32_t i = 0, first = 0; i < canonical->count; i++) {
            if (!i || colours[order[i - 1]] != colours[order[i]] || sums[order[i - 1]] != sums[order[i]]) {
                first = i;
                classes++;
            }
            fresh[order[i]] = first;
        }
        memcpy(colours, fresh, canonical->count * sizeof *colours);
    } while (classes > before && classes < canonical->count);
}

/* Does an exchange of the two leave the state as it is? */
static bool are_twins(struct canonical *canonical, uint32_t a, uint32_t b)
{
    for (uint32_t e = 0; e < canonical->count; e++)
        canonical->image[e] = e == a ? b : e == b ? a : e;
    ENSURE(action_map(&canonical->map, canonical->layout));
    action_apply(&canonical->map, canonical->layout, canonical->cells, canonical->leaf);
    return !memcmp(canonical->leaf, canonical->cells, canonical->layout->cell_count * sizeof *canonical->leaf);
}

/* All elements have colours of their own, which are their new places: within a factor they are the same places. */
static void take_leaf(struct canonical *canonical, const uint32_t *colours)
{
    memcpy(canonical->image, colours, canonical->count * sizeof *colours);
    ENSURE(action_map(&canonical->map, canonical->layout));
    action_apply(&canonical->map, canonical->layout, canonical->cells, canonical->leaf);
    layout_pack(canonical->layout, canonical->leaf, canonical->packed);
    if (canonical->has_best && sorted_compare(canonical->packed, canonical->best, canonical->layout->words) >= 0)
        return;
    memcpy(canonical->best, canonical->packed, canonical->layout->words * 8);
    canonical->has_best = true;
}

/* The elements of a colour. */
static uint32_t list_class(const struct canonical *canonical, const uint32_t *colours, uint32_t colour,
                           uint32_t *members)
{
    uint32_t count = 0;
    for (uint32_t e = 0; e < canonical->count; e++)
        if (colours[e] == colour)
            members[count++] = e;
    return count;
}

/* Twins may go in any order: the image is the same. The first class of others: each of them goes first once, but for
 * those that have a twin that did. */
static void search(struct canonical *canonical, uint32_t *colours)
{
    size_t size = canonical->count * sizeof *colours;
    uint32_t *members = memory_alloc(2 * size + 1), *next = members + canonical->count, chosen = canonical->count;
    refine(canonical, colours);
    for (uint32_t i = canonical->count; i-- > 0;) {
        uint32_t count = list_class(canonical, colours, i, members), twins = 1;
        while (twins < count && are_twins(canonical, members[0], members[twins]))
            twins++;
        for (uint32_t m = 0; m < count && twins == count; m++)
            colours[members[m]] = i + m;
        chosen = twins < count ? i : chosen;
    }
    uint32_t count = list_class(canonical, colours, chosen, members);
    if (!count)
        take_leaf(canonical, colours);
    for (uint32_t m = 0; m < count && !(canonical->has_best && watch_is_up()); m++) {
        bool is_tried = false;
        for (uint32_t k = 0; k < m && !is_tried; k++)
            is_tried = are_twins(canonical, members[k], members[m]);
        memcpy(next, colours, size);
        for (uint32_t k = 0; k < count; k++)
            next[members[k]] += k != m;
        if (!is_tried)
            search(canonical, next);
    }
    free(members);
}

void canonical_pack(struct canonical *canonical, const int32_t *cells, uint64_t *packed)
{
    uint32_t *colours = memory_alloc((canonical->count + 1) * sizeof *colours);
    canonical->has_best = false;
    for (size_t o = 0; o < canonical->others.count; o++) {
        memcpy(canonical->image, canonical->others.items[o], canonical->count * sizeof *colours);
        ENSURE(action_map(&canonical->map, canonical->layout));
        action_apply(&canonical->map, canonical->layout, cells, canonical->cells);
        for (uint32_t e = 0; e < canonical->count; e++)
            colours[e] = e;
        for (size_t f = 0; f < canonical->action->factors.count; f++)
            for (uint32_t e = 0; e < canonical->action->factors.items[f].degree; e++)
                if (canonical->action->factors.items[f].is_full)
                    colours[canonical->action->factors.items[f].first + e] = canonical->action->factors.items[f].first;
        search(canonical, colours);
    }
    memcpy(packed, canonical->best, canonical->layout->words * 8);
    free(colours);
}
