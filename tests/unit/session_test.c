/* Stepping, expressions about states, and the graph that is drawn: what the tests of the program see from outside, here
 * with a memory checker watching. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "driver/graph.h"
#include "driver/session.h"
#include "text_model.h"

static const char text[] = "const N: 2;\n"
                           "type P: scalarset(N); R: record a: 0..3; b: boolean end;\n"
                           "var s: array [P] of 0..3; r: R; u: 0..3;\n"
                           "startstate begin for p: P do s[p] := 0; end; r.a := 1; r.b := true; undefine u; end;\n"
                           "ruleset p: P do rule \"up\" begin s[p] := s[p] + 1; end; end;\n"
                           "assume \"few\" forall p: P do s[p] < 3 end | exists p: P do s[p] = 0 end;\n"
                           "invariant \"apart\" exists p: P do s[p] < 2 end;\n";

static struct model *load(void)
{
    return text_model_defined("session_test.m", text, &(struct define){"N", "3"}, 1);
}

static void check_value(const struct session *session, const char *expression, const char *wanted)
{
    struct text printed = {0};
    struct inquiry *inquiry = inquiry_create(session->model, expression, false, &printed);
    assert_non_null(inquiry);
    assert_string_equal(inquiry_text(inquiry), expression);
    inquiry_print(inquiry, session_cells(session), &printed);
    assert_string_equal(text_chars(&printed), wanted);
    text_free(&printed);
    inquiry_destroy(inquiry);
}

static void values_of_expressions(void **state)
{
    (void)state;
    struct model *model = load();
    struct session *session = session_create(model, DEADLOCK_OFF, 1);
    session_take(session, 0);
    check_value(session, "r", "{a: 1, b: true}");
    check_value(session, "s", "[P_1: 0, P_2: 0, P_3: 0]"); /* the constant of the command line */
    check_value(session, "s[P_3] + r.a * 4", "4");
    check_value(session, "u", "undefined");
    check_value(session, "exists p: P do exists q: P do p != q & s[p] = s[q] end end", "true");
    struct text message = {0};
    assert_null(inquiry_create(model, "s[P_4] = 0", false, &message));
    assert_null(inquiry_create(model, "s[P_1]", true, &message));
    assert_null(inquiry_create(model, "s[P_1", false, &message));
    assert_non_null(strstr(message.chars, "must be boolean, not 0..3"));
    text_free(&message);
    session_destroy(session);
    model_destroy(model);
}

static void steps_forth_and_back(void **state)
{
    (void)state;
    struct model *model = load();
    struct session *session = session_create(model, DEADLOCK_STUTTERING, 1);
    struct fault fault;
    assert_int_equal(session->choices.count, 1);
    session_take(session, 0);
    assert_int_equal(session->choices.count, 3);
    for (int i = 0; i < 3; i++)
        session_take(session, 0);
    assert_int_equal(session->choices.count, 3); /* the first one fails */
    assert_true(session->choices.items[0].fails);
    assert_null(session_violated(session, &fault));
    session_take(session, 0);
    assert_null(session_cells(session));
    assert_int_equal(session->choices.count, 0);
    assert_non_null(session_violated(session, &fault));
    assert_int_equal(fault.kind, FAULT_RANGE);
    session_undo(session, 2);
    assert_int_equal(session->trace->count, 3);
    check_value(session, "s[P_1]", "2");
    session_undo(session, 100);
    assert_null(session_cells(session));
    assert_int_equal(session->choices.count, 1);
    session_destroy(session);
    model_destroy(model);
}

static void shortest_way_to_a_condition(void **state)
{
    (void)state;
    struct model *model = load();
    struct session *session = session_create(model, DEADLOCK_OFF, 1);
    struct text message = {0};
    struct fault fault;
    struct inquiry *bad = inquiry_create(model, "forall p: P do s[p] = 2 end", true, &message);
    struct inquiry *never =
        inquiry_create(model, "exists p: P do s[p] = 3 end & forall p: P do s[p] > 0 end", true, &message);
    assert_int_equal(session_find(session, bad, 1000), SEARCH_FOUND);
    assert_int_equal(session->trace->count, 7);
    assert_null(trace_replay(session->trace));
    assert_string_equal(session_violated(session, &fault)->name, "apart");
    assert_int_equal(session_find(session, bad, 1000), SEARCH_FOUND);
    assert_int_equal(session->trace->count, 7);
    session_undo(session, 3);
    assert_int_equal(session_find(session, never, 1000), SEARCH_NOWHERE); /* the assumption rules it out */
    assert_int_equal(session_find(session, never, 3), SEARCH_CUT);
    assert_int_equal(session->trace->count, 4);
    inquiry_destroy(bad);
    inquiry_destroy(never);
    text_free(&message);
    session_destroy(session);
    model_destroy(model);
}

static void graph_of_orbits(void **state)
{
    (void)state;
    struct model *model = load();
    struct graph_request request = {.states = 1000, .most = 4};
    struct drawing drawing;
    struct text message = {0};
    assert_true(graph_draw(model, &request, &drawing, &message));
    const struct chart *chart = drawing.chart;
    /* Three numbers of 0..3 in any order are 20; with a 3 and without a 0 they are 6. */
    assert_int_equal(chart->nodes.count, 14);
    assert_true(chart->is_complete && chart->is_reduced);
    assert_non_null(chart->shown);
    assert_true(chart->shown_count >= chart->path.count);
    drawing_free(&drawing);
    request.around = "exists p: P do s[p] = 3 end";
    assert_true(graph_draw(model, &request, &drawing, &message));
    assert_int_equal(drawing.chart->shown_count, 4);
    drawing_free(&drawing);
    request.around = "s[P_1] = 3 & s[P_1] = 0";
    assert_false(graph_draw(model, &request, &drawing, &message));
    assert_non_null(strstr(message.chars, "true in none"));
    drawing_free(&drawing);
    text_free(&message);
    model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_of_expressions),
        cmocka_unit_test(steps_forth_and_back),
        cmocka_unit_test(shortest_way_to_a_condition),
        cmocka_unit_test(graph_of_orbits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
