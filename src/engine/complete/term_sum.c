/* Sums of terms, and comparisons of sums with 0, each in one form. */
#include <stdlib.h>

#include "base/memory.h"
#include "base/vec.h"
#include "engine/complete/term.h"

/* Numbers stay well within 64 bits, so that no sum of two bounds overflows. */
static const int64_t TERM_WIDEST = INT64_C(1) << 56;

static int term_compare_items(const void *left, const void *right)
{
    const struct sum_item *a = left, *b = right;
    return a->term->id < b->term->id ? -1 : a->term->id > b->term->id;
}

/* Sorted, each term once, none with coefficient 0. */
static size_t term_merge_items(struct sum_item *items, size_t count)
{
    size_t kept = 0;
    if (count > 1)
        qsort(items, count, sizeof *items, term_compare_items);
    for (size_t i = 0; i < count; i++) {
        if (kept && items[kept - 1].term == items[i].term)
            items[kept - 1].coefficient += items[i].coefficient;
        else
            items[kept++] = items[i];
        if (items[kept - 1].coefficient == 0)
            kept--;
    }
    return kept;
}

/* Everything that may be summed stays below TERM_WIDEST; false: it does not. */
static bool term_is_narrow(const struct sum_item *items, size_t count, int64_t constant)
{
    for (size_t i = 0; i < count; i++)
        if (items[i].coefficient > TERM_WIDEST || items[i].coefficient < -TERM_WIDEST)
            return false;
    return term_is_sum_within(items, count, constant, (uint64_t)TERM_WIDEST);
}

/* Signs such that the same equation has one form. */
static void term_orient(enum term_kind kind, struct sum_item *items, size_t count, int64_t *constant)
{
    if ((kind != TERM_EQ && kind != TERM_NE) || !count || items[0].coefficient > 0)
        return;
    *constant = -*constant;
    for (size_t i = 0; i < count; i++)
        items[i].coefficient = -items[i].coefficient;
}

static const struct complete_term *term_from_items(struct terms *terms, enum term_kind kind, struct sum_item *items,
                                                   size_t count, int64_t constant)
{
    const struct complete_term **arguments = memory_alloc((count + 1) * sizeof *arguments);
    int64_t *coefficients = memory_alloc((count + 1) * sizeof *coefficients);
    for (size_t i = 0; i < count; i++) {
        arguments[i] = items[i].term;
        coefficients[i] = items[i].coefficient;
    }
    struct complete_term term = {.kind = kind,
                                 .count = (uint32_t)count,
                                 .value = constant,
                                 .arguments = arguments,
                                 .coefficients = coefficients};
    const struct complete_term *made = term_intern(terms, &term);
    free(arguments);
    free(coefficients);
    return made;
}

/* Decided by the bounds, or by two indices of one family being different? -1: not decided. */
static int term_decide_sum(enum term_kind kind, const struct sum_item *items, size_t count, int64_t constant)
{
    int64_t lo = constant, hi = constant;
    for (size_t i = 0; i < count; i++) {
        int64_t c = items[i].coefficient;
        lo += c * (c > 0 ? items[i].term->lo : items[i].term->hi);
        hi += c * (c > 0 ? items[i].term->hi : items[i].term->lo);
    }
    if (kind == TERM_LE)
        return hi <= 0 ? 1 : lo > 0 ? 0 : -1;
    if (lo > 0 || hi < 0)
        return kind == TERM_NE;
    if (lo == 0 && hi == 0)
        return kind == TERM_EQ;
    bool is_difference = count == 2 && constant == 0 && items[0].coefficient == -items[1].coefficient;
    if (is_difference && items[0].term->kind == TERM_ID && items[1].term->kind == TERM_ID &&
        items[0].term->type == items[1].term->type)
        return kind == TERM_NE;
    return -1;
}

/* How many items are cells of this slot with this coefficient. */
static uint32_t term_count_cells(const struct sum_item *items, size_t count, uint32_t slot, int64_t coefficient)
{
    uint32_t cells = 0;
    for (size_t i = 0; i < count; i++)
        cells += items[i].term->kind == TERM_CELL && items[i].term->slot == slot && items[i].coefficient == coefficient;
    return cells;
}

/* A sum over the cells of all elements of a family is one over the cells of all objects, whatever their indices are:
 * x[1] + x[2] + x[3] is symmetric. Names the objects instead of the elements. */
static void term_name_objects(struct terms *terms, struct sum_item *items, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (items[i].term->kind != TERM_CELL)
            continue;
        uint32_t id = items[i].term->slot;
        int64_t coefficient = items[i].coefficient;
        const struct slot *slot = &terms->shape->slots[id];
        uint32_t family =
            slot->dimension_count == 1 ? shape_family_of_type(terms->shape, slot->dimensions[0].type) : SHAPE_NONE;
        if (family == SHAPE_NONE || terms->shape->families[family].count != slot->dimensions[0].type->size ||
            term_count_cells(items, count, id, coefficient) != slot->dimensions[0].type->size)
            continue;
        uint32_t object = terms->shape->families[family].first;
        for (size_t k = i; k < count; k++)
            if (items[k].term->kind == TERM_CELL && items[k].term->slot == id && items[k].coefficient == coefficient)
                items[k].term = term_cell(terms, slot, &terms->ids[object++]);
    }
}

const struct complete_term *term_sum(struct terms *terms, enum term_kind kind, const struct sum_item *given,
                                     size_t count, int64_t constant)
{
    VEC(struct sum_item) items = {0};
    const struct complete_term *made = NULL;
    bool is_wide = false;
    int64_t product;
    for (size_t i = 0; i < count; i++) {
        const struct complete_term *term = given[i].term;
        int64_t c = given[i].coefficient;
        if (term->kind != TERM_SUM && term->kind != TERM_CONST) {
            VEC_PUSH(&items, given[i]);
            continue;
        }
        is_wide |= c > INT32_MAX || c < -INT32_MAX;
        is_wide |=
            __builtin_mul_overflow(c, term->value, &product) || __builtin_add_overflow(constant, product, &constant);
        for (uint32_t a = 0; a < term->count; a++) {
            is_wide |= __builtin_mul_overflow(c, term->coefficients[a], &product);
            VEC_PUSH(&items, ((struct sum_item){term->arguments[a], product}));
        }
    }
    if (is_wide || constant == INT64_MIN) {
        VEC_FREE(&items);
        return NULL;
    }
    items.count = term_merge_items(items.items, items.count);
    term_name_objects(terms, items.items, items.count);
    items.count = term_merge_items(items.items, items.count);
    term_orient(kind, items.items, items.count, &constant);
    if (term_is_narrow(items.items, items.count, constant)) {
        int decided = kind == TERM_SUM ? -1 : term_decide_sum(kind, items.items, items.count, constant);
        if (decided >= 0)
            made = term_const(terms, decided);
        else if (kind == TERM_SUM && !items.count)
            made = term_const(terms, constant);
        else if (kind == TERM_SUM && items.count == 1 && constant == 0 && items.items[0].coefficient == 1)
            made = items.items[0].term;
        else
            made = term_from_items(terms, kind, items.items, items.count, constant);
    }
    VEC_FREE(&items);
    return made;
}
