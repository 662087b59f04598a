#include "portrait/portrait_term.h"

#include <string.h>

#include "ir/arith.h"

/* The reference that a new term names: itself, or the first of its choices. */
static uint32_t pterm_find_named(const struct pterms *terms, const uint32_t *words, uint32_t length)
{
    uint32_t step = words[0] == PTERM_ITE ? 1 : 2, named = 0;
    if (words[0] == PTERM_CELL)
        return terms->roster->role[words[1]] == ROLE_REFERENCE ? 1 + words[1] : 0;
    for (uint32_t w = 2; (words[0] == PTERM_ITE || words[0] == PTERM_CASES) && w < length && !named; w += step)
        named = terms->named.items[words[w]];
    return named;
}

uint32_t pterm_intern(struct pterms *terms, const uint32_t *words, uint32_t length)
{
    terms->work += length;
    if (pterms_is_exhausted(terms))
        return PTERM_FALSE;
    uint32_t term = words_intern(&terms->words, words, length);
    if (term == terms->named.count)
        VEC_PUSH(&terms->named, pterm_find_named(terms, words, length));
    return term;
}

void pterms_create(struct pterms *terms, const struct roster *roster, uint64_t budget)
{
    *terms = (struct pterms){.roster = roster, .budget = budget};
    ENSURE(pterm_const(terms, 0) == PTERM_FALSE && pterm_const(terms, 1) == PTERM_TRUE);
}

void pterms_allow(struct pterms *terms, uint64_t work)
{
    terms->budget = terms->work + work;
    terms->stamp++; /* what was swapped beyond a budget is wrong */
}

static void memo_free(struct pterm_memo *memo)
{
    free(memo->stamps);
    free(memo->values);
}

void pterms_destroy(struct pterms *terms)
{
    for (int mode = 0; mode < 2; mode++) {
        memo_free(&terms->swapped[mode]);
        memo_free(&terms->signatures[mode]);
    }
    VEC_FREE(&terms->named);
    words_free(&terms->words);
}

static enum pterm_kind pterm_kind(const struct pterms *terms, uint32_t term)
{
    return (enum pterm_kind)words_at(&terms->words, term)[0];
}

uint32_t pterm_const(struct pterms *terms, int64_t value)
{
    uint32_t words[] = {PTERM_CONST, (uint32_t)value, (uint32_t)((uint64_t)value >> 32)};
    return pterm_intern(terms, words, 3);
}

static int64_t words_to_number(const uint32_t *words)
{
    return (int64_t)((uint64_t)words[1] << 32 | words[0]);
}

bool pterm_get_const(const struct pterms *terms, uint32_t term, int64_t *value)
{
    const uint32_t *words = words_at(&terms->words, term);
    if (words[0] != PTERM_CONST)
        return false;
    *value = words_to_number(words + 1);
    return true;
}

uint32_t pterm_cell(struct pterms *terms, uint32_t cell)
{
    uint32_t words[] = {PTERM_CELL, cell};
    return pterm_intern(terms, words, 2);
}

uint32_t pterm_not(struct pterms *terms, uint32_t term)
{
    uint32_t words[] = {PTERM_NOT, term};
    int64_t value;
    if (pterm_get_const(terms, term, &value))
        return value ? PTERM_FALSE : PTERM_TRUE;
    return pterm_kind(terms, term) == PTERM_NOT ? words_at(&terms->words, term)[1] : pterm_intern(terms, words, 2);
}

/* The terms of the list, those of junctions of the same kind in their place. */
static void junction_flatten(struct pterms *terms, enum pterm_kind kind, struct pterm_list *list)
{
    size_t count = list->count;
    for (size_t i = 0; i < count; i++) {
        uint32_t term = list->items[i];
        if (pterm_kind(terms, term) != kind)
            continue;
        uint32_t length = words_length(&terms->words, term);
        const uint32_t *words = words_at(&terms->words, term);
        terms->work += length;
        list->items[i] = words[1];
        for (uint32_t w = 2; w < length; w++)
            VEC_PUSH(list, words[w]);
    }
}

uint32_t pterm_junction(struct pterms *terms, enum pterm_kind kind, struct pterm_list *list)
{
    uint32_t neutral = kind == PTERM_AND ? PTERM_TRUE : PTERM_FALSE, result;
    terms->work += list->count;
    junction_flatten(terms, kind, list);
    words_sort(list->items, list->count, 1);
    struct pterm_list words = {0};
    VEC_PUSH(&words, kind);
    for (size_t i = 0; i < list->count; i++) {
        if (list->items[i] == 1 - neutral) {
            VEC_FREE(&words);
            return 1 - neutral;
        }
        if (list->items[i] != neutral && (words.count == 1 || VEC_LAST(&words) != list->items[i]))
            VEC_PUSH(&words, list->items[i]);
    }
    if (words.count == 1)
        result = neutral;
    else
        result = words.count == 2 ? words.items[1] : pterm_intern(terms, words.items, (uint32_t)words.count);
    VEC_FREE(&words);
    return result;
}

