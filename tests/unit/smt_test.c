/* Formulas of first-order logic: terms, how many elements a model needs, and questions at all sizes up to that. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/hash.h"
#include "smt/cutoff.h"
#include "smt/finite.h"

struct world {
    struct fol_store terms;
    uint32_t node, data;
};

static void world_open(struct world *world)
{
    terms_open(&world->terms);
    world->node = terms_sort(&world->terms, "NODE");
    world->data = terms_sort(&world->terms, "DATA");
}

static uint32_t predicate(struct world *world, const char *name)
{
    return terms_symbol(&world->terms, name, SORT_BOOLEAN, 1, &world->node);
}

static term at(struct world *world, uint32_t symbol, term argument)
{
    return fol_apply(&world->terms, symbol, &argument);
}

/* Distinct elements x1, ..., xn, as variables that no quantifier binds. */
static term distinct(struct world *world, uint32_t count, term *variables)
{
    term all = TERM_TRUE;
    for (uint32_t i = 0; i < count; i++) {
        variables[i] = fol_variable(&world->terms, world->node);
        for (uint32_t j = 0; j < i; j++)
            all = fol_and(&world->terms, all,
                          fol_not(&world->terms, fol_equal(&world->terms, variables[i], variables[j])));
    }
    return all;
}

/* All at once, at the sizes up to the cutoff; or at this one, if it is not 0. */
static enum smt_answer answer(struct world *world, term formula, uint32_t expected, uint32_t size)
{
    struct cutoff cutoff;
    assert_true(cutoff_find(&world->terms, &formula, 1, NULL, 0, &cutoff));
    assert_int_equal(cutoff.sizes[world->node], expected);
    if (size)
        cutoff.sizes[world->node] = size;
    struct finite *finite = finite_open(&world->terms, cutoff.sizes);
    int literal = finite_literal(finite, formula);
    enum smt_answer said = finite_ask(finite, &literal, 1, 0);
    finite_close(finite);
    return said;
}

static void refuses(struct world *world, term formula, uint32_t symbol)
{
    struct cutoff cutoff;
    assert_false(cutoff_find(&world->terms, &formula, 1, NULL, 0, &cutoff));
    assert_int_equal(cutoff.symbol, symbol);
    assert_true(cutoff.why.length > 0);
    text_free(&cutoff.why);
}

static void terms_are_simplified(void **state)
{
    (void)state;
    struct world world;
    world_open(&world);
    struct fol_store *terms = &world.terms;
    uint32_t p = predicate(&world, "p");
    term x = fol_variable(terms, world.node), y = fol_variable(terms, world.node), px = at(&world, p, x);
    assert_int_equal(fol_and(terms, px, fol_not(terms, px)), TERM_FALSE);
    assert_int_equal(fol_or(terms, px, fol_not(terms, px)), TERM_TRUE);
    assert_int_equal(fol_not(terms, fol_not(terms, px)), px);
    assert_int_equal(at(&world, p, x), px);
    assert_int_equal(fol_equal(terms, x, y), fol_equal(terms, y, x));
    assert_int_equal(fol_forall(terms, y, px), px); /* sorts are not empty */
    assert_false(fol_has_free(terms, fol_forall(terms, x, px), x));
    assert_int_equal(fol_substitute(terms, px, x, y), at(&world, p, y));
    assert_int_equal(fol_substitute(terms, fol_exists(terms, x, px), x, y), fol_exists(terms, x, px));
    assert_string_not_equal(terms->symbols.items[p].name, terms->symbols.items[predicate(&world, "p")].name);
    terms_close(terms);
}

/* Five distinct elements need five, and one less is too few: a cutoff that is too small would find no model. */
static void many_elements_are_needed(void **state)
{
    (void)state;
    struct world world;
    term x[5];
    world_open(&world);
    term formula = distinct(&world, 5, x);
    assert_int_equal(answer(&world, formula, 5, 0), SMT_SATISFIABLE);
    assert_int_equal(answer(&world, formula, 5, 4), SMT_UNSATISFIABLE);
    for (uint32_t i = 0; i < 5; i++)
        formula = fol_exists(&world.terms, x[i], formula);
    assert_int_equal(answer(&world, formula, 5, 0), SMT_SATISFIABLE);
    assert_int_equal(answer(&world, formula, 5, 4), SMT_UNSATISFIABLE);
    terms_close(&world.terms);
}

/* "All elements are equal" is true with one only: smaller sizes count, too. */
static void few_elements_are_enough(void **state)
{
    (void)state;
    struct world world;
    term x[3];
    world_open(&world);
    struct fol_store *terms = &world.terms;
    term a = fol_variable(terms, world.node), b = fol_variable(terms, world.node);
    term all_equal = fol_forall(terms, a, fol_forall(terms, b, fol_equal(terms, a, b)));
    term u[3];
    for (uint32_t i = 0; i < 3; i++)
        u[i] = fol_variable(terms, world.node);
    term some = fol_and(terms, fol_equal(terms, u[0], u[1]), fol_equal(terms, u[1], u[2]));
    assert_int_equal(answer(&world, fol_and(terms, all_equal, some), 3, 0), SMT_SATISFIABLE);
    assert_int_equal(answer(&world, fol_and(terms, all_equal, distinct(&world, 2, x)), 2, 0), SMT_UNSATISFIABLE);
    terms_close(terms);
}

