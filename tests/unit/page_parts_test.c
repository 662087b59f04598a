/* What the report page is made of: lanes, messages, a way on. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "report/messages.h"
#include "result/onward.h"
#include "text_model.h"

/* Takes the first instance of each of the rules named. */
static struct trace *walk(const struct model *model, const char *const *rules)
{
    struct stepper *stepper = stepper_create_evaluator(model->system, model->layout);
    struct trace *trace = trace_create(model->system, model->layout);
    struct step step;
    stepper_begin_starts(stepper);
    assert_int_equal(stepper_next(stepper, &step), STEP_STATE);
    trace_push(trace, step.rule, step.instance, step.cells, NULL);
    for (; *rules; rules++) {
        stepper_begin_successors(stepper, trace->steps[trace->count - 1].cells);
        do
            assert_int_equal(stepper_next(stepper, &step), STEP_STATE);
        while (strcmp(step.rule->name, *rules));
        trace_push(trace, step.rule, step.instance, step.cells, NULL);
    }
    stepper_destroy(stepper);
    return trace;
}

/* "Ask P_1>P_2 1-2; ..." */
static void expect_messages(const char *text, const char *const *rules, const char *wanted)
{
    struct model *model = text_model("page_parts_test.m", text);
    struct trace *trace = walk(model, rules);
    struct lanes lanes;
    struct messages messages = {0};
    struct text seen = {0};
    lanes_find(model->layout, &lanes);
    messages_find(trace, &lanes, &messages);
    for (size_t i = 0; i < messages.items.count; i++) {
        const struct message *message = &messages.items.items[i];
        const int32_t ends[] = {message->from, message->to};
        text_format(&seen, "%s ", message->label);
        for (int e = 0; e < 2; e++) {
            text_append(&seen, e ? ">" : "");
            if (ends[e] == LANE_SHARED)
                text_append(&seen, "shared");
            else
                type_print_value(lanes.lanes.items[ends[e]].type, lanes.lanes.items[ends[e]].code, &seen);
        }
        text_format(&seen, " %d-%d;", message->sent, message->received);
    }
    assert_string_equal(text_chars(&seen), wanted);
    text_free(&seen);
    messages_free(&messages);
    lanes_free(&lanes);
    trace_destroy(trace);
    model_destroy(model);
}

static void test_network(void **unused)
{
    (void)unused;
    const char *const rules[] = {"ask", "answer", "hear", "ask", NULL};
    expect_messages(
        "type P: scalarset(3); K: enum {Ask, Answer}; M: record kind: K; src: P; dst: P; end;\n"
        "var net: multiset [3] of M; asked: array [P] of boolean;\n"
        "startstate begin for p: P do asked[p] := false; end; end;\n"
        "ruleset p: P; q: P do rule \"ask\" p != q & !asked[p] ==> var m: M; begin m.kind := Ask; m.src := p;\n"
        "  m.dst := q; multisetadd(m, net); asked[p] := true; end; end;\n"
        "choose i: net do rule \"answer\" net[i].kind = Ask ==> var m: M; begin m.kind := Answer;\n"
        "  m.src := net[i].dst; m.dst := net[i].src; multisetremove(i, net); multisetadd(m, net); end;\n"
        "  rule \"hear\" net[i].kind = Answer ==> begin multisetremove(i, net); end; end;\n",
        rules, "Ask P_1>P_2 1-2;Answer P_2>P_1 2-3;Ask P_2>P_1 4--1;");
}

static void test_channels(void **unused)
{
    (void)unused;
    const char *const rules[] = {"ask", "take", "grant", "get", "ask", NULL};
    expect_messages(
        "type P: scalarset(2); K: enum {Empty, Req, Gnt};\n"
        "var up, down: array [P] of K; has: array [P] of boolean; now: P;\n"
        "startstate begin for p: P do up[p] := Empty; down[p] := Empty; has[p] := false; end; undefine now; end;\n"
        "ruleset p: P do\n"
        "  rule \"ask\" up[p] = Empty & !has[p] ==> begin up[p] := Req; end;\n"
        "  rule \"take\" up[p] = Req & isundefined(now) ==> begin up[p] := Empty; now := p; end;\n"
        "  rule \"grant\" !isundefined(now) & now = p ==> begin down[p] := Gnt; undefine now; end;\n"
        "  rule \"get\" down[p] = Gnt ==> begin down[p] := Empty; has[p] := true; end;\n"
        "end;\n",
        rules, "Req P_1>shared 1-2;Req P_2>shared 5--1;Gnt shared>P_1 3-4;");
}

/* Plain variables hold no messages, whatever they are called. */
static void test_no_messages(void **unused)
{
    (void)unused;
    const char *const rules[] = {"go", "back", NULL};
    expect_messages("type P: scalarset(2); S: enum {Idle, Busy};\n"
                    "var s: array [P] of S; turn: 0..3;\n"
                    "startstate begin for p: P do s[p] := Idle; end; turn := 0; end;\n"
                    "ruleset p: P do rule \"go\" s[p] = Idle ==> begin s[p] := Busy; turn := 1; end;\n"
                    "  rule \"back\" s[p] = Busy ==> begin s[p] := Idle; end; end;\n",
                    rules, "");
}

static void test_lanes(void **unused)
{
    (void)unused;
    struct model *model =
        text_model("page_parts_test.m",
                   "type P: scalarset(2); H: enum {Home}; N: union {H, P}; Slot: 0..2;\n"
                   "var a: array [N] of record x: 0..3; b: array [P] of boolean; end; s: array [Slot] of 0..1;\n"
                   "startstate begin clear s; undefine a; end;\n"
                   "rule begin clear s; end;\n");
    struct lanes lanes;
    struct text seen = {0};
    lanes_find(model->layout, &lanes);
    for (size_t i = 0; i < lanes.entries.count; i++)
        text_format(&seen, "%s %d;", lanes.entries.items[i].name, lanes.entries.items[i].lane);
    assert_int_equal(lanes.lanes.count, 3);
    /* An array within an array belongs to the outer process; slots are nobody's. */
    assert_non_null(strstr(seen.chars, "a[Home].b[P_2] "));
    assert_non_null(strstr(seen.chars, "s[0] -1;s[1] -1;s[2] -1;"));
    text_free(&seen);
    lanes_free(&lanes);
    model_destroy(model);
}

static void test_onward(void **unused)
{
    (void)unused;
    struct model *model = text_model("page_parts_test.m", "var x: 0..200; startstate begin x := 0; end;\n"
                                                          "rule \"in\" x = 0 ==> begin x := 1; end;\n"
                                                          "rule \"count\" x > 0 & x < 5 ==> begin x := x + 1; end;\n"
                                                          "rule \"round\" x = 5 ==> begin x := 3; end;\n");
    const char *const rules[] = {"in", NULL};
    struct trace *trace = walk(model, rules);
    struct trace *round = trace_onward(trace, 60), *cut = trace_onward(trace, 3);
    assert_true(round->has_loop);
    assert_int_equal(round->loop, 3);
    assert_int_equal(round->count, 7);
    assert_null(trace_replay(round));
    assert_false(cut->has_loop);
    assert_int_equal(cut->count, 2);
    trace_destroy(round);
    trace_destroy(cut);
    trace_destroy(trace);
    model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_network), cmocka_unit_test(test_channels), cmocka_unit_test(test_no_messages),
        cmocka_unit_test(test_lanes),   cmocka_unit_test(test_onward),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
