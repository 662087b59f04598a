/* Partial-order reduction: small models in which something would be missed if one of the conditions of stubborn sets
 * were left out, or where little should be left. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "engine/engine.h"
#include "text_model.h"

static const struct engine_options ways[] = {
    {.threads = 1},
    {.threads = 2, .crowd = 1},
    {.store = STORE_PLAIN},
    {.order = SEARCH_DEPTH_FIRST},
    {.threads = 1, .hash_compact = true},
};
enum { WAYS = sizeof ways / sizeof *ways };

static struct result *explore(const struct layout *layout, const struct symmetry *symmetry,
                              const struct engine_options *way, enum deadlock_mode deadlock, bool is_reduced)
{
    struct engine_options options = *way;
    options.stepper = STEPPER_VM;
    options.keep_going = true;
    options.deadlock = deadlock_mode_of(layout->system, deadlock);
    options.partial_order = is_reduced ? PARTIAL_ORDER_REDUCED : PARTIAL_ORDER_KEPT;
    return engine_explicit.run(layout, symmetry, &options);
}

/* The same verdicts in every way. Returns how many states a breadth-first search with one thread has. */
static uint64_t compare(const char *path, const char *text, enum deadlock_mode deadlock)
{
    struct model *model = text_model(path, text);
    struct layout *layout = layout_create(model->system);
    struct symmetry *symmetry = symmetry_none(model->system);
    struct result *plain = explore(layout, symmetry, &ways[0], deadlock, false);
    uint64_t states = 0;
    for (uint32_t w = 0; w < WAYS; w++) {
        struct result *reduced = explore(layout, symmetry, &ways[w], deadlock, true);
        assert_true(reduced->is_complete || reduced->stop.kind == STOP_DECIDED);
        assert_true(reduced->statistics.states <= plain->statistics.states);
        for (size_t p = 0; p < model->system->properties.count; p++)
            if (plain->properties[p].verdict != reduced->properties[p].verdict)
                fail_msg("%s: %s, way %u", text, model->system->properties.items[p]->name, w);
        if (w == 0)
            states = reduced->statistics.states;
        result_destroy(reduced);
    }
    result_destroy(plain);
    symmetry_destroy(symmetry);
    layout_destroy(layout);
    model_destroy(model);
    return states;
}

static bool is_violated(const char *path, const char *text, const char *name, enum deadlock_mode deadlock)
{
    struct model *model = text_model(path, text);
    struct layout *layout = layout_create(model->system);
    struct symmetry *symmetry = symmetry_none(model->system);
    struct result *reduced = explore(layout, symmetry, &ways[0], deadlock, true);
    bool is = reduced->properties[text_model_property(model, name)->id].verdict == VERDICT_VIOLATED;
    result_destroy(reduced);
    symmetry_destroy(symmetry);
    layout_destroy(layout);
    model_destroy(model);
    return is;
}

#define MURPHI "stubborn_test.m"
#define PROMELA "stubborn_test.pml"

/* Independent steps: one order is enough. */
static void test_independent(void **state)
{
    (void)state;
    uint64_t states = compare(MURPHI,
                              "var n: array [1..5] of 0..3; startstate begin for i: 1..5 do n[i] := 0; end; end;"
                              "ruleset i: 1..5 do rule n[i] < 3 ==> begin n[i] := n[i] + 1; end; end;",
                              DEADLOCK_STUCK);
    assert_int_equal(states, 16);
}

/* A process that goes round by itself must not make the search forget the other one. */
static void test_ignoring(void **state)
{
    static const char *const text = "var a: boolean; b: 0..2; startstate begin a := false; b := 0; end;"
                                    "rule \"round\" true ==> begin a := !a; end;"
                                    "rule \"step\" b < 2 ==> begin b := b + 1; assert \"small\" b < 2; end;";
    (void)state;
    compare(MURPHI, text, DEADLOCK_STUTTERING);
    assert_true(is_violated(MURPHI, text, "small", DEADLOCK_STUTTERING));
}

/* Both orders are invisible to the other process, but not to the invariant. */
static void test_visible(void **state)
{
    static const char *const text = "var x, y: 0..2; startstate begin x := 0; y := 0; end;"
                                    "rule x < 2 ==> begin x := x + 1; end; rule y < 2 ==> begin y := y + 1; end;"
                                    "invariant \"not both\" !(x = 1 & y = 1); invariant \"x first\" y > 0 -> x > 0;"
                                    "cover \"once\" x = 2 & y = 1; cover \"never\" x = 2 & y = 1 & x = 1;";
    (void)state;
    compare(MURPHI, text, DEADLOCK_OFF);
    assert_true(is_violated(MURPHI, text, "not both", DEADLOCK_OFF));
    assert_true(is_violated(MURPHI, text, "x first", DEADLOCK_OFF));
}

