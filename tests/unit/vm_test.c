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

static void compare_steps(struct pair *pair)
{
    for (;;) {
        struct step a, b;
        enum step_outcome outcome = stepper_next(pair->evaluator, &a);
        if (stepper_next(pair->vm, &b) != outcome)
            explain(pair, "outcome", &a.fault, &b.fault);
        if (a.rule != b.rule || a.instance != b.instance)
            explain(pair, "instance", &a.fault, &b.fault);
        pair->steps[outcome]++;
        if (outcome == STEP_END)
            return;
        pair->faults[a.fault.kind]++;
        if (outcome == STEP_FAULT && !same_fault(&a.fault, &b.fault))
            explain(pair, "fault", &a.fault, &b.fault);
        if (outcome == STEP_STATE && memcmp(a.cells, b.cells, pair->vm->layout->cell_count * sizeof *a.cells))
            explain(pair, "state", &a.fault, &b.fault);
    }
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

/* Properties are asked between two steps, of the state stepped to and where it stands. */
static void compare_in_place(struct pair *pair, const int32_t *cells)
{
    struct step step;
    int32_t *kept = memory_alloc(pair->vm->layout->cell_count * sizeof *kept);
    stepper_begin_successors(pair->vm, cells);
    while (stepper_next(pair->vm, &step) != STEP_END)
        if (step.cells) {
            memcpy(kept, step.cells, pair->vm->layout->cell_count * sizeof *kept);
            compare_truths(pair, kept, step.cells);
            assert_memory_equal(kept, step.cells, pair->vm->layout->cell_count * sizeof *kept);
        }
    free(kept);
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
        compare_in_place(pair, cells);
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_systems)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
