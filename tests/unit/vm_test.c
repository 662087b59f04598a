/* The VM against the evaluator, on thousands of random systems: the same instances, outcomes, states, faults (where,
 * why, on what value), truths and covers. Each is compiled three ways, from nothing to everything unrolled. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "exec/vm.h"
#include "ir/print.h"
#include "ir/validate.h"
#include "vm_random_rules.h"

static const struct vm_tuning TUNINGS[] = {
    {.inline_nodes = 0, .unroll_nodes = 0, .loop_nodes = 0, .unroll_words = 0},
    {.inline_nodes = 20, .unroll_nodes = 300, .loop_nodes = 30, .unroll_words = 4000},
    {.inline_nodes = 2000, .unroll_nodes = 100000, .loop_nodes = 2000, .unroll_words = 100000},
};

struct pair {
    struct stepper *evaluator, *vm;
    uint64_t steps[STEP_END + 1];
    uint64_t faults[FAULT_NO_RETURN + 1];
};

static bool same_fault(const struct fault *a, const struct fault *b)
{
    return a->kind == b->kind && a->span.line == b->span.line && a->property == b->property && a->value == b->value &&
           a->type == b->type;
}

static void explain(const struct pair *pair, const char *what, const struct fault *a, const struct fault *b)
{
    struct text text = {0};
    ir_print_system(pair->vm->system, &text);
    text_append(&text, "\n");
    vm_disassemble(pair->vm->system, pair->vm->layout, &text);
    print_error("%s\n%s differs: fault %d line %u value %lld, fault %d line %u value %lld\n", text_chars(&text), what,
                (int)a->kind, a->span.line, (long long)a->value, (int)b->kind, b->span.line, (long long)b->value);
    text_free(&text);
    fail();
}

static void compare_truths(struct pair *pair, const int32_t *cells, const int32_t *vm_cells)
{
    const struct system *system = pair->vm->system;
    for (size_t p = 0; p < system->properties.count; p++) {
        const struct property *property = system->properties.items[p];
        struct fault a = {0}, b = {0};
        if (!property->formula)
            continue;
        enum truth truth = stepper_holds(pair->evaluator, property, cells, &a);
        if (stepper_holds(pair->vm, property, vm_cells, &b) != truth ||
            (truth == TRUTH_FAULT && !same_fault(&a, &b)))
            explain(pair, "truth", &a, &b);
    }
}

/* Properties are asked between two steps, of the state stepped to, where it stands. */
static void compare_step(struct pair *pair, enum step_outcome outcome, const struct step *a, const struct step *b)
{
    size_t size = pair->vm->layout->cell_count * sizeof *a->cells;
    if (a->rule != b->rule || a->instance != b->instance)
        explain(pair, "instance", &a->fault, &b->fault);
    if (outcome == STEP_FAULT && !same_fault(&a->fault, &b->fault))
        explain(pair, "fault", &a->fault, &b->fault);
    if (outcome != STEP_STATE)
        return;
    if (memcmp(a->cells, b->cells, size))
        explain(pair, "state", &a->fault, &b->fault);
    int32_t *kept = memory_alloc(size);
    memcpy(kept, b->cells, size);
    compare_truths(pair, kept, b->cells);
    assert_memory_equal(kept, b->cells, size);
    free(kept);
}

static void compare_steps(struct pair *pair)
{
    enum step_outcome outcome;
    do {
        struct step a, b;
        outcome = stepper_next(pair->evaluator, &a);
        if (stepper_next(pair->vm, &b) != outcome)
            explain(pair, "outcome", &a.fault, &b.fault);
        compare_step(pair, outcome, &a, &b);
        pair->steps[outcome]++;
        pair->faults[a.fault.kind]++;
    } while (outcome != STEP_END);
}

static void compare_system(struct pair *pair, const struct layout *layout, uint64_t seed, int states)
{
    int32_t *cells = memory_alloc(layout->cell_count * sizeof *cells);
    stepper_begin_starts(pair->evaluator);
    stepper_begin_starts(pair->vm);
    compare_steps(pair);
    for (int i = 0; i < states; i++) {
        random_state(layout, &seed, cells);
        stepper_begin_successors(pair->evaluator, cells);
        stepper_begin_successors(pair->vm, cells);
        compare_steps(pair);
        compare_truths(pair, cells, cells);
    }
    assert_memory_equal(pair->evaluator->covered, pair->vm->covered,
                        layout->system->properties.count * sizeof *pair->vm->covered);
    free(cells);
}

static void test_random_systems(void **state)
{
    (void)state;
    struct pair totals = {0};
    for (uint64_t seed = 1; seed <= 3000; seed++) {
        struct system *system = random_system(seed);
        const char *problem = ir_validate(system);
        if (problem)
            fail_msg("seed %u: %s", (unsigned)seed, problem);
        struct layout *layout = layout_create(system);
        for (size_t t = 0; t < sizeof TUNINGS / sizeof *TUNINGS; t++) {
            struct pair pair = totals;
            pair.evaluator = stepper_create_evaluator(system, layout);
            pair.vm = vm_create(system, layout, &TUNINGS[t]);
            compare_system(&pair, layout, seed, 4);
            stepper_destroy(pair.evaluator);
            stepper_destroy(pair.vm);
            totals = pair;
        }
        layout_destroy(layout);
        system_destroy(system);
    }
    /* The generator must reach everything, or the comparison shows nothing. */
    for (int outcome = STEP_STATE; outcome <= STEP_END; outcome++)
        assert_true(totals.steps[outcome] > 1000);
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
        rule->branches = ARENA_NEW(s->arena, struct branch);
        rule->branch_count = 1;
        rule->branches->body = (struct block){.items = items, .count = 1};
    }
    assert_true(system_finish(s));
    assert_null(ir_validate(s));
    struct layout *layout = layout_create(s);
    struct pair pair = {.evaluator = stepper_create_evaluator(s, layout), .vm = stepper_create_vm(s, layout)};
    const int32_t zero = 0;
    stepper_begin_successors(pair.evaluator, &zero);
    stepper_begin_successors(pair.vm, &zero);
    compare_steps(&pair);
    assert_int_equal(pair.faults[FAULT_OVERFLOW], 5);
    assert_int_equal(pair.faults[FAULT_RANGE], 1);
    stepper_destroy(pair.evaluator);
    stepper_destroy(pair.vm);
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
