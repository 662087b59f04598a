/* The VM against the evaluator, on thousands of random systems. Each is compiled three ways, from nothing to everything
 * unrolled. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "exec/vm.h"
#include "ir/validate.h"
#include "sanitized.h"
#include "stepper_pair.h"

static const struct vm_tuning TUNINGS[] = {
    {.inline_nodes = 0, .unroll_nodes = 0, .loop_nodes = 0, .unroll_words = 0},
    {.inline_nodes = 20, .unroll_nodes = 300, .loop_nodes = 30, .unroll_words = 4000},
    {.inline_nodes = 2000, .unroll_nodes = 100000, .loop_nodes = 2000, .unroll_words = 100000},
};

static void disassemble(const struct stepper *vm, struct text *out)
{
    vm_disassemble(vm->system, vm->layout, out);
}

static void test_random_systems(void **state)
{
    (void)state;
    struct pair totals = {.disassemble = disassemble};
    for (uint64_t seed = 1; seed <= FEWER(3000); seed++) {
        struct system *system = random_system(seed);
        const char *problem = ir_validate(system);
        if (problem)
            fail_msg("seed %u: %s", (unsigned)seed, problem);
        struct layout *layout = layout_create(system);
        for (size_t t = 0; t < sizeof TUNINGS / sizeof *TUNINGS; t++) {
            struct pair pair = totals;
            pair.evaluator = stepper_create_evaluator(system, layout);
            pair.fast = vm_create(system, layout, &TUNINGS[t]);
            compare_system(&pair, layout, seed, 4);
            stepper_destroy(pair.evaluator);
            stepper_destroy(pair.fast);
            totals = pair;
        }
        layout_destroy(layout);
        system_destroy(system);
    }
    /* The generator must reach everything, or the comparison shows nothing. */
    if (IS_SLOW)
        return;
    for (int outcome = STEP_STATE; outcome <= STEP_END; outcome++)
        assert_true(totals.steps[outcome] > 1000 || outcome == STEP_ENDLESS); /* no single rule is */
    for (int kind = FAULT_NONE; kind <= FAULT_NO_RETURN; kind++)
        if (totals.faults[kind] < 100)
            fail_msg("fault kind %d was met only %u times", kind, (unsigned)totals.faults[kind]);
}

/* What random constants do not meet. */
static void test_overflow(void **state)
{
    (void)state;
    struct system *s = system_create("overflow");
    const struct span span = {0};
    const struct variable *number = system_add_global(s, "number", s->integer, span);
    struct expr *least = expr_const(s, s->integer, INT64_MIN, span), *one = expr_const(s, s->integer, 1, span);
    struct expr *most = expr_const(s, s->integer, INT64_MAX, span), *read;
    read = expr_read(s, place_variable(s, number, span), false, span);
    struct expr *const values[] = {
        expr_unary(s, OP_NEGATE, least, span),
        expr_binary(s, OP_ADD, most, one, span),
        expr_binary(s, OP_SUB, least, one, span),
        expr_binary(s, OP_ADD, expr_binary(s, OP_SUB, most, read, span), one, span),
        expr_binary(s, OP_DIV, least, expr_binary(s, OP_SUB, read, one, span), span),
        expr_binary(s, OP_SUB, expr_const(s, s->integer, INT32_MIN + (int64_t)1, span), one, span), /* "undefined" */
    };
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        struct rule *rule = system_add_rule(s, "rule", span);
        struct stmt **items = ARENA_NEW(s->arena, struct stmt *);
        *items = stmt_new(s, STMT_ASSIGN, span);
        (*items)->place = place_variable(s, number, span);
        (*items)->value = values[i];
        rule->body = (struct block){.items = items, .count = 1};
    }
    assert_true(system_finish(s));
    assert_null(ir_validate(s));
    struct layout *layout = layout_create(s);
    struct pair pair = {.evaluator = stepper_create_evaluator(s, layout), .fast = stepper_create_vm(s, layout)};
    const int32_t zero = 0;
    stepper_begin_successors(pair.evaluator, &zero);
    stepper_begin_successors(pair.fast, &zero);
    compare_steps(&pair, &zero);
    assert_int_equal(pair.faults[FAULT_OVERFLOW], 5);
    assert_int_equal(pair.faults[FAULT_RANGE], 1);
    stepper_destroy(pair.evaluator);
    stepper_destroy(pair.fast);
    layout_destroy(layout);
    system_destroy(s);
}

static void test_disassembly(void **state)
{
    (void)state;
    struct system *system = random_system(7);
    struct layout *layout = layout_create(system);
    struct text text = {0};
    vm_disassemble(system, layout, &text);
    assert_non_null(strstr(text_chars(&text), "YIELD"));
    assert_non_null(strstr(text_chars(&text), "\n     0  "));
    text_free(&text);
    layout_destroy(layout);
    system_destroy(system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_systems), cmocka_unit_test(test_overflow),
                                       cmocka_unit_test(test_disassembly)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
