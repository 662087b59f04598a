#include "engine/complete/backward.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void backward_create(struct backward *backward, struct terms *terms)
{
    *backward = (struct backward){.terms = terms};
    backward->coefficients = memory_zeroed(terms->shape->object_count + 1, sizeof *backward->coefficients);
    backward->sum = memory_zeroed(terms->shape->object_count + 1, sizeof *backward->sum);
}

void backward_destroy(struct backward *backward)
{
    VEC_FREE(&backward->required);
    VEC_FREE(&backward->items);
    free(backward->coefficients);
    free(backward->sum);
}

static bool backward_is_equal(const struct backward *backward, const struct complete_term *left,
                              const struct complete_term *right)
{
    int64_t a, b;
    ENSURE(term_evaluate(left, &backward->at, &a) && term_evaluate(right, &backward->at, &b));
    return a == b;
}

static void backward_require(struct backward *backward, const struct complete_term *term)
{
    if (!term_is_const(term))
        VEC_PUSH(&backward->required, term);
}

/* Is it this element that the write changes? What the answer depends on is required, unless it does not matter. */
static bool backward_is_hit(struct backward *backward, const struct write *write,
                            const struct complete_term *const *indices, uint32_t count, bool is_harmless)
{
    for (uint32_t d = 0; d < count; d++) {
        if (write->indices[d] == indices[d] || backward_is_equal(backward, write->indices[d], indices[d]))
            continue;
        if (!is_harmless)
            backward_require(backward, term_compare(backward->terms, OP_NE, write->indices[d], indices[d]));
        return false;
    }
    for (uint32_t d = 0; d < count; d++)
        backward_require(backward, term_compare(backward->terms, OP_EQ, write->indices[d], indices[d]));
    return true;
}

static bool backward_touches(const struct backward *backward, uint32_t slot)
{
    for (uint32_t w = 0; w < backward->count; w++)
        if (backward->writes[w].slot == slot)
            return true;
    return false;
}

static bool backward_is_undefined(const struct complete_term *term)
{
    return term_is_const(term) && term->value == UNDEFINED;
}

const struct complete_term *backward_resolve(struct backward *backward, const struct complete_term *leaf,
                                             const uint64_t *keeps)
{
    const struct complete_term *indices[SHAPE_MAX_DIMENSIONS];
    const struct slot *slot = &backward->terms->shape->slots[leaf->slot];
    if (!backward_touches(backward, leaf->slot))
        return leaf;
    term_indices(backward->terms, leaf, indices);
    for (uint32_t w = backward->count; w > 0; w--) {
        const struct write *write = &backward->writes[w - 1];
        if (write->slot != leaf->slot)
            continue;
        bool is_harmless =
            keeps && term_is_const(write->value) && term_mask_has(slot->type, *keeps, write->value->value);
        if (backward_is_hit(backward, write, indices, slot->dimension_count, is_harmless))
            return write->value;
    }
    return leaf;
}

/* NULL: too wide a number. */
static const struct complete_term *backward_term(struct backward *backward, const struct complete_term *term);

/* Terms share their parts, and are walked as trees: m[m[i][i]][m[i][i]] doubles with every step, so a heavy one is
 * given up. */
static const struct complete_term *backward_leaf(struct backward *backward, const struct complete_term *leaf,
                                                 const uint64_t *keeps)
{
    const struct complete_term *indices[SHAPE_MAX_DIMENSIONS];
    const struct slot *slot = &backward->terms->shape->slots[leaf->slot];
    if (leaf->kind != TERM_SELECT)
        return backward_resolve(backward, leaf, keeps);
    if (term_is_heavy(backward->terms, leaf->weight))
        return NULL;
    for (uint32_t d = 0; d < slot->dimension_count; d++)
        if (!(indices[d] = backward_term(backward, leaf->arguments[d])) || backward_is_undefined(indices[d]))
            return NULL;
    return backward_resolve(backward, term_cell(backward->terms, slot, indices), keeps);
}

/* An operand that becomes undefined has no value to go on with. */
static const struct complete_term *backward_term(struct backward *backward, const struct complete_term *term)
{
    if (term->is_rigid)
        return term;
    if (term_is_leaf(term))
        return backward_leaf(backward, term, NULL);
    const struct complete_term **arguments = memory_alloc((term->count + 1) * sizeof *arguments);
    const struct complete_term *made = term;
    bool takes_undefined = term->kind == TERM_UNDEFINED || term->kind == TERM_SAME;
    for (uint32_t i = 0; i < term->count && made; i++) {
        made = arguments[i] = backward_term(backward, term->arguments[i]);
        if (made && backward_is_undefined(made) && !takes_undefined)
            made = NULL;
    }
    if (made)
        made = term_rebuild(backward->terms, term, arguments);
    free(arguments);
    return made;
}

