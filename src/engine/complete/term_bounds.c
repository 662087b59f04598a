/* Between which numbers the value of a term lies. */
#include "engine/complete/term.h"

static void term_bound_sum(struct complete_term *term)
{
    term->lo = term->hi = term->value;
    for (uint32_t i = 0; i < term->count; i++) {
        int64_t c = term->coefficients[i];
        term->lo += c * (c > 0 ? term->arguments[i]->lo : term->arguments[i]->hi);
        term->hi += c * (c > 0 ? term->arguments[i]->hi : term->arguments[i]->lo);
    }
}

static void term_bound_codes(struct complete_term *term, const struct type *type)
{
    term->lo = INT32_MAX;
    term->hi = INT32_MIN;
    for (uint32_t b = 0; b < type->block_count; b++) {
        term->lo = type->blocks[b].lo < term->lo ? type->blocks[b].lo : term->lo;
        term->hi = type->blocks[b].hi > term->hi ? type->blocks[b].hi : term->hi;
    }
}

int64_t term_magnitude(const struct complete_term *term)
{
    int64_t lo = term->lo < 0 ? -term->lo : term->lo, hi = term->hi < 0 ? -term->hi : term->hi;
    return lo > hi ? lo : hi;
}

bool term_is_sum_within(const struct sum_item *items, size_t count, int64_t constant, uint64_t most)
{
    uint64_t total = constant < 0 ? -(uint64_t)constant : (uint64_t)constant, part;
    for (size_t i = 0; i < count; i++) {
        uint64_t c = items[i].coefficient < 0 ? -(uint64_t)items[i].coefficient : (uint64_t)items[i].coefficient;
        if (__builtin_mul_overflow(c, (uint64_t)term_magnitude(items[i].term), &part) ||
            __builtin_add_overflow(total, part, &total))
            return false;
    }
    return total <= most;
}

/* Bounds of operators that are not sums: cautious, and narrow enough by what term_operator lets through. */
static void term_bound_operator(struct complete_term *term)
{
    int64_t bound = term_magnitude(term->arguments[0]);
    if (term->op == OP_MUL)
        bound *= term_magnitude(term->arguments[1]);
    else if (term->op == OP_MOD)
        bound = term_magnitude(term->arguments[1]);
    term->lo = -bound;
    term->hi = bound;
}

static void term_bound_role(struct complete_term *term, uint32_t count)
{
    term->lo = term->hi = term->role->codes[0];
    for (uint32_t e = 1; e < count; e++) {
        term->lo = term->role->codes[e] < term->lo ? term->role->codes[e] : term->lo;
        term->hi = term->role->codes[e] > term->hi ? term->role->codes[e] : term->hi;
    }
}

void term_note_bounds(const struct terms *terms, struct complete_term *term)
{
    term->hi = 1;
    if (term->kind == TERM_CONST)
        term->lo = term->hi = term->value;
    else if (term->kind == TERM_SUM)
        term_bound_sum(term);
    else if (term->kind == TERM_OP)
        term_bound_operator(term);
    else if (term->kind == TERM_ROLE)
        term_bound_role(term, terms->shape->families[term->role->family].count);
    else if (term_is_leaf(term))
        term_bound_codes(term, term->type);
}
