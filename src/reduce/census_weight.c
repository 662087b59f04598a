/* Weights over terms: a rational factor, and a quotient of terms without constant factors where these are easily seen.
 */
#include "reduce/census_inner.h"

/* The number of an equal factor; takes it. */
static uint32_t keep_factor(struct census *census, struct rational *factor)
{
    for (uint32_t i = 0; i < census->factors.count; i++)
        if (!rational_compare(census->factors.items[i], factor)) {
            rational_destroy(factor);
            return i;
        }
    VEC_PUSH(&census->factors, factor);
    return (uint32_t)census->factors.count - 1;
}

static void scale(struct rational *factor, const struct gterm *constant, bool is_divided)
{
    struct rational *number = rational_create(constant->value, 1);
    (is_divided ? rational_divide : rational_multiply)(factor, number);
    rational_destroy(number);
}

/* Constants go into the factor, which it takes. */
static struct census_weight settle(struct census *census, struct rational *factor, bool is_rounded,
                                   const struct gterm *top, const struct gterm *bottom)
{
    const struct gterm *one = gterm_int(census->terms, 1);
    if (gterm_is_value(top)) {
        scale(factor, top, false);
        top = one;
    }
    if (gterm_is_value(bottom) && bottom->value) {
        scale(factor, bottom, true);
        bottom = one;
    }
    if (!rational_sign(factor) && bottom == one)
        top = one;
    return (struct census_weight){keep_factor(census, factor), is_rounded, top, bottom};
}

static struct rational *copy_of(const struct rational *from)
{
    struct rational *copy = rational_create(0, 1);
    rational_copy(copy, from);
    return copy;
}

struct census_weight census_weight_from(struct census *census, const struct weight *weight)
{
    if (!weight)
        return census_weight_one(census);
    const struct gterm *one = gterm_int(census->terms, 1);
    const struct gterm *top = weight->top ? gterm_from(census->terms, weight->top) : one;
    const struct gterm *bottom = weight->bottom ? gterm_from(census->terms, weight->bottom) : one;
    return settle(census, copy_of(weight->factor), weight->is_rounded, top, bottom);
}

struct census_weight census_weight_one(struct census *census)
{
    const struct gterm *one = gterm_int(census->terms, 1);
    return settle(census, rational_create(1, 1), false, one, one);
}

struct census_weight census_weight_multiply(struct census *census, const struct census_weight *left,
                                            const struct census_weight *right)
{
    struct rational *factor = copy_of(census->factors.items[left->factor]);
    rational_multiply(factor, census->factors.items[right->factor]);
    return settle(census, factor, left->is_rounded || right->is_rounded,
                  gterm_pair(census->terms, TERM_MUL, left->top, right->top),
                  gterm_pair(census->terms, TERM_MUL, left->bottom, right->bottom));
}

struct census_weight census_weight_scale(struct census *census, const struct census_weight *weight,
                                         const struct gterm *number, uint64_t divisor)
{
    struct rational *factor = copy_of(census->factors.items[weight->factor]), *share = rational_create(1, divisor);
    rational_multiply(factor, share);
    rational_destroy(share);
    return settle(census, factor, weight->is_rounded, gterm_pair(census->terms, TERM_MUL, weight->top, number),
                  weight->bottom);
}

const struct gterm *census_weight_term(struct census *census, const struct census_weight *weight)
{
    const struct gterm *parts[] = {gterm_int(census->terms, weight->factor),
                                   gterm_bool(census->terms, weight->is_rounded), weight->top, weight->bottom};
    return gterm_tuple(census->terms, parts, 4);
}

bool census_weight_is_zero(const struct census *census, const struct census_weight *weight)
{
    return !rational_sign(census->factors.items[weight->factor]);
}

bool census_weight_has_counter(const struct census_weight *weight)
{
    return weight->top->has_counter || weight->bottom->has_counter;
}

struct census_weight census_weight_substitute(struct census *census, const struct census_weight *weight)
{
    const struct gterm *top = census_substitute(census, weight->top);
    return settle(census, copy_of(census->factors.items[weight->factor]), weight->is_rounded, top,
                  census_substitute(census, weight->bottom));
}

bool census_weight_translate(struct census *census, struct census_weight *weight, struct span span, const char *what)
{
    const struct gterm *top = census_translate_or_refuse(census, weight->top, span, what);
    const struct gterm *bottom = top ? census_translate_or_refuse(census, weight->bottom, span, what) : NULL;
    if (!bottom)
        return false;
    *weight = settle(census, copy_of(census->factors.items[weight->factor]), weight->is_rounded, top, bottom);
    return true;
}

static struct expr *make_part(struct census *census, const struct gterm *term, struct span span)
{
    return gterm_is_number(term, 1) ? NULL : census_make_expr(census, term, span);
}

const struct weight *census_weight_make(struct census *census, const struct census_weight *weight, struct span span)
{
    const struct rational *factor = census->factors.items[weight->factor];
    struct weight *made = ARENA_NEW(census->out->arena, struct weight);
    made->factor = chain_keep(census->out->chain, factor);
    made->value = rational_to_double(factor);
    made->is_rounded = weight->is_rounded;
    made->top = make_part(census, weight->top, span);
    made->bottom = make_part(census, weight->bottom, span);
    return made;
}
