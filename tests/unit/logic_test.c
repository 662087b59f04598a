/* Formulas and automata of LTL against the definition, on random formulas and words u v^w. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "logic/deterministic.h"
#include "logic_words.h"
#include "sanitized.h"

enum { ATOMS = 3 };

static void print_atom(void *user, uint32_t atom, struct text *out)
{
    (void)user;
    text_char(out, (char)('a' + atom));
}

/* Reads letters from one place to another; returns the least priority. */
static uint32_t read_letters(struct deterministic *deterministic, const struct word *word, uint32_t from, uint32_t to,
                             uint32_t *state)
{
    uint32_t least = UINT32_MAX;
    for (uint32_t place = from; place < to; place++) {
        struct deterministic_move move;
        assert_true(deterministic_step(deterministic, *state, word->letters[place], &move));
        *state = move.target;
        least = move.priority < least ? move.priority : least;
    }
    return least;
}

/* The least priority between two passes of the loop that begin in the same state. */
static bool accepts_deterministically(struct deterministic *deterministic, const struct word *word)
{
    enum { PASSES = 1000 };
    uint32_t states[PASSES], least[PASSES], state = 0;
    read_letters(deterministic, word, 0, word->loop, &state);
    for (uint32_t pass = 0; pass < PASSES; pass++) {
        uint32_t among = UINT32_MAX;
        states[pass] = state;
        least[pass] = read_letters(deterministic, word, word->loop, word->length, &state);
        for (uint32_t i = pass + 1; i-- > 0;) {
            among = least[i] < among ? least[i] : among;
            if (states[i] == state)
                return among % 2 == 0;
        }
    }
    fail_msg("no pass of the loop begins in the state of another");
    return false;
}

static void check_formula(uint64_t seed, uint32_t size, uint32_t words)
{
    struct wishes wishes = {.count = 0};
    struct logic *logic = logic_create();
    uint64_t start = seed;
    const struct wish *wish = random_wish(&wishes, &seed, size, ATOMS);
    logic_formula formula = wish_formula(logic, wish);
    struct automaton *automaton = automaton_create(logic, formula, 1000),
                     *negated = automaton_create(logic, logic_not(logic, formula), 1000);
    assert_non_null(automaton);
    assert_non_null(negated);
    struct deterministic *deterministic = deterministic_create(automaton, 2000);
    for (uint32_t i = 0; i < words; i++) {
        struct word word = random_word(&seed, ATOMS);
        bool holds[WORD_MAX];
        wish_on_word(wish, &word, holds);
        bool is_right = accepts_deterministically(deterministic, &word) == holds[0];
        if (!is_right || accepts(automaton, &word) != holds[0] || accepts(negated, &word) == holds[0])
            fail_msg("seed %llu: the automaton differs from the formula", (unsigned long long)start);
    }
    deterministic_destroy(deterministic);
    automaton_destroy(automaton);
    automaton_destroy(negated);
    logic_destroy(logic);
}

static void automata_have_the_language_of_their_formula(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= FEWER(3000); seed++)
        check_formula(seed, 2 + seed % 9, 8);
}

static void expect_text(struct logic *logic, logic_formula formula, const char *expected)
{
    struct text text = {0};
    logic_print(logic, formula, print_atom, NULL, &text);
    assert_string_equal(text_chars(&text), expected);
    text_free(&text);
}

static void laws_make_formulas_smaller(void **state)
{
    (void)state;
    struct logic *logic = logic_create();
    logic_formula a = logic_atom(logic, 0), b = logic_atom(logic, 1), c = logic_atom(logic, 2);
    logic_formula gfa = logic_always(logic, logic_eventually(logic, a));
    expect_text(logic, logic_and(logic, a, logic_not(logic, a)), "false");
    expect_text(logic, logic_eventually(logic, logic_until(logic, a, b)), "F b");
    expect_text(logic, logic_until(logic, a, logic_until(logic, a, b)), "a U b");
    expect_text(logic, logic_next(logic, gfa), "G F a");
    expect_text(logic, logic_eventually(logic, logic_and(logic, b, gfa)), "G F a & F b");
    expect_text(logic, logic_not(logic, logic_until(logic, a, b)), "!a R !b");
    expect_text(logic, logic_or(logic, logic_next(logic, a), logic_next(logic, b)), "X (a | b)");
    expect_text(logic, logic_and(logic, logic_always(logic, a), logic_always(logic, b)), "G (a & b)");
    expect_text(logic, logic_release(logic, b, logic_or(logic, a, b)), "a W b");
    expect_text(logic, logic_until(logic, b, logic_and(logic, logic_and(logic, a, c), b)), "(a & c) M b");
    expect_text(logic, logic_until(logic, logic_not(logic, b), b), "F b");
    assert_int_equal(logic_and(logic, logic_and(logic, a, b), c), logic_and(logic, c, logic_and(logic, b, a)));
    logic_destroy(logic);
}

