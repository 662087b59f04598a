/* States, changes and traces as text and JSON, on a system made by hand: an array of records over a scalarset, a
 * multiset of records. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "ir/build.h"
#include "report/style.h"
#include "report/trace_file.h"
#include "report/value.h"

static const struct span NOWHERE = {0};

struct fixture {
    struct system *system;
    struct layout *layout;
    const struct type *node, *mode, *message;
    struct variable *cache, *net, *count;
    struct rule *start, *send;
};

static void add_rules(struct fixture *fixture)
{
    struct system *system = fixture->system;
    fixture->start = system_add_start(system, "Init", NOWHERE);
    fixture->send = system_add_rule(system, "Send", NOWHERE);
    fixture->send->parameters = ARENA_ARRAY(system->arena, struct parameter, 1);
    fixture->send->parameter_count = 1;
    fixture->send->parameters[0].variable = system_add_scratch(system, "n", fixture->node, NOWHERE);
    fixture->send->parameters[0].type = fixture->node;
}

static struct fixture make(void)
{
    struct fixture fixture = {.system = system_create("made by hand")};
    struct system *system = fixture.system;
    static const char *const labels[] = {"Idle", "Busy"};
    fixture.node = type_index(system, "Node", 3, NOWHERE);
    fixture.mode = type_enum(system, "Mode", labels, 2, NOWHERE);
    struct field line[] = {{"mode", fixture.mode, 0}, {"peer", fixture.node, 0}};
    const struct type *record = type_record(system, "Line", line, 2, NOWHERE);
    struct field parts[] = {{"from", fixture.node, 0}, {"level", type_range(system, NULL, -2, 2, NOWHERE), 0}};
    fixture.message = type_record(system, "Message", parts, 2, NOWHERE);
    fixture.cache =
        system_add_global(system, "Cache", type_array(system, NULL, fixture.node, record, NOWHERE), NOWHERE);
    fixture.net = system_add_global(system, "Net", type_multiset(system, NULL, fixture.message, 2, NOWHERE), NOWHERE);
    fixture.count = system_add_global(system, "Flag", system->boolean, NOWHERE);
    add_rules(&fixture);
    system_finish(system);
    fixture.layout = layout_create(system);
    return fixture;
}

static void unmake(struct fixture *fixture)
{
    layout_destroy(fixture->layout);
    system_destroy(fixture->system);
}

enum { CELLS = 3 * 2 + 2 * 3 + 1, FLAG = CELLS - 1, NET = 6 };

/* Every line idle, the flag false, no message. */
static void first_state(const struct fixture *fixture, int32_t *cells)
{
    assert_int_equal(fixture->layout->cell_count, CELLS);
    layout_blank(fixture->layout, cells);
    for (int i = 0; i < 3; i++)
        cells[2 * i] = type_code(fixture->mode, 0);
    cells[FLAG] = 0;
}

/* Node_2 busy with Node_1, its message under way. */
static void second_state(const struct fixture *fixture, int32_t *cells)
{
    first_state(fixture, cells);
    cells[2] = type_code(fixture->mode, 1);
    cells[3] = type_code(fixture->node, 0);
    cells[NET] = 1;
    cells[NET + 1] = type_code(fixture->node, 1);
    cells[NET + 2] = -2;
    cells[FLAG] = 1;
}

static void lines_are(struct value_lines *lines, const char *expected)
{
    struct text text = {0};
    value_print_lines(lines, "", &text);
    assert_string_equal(text_chars(&text), expected);
    text_free(&text);
    value_free_lines(lines);
}

static void alike_elements_are_folded(void **state)
{
    (void)state;
    struct fixture fixture = make();
    int32_t cells[CELLS];
    struct value_lines lines = {0};
    first_state(&fixture, cells);
    value_list_state(fixture.layout, cells, true, &lines);
    lines_are(&lines, "Cache[*].mode  Idle\n"
                      "Flag           false\n");
    unmake(&fixture);
}

