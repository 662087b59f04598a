/* Counter abstraction: the reduced system is bisimilar to the original, state by state and step by step; what cannot be
 * translated is refused with its line; CTL over counters. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "driver/check.h"
#include "ir/ctl.h"
#include "rewrite/prenex.h"
#include "reduce/reduce.h"
#include "text_model.h"

static struct reduction *reduce(const struct model *model, bool keep_dead)
{
    struct diagnostics diagnostics = {0};
    struct reduction *reduction =
        reduce_system(model->system, &(struct reduce_options){.keep_dead = keep_dead}, &diagnostics);
    if (!reduction)
        fail_msg("refused: line %u: %s", diagnostics.items[0].span.line, diagnostics.items[0].message);
    diag_free(&diagnostics);
    return reduction;
}

/* --- bisimulation --- */

struct states {
    size_t width; /* cells */
    VEC(int32_t *) items;
};

static size_t states_add(struct states *states, const int32_t *cells)
{
    for (size_t s = 0; s < states->items.count; s++)
        if (!memcmp(states->items.items[s], cells, states->width * sizeof *cells))
            return s;
    int32_t *copy = memory_alloc((states->width + 1) * sizeof *copy);
    memcpy(copy, cells, states->width * sizeof *copy);
    VEC_PUSH(&states->items, copy);
    return states->items.count - 1;
}

static void states_free(struct states *states)
{
    for (size_t s = 0; s < states->items.count; s++)
        free(states->items.items[s]);
    VEC_FREE(&states->items);
}

static bool states_equal(const struct states *a, struct states *b)
{
    size_t count = b->items.count;
    for (size_t s = 0; s < a->items.count; s++)
        if (states_add(b, a->items.items[s]) >= count)
            return false;
    return a->items.count == count;
}

/* The successors of a state (NULL: the start states), as states of the reduced system; faults are counted. */
static uint32_t successors(struct stepper *stepper, const struct reduction *reduction, const int32_t *from,
                           struct states *original, struct states *out)
{
    struct step step = {0};
    enum step_outcome outcome;
    uint32_t faults = 0;
    int32_t *cells = memory_alloc((out->width + 1) * sizeof *cells);
    if (from)
        stepper_begin_successors(stepper, from);
    else
        stepper_begin_starts(stepper);
    while ((outcome = stepper_next(stepper, &step)) != STEP_END) {
        faults += outcome == STEP_FAULT;
        if (outcome != STEP_STATE)
            continue;
        if (original) {
            assert_true(reduction_abstract(reduction, step.cells, cells));
            states_add(original, step.cells);
        }
        states_add(out, original ? cells : step.cells);
    }
    free(cells);
    return faults;
}

/* The instance that a step of the reduced system stands for does the same in this state. */
static void assert_instances(const struct model *model, const struct reduction *reduction, const int32_t *original,
                             const int32_t *reduced, struct stepper *reduced_stepper)
{
    struct stepper *stepper = stepper_create_evaluator(model->system, model->layout);
    struct step step = {0}, real = {0};
    size_t width = reduction_system(reduction)->state_cells;
    int32_t *cells = memory_alloc((width + 1) * sizeof *cells);
    enum step_outcome outcome;
    stepper_begin_successors(reduced_stepper, reduced);
    while ((outcome = stepper_next(reduced_stepper, &step)) != STEP_END) {
        const struct rule *rule;
        uint64_t instance;
        reduction_instance(reduction, step.rule, step.instance, original, &rule, &instance);
        stepper_begin_successors(stepper, original);
        stepper_seek_evaluator(stepper, rule, instance);
        assert_int_equal(stepper_next(stepper, &real), outcome);
        assert_true(real.rule == rule && real.instance == instance);
        if (outcome != STEP_STATE)
            continue;
        assert_true(reduction_abstract(reduction, real.cells, cells));
        assert_memory_equal(cells, step.cells, width * sizeof *cells);
    }
    free(cells);
    stepper_destroy(stepper);
}

