#include "engine/complete/interpolant.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void interpolant_free(struct interpolant *interpolant)
{
    for (size_t i = 0; i < interpolant->bounds.count; i++)
        free(interpolant->bounds.items[i]);
    VEC_FREE(&interpolant->masks);
    VEC_FREE(&interpolant->bounds);
    VEC_FREE(&interpolant->facts);
    interpolant->is_pinned = false;
}

static size_t bound_size(uint32_t count)
{
    return sizeof(struct bound) + count * sizeof(struct sum_item);
}

static struct bound *bound_create(const struct sum_item *items, size_t count, int64_t constant)
{
    struct bound *bound = memory_alloc(bound_size((uint32_t)count));
    bound->constant = constant;
    bound->count = (uint32_t)count;
    if (count)
        memcpy(bound->items, items, count * sizeof *items);
    return bound;
}

void interpolant_copy(struct interpolant *to, const struct interpolant *from)
{
    *to = (struct interpolant){.is_pinned = from->is_pinned};
    for (size_t i = 0; i < from->masks.count; i++)
        VEC_PUSH(&to->masks, from->masks.items[i]);
    for (size_t i = 0; i < from->bounds.count; i++) {
        const struct bound *bound = from->bounds.items[i];
        VEC_PUSH(&to->bounds, bound_create(bound->items, bound->count, bound->constant));
    }
    for (size_t i = 0; i < from->facts.count; i++)
        VEC_PUSH(&to->facts, from->facts.items[i]);
}

uint64_t interpolant_bytes(const struct interpolant *interpolant)
{
    uint64_t bytes = interpolant->masks.capacity * sizeof *interpolant->masks.items +
                     interpolant->bounds.capacity * sizeof *interpolant->bounds.items +
                     interpolant->facts.capacity * sizeof *interpolant->facts.items;
    for (size_t i = 0; i < interpolant->bounds.count; i++)
        bytes += bound_size(interpolant->bounds.items[i]->count) + 16;
    return bytes;
}

bool mask_atom_holds(const struct mask_atom *atom, const struct complete_scene *scene)
{
    uint32_t cell;
    int64_t value;
    if (atom->leaf->kind == TERM_ID)
        return term_evaluate(atom->leaf, scene, &value) && term_mask_has(atom->leaf->type, atom->mask, value);
    return term_cell_of(atom->leaf, scene, &cell) && term_mask_has(atom->leaf->type, atom->mask, scene->cells[cell]);
}

bool bound_holds(const struct bound *bound, const struct complete_scene *scene)
{
    int64_t sum = bound->constant;
    for (uint32_t i = 0; i < bound->count; i++) {
        const struct complete_term *term = bound->items[i].term;
        int64_t value;
        if (term->kind == TERM_ID)
            value = scene->shape->codes[scene->map ? scene->map[term->object] : term->object];
        else if (!term_evaluate(term, scene, &value))
            return false;
        sum += bound->items[i].coefficient * value;
    }
    return sum <= 0;
}

enum addition interpolant_add_mask(struct interpolant *interpolant, struct terms *terms,
                                   const struct complete_term *leaf, uint64_t mask, const struct complete_scene *at)
{
    struct mask_atom atom = {leaf, mask};
    bool is_defined = leaf->kind == TERM_ID || terms->shape->is_always_defined;
    uint64_t all = term_mask_of_all(leaf) | (is_defined ? 0 : TERM_MASK_UNDEFINED);
    atom.mask &= all;
    if (!mask_atom_holds(&atom, at))
        return ADDITION_FALSE;
    if (atom.mask == all || interpolant->is_pinned)
        return ADDITION_NOTHING;
    size_t low = 0, high = interpolant->masks.count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (interpolant->masks.items[middle].leaf->id < leaf->id)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < interpolant->masks.count && interpolant->masks.items[low].leaf == leaf) {
        uint64_t before = interpolant->masks.items[low].mask;
        interpolant->masks.items[low].mask &= atom.mask;
        return interpolant->masks.items[low].mask == before ? ADDITION_NOTHING : ADDITION_NEW;
    }
    VEC_PUSH(&interpolant->masks, atom);
    memmove(&interpolant->masks.items[low + 1], &interpolant->masks.items[low],
            (interpolant->masks.count - 1 - low) * sizeof atom);
    interpolant->masks.items[low] = atom;
    return ADDITION_NEW;
}

