/* An engine that lies: what it claims is checked with the evaluator, and a run that is none is withdrawn, never shown.
 *
 * The engine `complete` of this program is the one below: the linker takes this definition, and leaves the other in its
 * library. Everything else is as in noether check. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "driver/check.h"
#include "report/report.h"
#include "text_model.h"

static const char TEXT[] = "var x: 0..9;\n"
                           "startstate x := 0; end;\n"
                           "rule \"up\" x < 5 ==> x := x + 1; end;\n"
                           "rule \"jump\" x = 2 ==> x := 4; end;\n"
                           "rule \"over\" x = 5 ==> x := 20 - x * 3; end;\n"
                           "invariant \"small\" x < 4;\n"
                           "invariant \"less\" x < 9;\n"
                           "cover \"five\" x = 5;\n";

enum { UP, JUMP, OVER };

struct claim {
    const char *property; /* NULL: the deadlock */
    enum verdict verdict;
    uint32_t count;
    int32_t states[8]; /* from the start state on; -1: the last step fails */
    int32_t rules[8];
    const char *withdrawn; /* what is said of it; NULL: it is true */
};

static const struct claim *now; /* what the engine is to claim: it has no other arguments */

static const char *stub_supports(const struct system *system, const struct engine_options *options, struct arena *words)
{
    (void)words;
    (void)system;
    (void)options;
    return NULL;
}

static struct trace *stub_trace(const struct layout *layout)
{
    const struct system *system = layout->system;
    struct trace *trace = trace_create(system, layout);
    trace_push(trace, system->starts.items[0], 0, &now->states[0], NULL);
    for (uint32_t i = 1; i < now->count; i++) {
        struct fault fault = {.kind = FAULT_RANGE, .property = system->properties.items[SYSTEM_RUNTIME]};
        bool fails = now->states[i] < 0;
        trace_push(trace, system->rules.items[now->rules[i]], 0, fails ? NULL : &now->states[i], fails ? &fault : NULL);
    }
    return trace;
}

static const struct property *claimed_property(const struct system *system)
{
    for (size_t i = 0; i < system->properties.count; i++) {
        const struct property *property = system->properties.items[i];
        if (now->property ? property->name && !strcmp(property->name, now->property)
                          : property->kind == PROPERTY_DEADLOCK)
            return property;
    }
    fail();
    return NULL;
}

static struct result *stub_run(const struct layout *layout, const struct symmetry *symmetry,
                               const struct engine_options *options)
{
    (void)symmetry;
    (void)options;
    struct result *result = result_create(layout->system, "complete");
    const struct property *property = claimed_property(layout->system);
    for (size_t i = 0; i < layout->system->properties.count; i++)
        result_set_verdict(result, layout->system->properties.items[i], VERDICT_HOLDS, NULL);
    result->is_complete = true;
    if (now->verdict == VERDICT_VIOLATED) {
        result_set_violated(result, property, NULL, stub_trace(layout), "the engine says so");
    } else {
        result_set_verdict(result, property, now->verdict, NULL);
        result->properties[property->id].trace = stub_trace(layout);
    }
    return result;
}

const struct engine engine_complete = {
    .name = "complete", .summary = "lies", .supports = stub_supports, .run = stub_run};

static void expect_withdrawn(const struct check *check, const struct property_result *found, const char *text)
{
    assert_int_equal(found->verdict, VERDICT_UNKNOWN);
    assert_null(found->trace);
    assert_non_null(found->reason);
    if (strncmp(found->reason, "internal error", 14) || !strstr(found->reason, now->withdrawn))
        fail_msg("%s", found->reason);
    assert_int_equal(result_exit_code(check->result), 3);
    assert_null(strstr(text, "counterexample"));
    assert_null(strstr(text, "witness"));
    assert_non_null(strstr(text, "internal error"));
}

static void expect_claim(const struct model *model)
{
    struct engine_options options = {.deadlock = DEADLOCK_STUCK, .limits.memory_bytes = 1 << 28};
    struct check check = check_model(model, ENGINE_COMPLETE, SYMMETRY_OFF, &options);
    assert_non_null(check.result);
    const struct property_result *found = &check.result->properties[claimed_property(model->system)->id];
    struct report report = {.model = "x.m",
                            .result = check.result,
                            .symmetry = check.symmetry,
                            .layout = check.layout,
                            .language = "murphi"};
    struct report_style style = {0};
    struct text text = {0};
    report_text(&report, &style, &text);
    if (now->withdrawn) {
        expect_withdrawn(&check, found, text_chars(&text));
    } else {
        assert_int_equal(found->verdict, now->verdict);
        assert_non_null(found->trace);
        assert_int_equal(result_exit_code(check.result), now->verdict == VERDICT_VIOLATED);
    }
    text_free(&text);
    check_free(&check);
}

static void wrong_traces_are_withdrawn(void **state)
{
    (void)state;
    static const struct claim claims[] = {
        /* True ones stay. */
        {"small", VERDICT_VIOLATED, 4, {0, 1, 2, 4}, {0, UP, UP, JUMP}, NULL},
        {"five", VERDICT_HOLDS, 5, {0, 1, 2, 4, 5}, {0, UP, UP, JUMP, UP}, NULL},
        /* It does not begin in a start state. */
        {"small", VERDICT_VIOLATED, 1, {4}, {0}, "differs"},
        /* A step leads elsewhere, is not enabled, or fails where it does not. */
        {"small", VERDICT_VIOLATED, 3, {0, 1, 4}, {0, UP, UP}, "step 2: the state differs"},
        {"small", VERDICT_VIOLATED, 3, {0, 1, 4}, {0, UP, JUMP}, "step 2: not enabled"},
        {"small", VERDICT_VIOLATED, 3, {0, 1, -1}, {0, UP, UP}, "step 2"},
        /* The run is one, but its last state does not show what is claimed. */
        {"small", VERDICT_VIOLATED, 4, {0, 1, 2, 3}, {0, UP, UP, UP}, ""},
        {"less", VERDICT_VIOLATED, 5, {0, 1, 2, 4, 5}, {0, UP, UP, JUMP, UP}, ""},
        {"five", VERDICT_HOLDS, 4, {0, 1, 2, 4}, {0, UP, UP, JUMP}, ""},
        {NULL, VERDICT_VIOLATED, 5, {0, 1, 2, 4, 5}, {0, UP, UP, JUMP, UP}, ""},
        {"small", VERDICT_VIOLATED, 1, {0}, {0}, ""},
    };
    struct model *model = text_model("confirm_test.m", TEXT);
    for (size_t i = 0; i < sizeof claims / sizeof *claims; i++) {
        now = &claims[i];
        expect_claim(model);
    }
    model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(wrong_traces_are_withdrawn)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