/* Every state of the original has exactly the steps of its abstraction; so have the start states. */
static void assert_bisimilar(const char *text, bool keep_dead, uint32_t locations)
{
    struct model *model = text_model("reduce_test.m", text);
    struct reduction *reduction = reduce(model, keep_dead);
    const struct system *out = reduction_system(reduction);
    struct layout *layout = layout_create(out);
    struct stepper *stepper = stepper_create_evaluator(model->system, model->layout);
    struct stepper *reduced_stepper = stepper_create_evaluator(out, layout);
    struct states all = {.width = model->system->state_cells};
    int32_t *cells = memory_alloc((out->state_cells + 1) * sizeof *cells);
    if (locations)
        assert_int_equal(reduction_locations(reduction), locations);
    for (size_t s = 0; s <= all.items.count; s++) {
        struct states ours = {.width = out->state_cells}, theirs = {.width = out->state_cells};
        const int32_t *from = s ? all.items.items[s - 1] : NULL;
        uint32_t faults = successors(stepper, reduction, from, &all, &ours);
        if (from)
            assert_true(reduction_abstract(reduction, from, cells));
        uint32_t reduced_faults = successors(reduced_stepper, reduction, from ? cells : NULL, NULL, &theirs);
        assert_true(states_equal(&ours, &theirs));
        assert_int_equal(faults != 0, reduced_faults != 0);
        if (from)
            assert_instances(model, reduction, from, cells, reduced_stepper);
        states_free(&ours);
        states_free(&theirs);
    }
    assert_true(all.items.count > 3);
    free(cells);
    states_free(&all);
    stepper_destroy(stepper);
    stepper_destroy(reduced_stepper);
    layout_destroy(layout);
    reduction_destroy(reduction);
    model_destroy(model);
}

/* Figure 1 of Emerson and Wahl: the token moves with the process that has it. */
static const char token[] = "type P: scalarset(3); S: enum {N, T, C};\n"
                            "var l: array [P] of S; tok: P;\n"
                            "ruleset t: P do startstate begin for p: P do l[p] := N; end; tok := t; end; end;\n"
                            "ruleset p: P do rule \"try\" l[p] = N ==> begin l[p] := T; end; end;\n"
                            "ruleset p: P do rule \"enter\" l[p] = T & tok = p ==> begin l[p] := C; end; end;\n"
                            "ruleset p: P; q: P do rule \"leave\" l[p] = C ==> begin l[p] := N; tok := q; end; end;\n";

/* Pointers that may be undefined, and may be equal. */
static const char pointers[] = "type P: scalarset(3); var b: array [P] of boolean; x: P; y: P;\n"
                               "startstate begin for p: P do b[p] := false; end; undefine x; undefine y; end;\n"
                               "ruleset p: P do rule \"x\" isundefined(x) ==> begin x := p; end; rule \"y\" "
                               "isundefined(y) ==> begin y := p; end;\n"
                               "rule \"set\" !b[p] & !isundefined(x) & x != p ==> begin b[p] := true; end; end;\n"
                               "rule \"swap\" !isundefined(x) & !isundefined(y) & x = y ==> begin b[x] := !b[x]; end;\n"
                               "rule \"drop\" !isundefined(y) ==> begin undefine y; end;\n";

/* Two families; loops, quantifiers, sums; a step that fails. */
static const char families[] =
    "type P: scalarset(2); Q: scalarset(2); var a: array [P] of 0..2; b: array [Q] of boolean; s: 0..4;\n"
    "function sum(): 0..4; var c: 0..4; begin c := 0; for p: P do if a[p] = 1 then c := c + 1; end; end; return c; "
    "end;\n"
    "startstate begin for p: P do a[p] := 0; end; for q: Q do b[q] := false; end; s := 0; end;\n"
    "ruleset p: P; q: Q do rule \"up\" a[p] < 2 & !b[q] ==> begin a[p] := a[p] + 1; b[q] := true; s := sum(); end; "
    "end;\n"
    "rule \"all\" forall q: Q do b[q] end ==> begin for q: Q do b[q] := false; end; end;\n"
    "rule \"wrong\" exists p: P do a[p] = 2 end & s = 1 ==> begin s := 5 - s - s; s := s + 2; end;\n"
    "rule \"reset\" forall p: P do a[p] = 2 end ==> begin for p: P do a[p] := 0; end; end;\n";

