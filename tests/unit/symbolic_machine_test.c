/* The translation to decision diagrams against the evaluator: random systems, random states, every instance. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "engine/symbolic/relation.h"
#include "exec/stepper.h"
#include "ir/print.h"
#include "ir/validate.h"
#include "random_failure.h"
#include "sanitized.h"
#include "vm_random_rules.h"

/* A system in both forms. */
struct both {
    const struct system *system;
    struct layout *layout;
    struct dd_manager *m;
    struct encoding *encoding;
    struct ground_system ground;
    struct stepper *evaluator;
    uint64_t seed, steps[STEP_END + 1], refused;
};

static void both_fail(const struct both *both, const char *what, const struct step *step)
{
    fail_at_seed(both->system, both->seed, what, step);
}

static const struct ground_rule *both_find(const struct both *both, const struct rule *rule, uint64_t instance)
{
    for (size_t i = 0; i < both->ground.rules.count; i++) {
        const struct ground_rule *ground = &both->ground.rules.items[i];
        if (ground->rule == rule && ground->instance == instance)
            return ground;
    }
    return NULL;
}

static bool both_has(struct both *both, dd set, dd state)
{
    return dd_is_disjoint(both->m, set, state) == DD_FALSE;
}

static bool both_violates(struct both *both, const struct property *property, dd state)
{
    for (size_t i = 0; i < both->ground.faults.count; i++)
        if (both->ground.faults.items[i].property == property)
            return both_has(both, both->ground.faults.items[i].when, state);
    return false;
}

static void both_compare_step(struct both *both, dd state, enum step_outcome outcome, const struct step *step)
{
    const struct ground_rule *ground = both_find(both, step->rule, step->instance);
    bool fires = ground && both_has(both, ground->fires, state);
    bool fails = ground && both_has(both, ground->faults, state);
    if (fires != (outcome == STEP_STATE))
        both_fail(both, "fires or does not", step);
    if (fails != (outcome == STEP_FAULT))
        both_fail(both, "fails or does not", step);
    if (outcome == STEP_FAULT && !both_violates(both, step->fault.property, state))
        both_fail(both, "fails otherwise", step);
    if (outcome != STEP_STATE)
        return;
    dd successor = dd_ref(both->m, encoding_state(both->encoding, step->cells));
    if (dd_next(both->m, state, ground->step.relation, ground->step.changed) != successor)
        both_fail(both, "leads elsewhere", step);
    if (both_has(both, ground->alters, state) != (successor != state))
        both_fail(both, "alters or does not", step);
    dd_unref(both->m, successor);
}

/* The evaluator tells of those instances only that are not disabled; so the others are counted. */
static void both_compare_state(struct both *both, dd state, const int32_t *cells)
{
    struct step step = {0};
    enum step_outcome outcome;
    size_t active = 0, found = 0;
    stepper_begin_successors(both->evaluator, cells);
    while ((outcome = stepper_next(both->evaluator, &step)) != STEP_END) {
        both_compare_step(both, state, outcome, &step);
        both->steps[outcome]++;
        active += outcome != STEP_DISCARDED;
    }
    for (size_t i = 0; i < both->ground.rules.count; i++) {
        const struct ground_rule *ground = &both->ground.rules.items[i];
        found += both_has(both, ground->fires, state) || both_has(both, ground->faults, state);
    }
    if (found != active)
        both_fail(both, "is enabled or is not", NULL);
}

static void both_compare_formula(struct both *both, const struct property *property, const struct formula_sets *sets,
                                 dd state, const int32_t *cells)
{
    struct fault fault;
    enum truth truth = stepper_holds(both->evaluator, property, cells, &fault);
    if (both_has(both, sets->holds, state) != (truth == TRUTH_TRUE) ||
        both_has(both, sets->wrong, state) != (truth == TRUTH_FAULT))
        both_fail(both, "a formula is something else", NULL);
}

enum { STATES = 6 };

static void both_compare_formulas(struct both *both, const dd *states, const int32_t *cells, uint64_t *left)
{
    for (size_t i = 0; i < both->system->properties.count; i++) {
        const struct property *property = both->system->properties.items[i];
        struct formula_sets sets;
        struct refusal refusal = {0};
        *left = 300;
        if (property->formula &&
            ground_formula(&both->ground, property->formula, property->kind == PROPERTY_INVARIANT, &sets, &refusal)) {
            *left = UINT64_MAX;
            for (int s = 0; s < STATES; s++)
                both_compare_formula(both, property, &sets, states[s], cells + (size_t)s * both->layout->cell_count);
            dd_unref(both->m, sets.holds);
            dd_unref(both->m, sets.wrong);
        }
        text_free(&refusal.words);
    }
    *left = UINT64_MAX;
}

static void both_compare(struct both *both, uint64_t *left)
{
    size_t count = both->layout->cell_count;
    int32_t *cells = memory_alloc(STATES * count * sizeof *cells + 1);
    dd states[STATES];
    uint64_t seed = both->seed;
    *left = UINT64_MAX;
    for (int i = 0; i < STATES; i++) {
        random_state(both->layout, &seed, cells + i * count);
        layout_normalise(both->layout, cells + i * count); /* reached states are */
        states[i] = dd_ref(both->m, encoding_state(both->encoding, cells + i * count));
        both_compare_state(both, states[i], cells + i * count);
    }
    both_compare_formulas(both, states, cells, left);
    for (int i = 0; i < STATES; i++)
        dd_unref(both->m, states[i]);
    free(cells);
}

/* Loops that do not end, and multisets of large records, are left to the limits of a run. */
static bool both_stops(void *data)
{
    uint64_t *left = data;
    if (*left)
        --*left;
    return *left == 0;
}

static void both_examine(struct both *both, uint64_t seed, enum order_kind kind)
{
    struct system *system = random_system(seed);
    uint64_t left = 300;
    struct refusal refusal = {0};
    assert_null(ir_validate(system));
    both->seed = seed;
    both->system = system;
    both->layout = layout_create(system);
    struct dd_options options = {.variables = 2 * encoding_bits(both->layout), .stop = both_stops, .stop_data = &left};
    both->m = dd_create(&options);
    both->encoding = encoding_create(both->layout, kind, both->m);
    both->evaluator = stepper_create_evaluator(system, both->layout);
    if (ground_create(&both->ground, both->encoding, &refusal))
        both_compare(both, &left);
    else
        both->refused++;
    ground_destroy(&both->ground);
    text_free(&refusal.words);
    stepper_destroy(both->evaluator);
    encoding_destroy(both->encoding);
    dd_destroy(both->m);
    layout_destroy(both->layout);
    system_destroy(system);
}

static void test_random_systems(void **state)
{
    struct both both = {0};
    uint64_t most = IS_SANITIZED ? 40 : 500;
    (void)state;
    for (uint64_t seed = 1; seed <= most; seed++)
        both_examine(&both, seed, seed % 2 ? ORDER_PROCESSES : ORDER_SLICED);
    print_message("%llu states, %llu discarded, %llu faults; %llu of %llu systems too hard\n",
                  (unsigned long long)both.steps[STEP_STATE], (unsigned long long)both.steps[STEP_DISCARDED],
                  (unsigned long long)both.steps[STEP_FAULT], (unsigned long long)both.refused,
                  (unsigned long long)most);
    assert_true(both.refused < most / 4);
    assert_true(both.steps[STEP_STATE] > most && both.steps[STEP_FAULT] > most);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_systems)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