/* The step that does not accord with the enabled one is disabled: who enables it belongs to the set. */
static void test_enabling(void **state)
{
    static const char *const text = "var a, b, c: 0..2; startstate begin a := 0; b := 0; c := 0; end;"
                                    "rule \"late\" a = 0 ==> begin a := 1; end;"
                                    "rule \"other\" a = 0 & b = 1 ==> begin a := 2; c := 1; end;"
                                    "rule \"enable\" b = 0 ==> begin b := 1; end;"
                                    "rule \"wrong\" c = 1 & b = 1 ==> begin assert \"unreached\" false; c := 2; end;";
    (void)state;
    compare(MURPHI, text, DEADLOCK_STUCK);
    assert_true(is_violated(MURPHI, text, "unreached", DEADLOCK_STUCK));
}

/* A guard that is false may fail when something before the false conjunct changes. */
static void test_failing_guard(void **state)
{
    static const char *const text = "var a, b, c: 0..2; startstate begin a := 0; b := 0; c := 0; end;"
                                    "rule \"undefine\" c = 1 ==> begin undefine a; c := 2; end;"
                                    "rule \"go\" c = 0 ==> begin c := 1; end;"
                                    "rule \"back\" b < 2 ==> begin b := b + 1; end;"
                                    "rule \"tests\" a < 1 & b = 2 & c = 0 ==> begin b := 0; end;";
    (void)state;
    compare(MURPHI, text, DEADLOCK_OFF);
}

/* A step that changes nothing is none to --deadlock stuttering, and one to --deadlock stuck. */
static void test_stuttering(void **state)
{
    static const char *const text = "var x, y: 0..2; startstate begin x := 0; y := 0; end;"
                                    "rule x < 2 ==> begin x := x + 1; end;"
                                    "rule true ==> begin y := 1; end; rule x = 2 & y = 0 ==> begin y := 2; end;"
                                    "rule y = 2 ==> begin x := 1; end;";
    (void)state;
    compare(MURPHI, text, DEADLOCK_STUTTERING);
    compare(MURPHI, text, DEADLOCK_STUCK);
    compare(MURPHI, text, DEADLOCK_OFF);
}

/* Send and receive accord; two senders, two receivers, or somebody who asks for the length, do not. */
static void test_queues(void **state)
{
    (void)state;
    uint64_t states = compare(PROMELA,
                              "chan q = [3] of { byte }; active proctype P() { q!1; q!2; q!3 }"
                              "active proctype C() { byte x; q?x; q?x; q?x; assert(x == 3) }",
                              DEADLOCK_STUCK);
    assert_true(states < 12);
    compare(PROMELA,
            "chan q = [2] of { byte }; active proctype A() { q!1 } active proctype B() { q!2 }"
            "active [2] proctype C() { byte x; q?x; assert(x == _pid - 1) }",
            DEADLOCK_STUCK);
    compare(PROMELA,
            "chan q = [2] of { byte }; active proctype A() { q!1 } active proctype B() { q!2 }"
            "active proctype C() { byte x; q?x; assert(x == 1) }",
            DEADLOCK_STUCK);
    compare(PROMELA,
            "chan q = [2] of { byte }; byte last; active proctype P() { q!1; q!2; q!1 }"
            "active [2] proctype C() { byte x; do :: q?x -> last = x :: len(q) == 2 -> assert(last != 2); break od }",
            DEADLOCK_STUCK);
    compare(PROMELA,
            "chan q = [2] of { byte }; active proctype P() { do :: q!1 :: q!2 od }"
            "active proctype C() { do :: q?1 :: atomic { q?2 -> assert(len(q) < 1) } od }"
            "active proctype T() { end: do :: timeout -> skip od }",
            DEADLOCK_STUCK);
}

/* A chain that may block in the middle reads what it blocks on. */
static void test_chains(void **state)
{
    (void)state;
    compare(PROMELA,
            "byte x, y; active proctype A() { atomic { x = 1; y == 1 -> x = 2 } }"
            "active proctype B() { (x == 1) -> y = 1; assert(x == 1) } active proctype C() { byte z; z = 1; z = 2 }",
            DEADLOCK_STUCK);
    compare(PROMELA,
            "byte n; chan r = [0] of { byte }; active [2] proctype A() { byte t;"
            "do :: atomic { n < 3 -> t = n; n = t + 1 } :: r!n :: else -> break od }"
            "active proctype B() { byte v; do :: r?v -> assert(v < 3) :: timeout -> break od }",
            DEADLOCK_STUCK);
}

/* More instances than are told apart: rule by rule. */
static void test_coarse(void **state)
{
    (void)state;
    uint64_t states =
        compare(MURPHI,
                "var a: array [0..99] of 0..1; b, c: 0..2; startstate begin for i: 0..99 do a[i] := 0; end;"
                "b := 0; c := 0; end; rule b < 2 ==> begin b := b + 1; end;"
                "ruleset i: 0..99; j: 0..99 do rule i = 0 & j < 2 & a[j] = 0 ==> begin a[j] := 1; end; end;"
                "rule c < 2 ==> begin c := c + 1; assert \"small\" c < 2; end; invariant \"b\" b < 2;",
                DEADLOCK_STUCK);
    assert_true(states < 27);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_independent), cmocka_unit_test(test_ignoring),      cmocka_unit_test(test_visible),
        cmocka_unit_test(test_enabling),    cmocka_unit_test(test_failing_guard), cmocka_unit_test(test_stuttering),
        cmocka_unit_test(test_queues),      cmocka_unit_test(test_chains),        cmocka_unit_test(test_coarse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