/* old[p] is never read after it was copied: its values need no counters of their own. */
static const char dead[] =
    "type P: scalarset(2); var l: array [P] of 0..2; old: array [P] of 0..2;\n"
    "startstate begin for p: P do l[p] := 0; old[p] := 0; end; end;\n"
    "ruleset p: P; k: 0..2 do rule \"note\" l[p] = 0 ==> begin old[p] := k; l[p] := 1; end; end;\n"
    "ruleset p: P do rule \"use\" l[p] = 1 ==> begin l[p] := old[p] = 2 ? 2 : 0; end;\n"
    "rule \"back\" l[p] = 2 ==> begin l[p] := 0; old[p] := 0; end; end;\n";

static void test_bisimilar(void **unused)
{
    (void)unused;
    for (int keep = 0; keep < 2; keep++) {
        assert_bisimilar(token, keep, 3);
        assert_bisimilar(pointers, keep, 2);
        assert_bisimilar(families, keep, 5);
    }
    assert_bisimilar(dead, true, 6);  /* old is 0 or 1 at l = 0, anything at 1, and 2 at l = 2 */
    assert_bisimilar(dead, false, 5); /* at l = 0 it is dead */
}

/* --- construct by construct, what is evaluated when --- */

static const char constructs_head[] = "type S: scalarset(3); R: record a: boolean; b: boolean; end;\n"
                                      "var c: array [S] of boolean; x: boolean; y: 0..3; u: boolean; arr: array [0..2] "
                                      "of 0..3; p: S; rs: array [0..1] of R;\n";
static const char constructs_start[] = "ruleset s: S do startstate for l: S do c[l] := false; end; x := false; y := 0; "
                                       "for i: 0..2 do arr[i] := 0; end; p := s;\n"
                                       "for i: 0..1 do rs[i].a := true; rs[i].b := false; end; end; end;\n"
                                       "ruleset s: S do rule \"t\" !c[s] ==> c[s] := true; end; end;\n";

/* Functions, rules. */
static const char *const constructs[][2] = {
    {"", "rule \"r\" true ==> alias z: arr[y] do y := 1 - y; z := (z + 1) % 3; end; end;"},
    {"", "rule \"r\" true ==> alias z: arr[y] do alias w: arr[z] do y := (y + 1) % 3; z := (z + 1) % 3; w := (w + 1) % "
         "3; end; end; end;"},
    {"", "alias z: arr[y] do rule \"r\" z < 2 ==> y := (y + 1) % 2; z := z + 1; end; end;"},
    {"", "rule \"r\" true ==> x := !x; alias z: arr[y-1] do x := x; end; end;"},
    {"procedure q(var a: 0..3); begin y := 1 - y; a := (a + 1) % 3; end;", "rule \"r\" true ==> q(arr[y]); end;"},
    {"", "rule \"r\" true ==> x := !x; put u; end; rule \"s\" x ==> put !u; end;"},
    {"", "rule \"r\" true ==> x := !x; put arr[y-1]; end;"},
    {"function f(): boolean; var t: boolean; begin t := (1/y = 1); return true; end;",
     "rule \"y\" y < 3 ==> y := y + 1; end; rule \"r\" f() ==> x := !x; end; rule \"s\" true ==> x := f(); end;"},
    {"function f(k: 0..1): boolean; begin return true; end;",
     "rule \"y\" y < 3 ==> y := y + 1; end; rule \"r\" f(y) ==> x := !x; end;"},
    {"function g(var t: 0..3): boolean; begin t := y; return true; end;",
     "rule \"r\" true ==> var t: 0..3; begin t := 0; x := g(t); y := (y + 1) % 3; arr[0] := t; end;"},
    {"function g(var t: boolean): boolean; begin t := true; return true; end;",
     "rule \"r\" true ==> var t: boolean; begin t := false; if x & g(t) then y := 1; end; rs[0].a := t; x := true; "
     "end;"},
    {"function f(): R; var t: R; begin t.a := rs[0].b; t.b := rs[0].a; return t; end;",
     "rule \"r\" true ==> rs[0] := f(); end;"},
    {"", "rule \"r\" true ==> var t: R; begin t.a := true; t.b := x; alias z: rs[y] do y := 1 - y; z := t; end; end;"},
    {"", "rule \"r\" true ==> alias z: rs[y] do y := 1 - y; clear z; undefine z.a; end; end;"},
    {"", "rule \"r\" true ==> var t: boolean; begin t := false; for l: S do if c[l] then t := true; y := 1; end; end; "
         "x := t; end;"},
    {"", "rule \"y\" y < 3 ==> y := y + 1; end; rule \"r\" true ==> for l: S do if c[l] then alias z: arr[y] do z := "
         "3; end; end; end; end;"},
    {"", "rule \"x\" true ==> x := !x; end; rule \"r\" exists s: S do (c[s] & x) | (!c[s] & u) end ==> y := 1; end;"},
    {"", "rule \"r\" (u ? false : false) ==> x := !x; end;"},
    {"function n(): 0..9; var k: 0..9; begin k := 0; for l: S do if c[l] then k := k + 1; end; end; return k; end;",
     "rule \"r\" forall a: S do exists b: S do n() = 2 | a = b end end ==> x := !x; end;"},
    {"function f(q: S): boolean; begin return c[q] & arr[y] = 0; end;",
     "rule \"y\" y < 3 ==> y := y + 1; end; rule \"r\" forall q: S do f(q) end ==> x := !x; end;"},
    {"", "ruleset s: S do rule \"r\" true ==> var n: 0..3; begin n := 0; for l: S do if c[l] & l != s then n := n + 1; "
         "end; end; y := n; end; end;"},
    {"", "rule \"r\" true ==> switch y case 0: y := 1; x := c[p]; case 1: y := 2; else y := 0; end; end;"},
};

