/* The translation to a circuit against the evaluator: random systems, random states, every instance. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "bits/circuit.h"
#include "exec/stepper.h"
#include "ir/print.h"
#include "random_failure.h"
#include "sanitized.h"
#include "vm_random_rules.h"

enum { STATES = 6, SECONDS = 1 };

struct both {
    const struct system *system;
    struct layout *layout;
    struct circuit circuit;
    struct stepper *evaluator;
    bool *inputs;
    uint64_t seed, steps[STEP_END + 1], refused;
};

static void both_fail(const struct both *both, const char *what, const struct step *step)
{
    fail_at_seed(both->system, both->seed, what, step);
}

static bool both_value(const struct both *both, bit f)
{
    struct aig_values values;
    aig_evaluate(&both->circuit.aig, &f, 1, both->inputs, &values);
    bool value = aig_value(&values, f);
    aig_values_free(&values);
    return value;
}

static const struct circuit_step *both_find(const struct both *both, const struct step *step)
{
    for (size_t i = 0; i < both->circuit.steps.count; i++)
        if (both->circuit.steps.items[i].rule == step->rule && both->circuit.steps.items[i].instance == step->instance)
            return &both->circuit.steps.items[i];
    return NULL;
}

static bool both_violates(const struct both *both, const struct property *property)
{
    for (size_t i = 0; i < both->circuit.faults.count; i++)
        if (both->circuit.faults.items[i].property == property)
            return both_value(both, both->circuit.faults.items[i].when);
    return false;
}

static void both_compare_successor(const struct both *both, const struct circuit_step *made, const struct step *step)
{
    uint32_t count = both->circuit.variable_count;
    bool *after = memory_alloc(2 * count + 1), *expected = after + count;
    memcpy(after, both->inputs, count);
    for (uint32_t c = 0; c < made->change_count; c++) {
        const struct circuit_change *change = &both->circuit.changes.items[made->first_change + c];
        after[change->variable] = both_value(both, change->value);
    }
    circuit_encode(&both->circuit, step->cells, expected);
    if (memcmp(after, expected, count))
        both_fail(both, "leads elsewhere", step);
    if (both_value(both, made->alters) != !!memcmp(after, both->inputs, count))
        both_fail(both, "alters or does not", step);
    free(after);
}

static void both_compare_step(const struct both *both, enum step_outcome outcome, const struct step *step)
{
    const struct circuit_step *made = both_find(both, step);
    bool fires = made && both_value(both, made->fires), fails = made && both_value(both, made->faults);
    if (fires != (outcome == STEP_STATE))
        both_fail(both, "fires or does not", step);
    if (fails != (outcome == STEP_FAULT))
        both_fail(both, "fails or does not", step);
    if (outcome == STEP_FAULT && !both_violates(both, step->fault.property))
        both_fail(both, "fails otherwise", step);
    if (outcome == STEP_STATE)
        both_compare_successor(both, made, step);
}

/* The evaluator tells of those instances only that are not disabled; so the others are counted. */
static void both_compare_state(struct both *both, const int32_t *cells)
{
    struct step step = {0};
    enum step_outcome outcome;
    size_t active = 0, found = 0;
    stepper_begin_successors(both->evaluator, cells);
    while ((outcome = stepper_next(both->evaluator, &step)) != STEP_END) {
        both_compare_step(both, outcome, &step);
        both->steps[outcome]++;
        active += outcome != STEP_DISCARDED;
    }
    for (size_t i = 0; i < both->circuit.steps.count; i++)
        found += both_value(both, both->circuit.steps.items[i].fires) ||
                 both_value(both, both->circuit.steps.items[i].faults);
    if (found != active)
        both_fail(both, "is enabled or is not", NULL);
}

static void both_compare_formulas(struct both *both, const int32_t *cells)
{
    for (size_t i = 0; i < both->system->properties.count; i++) {
        const struct property *property = both->system->properties.items[i];
        struct fault fault;
        bit holds, wrong;
        if (!property->formula ||
            !circuit_formula(&both->circuit, property->formula, property->kind == PROPERTY_INVARIANT, &holds, &wrong))
            continue;
        enum truth truth = stepper_holds(both->evaluator, property, cells, &fault);
        if (both_value(both, holds) != (truth == TRUTH_TRUE) || both_value(both, wrong) != (truth == TRUTH_FAULT))
            both_fail(both, "a formula is something else", NULL);
    }
}

static void both_compare(struct both *both)
{
    size_t count = both->layout->cell_count;
    int32_t *cells = memory_alloc(2 * count * sizeof *cells + 1);
    uint64_t seed = both->seed;
    both->inputs = memory_zeroed(both->circuit.variable_count + 1, sizeof *both->inputs);
    for (int i = 0; i < STATES; i++) {
        random_state(both->layout, &seed, cells);
        layout_normalise(both->layout, cells); /* reached states are */
        circuit_encode(&both->circuit, cells, both->inputs);
        circuit_decode(&both->circuit, both->inputs, cells + count);
        assert_memory_equal(cells, cells + count, count * sizeof *cells);
        for (size_t s = 0; s < both->circuit.states.count; s++)
            if (!both_value(both, both->circuit.states.items[s]))
                both_fail(both, "a state is none", NULL);
        both_compare_state(both, cells);
        both_compare_formulas(both, cells);
    }
    free(both->inputs);
    free(cells);
}

static void both_examine(struct both *both, uint64_t seed)
{
    struct system *system = random_system(seed);
    struct watch watch;
    both->seed = seed;
    both->system = system;
    both->layout = layout_create(system);
    both->evaluator = stepper_create_evaluator(system, both->layout);
    watch_begin(&watch, SECONDS, NULL); /* loops that do not end, and multisets of large records */
    bool is_made = circuit_open(&both->circuit, both->layout);
    watch_end(&watch);
    both->circuit.is_over = false;
    if (is_made)
        both_compare(both);
    else
        both->refused++;
    circuit_close(&both->circuit);
    stepper_destroy(both->evaluator);
    layout_destroy(both->layout);
    system_destroy(system);
}

static void test_random_systems(void **state)
{
    struct both both = {0};
    uint64_t most = IS_SANITIZED ? 25 : 200;
    (void)state;
    if (!solver_is_available())
        skip();
    for (uint64_t seed = 1; seed <= most; seed++)
        both_examine(&both, seed);
    print_message("%llu states, %llu discarded, %llu faults; %llu of %llu systems too hard\n",
                  (unsigned long long)both.steps[STEP_STATE], (unsigned long long)both.steps[STEP_DISCARDED],
                  (unsigned long long)both.steps[STEP_FAULT], (unsigned long long)both.refused,
                  (unsigned long long)most);
    assert_true(both.steps[STEP_STATE] > most && both.steps[STEP_FAULT] > most);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_systems)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