/* Where it cannot be said, the state as it is. */
static enum addition backward_pin(struct backward *backward, struct interpolant *before)
{
    if (before->is_pinned)
        return ADDITION_NOTHING;
    interpolant_pin(before, backward->terms, &backward->at);
    return ADDITION_NEW;
}

/* The values of a leaf whose codes are those of a mask over another type. */
static uint64_t backward_translate(const struct complete_term *leaf, const struct type *type, uint64_t mask)
{
    uint64_t other = mask & TERM_MASK_UNDEFINED;
    for (uint32_t o = 0; o < leaf->type->size; o++)
        if (term_mask_has(type, mask, type_code(leaf->type, o)))
            other |= UINT64_C(1) << o;
    return other;
}

/* The codes of the mask, when they are an interval: then a sum is in it iff it is between the ends. */
static bool backward_interval(const struct type *type, uint64_t mask, int64_t *lo, int64_t *hi)
{
    uint64_t values = mask & ~TERM_MASK_UNDEFINED;
    if (type->kind == TYPE_UNION || !values)
        return false;
    int first = __builtin_ctzll(values), last = 63 - __builtin_clzll(values);
    *lo = type_code(type, (uint32_t)first);
    *hi = type_code(type, (uint32_t)last);
    return (int)__builtin_popcountll(values) == last - first + 1;
}

static const struct complete_term *backward_membership(struct terms *terms, const struct complete_term *value,
                                                       const struct type *type, uint64_t mask)
{
    int64_t lo, hi;
    if (term_has_masks(value->leaf) || !backward_interval(type, mask, &lo, &hi))
        return term_in(terms, value, type, mask);
    const struct complete_term *ends[] = {term_compare(terms, OP_GE, value, term_const(terms, lo)),
                                          term_compare(terms, OP_LE, value, term_const(terms, hi))};
    return ends[0] && ends[1] ? term_junction(terms, TERM_AND, ends, 2) : term_in(terms, value, type, mask);
}

static enum addition backward_mask(struct backward *backward, const struct mask_atom *atom, const uint32_t *map,
                                   struct interpolant *before)
{
    const struct complete_term *leaf = term_rename(backward->terms, atom->leaf, map);
    const struct complete_term *value = leaf->kind == TERM_ID ? leaf : backward_leaf(backward, leaf, &atom->mask);
    if (!value)
        return backward_pin(backward, before);
    if (term_is_const(value))
        return term_mask_has(atom->leaf->type, atom->mask, value->value) ? ADDITION_NOTHING : ADDITION_FALSE;
    if (term_is_leaf(value) && term_has_masks(value)) {
        uint64_t mask = backward_translate(value, atom->leaf->type, atom->mask);
        return interpolant_add_mask(before, backward->terms, value, mask, &backward->at);
    }
    const struct complete_term *membership = backward_membership(backward->terms, value, atom->leaf->type, atom->mask);
    if (atom->mask & TERM_MASK_UNDEFINED) {
        const struct complete_term *either[] = {membership, term_undefined(backward->terms, value)};
        membership = term_junction(backward->terms, TERM_OR, either, 2);
    }
    return interpolant_add(before, backward->terms, membership, &backward->at);
}

/* Adds coefficient * term to the bound that is being built. */
static void backward_collect(struct backward *backward, const struct complete_term *term, int64_t coefficient,
                             int64_t *constant)
{
    if (term->kind == TERM_ID) {
        backward->coefficients[term->object] += coefficient;
    } else if (term->kind == TERM_CONST || term->kind == TERM_SUM) {
        *constant += coefficient * term->value;
        for (uint32_t i = 0; i < term->count; i++)
            backward_collect(backward, term->arguments[i], coefficient * term->coefficients[i], constant);
    } else {
        VEC_PUSH(&backward->items, ((struct sum_item){term, coefficient}));
    }
}

static int backward_compare(const void *left, const void *right)
{
    const struct sum_item *a = left, *b = right;
    return a->term->id < b->term->id ? -1 : a->term->id > b->term->id;
}