/* The largest value of left - right, both sorted: when it is at most 0, right <= 0 implies left <= 0. */
static int64_t bound_excess(const struct sum_item *left, size_t left_count, const struct bound *right)
{
    int64_t excess = 0;
    size_t i = 0, j = 0;
    while (i < left_count || j < right->count) {
        uint32_t a = i < left_count ? left[i].term->id : UINT32_MAX;
        uint32_t b = j < right->count ? right->items[j].term->id : UINT32_MAX;
        const struct complete_term *term = a <= b ? left[i].term : right->items[j].term;
        int64_t c = 0;
        if (a <= b)
            c += left[i++].coefficient;
        if (b <= a)
            c -= right->items[j++].coefficient;
        excess += c * (c > 0 ? term->hi : term->lo);
    }
    return excess;
}

static bool bound_implies(const struct bound *bound, const struct sum_item *items, size_t count, int64_t constant)
{
    return constant - bound->constant + bound_excess(items, count, bound) <= 0;
}

static bool bound_is_implied(const struct bound *bound, const struct bound *by)
{
    return bound->constant - by->constant + bound_excess(bound->items, bound->count, by) <= 0;
}

static bool bound_is_always_true(const struct sum_item *items, size_t count, int64_t constant)
{
    int64_t highest = constant;
    for (size_t i = 0; i < count; i++)
        highest += items[i].coefficient * (items[i].coefficient > 0 ? items[i].term->hi : items[i].term->lo);
    return highest <= 0;
}

/* The only leaf of a short sum, when it has masks; else NULL. */
static const struct complete_term *bound_only_leaf(const struct sum_item *items, size_t count)
{
    if (count > 4)
        return NULL;
    for (size_t i = 0; i < count; i++)
        if (!term_has_masks(items[i].term->leaf) || items[i].term->leaf != items[0].term->leaf)
            return NULL;
    return items[0].term->leaf;
}

static bool bound_items_hold(const struct sum_item *items, size_t count, int64_t constant,
                             const struct complete_scene *scene)
{
    int64_t sum = constant, value;
    for (size_t i = 0; i < count; i++) {
        if (!term_evaluate(items[i].term, scene, &value))
            return false;
        sum += items[i].coefficient * value;
    }
    return sum <= 0;
}

/* The values of the only leaf for which the sum is at most 0. "undefined" is one where an item asks about that. */
static uint64_t bound_mask(const struct terms *terms, const struct sum_item *items, size_t count, int64_t constant)
{
    struct complete_scene scene = {.shape = terms->shape, .leaf = items[0].term->leaf};
    uint64_t mask = 0;
    for (uint32_t o = 0; o < scene.leaf->type->size; o++) {
        scene.value = type_code(scene.leaf->type, o);
        if (bound_items_hold(items, count, constant, &scene))
            mask |= UINT64_C(1) << o;
    }
    scene.value = UNDEFINED;
    if (scene.leaf->kind != TERM_ID && bound_items_hold(items, count, constant, &scene))
        mask |= TERM_MASK_UNDEFINED;
    return mask;
}