/* Of a disjunction one operand is enough; but not below "for all": there each may be the true one for some element. */
static void witnesses_are_counted(void **state)
{
    (void)state;
    struct world world;
    world_open(&world);
    struct fol_store *terms = &world.terms;
    uint32_t p = predicate(&world, "p"), q = predicate(&world, "q");
    term x = fol_variable(terms, world.node), y = fol_variable(terms, world.node), z = fol_variable(terms, world.node);
    term some_p = fol_exists(terms, x, at(&world, p, x)), some_q = fol_exists(terms, y, at(&world, q, y));
    assert_int_equal(answer(&world, fol_or(terms, some_p, some_q), 1, 0), SMT_SATISFIABLE);
    assert_int_equal(answer(&world, fol_and(terms, some_p, some_q), 2, 0), SMT_SATISFIABLE);
    term is_p = at(&world, p, z), with_q = fol_and(terms, is_p, some_q);
    term either = fol_or(terms, with_q, fol_and(terms, fol_not(terms, is_p), some_p));
    assert_int_equal(answer(&world, fol_forall(terms, z, either), 2, 0), SMT_SATISFIABLE);
    /* Negated, a universal quantifier is an existential one. */
    assert_int_equal(answer(&world, fol_not(terms, fol_forall(terms, x, at(&world, p, x))), 1, 0), SMT_SATISFIABLE);
    terms_close(terms);
}

/* Functions from nodes to data are followed; from nodes to nodes nothing is enough. */
static void functions_are_followed(void **state)
{
    (void)state;
    struct world world;
    term x[3];
    world_open(&world);
    struct fol_store *terms = &world.terms;
    uint32_t value = terms_symbol(terms, "value", world.data, 1, &world.node);
    uint32_t next = terms_symbol(terms, "next", world.node, 1, &world.node);
    term formula = distinct(&world, 3, x);
    for (uint32_t i = 0; i < 3; i++)
        for (uint32_t j = 0; j < i; j++) {
            term one = at(&world, value, x[i]), other = at(&world, value, x[j]);
            formula = fol_and(terms, formula, fol_not(terms, fol_equal(terms, one, other)));
        }
    struct cutoff cutoff;
    assert_true(cutoff_find(terms, &formula, 1, NULL, 0, &cutoff));
    assert_int_equal(cutoff.sizes[world.data], 3);
    assert_int_equal(answer(&world, formula, 3, 0), SMT_SATISFIABLE);
    refuses(&world, fol_equal(terms, at(&world, next, x[0]), x[1]), next);
    /* For any node there is another one. */
    term u = fol_variable(terms, world.node), v = fol_variable(terms, world.node);
    term other = fol_exists(terms, v, fol_not(terms, fol_equal(terms, u, v)));
    refuses(&world, fol_forall(terms, u, other), UINT32_MAX);
    assert_int_equal(answer(&world, fol_exists(terms, u, fol_not(terms, other)), 1, 0), SMT_SATISFIABLE);
    terms_close(terms);
}

/* What is asked adds to what is assumed: the largest of the questions. */
static void questions_are_asked_one_by_one(void **state)
{
    (void)state;
    struct world world;
    term x[2];
    world_open(&world);
    struct fol_store *terms = &world.terms;
    uint32_t p = predicate(&world, "p");
    term u = fol_variable(terms, world.node), v = fol_variable(terms, world.node), w = fol_variable(terms, world.node);
    term differ = distinct(&world, 2, x);
    term assumed[2] = {differ, fol_forall(terms, u, at(&world, p, u))};
    term asked[2] = {fol_exists(terms, v, fol_not(terms, at(&world, p, v))),
                     fol_exists(terms, v, fol_exists(terms, w, fol_not(terms, fol_equal(terms, v, w))))};
    struct cutoff cutoff;
    assert_true(cutoff_find(terms, assumed, 2, asked, 2, &cutoff));
    assert_int_equal(cutoff.sizes[world.node], 4);
    struct finite *finite = finite_open(terms, cutoff.sizes);
    int literals[3] = {finite_literal(finite, assumed[0]), finite_literal(finite, assumed[1]),
                       finite_literal(finite, asked[0])};
    assert_int_equal(finite_ask(finite, literals, 3, 0), SMT_UNSATISFIABLE);
    assert_true(finite_failed(finite, literals[1]));
    assert_false(finite_failed(finite, literals[0]));
    literals[2] = finite_literal(finite, asked[1]);
    assert_int_equal(finite_ask(finite, literals, 3, 0), SMT_SATISFIABLE);
    finite_close(finite);
    terms_close(terms);
}