static void traits_are_syntactic(void **state)
{
    (void)state;
    struct logic *logic = logic_create();
    logic_formula a = logic_atom(logic, 0), fa = logic_eventually(logic, a), ga = logic_always(logic, a),
                  xa = logic_next(logic, a);
    assert_true(!logic_is_safety(logic, fa) && logic_is_safety(logic, ga) && logic_is_safety(logic, xa));
    logic_destroy(logic);
}

static uint32_t states_of(struct logic *logic, logic_formula formula)
{
    struct automaton *automaton = automaton_create(logic, formula, 1000);
    assert_non_null(automaton);
    uint32_t count = automaton->state_count;
    automaton_destroy(automaton);
    return count;
}

static void automata_are_small(void **state)
{
    (void)state;
    struct logic *logic = logic_create();
    logic_formula a = logic_atom(logic, 0), b = logic_atom(logic, 1);
    logic_formula gfa = logic_always(logic, logic_eventually(logic, a)),
                  gfb = logic_always(logic, logic_eventually(logic, b));
    assert_int_equal(states_of(logic, logic_truth(logic, false)), 0);
    assert_int_equal(states_of(logic, logic_truth(logic, true)), 1);
    assert_int_equal(states_of(logic, logic_always(logic, a)), 1);
    assert_int_equal(states_of(logic, logic_until(logic, a, b)), 2);
    assert_int_equal(states_of(logic, gfa), 1);
    assert_int_equal(states_of(logic, logic_and(logic, gfa, gfb)), 1);
    logic_formula all = logic_truth(logic, true);
    for (uint32_t atom = 0; atom < 12; atom++)
        all = logic_and(logic, all, logic_always(logic, logic_eventually(logic, logic_atom(logic, atom))));
    assert_int_equal(states_of(logic, all), 1);
    assert_int_equal(
        states_of(logic, logic_always(logic, logic_or(logic, logic_not(logic, a), logic_eventually(logic, b)))), 2);
    logic_destroy(logic);
}

static void structure_of_automata(void **state)
{
    (void)state;
    struct logic *logic = logic_create();
    logic_formula a = logic_atom(logic, 0);
    /* F a: after a, whatever follows; no accepting run stays before it */
    struct automaton *once = automaton_create(logic, logic_eventually(logic, a), 10);
    assert_int_equal(once->state_count, 2);
    assert_false(automaton_accepts_all(once, once->start));
    assert_true(automaton_accepts_all(once, 1 - once->start));
    assert_true(automaton_is_terminal(once));
    assert_false(automaton_is_recurrent(once, once->start));
    assert_true(automaton_is_recurrent(once, 1 - once->start));
    /* F G a: it waits, and then stays */
    struct automaton *stays = automaton_create(logic, logic_eventually(logic, logic_always(logic, a)), 10);
    uint32_t recurrent = 0;
    for (uint32_t s = 0; s < stays->state_count; s++) {
        assert_false(automaton_accepts_all(stays, s));
        recurrent += automaton_is_recurrent(stays, s);
    }
    assert_false(automaton_is_terminal(stays));
    assert_false(automaton_is_recurrent(stays, stays->start));
    assert_int_equal(recurrent, 1);
    /* G F a: one state, for ever */
    struct automaton *often = automaton_create(logic, logic_always(logic, logic_eventually(logic, a)), 10);
    assert_false(automaton_is_terminal(often));
    assert_true(automaton_is_recurrent(often, often->start));
    automaton_destroy(once);
    automaton_destroy(stays);
    automaton_destroy(often);
    logic_destroy(logic);
}

static void large_automata_are_refused(void **state)
{
    (void)state;
    struct logic *logic = logic_create();
    logic_formula whole = logic_truth(logic, true), far = logic_atom(logic, 1);
    for (int i = 0; i < 12; i++)
        far = logic_next(logic, far);
    whole = logic_always(logic, logic_or(logic, logic_not(logic, logic_atom(logic, 0)), far));
    assert_null(automaton_create(logic, whole, 1000));
    logic_destroy(logic);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(automata_have_the_language_of_their_formula),
        cmocka_unit_test(laws_make_formulas_smaller),
        cmocka_unit_test(traits_are_syntactic),
        cmocka_unit_test(automata_are_small),
        cmocka_unit_test(structure_of_automata),
        cmocka_unit_test(large_automata_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
