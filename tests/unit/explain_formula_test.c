/* Explanations of formulas: witnesses, the parts that decide, what was read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "exec/stepper.h"
#include "result/explain_formula.h"
#include "text_model.h"

static const char text[] =
    "type P: scalarset(3); S: enum {Idle, Busy, Done}; R: record a: 0..3; b: boolean end;\n"
    "var s: array [P] of S; owner: P; n: 0..7; r: R; q: R; u: 0..3;\n"
    "function twice(k: 0..7): 0..31; begin return 2 * k; end;\n"
    "startstate begin for p: P do s[p] := Idle; end; n := 3; r.a := 1; r.b := true; q.a := 2; q.b := true;\n"
    "  undefine u; undefine owner; end;\n"
    "ruleset p: P do rule \"go\" s[p] = Idle ==> begin s[p] := Busy; owner := p; end; end;\n"
    "invariant \"conjunction\" n = 3 & n != 4 & n > 3 & n = 9;\n"
    "invariant \"implication\" (n = 3 | n = 5) -> n < 2;\n"
    "invariant \"universal\" forall p: P do s[p] != Idle end;\n"
    "invariant \"none\" exists p: P do s[p] = Busy & n = 3 end;\n"
    "invariant \"records\" r = q;\n"
    "invariant \"undefined\" n = 3 -> u = 1;\n"
    "invariant \"call\" !(twice(n) = 6);\n"
    "invariant \"large\" exists i: 0..1000 do i = 2000 end;\n"
    "invariant \"choice\" (n = 3 ? n > 5 : n < 5);\n";

static struct explanation *explain_named(const struct model *model, const char *name)
{
    struct stepper *stepper = stepper_create_evaluator(model->system, model->layout);
    struct step step;
    stepper_begin_starts(stepper);
    assert_int_equal(stepper_next(stepper, &step), STEP_STATE);
    for (size_t i = 0; i < model->system->properties.count; i++) {
        const struct property *property = model->system->properties.items[i];
        if (strcmp(property->name, name))
            continue;
        struct explanation *root = explain_formula(model->layout, property->formula, step.cells);
        stepper_destroy(stepper);
        return root;
    }
    fail_msg("no property %s", name);
    return NULL;
}

static void expect(const struct model *model, const char *name, const char *wanted)
{
    struct text printed = {0};
    struct explanation *root = explain_named(model, name);
    explanation_print(root, "", &printed);
    assert_string_equal(printed.chars, wanted);
    text_free(&printed);
    explanation_destroy(root);
}

static void test_decisive_parts(void **unused)
{
    (void)unused;
    struct model *model = text_model("explain_formula_test.m", text);
    expect(model, "conjunction",
           "false: n = 3 & n != 4 & n > 3 & n = 9\n"
           "  false: n > 3  (n is 3)\n");
    expect(model, "implication",
           "false: (n = 3 | n = 5) -> n < 2\n"
           "  true: n = 3 | n = 5\n"
           "    true: n = 3  (n is 3)\n"
           "  false: n < 2  (n is 3)\n");
    expect(model, "choice",
           "false: n = 3 ? n > 5 : n < 5\n"
           "  true: n = 3  (n is 3)\n"
           "  false: n > 5  (n is 3)\n");
    expect(model, "call",
           "false: !(twice(n) = 6)\n"
           "  true: twice(n) = 6  (twice(n) is 6, n is 3)\n");
    model_destroy(model);
}

static void test_quantifiers(void **unused)
{
    (void)unused;
    struct model *model = text_model("explain_formula_test.m", text);
    expect(model, "universal",
           "false: forall p: P do s[p] != Idle end\n"
           "  with p = P_1  false: s[p] != Idle  (s[P_1] is Idle)\n");
    expect(model, "none",
           "false: exists p: P do s[p] = Busy & n = 3 end\n"
           "  with p = P_1  false: s[p] = Busy & n = 3\n"
           "    false: s[p] = Busy  (s[P_1] is Idle)\n"
           "  with p = P_2  false: s[p] = Busy & n = 3\n"
           "    false: s[p] = Busy  (s[P_2] is Idle)\n"
           "  with p = P_3  false: s[p] = Busy & n = 3\n"
           "    false: s[p] = Busy  (s[P_3] is Idle)\n");
    struct explanation *large = explain_named(model, "large");
    assert_int_equal(large->elements, 1001);
    assert_int_equal(large->part_count + large->omitted, 1001);
    assert_string_equal(large->parts[0]->witness, "0");
    explanation_destroy(large);
    model_destroy(model);
}

static void test_records_and_faults(void **unused)
{
    (void)unused;
    struct model *model = text_model("explain_formula_test.m", text);
    expect(model, "records", "false: r = q  (r.a is 1, q.a is 2)\n");
    struct explanation *root = explain_named(model, "undefined");
    assert_int_equal(root->outcome, EXPLAINED_FAULT);
    assert_int_equal(root->part_count, 2);
    assert_int_equal(root->parts[1]->outcome, EXPLAINED_FAULT);
    assert_int_equal(root->parts[1]->fault.kind, FAULT_UNDEFINED);
    assert_string_equal(root->parts[1]->terms[0].value, "undefined");
    explanation_destroy(root);
    model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_decisive_parts),
        cmocka_unit_test(test_quantifiers),
        cmocka_unit_test(test_records_and_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
