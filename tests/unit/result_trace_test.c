/* Lifting and replay: a true run passes, and a run with any one thing changed does not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "result/verdict.h"
#include "small_system.h"

static void expect_wrong(const struct trace *trace, const char *part)
{
    char *wrong = trace_replay(trace);
    assert_non_null(wrong);
    if (!strstr(wrong, part))
        fail_msg("\"%s\" does not say \"%s\"", wrong, part);
    free(wrong);
}

static struct small counter(void)
{
    struct small small = small_counter(5);
    small_add_increment(&small, 6);
    small_add_edge(&small, "jump", 1, 4);
    small_add_property(&small, PROPERTY_ASSUMPTION, "not three", small_compare(&small, OP_NE, 3));
    small_finish(&small, false);
    return small;
}

static struct trace *lifted(struct small *small)
{
    const int32_t run[] = {0, 1, 4, 5};
    struct fault fault = {.kind = FAULT_RANGE, .property = small->system->properties.items[SYSTEM_RUNTIME]};
    return trace_lift(small->layout, small->symmetry, run, 4, TRACE_GOAL_FAULT, &fault);
}

static void test_lift(void **unused)
{
    (void)unused;
    struct small small = counter();
    struct trace *trace = lifted(&small);
    assert_non_null(trace);
    assert_int_equal(trace->count, 5);
    assert_string_equal(trace->steps[2].rule->name, "jump");
    assert_int_equal(trace->steps[3].cells[0], 5);
    assert_null(trace->steps[4].cells);
    assert_int_equal(trace->steps[4].fault.kind, FAULT_RANGE);
    assert_null(trace_replay(trace));
    assert_null(trace_confirm(trace, TRACE_SHOWS_FAULT, NULL));
    trace_destroy(trace);
    small_free(&small);
}

static void test_lift_fails(void **unused)
{
    (void)unused;
    struct small small = counter();
    const int32_t gap[] = {0, 2}, no_start[] = {1, 2};
    struct fault fault = {.kind = FAULT_RANGE};
    assert_null(trace_lift(small.layout, small.symmetry, gap, 2, TRACE_GOAL_STATE, NULL));
    assert_null(trace_lift(small.layout, small.symmetry, no_start, 2, TRACE_GOAL_STATE, NULL));
    assert_null(trace_lift(small.layout, small.symmetry, gap, 1, TRACE_GOAL_FAULT, &fault));
    assert_null(trace_lift(small.layout, small.symmetry, NULL, 0, TRACE_GOAL_FAULT, &fault));
    small_free(&small);
}

static void test_replay_rejects(void **unused)
{
    (void)unused;
    struct small small = counter();
    struct trace *trace = lifted(&small);
    const struct rule *increment = small.system->rules.items[0], *jump = small.system->rules.items[1];
    int32_t *cells = trace->steps[4].cells;

    trace->steps[1].cells[0] = 2;
    expect_wrong(trace, "step 1: the state differs in x");
    trace->steps[1].cells[0] = 1;
    trace->steps[3].rule = jump;
    expect_wrong(trace, "step 3: not enabled");
    trace->steps[3].rule = increment;
    trace->steps[3].instance = 7;
    expect_wrong(trace, "step 3: not enabled");
    trace->steps[3].instance = 0;
    trace->steps[0].rule = jump;
    expect_wrong(trace, "step 0: not enabled");
    trace->steps[0].rule = small.system->starts.items[0];
    trace->steps[4].fault.kind = FAULT_DIVISION;
    expect_wrong(trace, "step 4: it fails in another way");
    trace->steps[4].fault.kind = FAULT_RANGE;
    trace->steps[4].cells = trace->steps[3].cells;
    expect_wrong(trace, "step 4: it fails instead");
    trace->steps[4].cells = NULL;
    cells = trace->steps[3].cells;
    trace->steps[3].cells = NULL;
    expect_wrong(trace, "step 3: it fails, but is not the last");
    trace->count = 4;
    expect_wrong(trace, "step 3: it leads to a state instead");
    trace->steps[3].cells = cells;
    assert_null(trace_replay(trace));
    trace->count = 0;
    expect_wrong(trace, "empty");
    trace->count = 5;
    assert_null(trace_replay(trace));
    trace_destroy(trace);
    small_free(&small);
}

static void test_replay_keeps_assumptions(void **unused)
{
    (void)unused;
    struct small small = counter();
    const int32_t run[] = {0, 1, 2, 3, 4};
    struct trace *trace = trace_lift(small.layout, small.symmetry, run, 5, TRACE_GOAL_STATE, NULL);
    assert_non_null(trace);
    expect_wrong(trace, "step 3: the state breaks the assumption not three");
    trace_destroy(trace);
    small_free(&small);
}

static void expect_unconfirmed(const struct trace *trace, enum trace_evidence evidence, const struct property *property)
{
    char *wrong = trace_confirm(trace, evidence, property);
    assert_non_null(wrong);
    free(wrong);
}

static void test_confirm(void **unused)
{
    (void)unused;
    struct small small = small_counter(3);
    small_add_increment(&small, 2);
    small_add_edge(&small, "stay", 2, 2);
    struct property *low = small_add_property(&small, PROPERTY_INVARIANT, "low", small_compare(&small, OP_LT, 2));
    small_finish(&small, false);
    const int32_t run[] = {0, 1, 2};
    struct trace *trace = trace_lift(small.layout, small.symmetry, run, 3, TRACE_GOAL_STATE, NULL);
    assert_null(trace_confirm(trace, TRACE_SHOWS_FALSE, low));
    assert_null(trace_confirm(trace, TRACE_SHOWS_STUTTERING, NULL));
    assert_null(trace_confirm(trace, TRACE_SHOWS_STATE, NULL));
    expect_unconfirmed(trace, TRACE_SHOWS_STUCK, NULL);
    expect_unconfirmed(trace, TRACE_SHOWS_TRUE, low);
    expect_unconfirmed(trace, TRACE_SHOWS_FAULT, NULL);
    trace_destroy(trace);
    trace = trace_lift(small.layout, small.symmetry, run, 2, TRACE_GOAL_STATE, NULL);
    expect_unconfirmed(trace, TRACE_SHOWS_FALSE, low);
    expect_unconfirmed(trace, TRACE_SHOWS_STUTTERING, NULL);
    assert_null(trace_confirm(trace, TRACE_SHOWS_TRUE, low));
    trace_destroy(trace);
    small_free(&small);
}

static void test_exit_codes(void **unused)
{
    (void)unused;
    struct small small = counter();
    struct result *result = result_create(small.system, "none");
    const struct property *deadlock = small.system->properties.items[SYSTEM_DEADLOCK];
    const struct property *runtime = small.system->properties.items[SYSTEM_RUNTIME];
    assert_int_equal(result_exit_code(result), 3);
    result_set_verdict(result, deadlock, VERDICT_HOLDS, NULL);
    assert_int_equal(result_exit_code(result), 3);
    result_set_verdict(result, runtime, VERDICT_HOLDS, NULL);
    assert_int_equal(result_exit_code(result), 0); /* the assumption is not checked */
    result_set_verdict(result, runtime, VERDICT_UNKNOWN, "%s limit", "time");
    assert_string_equal(result->properties[SYSTEM_RUNTIME].reason, "time limit");
    result_set_violated(result, deadlock, NULL, lifted(&small), "stuck");
    assert_int_equal(result_exit_code(result), 1);
    result_set_stopped(result, stop_time(3));
    assert_int_equal(result->stop.kind, STOP_TIME);
    result_destroy(result);
    small_free(&small);
}

