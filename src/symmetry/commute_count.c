/* multisetcount, of a multiset of which nothing is known but what the iterations have added to it.
 *
 * Of the elements that were there in the beginning, how many the condition holds of is an unknown; so is whether
 * evaluating it fails for one of them. Both depend on these elements and on the values that the condition reads
 * besides: where the same expression reads the same values again, in either order, they are the same unknowns. The
 * elements that were added are looked at one by one. */
#include "symmetry/commuting.h"
#include "symmetry/effects.h"

/* Where the element that the condition is about is kept while it is evaluated: no cell of a system is there. */
enum { COUNTED_ADDRESS = 0x7fff0000, COUNTED_MOST_CELLS = 4096 };

static const char counted_words[] = "it looks into a multiset";

/* --- what the condition reads besides the element --- */

static enum path_end count_read_expr(struct commuting *c, const struct expr *count, const struct expr *expr);

static bool is_slot_of(const struct place *place, const struct expr *count)
{
    return place->kind == PLACE_SLOT && effects_same_place(place->base, count->place) &&
           place->index->kind == EXPR_READ && place->index->place->kind == PLACE_VARIABLE &&
           place->index->place->variable == count->variable;
}

/* Does the place lie in the element? */
static bool is_in_element(const struct place *place, const struct expr *count)
{
    while (place->base && place->kind != PLACE_SLOT)
        place = place->base;
    return is_slot_of(place, count);
}

/* The indices on the way to a part of the element. */
static enum path_end count_read_indices(struct commuting *c, const struct expr *count, const struct place *place)
{
    enum path_end end = PATH_OK;
    for (; end == PATH_OK && place->kind != PLACE_SLOT; place = place->base)
        if (place->kind == PLACE_ELEMENT)
            end = count_read_expr(c, count, place->index);
    return end;
}

/* All cells of a place. One whose address cannot be found in the beginning is left alone. */
static enum path_end count_read_place(struct commuting *c, const struct expr *count, const struct place *place)
{
    uint32_t address;
    if (is_in_element(place, count))
        return count_read_indices(c, count, place);
    enum path_end end = commuting_is_copied(c, place->type);
    if (end == PATH_OK)
        end = commuting_place(c, place, &address);
    if (end == PATH_FAULT)
        return commuting_stuck(c, counted_words);
    for (uint32_t i = 0; end == PATH_OK && i < place->type->cells; i++)
        VEC_PUSH(&c->count_values, commuting_load(c, address + i, commuting_cell_type(place->type, i)));
    return end;
}

/* Values are read whether or not the condition would come to them: what it depends on is among them. */
static enum path_end count_read_expr(struct commuting *c, const struct expr *count, const struct expr *expr)
{
    enum path_end end = commuting_step(c);
    if (end != PATH_OK)
        return end;
    switch (expr->kind) {
    case EXPR_CONST:
        return PATH_OK;
    case EXPR_READ:
    case EXPR_IS_UNDEFINED:
        return count_read_place(c, count, expr->place);
    case EXPR_EQUAL:
        end = count_read_place(c, count, expr->place);
        return end == PATH_OK ? count_read_place(c, count, expr->other) : end;
    case EXPR_COND:
        end = count_read_expr(c, count, expr->condition);
        break;
    case EXPR_UNARY:
    case EXPR_IS_MEMBER:
        return count_read_expr(c, count, expr->left);
    case EXPR_BINARY:
        break;
    default:
        return commuting_stuck(c, counted_words);
    }
    if (end == PATH_OK)
        end = count_read_expr(c, count, expr->left);
    return end == PATH_OK ? count_read_expr(c, count, expr->right) : end;
}

/* --- the elements of the beginning --- */

/* As a number, where it is defined. */
static struct linear_sum value_sum(const struct held *held)
{
    return held->kind == HELD_UNKNOWN ? linear_unknown(held->unknown) : held->number;
}

/* Equal as terms: "no" may be wrong. */
static bool values_agree(const struct held *a, const struct held *b)
{
    if (a->kind == HELD_UNDEFINED || b->kind == HELD_UNDEFINED)
        return a->kind == b->kind;
    struct linear_sum difference = value_sum(a), other = value_sum(b);
    return linear_add(&difference, &other, -1) && !difference.count && !difference.constant;
}