static uint32_t pterm_join(struct pterms *terms, enum pterm_kind kind, uint32_t left, uint32_t right)
{
    struct pterm_list list = {0};
    VEC_PUSH(&list, left);
    VEC_PUSH(&list, right);
    uint32_t result = pterm_junction(terms, kind, &list);
    VEC_FREE(&list);
    return result;
}

uint32_t pterm_and(struct pterms *terms, uint32_t left, uint32_t right)
{
    return left == PTERM_TRUE ? right : right == PTERM_TRUE ? left : pterm_join(terms, PTERM_AND, left, right);
}

uint32_t pterm_or(struct pterms *terms, uint32_t left, uint32_t right)
{
    return left == PTERM_FALSE ? right : right == PTERM_FALSE ? left : pterm_join(terms, PTERM_OR, left, right);
}

uint32_t pterm_eq(struct pterms *terms, uint32_t left, uint32_t right)
{
    uint32_t words[] = {PTERM_EQ, left < right ? left : right, left < right ? right : left};
    int64_t a, b;
    if (left == right)
        return PTERM_TRUE;
    if (pterm_get_const(terms, left, &a) && pterm_get_const(terms, right, &b))
        return PTERM_FALSE;
    return pterm_intern(terms, words, 3);
}

/* A linear combination: the constant, then (term, coefficient)... in order of term. */
struct linear {
    int64_t constant;
    struct pterm_list pairs;
    bool is_too_large;
};

static void linear_add_term(struct linear *linear, uint32_t term, int64_t coefficient)
{
    size_t at = 0;
    while (at < linear->pairs.count && linear->pairs.items[at] < term)
        at += 2;
    bool is_there = at < linear->pairs.count && linear->pairs.items[at] == term;
    int64_t sum = coefficient + (is_there ? (int32_t)linear->pairs.items[at + 1] : 0);
    if (sum > INT32_MAX || sum < INT32_MIN)
        linear->is_too_large = true;
    if (!is_there) {
        VEC_PUSH(&linear->pairs, 0);
        VEC_PUSH(&linear->pairs, 0);
        memmove(linear->pairs.items + at + 2, linear->pairs.items + at,
                (linear->pairs.count - at - 2) * sizeof *linear->pairs.items);
    }
    linear->pairs.items[at] = term;
    linear->pairs.items[at + 1] = (uint32_t)(int32_t)sum;
    if (!sum) {
        memmove(linear->pairs.items + at, linear->pairs.items + at + 2,
                (linear->pairs.count - at - 2) * sizeof *linear->pairs.items);
        linear->pairs.count -= 2;
    }
}

static void linear_add(struct pterms *terms, struct linear *linear, uint32_t term, int64_t coefficient)
{
    const uint32_t *words = words_at(&terms->words, term);
    uint32_t length = words_length(&terms->words, term);
    int64_t more;
    if (words[0] != PTERM_SUM && words[0] != PTERM_CONST) {
        linear_add_term(linear, term, coefficient);
        return;
    }
    linear->is_too_large |= __builtin_mul_overflow(words_to_number(words + 1), coefficient, &more) ||
                            __builtin_add_overflow(linear->constant, more, &linear->constant);
    for (uint32_t w = 3; w < length; w += 2)
        linear_add_term(linear, words[w], coefficient * (int32_t)words[w + 1]);
    terms->work += length;
}

/* PTERM_NONE when the numbers are too large. */
static uint32_t linear_close(struct pterms *terms, struct linear *linear)
{
    uint32_t result = PTERM_NONE;
    struct pterm_list words = {0};
    VEC_PUSH(&words, PTERM_SUM);
    VEC_PUSH(&words, (uint32_t)linear->constant);
    VEC_PUSH(&words, (uint32_t)((uint64_t)linear->constant >> 32));
    for (size_t i = 0; i < linear->pairs.count; i++)
        VEC_PUSH(&words, linear->pairs.items[i]);
    if (linear->is_too_large)
        result = PTERM_NONE;
    else if (!linear->pairs.count)
        result = pterm_const(terms, linear->constant);
    else if (linear->pairs.count == 2 && linear->pairs.items[1] == 1 && !linear->constant)
        result = linear->pairs.items[0];
    else
        result = pterm_intern(terms, words.items, (uint32_t)words.count);
    VEC_FREE(&words);
    VEC_FREE(&linear->pairs);
    return result;
}

static uint32_t pterm_combine(struct pterms *terms, uint32_t left, int64_t a, uint32_t right, int64_t b)
{
    struct linear linear = {0};
    linear_add(terms, &linear, left, a);
    linear_add(terms, &linear, right, b);
    return linear_close(terms, &linear);
}

static uint32_t pterm_op(struct pterms *terms, enum operator op, uint32_t left, uint32_t right)
{
    bool is_commutative = op == OP_MUL || op == OP_BIT_AND || op == OP_BIT_OR || op == OP_BIT_XOR;
    bool is_turned = is_commutative && left > right;
    uint32_t words[] = {PTERM_OP, op, is_turned ? right : left, is_turned ? left : right};
    return pterm_intern(terms, words, 4);
}

