/* CTL: formulas as trees, what one run says about them, pointed states, and small graphs by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "engine/engine.h"
#include "rewrite/point.h"
#include "result/explain_ctl.h"
#include "result/path.h"
#include "text_model.h"

/* --- trees --- */

static const char ring[] =
    "type P: scalarset(3); var x: 0..4; b: array [P] of boolean;\n"
    "startstate begin x := 0; for p: P do b[p] := false; end; end;\n"
    "rule \"on\" x < 3 ==> begin x := x + 1; end;\n"
    "rule \"round\" x = 3 ==> begin x := 1; end;\n"
    "rule \"end\" x = 1 ==> begin x := 4; end;\n"
    "ctl \"tree\" AG forall p: P do exists q: P do b[p] -> AF (b[q] & x = 1) | EY p = q end end;\n"
    "ctl \"always small\" AG x < 4;\n"
    "ctl \"comes to four\" AF x = 4;\n"
    "ctl \"may come to four\" EF x = 4;\n"
    "ctl \"may stay\" EF EG (x > 0 & x < 4);\n"
    "ctl \"zero until one\" A[x = 0 U x = 1];\n"
    "ctl \"two before three\" A[x < 2 U x = 3];\n"
    "ctl \"possible\" AG EF x = 4;\n"
    "ctl \"next\" AX x = 2;\n"
    "ctl \"after one\" AG (x = 2 -> EY x = 1 & EP x = 0);\n";

static void a_tree_knows_its_variables(void **state)
{
    (void)state;
    struct model *model = text_model("ctl_test.m", ring);
    const struct ctl *ctl = text_model_property(model, "tree")->ctl, *body = ctl->left->left->left;
    assert_int_equal(ctl->kind, CTL_AG);
    assert_int_equal(ctl->left->kind, CTL_FORALL);
    assert_int_equal(ctl->left->left->kind, CTL_EXISTS);
    assert_int_equal(body->kind, CTL_IMPLIES);
    assert_int_equal(body->left->free_count, 1);
    assert_int_equal(body->right->left->kind, CTL_AF);
    assert_ptr_equal(body->right->left->free[0], ctl->left->left->variable);
    assert_int_equal(body->right->right->free_count, 2);
    assert_int_equal(ctl->left->free_count, 0);
    assert_true(ctl->is_past);
    assert_false(text_model_property(model, "possible")->ctl->is_past);
    struct text text = {0};
    ctl_print(text_model_property(model, "zero until one")->ctl, &text);
    assert_string_equal(text.chars, "A[x = 0 U x = 1]");
    text_free(&text);
    model_destroy(model);
}

/* --- runs --- */

/* The run through these values of x. */
static struct trace *run(const struct model *model, const int32_t *values, uint32_t count, int loop)
{
    size_t cells = model->layout->cell_count;
    int32_t *path = memory_zeroed(count * cells, sizeof *path);
    struct symmetry *none = symmetry_none(model->system);
    for (uint32_t i = 0; i < count; i++)
        path[i * cells] = values[i];
    struct trace *trace = trace_lift(model->layout, none, path, count, TRACE_GOAL_STATE, NULL);
    assert_non_null(trace);
    if (loop >= 0) {
        trace->has_loop = true;
        trace->loop = (uint32_t)loop;
    }
    free(path);
    symmetry_destroy(none);
    return trace;
}

static void expect(const struct model *model, const struct trace *trace, const char *name, enum path_truth truth)
{
    assert_null(trace_replay(trace));
    if (path_evaluate(trace, text_model_property(model, name)->ctl) != truth)
        fail_msg("%s is not %d of this run", name, (int)truth);
}

static void a_run_says_what_it_can(void **state)
{
    (void)state;
    struct model *model = text_model("ctl_test.m", ring);
    struct trace *over = run(model, (int32_t[]){0, 1, 4}, 3, -1), *cut = run(model, (int32_t[]){0, 1, 2}, 3, -1);
    struct trace *round = run(model, (int32_t[]){0, 1, 2, 3, 1}, 5, 1);
    expect(model, over, "always small", PATH_FALSE);
    expect(model, over, "comes to four", PATH_UNKNOWN); /* on this path; others may not */
    expect(model, over, "may come to four", PATH_TRUE);
    expect(model, over, "zero until one", PATH_UNKNOWN);
    expect(model, over, "two before three", PATH_FALSE);
    expect(model, over, "next", PATH_FALSE);
    expect(model, cut, "comes to four", PATH_UNKNOWN); /* it is not said how it goes on */
    expect(model, cut, "may stay", PATH_UNKNOWN);
    expect(model, cut, "after one", PATH_UNKNOWN);
    expect(model, round, "comes to four", PATH_FALSE);
    expect(model, round, "may stay", PATH_TRUE);
    expect(model, round, "always small", PATH_UNKNOWN);
    expect(model, round, "possible", PATH_UNKNOWN);
    round->loop = 2;
    char *wrong = trace_replay(round);
    assert_string_equal(wrong, "the last state is not that of step 2");
    free(wrong);
    trace_destroy(over);
    trace_destroy(cut);
    trace_destroy(round);
    model_destroy(model);
}

