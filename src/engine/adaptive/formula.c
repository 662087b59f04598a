#include "engine/adaptive/formula.h"

#include <string.h>

#include "base/hash.h"

void formulas_create(struct formulas *formulas, struct unaries *unaries)
{
    *formulas = (struct formulas){.unaries = unaries, .set_words = (unaries->roster->element_count + 31) / 32};
    for (uint32_t value = FORMULA_FALSE; value <= FORMULA_TRUE; value++)
        words_intern(&formulas->words, (uint32_t[]){FORMULA_CONSTANT, value}, 2);
}

void formulas_destroy(struct formulas *formulas)
{
    words_free(&formulas->words);
}

static uint32_t formula_make_set(struct formulas *formulas, enum formula_kind kind, uint32_t function,
                                 const uint32_t *set)
{
    uint32_t *words = memory_alloc((2 + formulas->set_words) * sizeof *words), members = 0;
    for (uint32_t w = 0; w < formulas->set_words; w++)
        members += (uint32_t)__builtin_popcount(set[w]);
    words[0] = members == 1 ? FORMULA_ALL : kind;
    words[1] = function;
    memcpy(words + 2, set, formulas->set_words * sizeof *words);
    uint32_t made = words_intern(&formulas->words, words, 2 + formulas->set_words);
    free(words);
    return made;
}

uint32_t formula_of_element(struct formulas *formulas, uint32_t function, uint32_t element)
{
    uint32_t *set = memory_zeroed(formulas->set_words, sizeof *set);
    set_add(set, element);
    uint32_t made = formula_make_set(formulas, FORMULA_ALL, function, set);
    free(set);
    return made;
}

static bool formula_is_single(const struct formulas *formulas, uint32_t formula)
{
    uint32_t members = 0;
    for (uint32_t w = 0; w < formulas->set_words; w++)
        members += (uint32_t)__builtin_popcount(formula_set(formulas, formula)[w]);
    return members == 1;
}

static void junction_add_set(struct formulas *formulas, struct junction *junction, uint32_t formula)
{
    uint32_t function = formula_function(formulas, formula), at = 0;
    while (at < junction->functions.count && junction->functions.items[at] != function)
        at++;
    if (at == junction->functions.count) {
        VEC_PUSH(&junction->functions, function);
        for (uint32_t w = 0; w < formulas->set_words; w++)
            VEC_PUSH(&junction->sets, 0);
    }
    const uint32_t *set = formula_set(formulas, formula);
    for (uint32_t w = 0; w < formulas->set_words; w++)
        junction->sets.items[at * formulas->set_words + w] |= set[w];
}

void junction_add(struct formulas *formulas, struct junction *junction, uint32_t formula)
{
    enum formula_kind kind = formula_kind(formulas, formula);
    enum formula_kind flat = junction->kind == FORMULA_AND ? FORMULA_ALL : FORMULA_ANY;
    if (kind == FORMULA_CONSTANT) {
        junction->is_decided |= formula == (junction->kind == FORMULA_AND ? FORMULA_FALSE : FORMULA_TRUE);
    } else if (kind == flat || (kind == FORMULA_ALL && formula_is_single(formulas, formula))) {
        junction_add_set(formulas, junction, formula);
    } else if (kind == junction->kind) {
        uint32_t count;
        const uint32_t *parts = formula_parts(formulas, formula, &count);
        for (uint32_t i = 0; i < count; i++)
            junction_add(formulas, junction, parts[i]);
    } else {
        VEC_PUSH(&junction->parts, formula);
    }
}

static uint32_t junction_build(struct formulas *formulas, struct junction *junction)
{
    enum formula_kind flat = junction->kind == FORMULA_AND ? FORMULA_ALL : FORMULA_ANY;
    for (size_t f = 0; f < junction->functions.count; f++)
        VEC_PUSH(&junction->parts, formula_make_set(formulas, flat, junction->functions.items[f],
                                                    junction->sets.items + f * formulas->set_words));
    uint32_t *parts = junction->parts.items;
    size_t given = junction->parts.count;
    if (!given)
        return junction->kind == FORMULA_AND ? FORMULA_TRUE : FORMULA_FALSE;
    uint32_t count = (uint32_t)words_sort_unique(parts, given) + 1;
    uint32_t *words = memory_alloc(count * sizeof *words);
    words[0] = junction->kind;
    memcpy(words + 1, parts, (count - 1) * sizeof *words);
    uint32_t made = count == 2 ? words[1] : words_intern(&formulas->words, words, count);
    free(words);
    return made;
}

