/* Terms that are true or false, and operators other than sums. */
#include <stdlib.h>

#include "base/memory.h"
#include "engine/complete/term.h"

static const int64_t TRUTH_WIDEST = INT64_C(1) << 56;

const struct complete_term *term_combine(struct terms *terms, const struct complete_term *left, int64_t factor,
                                         const struct complete_term *right, int64_t other_factor, int64_t constant)
{
    struct sum_item items[] = {{left, factor}, {right, other_factor}};
    return term_sum(terms, TERM_SUM, items, right ? 2 : 1, constant);
}

const struct complete_term *term_compare(struct terms *terms, enum operator op, const struct complete_term *left,
                                         const struct complete_term *right)
{
    struct sum_item forward[] = {{left, 1}, {right, -1}}, backward[] = {{right, 1}, {left, -1}};
    switch (op) {
    case OP_EQ:
        return term_sum(terms, TERM_EQ, forward, 2, 0);
    case OP_NE:
        return term_sum(terms, TERM_NE, forward, 2, 0);
    case OP_LE:
        return term_sum(terms, TERM_LE, forward, 2, 0);
    case OP_LT:
        return term_sum(terms, TERM_LE, forward, 2, 1);
    case OP_GE:
        return term_sum(terms, TERM_LE, backward, 2, 0);
    case OP_GT:
        return term_sum(terms, TERM_LE, backward, 2, 1);
    default:
        UNREACHABLE("comparison");
    }
}

const struct complete_term *term_truth(struct terms *terms, const struct complete_term *term)
{
    bool is_value = term->kind <= TERM_SUM || term->kind == TERM_OP;
    if (!is_value)
        return term;
    if (term_is_const(term))
        return term_const(terms, term->value != 0);
    return term_compare(terms, OP_NE, term, term_const(terms, 0));
}

static int truth_compare(const void *left, const void *right)
{
    const struct complete_term *a = *(const struct complete_term *const *)left,
                               *b = *(const struct complete_term *const *)right;
    return a->id < b->id ? -1 : a->id > b->id;
}

const struct complete_term *term_junction(struct terms *terms, enum term_kind kind,
                                          const struct complete_term *const *items, size_t count)
{
    VEC(const struct complete_term *) flat = {0};
    int64_t neutral = kind == TERM_AND;
    const struct complete_term *made = NULL;
    for (size_t i = 0; i < count && !made; i++) {
        if (term_is_const(items[i])) {
            if ((items[i]->value != 0) != neutral)
                made = term_const(terms, !neutral);
        } else if (items[i]->kind == kind) {
            for (uint32_t a = 0; a < items[i]->count; a++)
                VEC_PUSH(&flat, items[i]->arguments[a]);
        } else {
            VEC_PUSH(&flat, items[i]);
        }
    }
    if (flat.count)
        qsort(flat.items, flat.count, sizeof *flat.items, truth_compare);
    size_t kept = 0;
    for (size_t i = 0; i < flat.count; i++)
        if (!kept || flat.items[kept - 1] != flat.items[i])
            flat.items[kept++] = flat.items[i];
    if (!made && kept == 0)
        made = term_const(terms, neutral);
    if (!made && kept == 1)
        made = flat.items[0];
    if (!made)
        made =
            term_intern(terms, &(struct complete_term){.kind = kind, .count = (uint32_t)kept, .arguments = flat.items});
    VEC_FREE(&flat);
    return made;
}

static const struct complete_term *truth_negate_all(struct terms *terms, const struct complete_term *term)
{
    const struct complete_term **items = memory_alloc(term->count * sizeof *items);
    for (uint32_t i = 0; i < term->count; i++)
        items[i] = term_not(terms, term->arguments[i]);
    const struct complete_term *made =
        term_junction(terms, term->kind == TERM_AND ? TERM_OR : TERM_AND, items, term->count);
    free(items);
    return made;
}

static const struct complete_term *truth_with_kind(struct terms *terms, const struct complete_term *term,
                                                   enum term_kind kind)
{
    struct complete_term other = {.kind = kind,
                                  .count = term->count,
                                  .value = term->value,
                                  .arguments = term->arguments,
                                  .coefficients = term->coefficients};
    return term_intern(terms, &other);
}

