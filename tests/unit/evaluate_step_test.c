/* Stepping: which instances fire, in which order, and what properties say. */
#include <string.h>

#include "evaluate_bench.h"

/* rule (k: Node, i: Small): guard ==> y := i */
static struct rule *add_rule(const struct bench *t, struct expr *guard)
{
    struct rule *rule = system_add_rule(t->s, "move", NOWHERE);
    ir_add_parameter(t->s, rule, t->k, t->node);
    ir_add_parameter(t->s, rule, t->i, t->small);
    rule->guard = guard;
    rule->body = IR_BLOCK(t->s, ir_set(t->s, t->y, ir_get(t->s, t->i)));
    return rule;
}

static struct expr *at_least(const struct bench *t, int64_t least)
{
    return ir_binary(t->s, OP_GE, ir_get(t->s, t->i), ir_number(t->s, least));
}

static void test_order(void **state)
{
    (void)state;
    struct bench t = bench_create();
    struct rule *first = add_rule(&t, at_least(&t, 8)), *second = add_rule(&t, NULL);
    struct layout *layout = bench_finish(&t, (struct block){0});
    int32_t *cells = memory_zeroed(layout->cell_count, sizeof *cells);
    layout_blank(layout, cells);
    FOR_STEPPERS(stepper, t.s, layout)
    {
        struct step step;
        stepper_begin_successors(stepper, cells);
        for (uint64_t n = 0; n < 30; n++) {
            if (n % 10 < 8)
                continue;
            assert_int_equal(stepper_next(stepper, &step), STEP_STATE);
            assert_ptr_equal(step.rule, first);
            assert_int_equal(step.instance, n);
            assert_int_equal(step.cells[t.y->address], n % 10);
        }
        for (uint64_t n = 0; n < 30; n++) {
            assert_int_equal(stepper_next(stepper, &step), STEP_STATE);
            assert_ptr_equal(step.rule, second);
            assert_int_equal(step.instance, n);
        }
        assert_int_equal(stepper_next(stepper, &step), STEP_END);
    }
    free(cells);
    layout_destroy(layout);
    system_destroy(t.s);
}

/* A requirement disables before the guard is looked at; a faulting guard is a fault of its instance alone. */
static void test_prelude_and_guard_faults(void **state)
{
    (void)state;
    struct bench t = bench_create();
    struct expr *three_less = ir_binary(t.s, OP_SUB, ir_number(t.s, 3), ir_get(t.s, t.i));
    struct expr *quotient = ir_binary(t.s, OP_DIV, ir_number(t.s, 1), three_less);
    struct rule *rule = add_rule(&t, ir_binary(t.s, OP_GE, quotient, ir_number(t.s, 0)));
    rule->prelude =
        IR_BLOCK(t.s, ir_stmt(t.s, STMT_REQUIRE, NULL, ir_binary(t.s, OP_LT, ir_get(t.s, t.i), ir_number(t.s, 4))),
                 ir_stmt(t.s, STMT_REQUIRE, NULL, at_least(&t, 2)));
    struct rule *broken_prelude = add_rule(&t, ir_truth(t.s, false));
    broken_prelude->prelude = IR_BLOCK(t.s, ir_stmt(t.s, STMT_REQUIRE, NULL, ir_get(t.s, t.b)));
    struct layout *layout = bench_finish(&t, (struct block){0});
    int32_t *cells = memory_zeroed(layout->cell_count, sizeof *cells);
    layout_blank(layout, cells);
    FOR_STEPPERS(stepper, t.s, layout)
    {
        struct step step;
        stepper_begin_successors(stepper, cells);
        for (uint64_t k = 0; k < 3; k++) {
            assert_int_equal(stepper_next(stepper, &step), STEP_STATE);
            assert_int_equal(step.instance, 10 * k + 2);
            assert_int_equal(stepper_next(stepper, &step), STEP_FAULT);
            assert_int_equal(step.instance, 10 * k + 3);
            assert_int_equal(step.fault.kind, FAULT_DIVISION);
        }
        for (uint64_t n = 0; n < 30; n++) {
            assert_int_equal(stepper_next(stepper, &step), STEP_FAULT);
            assert_int_equal(step.fault.kind, FAULT_UNDEFINED);
        }
        assert_int_equal(stepper_next(stepper, &step), STEP_END);
    }
    free(cells);
    layout_destroy(layout);
    system_destroy(t.s);
}

/* One firing leaves nothing for the next: not in the state, not in scratch. */
static void test_independence(void **state)
{
    (void)state;
    struct bench t = bench_create();
    struct rule *rule = add_rule(&t, expr_is_undefined(t.s, ir_at(t.s, t.y), NOWHERE));
    rule->body = IR_BLOCK(t.s, ir_set(t.s, t.y, ir_get(t.s, t.i)),
                          ir_claim(t.s, STMT_ASSERT, ir_unary(t.s, OP_NOT, at_least(&t, 5))));
    struct layout *layout = bench_finish(&t, (struct block){0});
    int32_t *cells = memory_zeroed(layout->cell_count, sizeof *cells);
    layout_blank(layout, cells);
    FOR_STEPPERS(stepper, t.s, layout)
    {
        struct step step;
        stepper_begin_successors(stepper, cells);
        for (uint64_t n = 0; n < 30; n++) {
            assert_int_equal(stepper_next(stepper, &step), n % 10 < 5 ? STEP_STATE : STEP_FAULT);
            assert_int_equal(step.instance, n);
        }
        assert_int_equal(stepper_next(stepper, &step), STEP_END);
    }
    free(cells);
    layout_destroy(layout);
    system_destroy(t.s);
}