static void full_states_show_every_cell(void **state)
{
    (void)state;
    struct fixture fixture = make();
    int32_t cells[CELLS];
    struct value_lines lines = {0};
    second_state(&fixture, cells);
    value_list_state(fixture.layout, cells, false, &lines);
    lines_are(&lines, "Cache[Node_1].mode  Idle\n"
                      "Cache[Node_1].peer  undefined\n"
                      "Cache[Node_2].mode  Busy\n"
                      "Cache[Node_2].peer  Node_1\n"
                      "Cache[Node_3].mode  Idle\n"
                      "Cache[Node_3].peer  undefined\n"
                      "Net                 {{from: Node_2, level: -2}}\n"
                      "Flag                true\n");
    unmake(&fixture);
}

static void only_changes_are_shown(void **state)
{
    (void)state;
    struct fixture fixture = make();
    int32_t before[CELLS], after[CELLS];
    struct value_lines lines = {0};
    first_state(&fixture, before);
    second_state(&fixture, after);
    value_list_changes(fixture.layout, before, after, &lines);
    lines_are(&lines, "Cache[Node_2].mode  Idle -> Busy\n"
                      "Cache[Node_2].peer  undefined -> Node_1\n"
                      "Net                 + {from: Node_2, level: -2}\n"
                      "Flag                false -> true\n");
    value_list_changes(fixture.layout, after, before, &lines);
    lines_are(&lines, "Cache[Node_2].mode  Busy -> Idle\n"
                      "Cache[Node_2].peer  Node_1 -> undefined\n"
                      "Net                 - {from: Node_2, level: -2}\n"
                      "Flag                true -> false\n");
    unmake(&fixture);
}

static void changes_alike_are_folded(void **state)
{
    (void)state;
    struct fixture fixture = make();
    int32_t before[CELLS], after[CELLS];
    struct value_lines lines = {0};
    first_state(&fixture, before);
    memcpy(after, before, sizeof after);
    for (int i = 0; i < 3; i++)
        after[2 * i] = type_code(fixture.mode, 1);
    value_list_changes(fixture.layout, before, after, &lines);
    lines_are(&lines, "Cache[*].mode  Idle -> Busy\n");
    after[0] = UNDEFINED;
    value_list_changes(fixture.layout, before, after, &lines);
    lines_are(&lines, "Cache[Node_1].mode  Idle -> undefined\n"
                      "Cache[Node_2].mode  Idle -> Busy\n"
                      "Cache[Node_3].mode  Idle -> Busy\n");
    for (int i = 0; i < 6; i++)
        after[i] = UNDEFINED;
    value_list_changes(fixture.layout, before, after, &lines);
    lines_are(&lines, "Cache  ... -> undefined\n");
    unmake(&fixture);
}

/* Slots move when a multiset is put in normal order; an element that stays is no change. */
static void moved_slots_are_no_change(void **state)
{
    (void)state;
    struct fixture fixture = make();
    int32_t before[CELLS], after[CELLS];
    struct value_lines lines = {0};
    second_state(&fixture, before);
    memcpy(after, before, sizeof after);
    memcpy(after + NET + 3, before + NET, 3 * sizeof *after); /* the old element, now in the second slot */
    after[NET + 1] = type_code(fixture.node, 0);
    value_list_changes(fixture.layout, before, after, &lines);
    lines_are(&lines, "Net  + {from: Node_1, level: -2}\n");
    memcpy(after + NET, before + NET, 3 * sizeof *after); /* twice the same element */
    value_list_changes(fixture.layout, before, after, &lines);
    lines_are(&lines, "Net  + {from: Node_2, level: -2}\n");
    unmake(&fixture);
}

static struct trace *make_trace(const struct fixture *fixture)
{
    struct trace *trace = trace_create(fixture->system, fixture->layout);
    int32_t cells[CELLS];
    first_state(fixture, cells);
    trace_push(trace, fixture->start, 0, cells, NULL);
    second_state(fixture, cells);
    trace_push(trace, fixture->send, 1, cells, NULL);
    struct fault fault = {.kind = FAULT_UNDEFINED, .property = fixture->system->properties.items[SYSTEM_RUNTIME]};
    trace_push(trace, fixture->send, 2, NULL, &fault);
    return trace;
}