enum addition interpolant_add_bound(struct interpolant *interpolant, struct terms *terms, const struct sum_item *items,
                                    size_t count, int64_t constant, const struct complete_scene *at)
{
    if (bound_is_always_true(items, count, constant))
        return ADDITION_NOTHING;
    const struct complete_term *leaf = bound_only_leaf(items, count);
    if (leaf)
        return interpolant_add_mask(interpolant, terms, leaf, bound_mask(terms, items, count, constant), at);
    for (size_t i = 0; i < interpolant->bounds.count; i++)
        if (bound_implies(interpolant->bounds.items[i], items, count, constant))
            return ADDITION_NOTHING;
    struct bound *bound = bound_create(items, count, constant);
    bool holds = bound_holds(bound, at);
    if (!holds || interpolant->is_pinned) {
        free(bound);
        return holds ? ADDITION_NOTHING : ADDITION_FALSE;
    }
    size_t kept = 0;
    for (size_t i = 0; i < interpolant->bounds.count; i++) {
        if (bound_is_implied(interpolant->bounds.items[i], bound))
            free(interpolant->bounds.items[i]);
        else
            interpolant->bounds.items[kept++] = interpolant->bounds.items[i];
    }
    interpolant->bounds.count = kept;
    VEC_PUSH(&interpolant->bounds, bound);
    return ADDITION_NEW;
}

static enum addition interpolant_add_fact(struct interpolant *interpolant, const struct complete_term *truth)
{
    for (size_t i = 0; i < interpolant->facts.count; i++)
        if (interpolant->facts.items[i] == truth)
            return ADDITION_NOTHING;
    VEC_PUSH(&interpolant->facts, truth);
    return ADDITION_NEW;
}

static enum addition interpolant_add_all(struct interpolant *interpolant, struct terms *terms,
                                         const struct complete_term *conjunction, const struct complete_scene *at)
{
    enum addition answer = ADDITION_NOTHING;
    for (uint32_t i = 0; i < conjunction->count; i++) {
        enum addition one = interpolant_add(interpolant, terms, conjunction->arguments[i], at);
        if (one == ADDITION_FALSE)
            return one;
        answer = one == ADDITION_NEW ? one : answer;
    }
    return answer;
}

static bool interpolant_has_mask(const struct interpolant *interpolant, const struct complete_term *leaf, uint64_t mask)
{
    for (size_t i = 0; i < interpolant->masks.count; i++)
        if (interpolant->masks.items[i].leaf == leaf)
            return (interpolant->masks.items[i].mask & ~mask) == 0;
    return false;
}

/* Is it there already? */
static bool interpolant_has(const struct interpolant *interpolant, const struct terms *terms,
                            const struct complete_term *part)
{
    if (term_has_masks(part->leaf))
        return interpolant_has_mask(interpolant, part->leaf, term_mask(terms, part));
    for (size_t i = 0; i < interpolant->facts.count; i++)
        if (interpolant->facts.items[i] == part)
            return true;
    return false;
}

/* One part of a disjunction is kept: one that is there already, else the first that is not about indices only. A
 * condition on indices holds for fewer permutations of the objects. */
static const struct complete_term *interpolant_choose(const struct interpolant *interpolant, const struct terms *terms,
                                                      const struct complete_term *disjunction,
                                                      const struct complete_scene *at)
{
    const struct complete_term *chosen = NULL;
    for (uint32_t i = 0; i < disjunction->count; i++) {
        const struct complete_term *part = disjunction->arguments[i];
        if (!term_holds(part, at))
            continue;
        if (interpolant_has(interpolant, terms, part))
            return part;
        if (!chosen || (!part->is_rigid && chosen->is_rigid))
            chosen = part;
    }
    return chosen;
}