uint32_t pterm_unary(struct pterms *terms, enum operator op, uint32_t term)
{
    uint32_t sum = op == OP_NEGATE ? pterm_combine(terms, term, -1, PTERM_FALSE, 0) : PTERM_NONE;
    return sum == PTERM_NONE ? pterm_op(terms, op, term, PTERM_NONE) : sum;
}

uint32_t pterm_binary(struct pterms *terms, enum operator op, uint32_t left, uint32_t right)
{
    uint32_t sum = PTERM_NONE;
    int64_t factor;
    switch (op) {
    case OP_EQ:
        return pterm_eq(terms, left, right);
    case OP_NE:
        return pterm_not(terms, pterm_eq(terms, left, right));
    case OP_GT:
        return pterm_op(terms, OP_LT, right, left);
    case OP_GE:
        return pterm_not(terms, pterm_op(terms, OP_LT, left, right));
    case OP_LE:
        return pterm_not(terms, pterm_op(terms, OP_LT, right, left));
    case OP_ADD:
        sum = pterm_combine(terms, left, 1, right, 1);
        break;
    case OP_SUB:
        sum = pterm_combine(terms, left, 1, right, -1);
        break;
    case OP_MUL:
        if (pterm_get_const(terms, left, &factor) && factor < INT32_MAX && factor > -INT32_MAX)
            sum = pterm_combine(terms, right, factor, PTERM_FALSE, 0);
        else if (pterm_get_const(terms, right, &factor) && factor < INT32_MAX && factor > -INT32_MAX)
            sum = pterm_combine(terms, left, factor, PTERM_FALSE, 0);
        break;
    default:
        break;
    }
    return sum == PTERM_NONE ? pterm_op(terms, op, left, right) : sum;
}

/* `if c then x := x + d` adds (c ? d : 0): the order of several such steps does not show. PTERM_NONE: not of that form.
 */
static uint32_t pterm_ite_sum(struct pterms *terms, uint32_t condition, uint32_t yes, uint32_t no)
{
    if (pterm_kind(terms, yes) != PTERM_SUM)
        return PTERM_NONE;
    uint32_t difference = pterm_combine(terms, yes, 1, no, -1);
    if (difference == PTERM_NONE || words_length(&terms->words, difference) >= words_length(&terms->words, yes))
        return PTERM_NONE;
    uint32_t words[] = {PTERM_ITE, condition, difference, PTERM_FALSE};
    return pterm_combine(terms, no, 1, pterm_intern(terms, words, 4), 1);
}

uint32_t pterm_ite(struct pterms *terms, uint32_t condition, uint32_t yes, uint32_t no, bool is_boolean)
{
    uint32_t words[] = {PTERM_ITE, condition, yes, no}, sum;
    if (condition == PTERM_TRUE || yes == no)
        return yes;
    if (condition == PTERM_FALSE)
        return no;
    if (is_boolean && (yes == PTERM_TRUE || no == PTERM_FALSE))
        return yes == PTERM_TRUE ? pterm_or(terms, condition, no) : pterm_and(terms, condition, yes);
    if (is_boolean && (yes == PTERM_FALSE || no == PTERM_TRUE))
        return yes == PTERM_FALSE ? pterm_and(terms, pterm_not(terms, condition), no)
                                  : pterm_or(terms, pterm_not(terms, condition), yes);
    sum = pterm_ite_sum(terms, condition, yes, no);
    return sum == PTERM_NONE ? pterm_intern(terms, words, 4) : sum;
}

uint32_t pterm_cases(struct pterms *terms, uint32_t *pairs, uint32_t count)
{
    bool is_one_value = true;
    for (uint32_t i = 1; i < count; i++)
        is_one_value &= pairs[2 * i + 1] == pairs[1];
    if (count && is_one_value)
        return pairs[1];
    uint32_t *words = memory_alloc((2 * (size_t)count + 1) * sizeof *words);
    words[0] = PTERM_CASES;
    words_sort(pairs, count, 2);
    memcpy(words + 1, pairs, 2 * (size_t)count * sizeof *pairs);
    uint32_t result = pterm_intern(terms, words, 2 * count + 1);
    free(words);
    return result;
}

uint32_t pterm_is_undefined(struct pterms *terms, uint32_t term)
{
    uint32_t words[] = {PTERM_IS_UNDEFINED, term};
    int64_t value;
    if (pterm_get_const(terms, term, &value))
        return value == UNDEFINED ? PTERM_TRUE : PTERM_FALSE;
    return pterm_intern(terms, words, 2);
}

uint32_t pterm_is_member(struct pterms *terms, uint32_t term, const struct type *type)
{
    uint32_t words[] = {PTERM_IS_MEMBER, term, type->id};
    int64_t value;
    if (pterm_get_const(terms, term, &value))
        return type_has(type, value) ? PTERM_TRUE : PTERM_FALSE;
    return pterm_intern(terms, words, 3);
}

const struct type *pterm_names_element(const struct pterms *terms, uint32_t term)
{
    uint32_t named = terms->named.items[term];
    return named ? terms->roster->layout->cells[named - 1].type : NULL;
}
