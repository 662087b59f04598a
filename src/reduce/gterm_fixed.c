/* Operators with a fixed number of parts. */
#include "ir/arith.h"
#include "reduce/gterms.h"

/* --- constants --- */

static bool fold_rest(enum gterm_kind kind, int64_t left, int64_t right, int64_t *value)
{
    if (right < 1)
        return false;
    int64_t rest = left % right;
    rest += rest < 0 ? right : 0;
    *value = kind == TERM_REMAINDER ? rest : (left - rest) / right;
    return kind == TERM_REMAINDER || left >= INT64_MIN + right;
}

bool gterms_fold(enum gterm_kind kind, int64_t left, int64_t right, int64_t *value)
{
    static const enum operator operators[] = {
        [TERM_AND] = OP_AND, [TERM_OR] = OP_OR, [TERM_ADD] = OP_ADD, [TERM_MUL] = OP_MUL, [TERM_EQ] = OP_EQ,
        [TERM_LT] = OP_LT,   [TERM_LE] = OP_LE, [TERM_DIV] = OP_DIV, [TERM_MOD] = OP_MOD};
    if (kind == TERM_MIN || kind == TERM_MAX) {
        *value = (kind == TERM_MIN) == (left < right) ? left : right;
        return true;
    }
    if (kind == TERM_REMAINDER || kind == TERM_FLOOR)
        return fold_rest(kind, left, right, value);
    return arith_binary(operators[kind], left, right, value) == ARITH_OK;
}

/* --- operators --- */

static const struct gterm *fixed(struct gterms *terms, enum gterm_kind kind, bool is_bool,
                                 const struct gterm *const *parts, uint32_t count)
{
    return gterms_intern(terms, &(struct gterm){.kind = kind, .is_bool = is_bool, .parts = parts, .count = count});
}

static const struct gterm *not_join(struct gterms *terms, const struct gterm *term)
{
    const struct gterm **parts = memory_alloc(term->count * sizeof *parts);
    for (uint32_t i = 0; i < term->count; i++)
        parts[i] = gterm_not(terms, term->parts[i]);
    const struct gterm *result = gterm_join(terms, term->kind == TERM_AND ? TERM_OR : TERM_AND, parts, term->count);
    free(parts);
    return result;
}

const struct gterm *gterm_not(struct gterms *terms, const struct gterm *term)
{
    if (term->kind == TERM_VALUE)
        return gterm_bool(terms, !term->value);
    if (term->kind == TERM_NOT)
        return term->parts[0];
    if (term->kind == TERM_LT || term->kind == TERM_LE)
        return gterm_pair(terms, term->kind == TERM_LT ? TERM_LE : TERM_LT, term->parts[1], term->parts[0]);
    if (term->kind == TERM_AND || term->kind == TERM_OR)
        return not_join(terms, term);
    return fixed(terms, TERM_NOT, true, &term, 1);
}

static bool is_comparison(enum gterm_kind kind)
{
    return kind == TERM_EQ || kind == TERM_LT || kind == TERM_LE;
}

const struct gterm *gterm_pair(struct gterms *terms, enum gterm_kind kind, const struct gterm *left,
                               const struct gterm *right)
{
    const struct gterm *parts[2] = {left, right};
    int64_t value;
    if (kind <= TERM_BAG)
        return gterm_join(terms, kind, parts, 2);
    if (gterm_is_value(left) && gterm_is_value(right) && gterms_fold(kind, left->value, right->value, &value))
        return is_comparison(kind) ? gterm_bool(terms, value) : gterm_int(terms, value);
    if (left == right && is_comparison(kind))
        return gterm_bool(terms, kind != TERM_LT);
    if (kind == TERM_EQ && left->is_bool && (gterm_is_value(left) || gterm_is_value(right))) {
        const struct gterm *known = gterm_is_value(left) ? left : right, *other = known == left ? right : left;
        return known->value ? other : gterm_not(terms, other);
    }
    if (kind == TERM_LE && left->kind == TERM_COUNTER && gterm_is_number(right, 0))
        kind = TERM_EQ;
    if (kind == TERM_EQ && left->id > right->id) {
        parts[0] = right;
        parts[1] = left;
    }
    return fixed(terms, kind, is_comparison(kind), parts, 2);
}

const struct gterm *gterm_cond(struct gterms *terms, const struct gterm *condition, const struct gterm *left,
                               const struct gterm *right)
{
    const struct gterm *parts[3] = {condition, left, right};
    if (gterm_is_value(condition))
        return condition->value ? left : right;
    if (left == right)
        return left;
    return fixed(terms, TERM_COND, left->is_bool, parts, 3);
}

const struct gterm *gterm_tuple(struct gterms *terms, const struct gterm *const *parts, uint32_t count)
{
    return fixed(terms, TERM_TUPLE, false, parts, count);
}

const struct gterm *gterm_rebuild(struct gterms *terms, const struct gterm *term, const struct gterm *const *parts)
{
    switch (term->kind) {
    case TERM_VALUE:
    case TERM_VARIABLE:
    case TERM_COUNTER:
        return term;
    case TERM_NOT:
        return gterm_not(terms, parts[0]);
    case TERM_COND:
        return gterm_cond(terms, parts[0], parts[1], parts[2]);
    case TERM_TUPLE:
        return gterm_tuple(terms, parts, term->count);
    case TERM_EQ:
    case TERM_LT:
    case TERM_LE:
    case TERM_DIV:
    case TERM_MOD:
    case TERM_FLOOR:
    case TERM_REMAINDER:
        return gterm_pair(terms, term->kind, parts[0], parts[1]);
    default:
        return gterm_join(terms, term->kind, parts, term->count);
    }
}