/* --- why --- */

static void expect_why(const struct model *model, const struct trace *trace, const char *name, bool is_true,
                       const char *lines)
{
    struct explanation *root = explain_ctl(trace, text_model_property(model, name)->ctl, is_true);
    struct text text = {0};
    explanation_print(root, "", &text);
    assert_string_equal(text.chars, lines);
    explanation_destroy(root);
    text_free(&text);
}

static void a_run_explains_what_it_shows(void **state)
{
    (void)state;
    struct model *model = text_model("ctl_test.m", ring);
    struct trace *over = run(model, (int32_t[]){0, 1, 4}, 3, -1), *cut = run(model, (int32_t[]){0, 1, 2}, 3, -1);
    struct trace *round = run(model, (int32_t[]){0, 1, 2, 3, 1}, 5, 1);
    expect_why(model, over, "always small", false,
               "false after step 0: AG x < 4\n"
               "  false after step 2: x < 4  (x is 4)\n");
    expect_why(
        model, round, "comes to four", false,
        "false after step 0: AF x = 4  (for ever: the run is a cycle, the state after step 4 is that after step 1)\n"
        "  false: x = 4  (x is 0)\n"
        "  false after step 1: x = 4  (x is 1)\n"
        "  false after step 2: x = 4  (x is 2)\n"
        "  false after step 3: x = 4  (x is 3)\n");
    expect_why(model, round, "may stay", true,
               "true after step 0: EF EG (x > 0 & x < 4)\n"
               "  true after step 1: EG (x > 0 & x < 4)  (for ever: the run is a cycle, the state after step 4 is that "
               "after step 1)\n"
               "    true: x > 0 & x < 4\n"
               "      true: x > 0  (x is 1)\n"
               "      true: x < 4  (x is 1)\n"
               "    true after step 2: x > 0 & x < 4\n"
               "      true: x > 0  (x is 2)\n"
               "      true: x < 4  (x is 2)\n"
               "    true after step 3: x > 0 & x < 4\n"
               "      true: x > 0  (x is 3)\n"
               "      true: x < 4  (x is 3)\n");
    expect_why(model, over, "two before three", false,
               "false after step 0: A[x < 2 U x = 3]  (before that the right side was not true either)\n"
               "  false after step 2: x < 2  (x is 4)\n"
               "  false after step 2: x = 3  (x is 4)\n");
    expect_why(model, over, "next", false, "false after step 0: AX x = 2\n  false after step 1: x = 2  (x is 1)\n");
    trace_destroy(over);
    trace_destroy(cut);
    trace_destroy(round);
    model_destroy(model);
}

/* What an engine knows and the run does not show is meant in its last state. */
static void what_is_only_said_is_said_at_the_end(void **state)
{
    (void)state;
    struct model *model =
        text_model("ctl_test.m", "var x: 0..4; startstate begin x := 0; end;\n"
                                 "rule x < 4 ==> begin x := x + 1; end; rule x = 4 ==> begin x := 3; end;\n"
                                 "ctl \"back\" AG EF x = 0;\n"
                                 "ctl \"soon\" AG AX EF x = 2;\n"
                                 "ctl \"both\" AG (x = 1 -> AX (x = 2 & EF x = 0));\n"
                                 "ctl \"either\" AG (EF x = 0 | AF x = 1);\n");
    struct trace *one = run(model, (int32_t[]){0, 1}, 2, -1), *two = run(model, (int32_t[]){0, 1, 2}, 3, -1);
    struct trace *three = run(model, (int32_t[]){0, 1, 2, 3}, 4, -1);
    expect_why(model, one, "back", false,
               "false after step 0: AG EF x = 0\n"
               "  false after step 1: EF x = 0  (no run from here leads to where it would be true)\n");
    expect_why(model, three, "soon", false,
               "false after step 0: AG AX EF x = 2\n"
               "  false after step 2: AX EF x = 2\n"
               "    false after step 3: EF x = 2  (no run from here leads to where it would be true)\n");
    expect_why(model, two, "both", false,
               "false after step 0: AG (x = 1 -> AX (x = 2 & EF x = 0))\n"
               "  false after step 1: x = 1 -> AX (x = 2 & EF x = 0)\n"
               "    true: x = 1  (x is 1)\n"
               "    false: AX (x = 2 & EF x = 0)\n"
               "      false after step 2: x = 2 & EF x = 0\n"
               "        false: EF x = 0  (no run from here leads to where it would be true)\n");
    expect_why(model, two, "either", false,
               "false after step 0: AG (EF x = 0 | AF x = 1)\n"
               "  false after step 2: EF x = 0 | AF x = 1\n"
               "    false: EF x = 0  (no run from here leads to where it would be true)\n"
               "    false: AF x = 1  (another run shows it)\n");
    trace_destroy(one);
    trace_destroy(two);
    trace_destroy(three);
    model_destroy(model);
}