/* -- Random formulas: what has a model with more elements than the cutoff has one without -- */

struct maker {
    struct world world;
    uint64_t seed;
    uint32_t p, q, related, value, good;
    term nodes[8]; /* that are in scope */
    uint32_t count;
};

static uint32_t pick(struct maker *maker, uint32_t below)
{
    maker->seed = hash_combine(maker->seed, 1);
    return (uint32_t)(maker->seed >> 20) % below;
}

static term make_atom(struct maker *maker)
{
    struct fol_store *terms = &maker->world.terms;
    term pair[2] = {maker->nodes[pick(maker, maker->count)], maker->nodes[pick(maker, maker->count)]};
    term one, other;
    switch (pick(maker, 6)) {
    case 0:
        return fol_apply(terms, maker->p, pair);
    case 1:
        return fol_apply(terms, maker->q, pair);
    case 2:
        return fol_apply(terms, maker->related, pair);
    case 3:
        return fol_equal(terms, pair[0], pair[1]);
    case 4:
        return at(&maker->world, maker->good, at(&maker->world, maker->value, pair[0]));
    default:
        one = at(&maker->world, maker->value, pair[0]);
        other = at(&maker->world, maker->value, pair[1]);
        return fol_equal(terms, one, other);
    }
}

static term make_formula(struct maker *maker, uint32_t depth)
{
    struct fol_store *terms = &maker->world.terms;
    uint32_t kind = depth ? pick(maker, 8) : 0;
    if (kind < 1)
        return make_atom(maker);
    if (kind < 2)
        return fol_not(terms, make_formula(maker, depth - 1));
    if (kind < 5 || maker->count == 8) {
        term left = make_formula(maker, depth - 1), right = make_formula(maker, depth - 1);
        return kind % 2 ? fol_and(terms, left, right) : fol_or(terms, left, right);
    }
    term variable = fol_variable(terms, maker->world.node);
    maker->nodes[maker->count++] = variable;
    term body = make_formula(maker, depth - 1);
    maker->count--;
    return kind % 2 ? fol_forall(terms, variable, body) : fol_exists(terms, variable, body);
}

static enum smt_answer answer_at(struct world *world, term formula, const uint32_t *sizes)
{
    struct finite *finite = finite_open(&world->terms, sizes);
    int literal = finite_literal(finite, formula);
    enum smt_answer said = finite_ask(finite, &literal, 1, 0);
    finite_close(finite);
    return said;
}

static void maker_open(struct maker *maker, uint64_t seed)
{
    *maker = (struct maker){.seed = hash_combine(seed, 7)};
    world_open(&maker->world);
    uint32_t sorts[2] = {maker->world.node, maker->world.node};
    maker->p = predicate(&maker->world, "p");
    maker->q = predicate(&maker->world, "q");
    maker->related = terms_symbol(&maker->world.terms, "related", SORT_BOOLEAN, 2, sorts);
    maker->value = terms_symbol(&maker->world.terms, "value", maker->world.data, 1, sorts);
    maker->good = terms_symbol(&maker->world.terms, "good", SORT_BOOLEAN, 1, &maker->world.data);
    maker->nodes[maker->count++] = fol_variable(&maker->world.terms, maker->world.node);
}

static void more_elements_change_nothing(void **state)
{
    (void)state;
    uint32_t compared = 0, satisfiable = 0;
    for (uint64_t seed = 0; seed < 1500; seed++) {
        struct maker maker;
        struct cutoff cutoff;
        maker_open(&maker, seed);
        struct fol_store *terms = &maker.world.terms;
        term formula = TERM_TRUE;
        for (uint32_t i = 0; i < 4; i++)
            formula = fol_and(terms, formula, make_formula(&maker, 5));
        if (cutoff_find(terms, &formula, 1, NULL, 0, &cutoff) && cutoff.sizes[maker.world.node] <= 6) {
            enum smt_answer said = answer_at(&maker.world, formula, cutoff.sizes);
            cutoff.sizes[maker.world.node] += 2;
            cutoff.sizes[maker.world.data] += 2;
            assert_int_equal(answer_at(&maker.world, formula, cutoff.sizes), said);
            compared++;
            satisfiable += said == SMT_SATISFIABLE;
        }
        text_free(&cutoff.why);
        terms_close(terms);
    }
    assert_true(compared > 200 && satisfiable > 20 && satisfiable < compared - 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(terms_are_simplified),         cmocka_unit_test(many_elements_are_needed),
        cmocka_unit_test(few_elements_are_enough),      cmocka_unit_test(witnesses_are_counted),
        cmocka_unit_test(functions_are_followed),       cmocka_unit_test(questions_are_asked_one_by_one),
        cmocka_unit_test(more_elements_change_nothing),
    };
    return solver_is_available() ? cmocka_run_group_tests(tests, NULL, NULL) : 0;
}