/* Was this counted before, with the values behind `first`? */
static const struct multiset_count *count_find(const struct commuting *c, const struct expr *expr, uint32_t multiset,
                                               size_t first)
{
    size_t size = c->count_values.count - first;
    for (size_t i = 0; i < c->counts.count; i++) {
        const struct multiset_count *old = &c->counts.items[i];
        bool is_same = old->expr == expr && old->multiset == multiset && old->value_count == size;
        for (size_t v = 0; is_same && v < size; v++)
            is_same = values_agree(&c->count_values.items[old->first + v], &c->count_values.items[first + v]);
        if (is_same)
            return old;
    }
    return NULL;
}

static const struct multiset_count *count_make(struct commuting *c, const struct expr *expr, uint32_t multiset,
                                               size_t first)
{
    const struct type *type = expr->place->type;
    struct origin origin = {.address = multiset, .definedness = DEFINED_SURELY};
    struct multiset_count counted = {expr, multiset, first, c->count_values.count - first, 0, 0};
    counted.unknown = commuting_new_unknown(c, 0, type->capacity, origin);
    counted.fails = commuting_new_unknown(c, 0, 1, origin);
    struct linear_sum size = linear_unknown(commuting_size(c, multiset, type));
    struct linear_sum at_most = linear_unknown(counted.unknown);
    if (linear_add(&at_most, &size, -1))
        facts_add(&c->facts, FACT_AT_MOST, at_most);
    VEC_PUSH(&c->counts, counted);
    return &VEC_LAST(&c->counts);
}

static enum path_end count_first(struct commuting *c, const struct expr *expr, uint32_t multiset,
                                 struct linear_sum *number)
{
    size_t first = c->count_values.count;
    bool is_good = false;
    if (expr->left->kind == EXPR_CONST && expr->left->value == 1) {
        *number = linear_unknown(commuting_size(c, multiset, expr->place->type));
        return PATH_OK;
    }
    enum path_end end = count_read_expr(c, expr, expr->left);
    if (end != PATH_OK)
        return end;
    const struct multiset_count *counted = count_find(c, expr, multiset, first);
    if (!counted)
        counted = count_make(c, expr, multiset, first);
    else
        c->count_values.count = first;
    *number = linear_unknown(counted->unknown);
    end = commuting_is_zero(c, linear_unknown(counted->fails), &is_good);
    return end == PATH_OK && !is_good ? PATH_FAULT : end;
}

/* --- those that were added --- */

static enum path_end count_added(struct commuting *c, const struct expr *expr, const struct insertion *insertion,
                                 bool *holds)
{
    const struct slot_element before = c->element;
    c->element = (struct slot_element){expr->variable, insertion->multiset, COUNTED_ADDRESS};
    if (insertion->cells > COUNTED_MOST_CELLS || before.variable)
        return commuting_stuck(c, counted_words);
    for (size_t i = 0; i < insertion->cells; i++) {
        pairs_set(&c->now->at, COUNTED_ADDRESS + i, (uint32_t)c->now->values.count);
        VEC_PUSH(&c->now->values, c->now->taken.items[insertion->first + i]);
    }
    enum path_end end = commuting_truth(c, expr->left, holds);
    c->element = before;
    return end;
}

enum path_end commuting_count(struct commuting *c, const struct expr *expr, struct linear_sum *number)
{
    uint32_t multiset = 0;
    enum path_end end = commuting_place(c, expr->place, &multiset);
    if (end == PATH_OK)
        end = count_first(c, expr, multiset, number);
    for (size_t i = 0; end == PATH_OK && i < c->now->insertions.count; i++) {
        const struct insertion insertion = c->now->insertions.items[i];
        bool holds = false;
        if (insertion.multiset == multiset)
            end = count_added(c, expr, &insertion, &holds);
        number->constant += holds;
    }
    return end;
}

uint32_t commuting_size(struct commuting *c, uint32_t multiset, const struct type *type)
{
    uint32_t unknown = pairs_get(&c->unknown_of, multiset);
    if (unknown == WORDS_NONE) {
        unknown = commuting_new_unknown(c, 0, type->capacity,
                                        (struct origin){.address = multiset, .definedness = DEFINED_SURELY});
        pairs_set(&c->unknown_of, multiset, unknown);
    }
    return unknown;
}