static void test_constructs(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < sizeof constructs / sizeof *constructs; i++) {
        struct text text = {0};
        text_format(&text, "%s%s%s%s\n", constructs_head, constructs[i][0], constructs_start, constructs[i][1]);
        assert_bisimilar(text_chars(&text), i % 2, 0);
        text_free(&text);
    }
    assert_bisimilar("type S: scalarset(1); Q: scalarset(2); var a: array [S] of 0..2; b: array [Q] of boolean; p: S;\n"
                     "startstate clear a; clear p; clear b; end;\n"
                     "ruleset q: Q do rule a[S] < 2 & p = S ==> a[p] := a[S] + 1; b[q] := a[S] = 1; end; end;\n"
                     "rule a[S] = 2 ==> undefine p; a[S] := 0; end; rule isundefined(p) ==> clear p; end;\n",
                     true, 0);
}

/* --- refusals --- */

static void assert_refused(const char *text, uint32_t line, const char *words)
{
    struct model *model = text_model("reduce_test.m", text);
    struct diagnostics diagnostics = {0};
    assert_null(reduce_system(model->system, NULL, &diagnostics));
    assert_int_equal(diagnostics.items[0].span.line, line);
    if (!strstr(diagnostics.items[0].message, words))
        fail_msg("\"%s\" does not say \"%s\"", diagnostics.items[0].message, words);
    diag_free(&diagnostics);
    model_destroy(model);
}