/* The other items sorted and merged behind the IDs (which have the smallest ids). */
static size_t backward_gather(struct backward *backward)
{
    uint32_t objects = backward->terms->shape->object_count;
    size_t others = backward->items.count, kept = 0;
    if (others > 1)
        qsort(backward->items.items, others, sizeof *backward->items.items, backward_compare);
    for (size_t i = 0; i < others; i++) {
        if (kept && backward->items.items[kept - 1].term == backward->items.items[i].term)
            backward->items.items[kept - 1].coefficient += backward->items.items[i].coefficient;
        else
            backward->items.items[kept++] = backward->items.items[i];
        if (!backward->items.items[kept - 1].coefficient)
            kept--;
    }
    struct sum_item *items = backward->sum;
    size_t count = 0;
    for (uint32_t o = 0; o < objects; o++) {
        items[count] = (struct sum_item){backward->terms->ids[o], backward->coefficients[o]};
        count += backward->coefficients[o] != 0;
        backward->coefficients[o] = 0;
    }
    if (kept > backward->sum_others) {
        backward->sum_others = 2 * kept;
        backward->sum = items = memory_resize(items, (objects + backward->sum_others + 1) * sizeof *items);
    }
    if (kept)
        memcpy(items + count, backward->items.items, kept * sizeof *items);
    return count + kept;
}

/* Does some item weigh too much? Then everything the sum depends on is kept as it is. */
static bool backward_is_heavy(const struct backward *backward, const struct sum_item *items, size_t count)
{
    uint32_t weight = 0;
    for (size_t i = count; i > 0 && items[i - 1].term->kind != TERM_ID; i--)
        weight += items[i - 1].term->weight;
    return term_is_heavy(backward->terms, weight);
}

static enum addition backward_settle(struct backward *backward, size_t count, struct interpolant *before)
{
    enum addition answer = ADDITION_NOTHING;
    for (size_t i = 0; i < count; i++)
        if (interpolant_add_leaves(before, backward->terms, backward->sum[i].term, &backward->at) == ADDITION_NEW)
            answer = ADDITION_NEW;
    return answer;
}

/* A sum that could leave 64 bits cannot be kept as a bound. */
static bool backward_is_narrow(const struct sum_item *items, size_t count, int64_t constant)
{
    for (size_t i = 0; i < count; i++)
        if (items[i].coefficient > INT32_MAX || items[i].coefficient < -INT32_MAX)
            return false;
    return term_is_sum_within(items, count, constant, INT64_MAX / 4);
}

static enum addition backward_bound(struct backward *backward, const struct bound *bound, const uint32_t *map,
                                    struct interpolant *before)
{
    int64_t constant = bound->constant;
    bool is_possible = true;
    VEC_CLEAR(&backward->items);
    for (uint32_t i = 0; i < bound->count; i++) {
        const struct complete_term *term = bound->items[i].term;
        if (term->kind == TERM_ID) {
            backward->coefficients[map ? map[term->object] : term->object] += bound->items[i].coefficient;
            continue;
        }
        term = backward_term(backward, term_rename(backward->terms, term, map));
        if (term && backward_is_undefined(term))
            term = NULL;
        if (term)
            backward_collect(backward, term, bound->items[i].coefficient, &constant);
        is_possible = is_possible && term;
    }
    size_t count = backward_gather(backward);
    if (!is_possible || !backward_is_narrow(backward->sum, count, constant))
        return backward_pin(backward, before);
    if (backward_is_heavy(backward, backward->sum, count))
        return backward_settle(backward, count, before);
    return interpolant_add_bound(before, backward->terms, backward->sum, count, constant, &backward->at);
}

static enum addition backward_fact(struct backward *backward, const struct complete_term *fact, const uint32_t *map,
                                   struct interpolant *before)
{
    const struct complete_term *term = backward_term(backward, term_rename(backward->terms, fact, map));
    if (term)
        return interpolant_add(before, backward->terms, term, &backward->at);
    return backward_pin(backward, before);
}

/* Folds one answer into the others: false before new before nothing. */
static void backward_note(enum addition *answer, enum addition one)
{
    if (one == ADDITION_FALSE || *answer == ADDITION_FALSE)
        *answer = ADDITION_FALSE;
    else if (one == ADDITION_NEW)
        *answer = ADDITION_NEW;
}

enum addition backward_interpolant(struct backward *backward, const struct interpolant *after, const uint32_t *map,
                                   struct interpolant *before)
{
    enum addition answer = ADDITION_NOTHING;
    VEC_CLEAR(&backward->required);
    for (size_t i = 0; i < after->masks.count && answer != ADDITION_FALSE; i++)
        backward_note(&answer, backward_mask(backward, &after->masks.items[i], map, before));
    for (size_t i = 0; i < after->bounds.count && answer != ADDITION_FALSE; i++)
        backward_note(&answer, backward_bound(backward, after->bounds.items[i], map, before));
    for (size_t i = 0; i < after->facts.count && answer != ADDITION_FALSE; i++)
        backward_note(&answer, backward_fact(backward, after->facts.items[i], map, before));
    for (size_t i = 0; i < backward->required.count && answer != ADDITION_FALSE; i++)
        backward_note(&answer, interpolant_add(before, backward->terms, backward->required.items[i], &backward->at));
    return answer;
}