enum addition interpolant_add(struct interpolant *interpolant, struct terms *terms, const struct complete_term *given,
                              const struct complete_scene *at)
{
    const struct complete_term *truth = term_truth(terms, given);
    if (term_is_const(truth))
        return truth->value ? ADDITION_NOTHING : ADDITION_FALSE;
    if (truth->kind == TERM_AND)
        return interpolant_add_all(interpolant, terms, truth, at);
    if (term_has_masks(truth->leaf))
        return interpolant_add_mask(interpolant, terms, truth->leaf, term_mask(terms, truth), at);
    if (!term_holds(truth, at))
        return ADDITION_FALSE;
    if (interpolant->is_pinned)
        return ADDITION_NOTHING;
    if (term_is_heavy(terms, truth->weight))
        return interpolant_add_leaves(interpolant, terms, truth, at);
    if (truth->kind == TERM_OR)
        return interpolant_add(interpolant, terms, interpolant_choose(interpolant, terms, truth, at), at);
    if (truth->kind != TERM_LE)
        return interpolant_add_fact(interpolant, truth);
    struct sum_item *items = memory_alloc((truth->count + 1) * sizeof *items);
    for (uint32_t i = 0; i < truth->count; i++)
        items[i] = (struct sum_item){truth->arguments[i], truth->coefficients[i]};
    enum addition answer = interpolant_add_bound(interpolant, terms, items, truth->count, truth->value, at);
    free(items);
    return answer;
}

static const struct complete_term *interpolant_equation(struct terms *terms, const struct complete_term *leaf,
                                                        int32_t code)
{
    return code == UNDEFINED ? term_undefined(terms, leaf) : term_compare(terms, OP_EQ, leaf, term_const(terms, code));
}

/* A cell at its fixed indices. */
static const struct complete_term *interpolant_cell(struct terms *terms, uint32_t cell)
{
    const struct slot *slot = &terms->shape->slots[terms->shape->slot_of[cell]];
    const struct complete_term *indices[SHAPE_MAX_DIMENSIONS];
    for (uint32_t d = 0; d < slot->dimension_count; d++)
        indices[d] = term_const(terms, shape_index_of_cell(slot, cell, d));
    return term_cell(terms, slot, indices);
}

static enum addition interpolant_add_leaf(struct interpolant *interpolant, struct terms *terms,
                                          const struct complete_term *leaf, const struct complete_scene *at)
{
    uint32_t cell;
    if (leaf->kind == TERM_ID)
        return interpolant_add(interpolant, terms, interpolant_equation(terms, leaf, at->shape->codes[leaf->object]),
                               at);
    ENSURE(term_cell_of(leaf, at, &cell));
    return interpolant_add(interpolant, terms, interpolant_equation(terms, leaf, at->cells[cell]), at);
}

enum addition interpolant_add_leaves(struct interpolant *interpolant, struct terms *terms,
                                     const struct complete_term *term, const struct complete_scene *at)
{
    enum addition answer = ADDITION_NOTHING;
    if (term_is_leaf(term) && !term_is_heavy(terms, term->weight))
        answer = interpolant_add_leaf(interpolant, terms, term, at);
    else if (term->kind == TERM_ROLE)
        answer = interpolant_add_leaf(interpolant, terms, term->leaf, at);
    else if (term->kind == TERM_SELECT) {
        const struct complete_term *cell;
        uint32_t address;
        /* Its indices first; then it is a cell at fixed ones. */
        ENSURE(term_cell_of(term, at, &address));
        cell = interpolant_cell(terms, address);
        answer = interpolant_add_leaf(interpolant, terms, cell, at);
    }
    if (term_is_leaf(term) && term->kind != TERM_SELECT)
        return answer;
    for (uint32_t i = 0; i < term->count; i++)
        if (interpolant_add_leaves(interpolant, terms, term->arguments[i], at) == ADDITION_NEW)
            answer = ADDITION_NEW;
    return answer;
}

void interpolant_pin(struct interpolant *interpolant, struct terms *terms, const struct complete_scene *at)
{
    const struct shape *shape = terms->shape;
    if (interpolant->is_pinned)
        return;
    interpolant_free(interpolant);
    for (uint32_t c = 0; c < shape->system->state_cells; c++) {
        const struct complete_term *cell = interpolant_cell(terms, c);
        interpolant_add(interpolant, terms, interpolant_equation(terms, cell, at->cells[c]), at);
    }
    for (uint32_t o = 0; o < shape->object_count; o++)
        interpolant_add(interpolant, terms, interpolant_equation(terms, terms->ids[o], shape->codes[o]), at);
    interpolant->is_pinned = true;
}