static void test_properties(void **state)
{
    (void)state;
    struct bench t = bench_create();
    struct expr *positive = ir_binary(t.s, OP_GT, ir_get(t.s, t.y), ir_number(t.s, 0));
    struct property *property = system_add_property(t.s, PROPERTY_INVARIANT, "positive", positive, NOWHERE);
    struct layout *layout = bench_finish(&t, (struct block){0});
    int32_t *cells = memory_zeroed(layout->cell_count, sizeof *cells);
    layout_blank(layout, cells);
    FOR_STEPPERS(stepper, t.s, layout)
    {
        struct fault fault = {0};
        cells[t.y->address] = 1;
        assert_int_equal(stepper_holds(stepper, property, cells, &fault), TRUTH_TRUE);
        cells[t.y->address] = 0;
        assert_int_equal(stepper_holds(stepper, property, cells, &fault), TRUTH_FALSE);
        cells[t.y->address] = UNDEFINED;
        assert_int_equal(stepper_holds(stepper, property, cells, &fault), TRUTH_FAULT);
        assert_int_equal(fault.kind, FAULT_UNDEFINED);
    }
    free(cells);
    layout_destroy(layout);
    system_destroy(t.s);
}

/* An assumption in a function a formula calls: the state is not considered. */
static void test_assumption_in_formula(void **state)
{
    (void)state;
    struct bench t = bench_create();
    struct function *f = ir_function(t.s, "f", system_add_scratch(t.s, "f.result", t.s->boolean, NOWHERE), 0, NULL);
    f->body = IR_BLOCK(t.s, ir_claim(t.s, STMT_ASSUME, ir_truth(t.s, false)),
                       ir_stmt(t.s, STMT_RETURN, NULL, ir_truth(t.s, false)));
    struct expr *call = ir_call(t.s, f, NULL);
    struct property *invariant = system_add_property(t.s, PROPERTY_INVARIANT, "i", call, NOWHERE);
    struct property *cover = system_add_property(t.s, PROPERTY_COVER, "c", ir_unary(t.s, OP_NOT, call), NOWHERE);
    struct layout *layout = bench_finish(&t, (struct block){0});
    int32_t *cells = memory_zeroed(layout->cell_count, sizeof *cells);
    layout_blank(layout, cells);
    FOR_STEPPERS(stepper, t.s, layout)
    {
        struct fault fault = {0};
        assert_int_equal(stepper_holds(stepper, invariant, cells, &fault), TRUTH_TRUE);
        assert_int_equal(stepper_holds(stepper, cover, cells, &fault), TRUTH_FALSE);
    }
    free(cells);
    layout_destroy(layout);
    system_destroy(t.s);
}

/* Faults speak of the source. */
static void test_fault_texts(void **state)
{
    (void)state;
    struct system *s = system_create("faults");
    const struct type *level = type_range(s, "Level", 0, 3, NOWHERE);
    struct source *source = source_from_text("m.m", "a := Cells[n].Next;\n", 20);
    struct property *claim = system_add_property(s, PROPERTY_ASSERTION, "no loss", NULL, NOWHERE);
    struct span span = {.source = source, .line = 1, .column = 6, .length = 13};
    const struct {
        struct fault fault;
        const char *text;
    } cases[] = {
        {{.kind = FAULT_UNDEFINED, .span = span}, "\"Cells[n].Next\" is undefined"},
        {{.kind = FAULT_RANGE, .span = span, .value = 7, .type = level},
         "\"Cells[n].Next\" is 7, outside Level (0..3)"},
        {{.kind = FAULT_INDEX, .span = span, .value = 7, .type = level},
         "array index \"Cells[n].Next\" is 7, outside Level (0..3)"},
        {{.kind = FAULT_INDEX, .value = 7, .type = level}, "array index 7 is outside Level (0..3)"},
        {{.kind = FAULT_RANGE, .value = 1, .type = s->boolean}, "the value is outside boolean"},
        {{.kind = FAULT_ASSERTION, .property = claim}, "assertion failed: no loss"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct text text = {0};
        fault_print(&cases[c].fault, &text);
        assert_string_equal(text_chars(&text), cases[c].text);
        text_free(&text);
    }
    source_free(source);
    system_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_prelude_and_guard_faults),
        cmocka_unit_test(test_independence),
        cmocka_unit_test(test_properties),
        cmocka_unit_test(test_assumption_in_formula),
        cmocka_unit_test(test_fault_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