/* --- the engine --- */

static void verdicts_by_hand(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        enum verdict verdict;
    } cases[] = {
        {"always small", VERDICT_VIOLATED}, {"comes to four", VERDICT_VIOLATED}, {"may come to four", VERDICT_HOLDS},
        {"may stay", VERDICT_HOLDS},        {"zero until one", VERDICT_HOLDS},   {"two before three", VERDICT_VIOLATED},
        {"possible", VERDICT_HOLDS},        {"next", VERDICT_VIOLATED},          {"after one", VERDICT_HOLDS},
    };
    struct model *model = text_model("ctl_test.m", ring);
    struct engine_options options = {.keep_going = true, .deadlock = DEADLOCK_OFF, .stepper = STEPPER_VM};
    struct symmetry *symmetry = symmetry_find(model->system);
    struct result *result = engine_explicit.run(model->layout, symmetry, &options);
    temporal_decide(model->layout, symmetry, &options, result);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct property_result *answer = &result->properties[text_model_property(model, cases[i].name)->id];
        if (answer->verdict != cases[i].verdict)
            fail_msg("%s", cases[i].name);
        if (answer->trace)
            assert_null(trace_replay(answer->trace));
    }
    result_destroy(result);
    symmetry_destroy(symmetry);
    model_destroy(model);
}

static void limits_leave_it_open(void **state)
{
    (void)state;
    struct model *model = text_model("ctl_test.m", ring);
    struct engine_options options = {.keep_going = true, .deadlock = DEADLOCK_OFF, .stepper = STEPPER_VM};
    struct symmetry *symmetry = symmetry_none(model->system);
    struct result *result = engine_explicit.run(model->layout, symmetry, &options);
    options.limits.states = 3;
    temporal_decide(model->layout, symmetry, &options, result);
    const struct property_result *answer = &result->properties[text_model_property(model, "possible")->id];
    assert_int_equal(answer->verdict, VERDICT_UNKNOWN);
    assert_string_equal(answer->reason, "state limit (3)");
    result_destroy(result);
    symmetry_destroy(symmetry);
    model_destroy(model);
}

/* --- pointed states --- */

static void start_states_choose_what_is_pointed_at(void **state)
{
    (void)state;
    struct model *model = text_model("ctl_test.m", ring);
    const struct variable *p = text_model_property(model, "tree")->ctl->left->variable;
    struct system *pointed = point_system(model->system, &p, 1);
    assert_int_equal(pointed->state_cells, model->system->state_cells + 1);
    assert_int_equal(pointed->starts.items[0]->instance_count, 3);
    struct layout *layout = layout_create(pointed);
    struct stepper *stepper = stepper_create_evaluator(pointed, layout);
    struct step step;
    stepper_begin_starts(stepper);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(stepper_next(stepper, &step), STEP_STATE);
        assert_int_equal(step.cells[model->system->state_cells], type_code(p->type, i));
    }
    assert_int_equal(stepper_next(stepper, &step), STEP_END);
    struct symmetry *symmetry = symmetry_find(pointed);
    assert_false(symmetry_is_trivial(symmetry)); /* the choice is symmetric */
    symmetry_destroy(symmetry);
    stepper_destroy(stepper);
    layout_destroy(layout);
    system_destroy(pointed);
    model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tree_knows_its_variables),
        cmocka_unit_test(a_run_says_what_it_can),
        cmocka_unit_test(a_run_explains_what_it_shows),
        cmocka_unit_test(what_is_only_said_is_said_at_the_end),
        cmocka_unit_test(verdicts_by_hand),
        cmocka_unit_test(limits_leave_it_open),
        cmocka_unit_test(start_states_choose_what_is_pointed_at),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
