/* Between which integers the values of a term are. */
#include "reduce/gterms.h"

struct range {
    int64_t low, high;
};

static bool range_of(const struct gterm *term, const int64_t *most, struct range *range);

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t greatest(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static bool multiply(struct range *range, const struct range *other)
{
    int64_t corners[4];
    bool is_lost = __builtin_mul_overflow(range->low, other->low, &corners[0]) ||
                   __builtin_mul_overflow(range->low, other->high, &corners[1]) ||
                   __builtin_mul_overflow(range->high, other->low, &corners[2]) ||
                   __builtin_mul_overflow(range->high, other->high, &corners[3]);
    if (is_lost)
        return false;
    range->low = least(least(corners[0], corners[1]), least(corners[2], corners[3]));
    range->high = greatest(greatest(corners[0], corners[1]), greatest(corners[2], corners[3]));
    return true;
}

static bool combine(enum gterm_kind kind, struct range *range, const struct range *other)
{
    switch (kind) {
    case TERM_ADD:
        return !__builtin_add_overflow(range->low, other->low, &range->low) &&
               !__builtin_add_overflow(range->high, other->high, &range->high);
    case TERM_MUL:
        return multiply(range, other);
    case TERM_MIN:
        *range = (struct range){least(range->low, other->low), least(range->high, other->high)};
        return true;
    case TERM_MAX:
        *range = (struct range){greatest(range->low, other->low), greatest(range->high, other->high)};
        return true;
    default: /* one of the two */
        *range = (struct range){least(range->low, other->low), greatest(range->high, other->high)};
        return true;
    }
}

static bool range_of_parts(const struct gterm *term, uint32_t first, const int64_t *most, struct range *range)
{
    struct range other;
    bool is_known = range_of(term->parts[first], most, range);
    for (uint32_t i = first + 1; i < term->count && is_known; i++)
        is_known = range_of(term->parts[i], most, &other) && combine(term->kind, range, &other);
    return is_known;
}

static bool range_of(const struct gterm *term, const int64_t *most, struct range *range)
{
    if (term->is_bool && term->kind != TERM_VALUE) {
        *range = (struct range){0, 1};
        return true;
    }
    switch (term->kind) {
    case TERM_VALUE:
        *range = (struct range){term->value, term->value};
        return true;
    case TERM_VARIABLE:
        *range = (struct range){term->variable->low, term->variable->high};
        return true;
    case TERM_COUNTER:
        *range = (struct range){0, most[term->counter]};
        return true;
    case TERM_ADD:
    case TERM_MUL:
    case TERM_MIN:
    case TERM_MAX:
        return range_of_parts(term, 0, most, range);
    case TERM_COND:
        return range_of_parts(term, 1, most, range);
    case TERM_REMAINDER:
        if (!gterm_is_value(term->parts[1]) || term->parts[1]->value < 1)
            return false;
        *range = (struct range){0, term->parts[1]->value - 1};
        return true;
    case TERM_FLOOR:
        if (!range_of(term->parts[0], most, range))
            return false;
        return gterms_fold(TERM_FLOOR, range->low, term->parts[1]->value, &range->low) &&
               gterms_fold(TERM_FLOOR, range->high, term->parts[1]->value, &range->high);
    default:
        return false;
    }
}

bool gterm_bounds(const struct gterm *term, const int64_t *most, int64_t *low, int64_t *high)
{
    struct range range;
    if (!range_of(term, most, &range))
        return false;
    *low = range.low;
    *high = range.high;
    return true;
}