/* not (sum <= 0) is 1 - sum <= 0 */
static const struct complete_term *truth_negate_bound(struct terms *terms, const struct complete_term *term)
{
    struct sum_item *items = memory_alloc(term->count * sizeof *items);
    for (uint32_t i = 0; i < term->count; i++)
        items[i] = (struct sum_item){term->arguments[i], -term->coefficients[i]};
    const struct complete_term *made = term_sum(terms, TERM_LE, items, term->count, 1 - term->value);
    free(items);
    ENSURE(made);
    return made;
}

const struct complete_term *term_not(struct terms *terms, const struct complete_term *given)
{
    const struct complete_term *term = term_truth(terms, given);
    switch (term->kind) {
    case TERM_CONST:
        return term_const(terms, !term->value);
    case TERM_LE:
        return truth_negate_bound(terms, term);
    case TERM_EQ:
        return truth_with_kind(terms, term, TERM_NE);
    case TERM_NE:
        return truth_with_kind(terms, term, TERM_EQ);
    case TERM_AND:
    case TERM_OR:
        return truth_negate_all(terms, term);
    case TERM_NOT:
        return term->arguments[0];
    default:
        return term_intern(terms, &(struct complete_term){.kind = TERM_NOT, .count = 1, .arguments = &term});
    }
}

static const struct complete_term *truth_product(struct terms *terms, const struct complete_term *left,
                                                 const struct complete_term *right)
{
    if (term_is_const(left)) {
        const struct complete_term *other = left;
        left = right;
        right = other;
    }
    if (term_is_const(right) && right->value <= INT32_MAX && right->value >= -INT32_MAX)
        return term_combine(terms, left, right->value, NULL, 0, 0);
    int64_t product;
    if (__builtin_mul_overflow(term_magnitude(left), term_magnitude(right), &product) || product > TRUTH_WIDEST)
        return NULL;
    const struct complete_term *arguments[] = {left, right};
    return term_intern(terms,
                       &(struct complete_term){.kind = TERM_OP, .op = OP_MUL, .count = 2, .arguments = arguments});
}

const struct complete_term *term_operator(struct terms *terms, enum operator op, const struct complete_term *left,
                                          const struct complete_term *right)
{
    const struct complete_term *arguments[] = {left, right};
    switch (op) {
    case OP_ADD:
        return term_combine(terms, left, 1, right, 1, 0);
    case OP_SUB:
        return term_combine(terms, left, 1, right, -1, 0);
    case OP_MUL:
        return truth_product(terms, left, right);
    case OP_DIV:
    case OP_MOD:
        return term_intern(terms,
                           &(struct complete_term){.kind = TERM_OP, .op = op, .count = 2, .arguments = arguments});
    case OP_EQ:
    case OP_NE:
    case OP_LT:
    case OP_LE:
    case OP_GT:
    case OP_GE:
        return term_compare(terms, op, left, right);
    default:
        return NULL;
    }
}

const struct complete_term *term_member(struct terms *terms, const struct complete_term *term, const struct type *type)
{
    return term_intern(terms,
                       &(struct complete_term){.kind = TERM_MEMBER, .type = type, .count = 1, .arguments = &term});
}

const struct complete_term *term_in(struct terms *terms, const struct complete_term *term, const struct type *type,
                                    uint64_t mask)
{
    return term_intern(terms, &(struct complete_term){.kind = TERM_IN,
                                                      .type = type,
                                                      .value = (int64_t)(mask & ~TERM_MASK_UNDEFINED),
                                                      .count = 1,
                                                      .arguments = &term});
}

const struct complete_term *term_undefined(struct terms *terms, const struct complete_term *leaf)
{
    if (!term_is_leaf(leaf) || leaf->kind == TERM_ID || terms->shape->is_always_defined)
        return term_const(terms, leaf->kind == TERM_CONST && leaf->value == UNDEFINED);
    return term_intern(terms, &(struct complete_term){.kind = TERM_UNDEFINED, .count = 1, .arguments = &leaf});
}

const struct complete_term *term_same(struct terms *terms, const struct complete_term *left,
                                      const struct complete_term *right)
{
    if (left == right)
        return term_const(terms, 1);
    if (terms->shape->is_always_defined)
        return term_compare(terms, OP_EQ, left, right);
    const struct complete_term *arguments[] = {left, right};
    return term_intern(terms, &(struct complete_term){.kind = TERM_SAME, .count = 2, .arguments = arguments});
}
