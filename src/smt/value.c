/* Values as lists of cases. */
#include <string.h>

#include "smt/machine.h"

void cases_add(struct smt_machine *machine, struct smt_cases *cases, const struct smt_case *one)
{
    if (one->when == TERM_FALSE)
        return;
    for (size_t i = 0; i < cases->list.count; i++) {
        struct smt_case *known = &cases->list.items[i];
        if (known->sort == one->sort && (one->sort ? known->element == one->element : known->code == one->code)) {
            known->when = fol_or(machine->terms, known->when, one->when);
            return;
        }
    }
    VEC_PUSH(&cases->list, *one);
}

const struct smt_value *cases_take(struct smt_machine *machine, struct smt_cases *cases)
{
    size_t size = cases->list.count * sizeof(struct smt_case);
    struct smt_value *value = arena_alloc(machine->terms->arena, sizeof *value + size);
    value->undefined = cases->undefined;
    value->count = (uint32_t)cases->list.count;
    if (size)
        memcpy(value->cases, cases->list.items, size);
    VEC_FREE(&cases->list);
    return value;
}

static const struct smt_value *value_single(struct smt_machine *machine, struct smt_case one)
{
    struct smt_cases cases = {.undefined = TERM_FALSE};
    cases_add(machine, &cases, &one);
    return cases_take(machine, &cases);
}

const struct smt_value *smt_code(struct smt_machine *machine, int64_t code)
{
    return value_single(machine, (struct smt_case){.code = code, .when = TERM_TRUE});
}

const struct smt_value *smt_element(struct smt_machine *machine, uint32_t sort, term element)
{
    return value_single(machine, (struct smt_case){.sort = sort, .element = element, .when = TERM_TRUE});
}

const struct smt_value *smt_boolean(struct smt_machine *machine, term truth)
{
    struct smt_cases cases = {.undefined = TERM_FALSE};
    cases_add(machine, &cases, &(struct smt_case){.code = 1, .when = truth});
    cases_add(machine, &cases, &(struct smt_case){.code = 0, .when = fol_not(machine->terms, truth)});
    return cases_take(machine, &cases);
}

const struct smt_value *smt_undefined(struct smt_machine *machine)
{
    struct smt_cases cases = {.undefined = TERM_TRUE};
    return cases_take(machine, &cases);
}

static void cases_add_all(struct smt_machine *machine, struct smt_cases *cases, const struct smt_value *value,
                          term condition)
{
    for (uint32_t i = 0; i < value->count; i++) {
        struct smt_case one = value->cases[i];
        one.when = fol_and(machine->terms, condition, one.when);
        cases_add(machine, cases, &one);
    }
}

const struct smt_value *smt_select(struct smt_machine *machine, term condition, const struct smt_value *a,
                                   const struct smt_value *b)
{
    if (condition == TERM_TRUE || a == b)
        return a;
    if (condition == TERM_FALSE)
        return b;
    struct smt_cases cases = {.undefined = fol_choose(machine->terms, condition, a->undefined, b->undefined)};
    cases_add_all(machine, &cases, a, condition);
    cases_add_all(machine, &cases, b, fol_not(machine->terms, condition));
    return cases_take(machine, &cases);
}

const struct smt_value *smt_substitute(struct smt_machine *machine, const struct smt_value *value, term variable,
                                       term by)
{
    struct fol_store *terms = machine->terms;
    struct smt_cases cases = {.undefined = fol_substitute(terms, value->undefined, variable, by)};
    for (uint32_t i = 0; i < value->count; i++) {
        struct smt_case one = value->cases[i];
        one.when = fol_substitute(terms, one.when, variable, by);
        if (one.sort)
            one.element = fol_substitute(terms, one.element, variable, by);
        cases_add(machine, &cases, &one);
    }
    return cases_take(machine, &cases);
}

term smt_truth(struct smt_machine *machine, const struct smt_value *value)
{
    term truth = TERM_FALSE;
    for (uint32_t i = 0; i < value->count; i++)
        if (value->cases[i].sort || value->cases[i].code)
            truth = fol_or(machine->terms, truth, value->cases[i].when);
    return truth;
}

term smt_equal(struct smt_machine *machine, const struct smt_value *a, const struct smt_value *b)
{
    struct fol_store *terms = machine->terms;
    term equal = TERM_FALSE;
    for (uint32_t i = 0; i < a->count; i++)
        for (uint32_t j = 0; j < b->count; j++) {
            const struct smt_case *x = &a->cases[i], *y = &b->cases[j];
            if (x->sort != y->sort || (!x->sort && x->code != y->code))
                continue;
            term both = fol_and(terms, x->when, y->when);
            if (x->sort)
                both = fol_and(terms, both, fol_equal(terms, x->element, y->element));
            equal = fol_or(terms, equal, both);
        }
    return equal;
}

term smt_same(struct smt_machine *machine, const struct smt_value *a, const struct smt_value *b)
{
    return fol_or(machine->terms, smt_equal(machine, a, b), fol_and(machine->terms, a->undefined, b->undefined));
}
