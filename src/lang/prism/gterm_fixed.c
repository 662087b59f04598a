/* Operators with a fixed number of parts. */
#include "lang/prism/fold.h"
#include "lang/prism/gterms.h"

static const struct gterm *fixed(struct gterms *terms, enum gterm_kind kind, enum prism_type type,
                                 const struct gterm *const *parts, uint32_t count)
{
    return gterms_intern(terms, &(struct gterm){.kind = kind, .type = type, .parts = parts, .count = count});
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
        return gterm_bool(terms, !term->value->integer);
    if (term->kind == TERM_NOT)
        return term->parts[0];
    if (term->kind == TERM_LT || term->kind == TERM_LE)
        return gterm_pair(terms, term->kind == TERM_LT ? TERM_LE : TERM_LT, term->parts[1], term->parts[0]);
    if (term->kind == TERM_AND || term->kind == TERM_OR)
        return not_join(terms, term);
    return fixed(terms, TERM_NOT, PRISM_TYPE_BOOL, &term, 1);
}

static const struct gterm *fold_pair(struct gterms *terms, enum gterm_kind kind, const struct gterm *left,
                                     const struct gterm *right)
{
    const char *reason;
    enum prism_operator op = kind == TERM_EQ    ? PRISM_OP_EQ
                             : kind == TERM_LT  ? PRISM_OP_LT
                             : kind == TERM_LE  ? PRISM_OP_LE
                             : kind == TERM_DIV ? PRISM_OP_DIV
                                                : PRISM_OP_POW;
    const struct prism_value *value = prism_fold_binary(terms->values, op, left->value, right->value, &reason);
    return value ? gterm_value(terms, value) : NULL;
}

const struct gterm *gterm_pair(struct gterms *terms, enum gterm_kind kind, const struct gterm *left,
                               const struct gterm *right)
{
    const struct gterm *parts[2] = {left, right}, *folded = NULL;
    if (kind <= TERM_BAG)
        return gterm_join(terms, kind, parts, 2);
    if (gterm_is_value(left) && gterm_is_value(right))
        folded = fold_pair(terms, kind, left, right);
    if (folded)
        return folded;
    if (left == right && (kind == TERM_EQ || kind == TERM_LE || kind == TERM_LT))
        return gterm_bool(terms, kind != TERM_LT);
    if (kind == TERM_EQ && left->type == PRISM_TYPE_BOOL && (gterm_is_value(left) || gterm_is_value(right))) {
        const struct gterm *known = gterm_is_value(left) ? left : right, *other = known == left ? right : left;
        return known->value->integer ? other : gterm_not(terms, other);
    }
    if (kind == TERM_LE && left->kind == TERM_COUNTER && gterm_is_number(right, 0))
        kind = TERM_EQ;
    if (kind == TERM_EQ && left->id > right->id) {
        parts[0] = right;
        parts[1] = left;
    }
    enum prism_type type = kind == TERM_DIV   ? PRISM_TYPE_REAL
                           : kind == TERM_POW ? gterms_join_type(TERM_MUL, parts, 2)
                                              : PRISM_TYPE_BOOL;
    return fixed(terms, kind, type, parts, 2);
}

const struct gterm *gterm_cond(struct gterms *terms, const struct gterm *condition, const struct gterm *left,
                               const struct gterm *right)
{
    const struct gterm *parts[3] = {condition, left, right};
    if (gterm_is_value(condition))
        return condition->value->integer ? left : right;
    if (left == right)
        return left;
    return fixed(terms, TERM_COND, left->type > right->type ? left->type : right->type, parts, 3);
}

const struct gterm *gterm_call(struct gterms *terms, enum prism_function function, const struct gterm *const *parts,
                               uint32_t count)
{
    const struct prism_value *known[2];
    const char *reason;
    bool is_known = count <= 2;
    if (function == PRISM_MIN || function == PRISM_MAX)
        return gterm_join(terms, function == PRISM_MIN ? TERM_MIN : TERM_MAX, parts, count);
    if (function == PRISM_POW)
        return gterm_pair(terms, TERM_POW, parts[0], parts[1]);
    for (uint32_t i = 0; i < count && is_known; i++) {
        is_known = gterm_is_value(parts[i]);
        known[i] = parts[i]->value;
    }
    const struct prism_value *value = is_known ? prism_fold_call(terms->values, function, known, count, &reason) : NULL;
    if (value)
        return gterm_value(terms, value);
    return gterms_intern(terms, &(struct gterm){.kind = TERM_CALL,
                                                .type = function == PRISM_LOG ? PRISM_TYPE_REAL : PRISM_TYPE_INT,
                                                .function = function,
                                                .parts = parts,
                                                .count = count});
}

const struct gterm *gterm_tuple(struct gterms *terms, const struct gterm *const *parts, uint32_t count)
{
    return fixed(terms, TERM_TUPLE, PRISM_TYPE_NONE, parts, count);
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
    case TERM_CALL:
        return gterm_call(terms, term->function, parts, term->count);
    case TERM_TUPLE:
        return gterm_tuple(terms, parts, term->count);
    case TERM_EQ:
    case TERM_LT:
    case TERM_LE:
    case TERM_DIV:
    case TERM_POW:
        return gterm_pair(terms, term->kind, parts[0], parts[1]);
    default:
        return gterm_join(terms, term->kind, parts, term->count);
    }
}