static void test_refusals(void **unused)
{
    (void)unused;
    const char *end = "startstate begin end; rule \"r\" true ==> begin end;\n";
    char text[600];
    static const struct {
        const char *declaration, *words;
    } cases[] = {
        {"var x: 0..1;\n", "no scalarset"},
        {"type P: scalarset(2);\nvar m: multiset [3] of boolean;\n", "multiset"},
        {"type P: scalarset(2);\nvar a: array [P] of array [P] of boolean;\n", "indexed by elements twice"},
        {"type P: scalarset(2);\nvar a: array [P] of P;\n", "holds an element"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        snprintf(text, sizeof text, "%s%s", cases[i].declaration, end);
        assert_refused(text, i ? 2 : 0, cases[i].words);
    }
    const char *model = "type P: scalarset(2); var b: array [P] of boolean; s: P;\n"
                        "startstate begin for p: P do b[p] := false; end; end;\n"
                        "ruleset p: P do rule \"r\" !b[p] ==> begin b[p] := true; end; end;\n";
    snprintf(text, sizeof text, "%sctl \"c\" EY b[s];\n", model);
    assert_refused(text, 4, "look back");
    snprintf(text, sizeof text, "%sctl \"c\"\n AF forall p: P do EX b[p] end;\n", model);
    assert_refused(text, 5, "quantifier");
    snprintf(text, sizeof text, "%scover \"c\" b[s];\n", model);
    assert_refused(text, 4, "undefined");
}

/* --- CTL --- */

static void test_prenex(void **unused)
{
    (void)unused;
    static const struct {
        const char *formula;
        bool is_needed, is_possible;
    } cases[] = {
        {"AG forall p: P do l[p] = N end", false, true}, /* one proposition */
        {"AG forall p: P do l[p] = N -> AF l[p] = C end", true, true},
        {"forall p: P do AX AG (l[p] = T -> forall q: P do A[l[q] = N U l[p] = C] end) end", true, true},
        {"A[forall p: P do EX l[p] = T end U tok = tok]", true, true},
        {"A[tok = tok U forall p: P do EX l[p] = T end]", true, false},
        {"!E[tok = tok U exists p: P do AF l[p] = T end]", true, true},
        {"!EF exists p: P do EX (l[p] = N & exists q: P do EX l[q] = C end) end", true, true},
        {"EF forall p: P do EX l[p] = T end", true, false},
        {"AF forall p: P do EX l[p] = T end", true, false},
        {"exists p: P do AG l[p] = T end", true, false},
        {"(forall p: P do AG l[p] = T end) -> AG tok = tok", true, false},
        {"(exists p: P do AG l[p] = T end) -> AG tok = tok", true, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1200];
        struct span where;
        snprintf(text, sizeof text, "%sctl \"c\" %s;\n", token, cases[i].formula);
        struct model *model = text_model("reduce_test.m", text);
        const struct ctl *ctl = text_model_property(model, "c")->ctl;
        assert_int_equal(prenex_is_needed(ctl), cases[i].is_needed);
        assert_int_equal(prenex_is_possible(ctl, &where), cases[i].is_possible);
        if (cases[i].is_possible) {
            struct system *pointed = prenex_system(model->system, text_model_property(model, "c"));
            const struct property *own = VEC_LAST(&pointed->properties);
            assert_int_equal(own->ctl->free_count, 0);
            assert_false(prenex_is_needed(own->ctl));
            system_destroy(pointed);
        }
        model_destroy(model);
    }
}

static void assert_verdict(const struct result *result, const struct model *model, const char *name,
                           enum verdict verdict, bool has_loop)
{
    const struct property_result *answer = &result->properties[text_model_property(model, name)->id];
    assert_int_equal(answer->verdict, verdict);
    if (verdict != VERDICT_VIOLATED)
        return;
    assert_non_null(answer->trace);
    assert_int_equal(answer->trace->has_loop, has_loop);
    assert_null(trace_replay(answer->trace));
    assert_null(trace_confirm(answer->trace, TRACE_SHOWS_FALSE, answer->property));
}

/* Verdicts and runs, by the counter engine; the runs are lifted to the model, and so are loops. */
static void test_ctl(void **unused)
{
    (void)unused;
    char text[2000];
    snprintf(text, sizeof text,
             "%sctl \"safe\" AG forall p: P do forall q: P do l[p] = C & l[q] = C -> p = q end end;\n"
             "ctl \"some\" AG ((exists p: P do l[p] = T end) -> AF exists q: P do l[q] = C end);\n"
             "ctl \"each\" AG forall p: P do l[p] = T -> AF l[p] = C end;\n"
             "ctl \"can\" AG forall p: P do l[p] = T -> EF l[p] = C end;\n"
             "ctl \"starved\" !EF exists p: P do tok = p & EG tok = p end;\n"
             "ctl \"moves\" AG !deadlock;\n"
             "liveness \"rest\" forall p: P do l[p] = N end;\n",
             token);
    struct model *model = text_model("reduce_test.m", text);
    struct engine_options options = {.keep_going = true, .deadlock = DEADLOCK_STUCK};
    struct check check = check_model(model, ENGINE_COUNTER, SYMMETRY_DECLARED, &options);
    const struct result *result = check.result;
    assert_null(check.refusal);
    assert_verdict(result, model, "safe", VERDICT_HOLDS, false);
    assert_verdict(result, model, "some", VERDICT_HOLDS, false);
    assert_verdict(result, model, "each", VERDICT_VIOLATED, true);
    assert_verdict(result, model, "can", VERDICT_HOLDS, false);
    assert_verdict(result, model, "starved", VERDICT_VIOLATED, true);
    assert_verdict(result, model, "moves", VERDICT_HOLDS, false);
    assert_verdict(result, model, "rest", VERDICT_HOLDS, false);
    check_free(&check);
    model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bisimilar), cmocka_unit_test(test_constructs), cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_prenex),    cmocka_unit_test(test_ctl),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