uint32_t junction_close(struct formulas *formulas, struct junction *junction)
{
    uint32_t made = junction->kind == FORMULA_AND ? FORMULA_FALSE : FORMULA_TRUE;
    if (!junction->is_decided)
        made = junction_build(formulas, junction);
    VEC_FREE(&junction->functions);
    VEC_FREE(&junction->sets);
    VEC_FREE(&junction->parts);
    return made;
}

static uint32_t formula_join(struct formulas *formulas, enum formula_kind kind, uint32_t left, uint32_t right)
{
    struct junction junction = {.kind = kind};
    junction_add(formulas, &junction, left);
    junction_add(formulas, &junction, right);
    return junction_close(formulas, &junction);
}

uint32_t formula_and(struct formulas *formulas, uint32_t left, uint32_t right)
{
    return formula_join(formulas, FORMULA_AND, left, right);
}

uint32_t formula_or(struct formulas *formulas, uint32_t left, uint32_t right)
{
    return formula_join(formulas, FORMULA_OR, left, right);
}

static int64_t formula_negate_entry(int64_t user, const int64_t *entries)
{
    (void)user;
    return !entries[0];
}

static uint32_t formula_negated_function(struct formulas *formulas, uint32_t function)
{
    struct operand operand = {.function = function}, result;
    ENSURE(unary_apply(formulas->unaries, formula_negate_entry, UINT32_MAX, 0, &operand, 1, &result) &&
           !result.is_number);
    return result.function;
}

uint32_t formula_not(struct formulas *formulas, uint32_t formula)
{
    enum formula_kind kind = formula_kind(formulas, formula);
    if (kind == FORMULA_CONSTANT)
        return formula == FORMULA_TRUE ? FORMULA_FALSE : FORMULA_TRUE;
    if (kind == FORMULA_ALL || kind == FORMULA_ANY)
        return formula_make_set(formulas, kind == FORMULA_ALL ? FORMULA_ANY : FORMULA_ALL,
                                formula_negated_function(formulas, formula_function(formulas, formula)),
                                formula_set(formulas, formula));
    struct junction junction = {.kind = kind == FORMULA_AND ? FORMULA_OR : FORMULA_AND};
    uint32_t count;
    const uint32_t *parts = formula_parts(formulas, formula, &count);
    for (uint32_t i = 0; i < count; i++)
        junction_add(formulas, &junction, formula_not(formulas, parts[i]));
    return junction_close(formulas, &junction);
}

uint32_t formula_swap(struct formulas *formulas, uint32_t formula, uint32_t p, uint32_t q)
{
    enum formula_kind kind = formula_kind(formulas, formula);
    if (kind == FORMULA_CONSTANT)
        return formula;
    if (kind == FORMULA_ALL || kind == FORMULA_ANY) {
        const uint32_t *set = formula_set(formulas, formula);
        if (set_has(set, p) == set_has(set, q))
            return formula;
        uint32_t *copy = memory_alloc(formulas->set_words * sizeof *copy);
        memcpy(copy, set, formulas->set_words * sizeof *copy);
        set_swap(copy, p, q);
        uint32_t made = formula_make_set(formulas, kind, formula_function(formulas, formula), copy);
        free(copy);
        return made;
    }
    struct junction junction = {.kind = kind};
    uint32_t count;
    const uint32_t *parts = formula_parts(formulas, formula, &count);
    for (uint32_t i = 0; i < count; i++)
        junction_add(formulas, &junction, formula_swap(formulas, parts[i], p, q));
    return junction_close(formulas, &junction);
}

uint64_t formula_signature(const struct formulas *formulas, uint32_t formula)
{
    enum formula_kind kind = formula_kind(formulas, formula);
    uint64_t hash = hash_mix(kind), sum = 0;
    if (kind == FORMULA_CONSTANT)
        return hash_combine(hash, formula);
    if (kind == FORMULA_ALL || kind == FORMULA_ANY) {
        for (uint32_t w = 0; w < formulas->set_words; w++)
            sum += (uint64_t)__builtin_popcount(formula_set(formulas, formula)[w]);
        return hash_combine(hash_combine(hash, formula_function(formulas, formula)), sum);
    }
    uint32_t count;
    const uint32_t *parts = formula_parts(formulas, formula, &count);
    for (uint32_t i = 0; i < count; i++)
        sum += hash_mix(formula_signature(formulas, parts[i]));
    return hash_combine(hash, sum);
}