/* A deadlock that a run shows stays one when the time is over; that something holds does not. */
static void test_cut(void **unused)
{
    (void)unused;
    struct small small = small_counter(5);
    small_add_edge(&small, "jump", 0, 4);
    small_finish(&small, false);
    const int32_t run[] = {0, 4};
    const struct property *deadlock = small.system->properties.items[SYSTEM_DEADLOCK];
    const struct property *runtime = small.system->properties.items[SYSTEM_RUNTIME];
    struct result *result = result_create(small.system, "explicit");
    struct trace *trace = trace_lift(small.layout, small.symmetry, run, 2, TRACE_GOAL_STATE, NULL);
    result->checked[deadlock->id] = result->checked[runtime->id] = true;
    result_set_violated(result, deadlock, NULL, trace, "no rule is enabled");
    result_set_verdict(result, runtime, VERDICT_HOLDS, NULL);
    result_cut(result, stop_time(1));
    assert_int_equal(result->properties[deadlock->id].verdict, VERDICT_VIOLATED);
    assert_ptr_equal(result->properties[deadlock->id].trace, trace);
    assert_int_equal(result->properties[runtime->id].verdict, VERDICT_UNKNOWN);
    result_destroy(result);
    small_free(&small);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lift),
        cmocka_unit_test(test_lift_fails),
        cmocka_unit_test(test_replay_rejects),
        cmocka_unit_test(test_replay_keeps_assumptions),
        cmocka_unit_test(test_confirm),
        cmocka_unit_test(test_exit_codes),
        cmocka_unit_test(test_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