static void traces_survive_writing_and_reading(void **state)
{
    (void)state;
    struct fixture fixture = make();
    struct trace *trace = make_trace(&fixture);
    struct json *steps = trace_to_json(trace);
    struct text message = {0};
    struct trace *again = trace_from_json(steps, fixture.layout, &message);
    assert_non_null(again);
    assert_int_equal(again->count, 3);
    for (uint32_t i = 0; i < 3; i++) {
        assert_ptr_equal(again->steps[i].rule, trace->steps[i].rule);
        assert_int_equal(again->steps[i].instance, trace->steps[i].instance);
        if (i < 2)
            assert_memory_equal(again->steps[i].cells, trace->steps[i].cells, CELLS * sizeof(int32_t));
    }
    assert_null(again->steps[2].cells);
    assert_int_equal(again->steps[2].fault.kind, FAULT_UNDEFINED);
    trace_destroy(again);
    json_free(steps);
    trace_destroy(trace);
    unmake(&fixture);
}

static void foreign_traces_are_refused(void **state)
{
    (void)state;
    struct fixture fixture = make();
    static const struct {
        const char *document, *message;
    } cases[] = {
        {"{}", "not a list of steps"},
        {"[]", "not a list of steps"},
        {"[3]", "step 0: \"rule\" is missing"},
        {"[{\"rule\": \"Begin\"}]", "no start state \"Begin\""},
        {"[{\"rule\": \"Init\", \"parameters\": [1]}]", "0 parameters"},
        {"[{\"rule\": \"Init\", \"parameters\": []}]", "neither"},
        {"[{\"rule\": \"Init\", \"parameters\": [], \"state\": {}}]", "lacks \"Cache[Node_1].mode\""},
        {"[{\"rule\": \"Init\", \"parameters\": [], \"state\": {\"Cache[Node_1].mode\": \"Lost\"}}]",
         "not of its type"},
        {"[{\"rule\": \"Init\", \"parameters\": [], \"fault\": {\"kind\": \"magic\"}}]", "no known kind"},
        {"[{\"rule\": \"Init\", \"parameters\": [], \"fault\": {\"kind\": \"range\", \"property\": 99}}]",
         "no property"},
        {"[{\"rule\": \"Init\", \"parameters\": [], \"fault\": {\"kind\": \"range\"}}, {\"rule\": \"Send\"}]",
         "step 1: a step after a fault"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct text message = {0};
        struct json *document = json_parse(cases[i].document, strlen(cases[i].document), &message);
        assert_null(trace_from_json(document, fixture.layout, &message));
        if (!strstr(text_chars(&message), cases[i].message))
            fail_msg("%s: %s", cases[i].document, text_chars(&message));
        json_free(document);
        text_free(&message);
    }
    unmake(&fixture);
}

static void numbers_for_people(void **state)
{
    (void)state;
    struct text text = {0};
    style_count(1234567, &text);
    text_char(&text, '|');
    style_count(12, &text);
    text_char(&text, '|');
    style_bytes(1536, &text);
    text_char(&text, '|');
    style_seconds(61, &text);
    text_char(&text, '|');
    style_plural(1, "step", &text);
    assert_string_equal(text.chars, "1,234,567|12|1.5 KiB|1 min 01 s|1 step");
    text_free(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alike_elements_are_folded),  cmocka_unit_test(full_states_show_every_cell),
        cmocka_unit_test(only_changes_are_shown),     cmocka_unit_test(changes_alike_are_folded),
        cmocka_unit_test(moved_slots_are_no_change),  cmocka_unit_test(traces_survive_writing_and_reading),
        cmocka_unit_test(foreign_traces_are_refused), cmocka_unit_test(numbers_for_people),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
