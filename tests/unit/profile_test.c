/* A profiled stepper does what the one inside does, and counts it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "exec/steppers.h"
#include "ir/validate.h"
#include "stepper_pair.h"

static uint64_t total(const struct profile *profile, bool is_fired)
{
    uint64_t sum = 0;
    for (size_t r = 0; r < profile->system->rules.count; r++)
        sum += is_fired ? profile->rules[r].fired : profile->rules[r].enabled;
    return sum;
}

static void check_profile(const struct profile *profile, const struct pair *pair, const uint64_t *start_steps)
{
    uint64_t fired = pair->steps[STEP_STATE] - start_steps[STEP_STATE];
    uint64_t discarded = pair->steps[STEP_DISCARDED] - start_steps[STEP_DISCARDED];
    uint64_t faulted = pair->steps[STEP_FAULT] - start_steps[STEP_FAULT];
    assert_int_equal(total(profile, true), fired);
    assert_int_equal(total(profile, false), fired + discarded + faulted);
    for (size_t r = 0; r < profile->system->rules.count; r++) {
        assert_int_equal(profile->rules[r].asked, pair->steps[STEP_END] - start_steps[STEP_END]);
        assert_true(profile->rules[r].seconds >= 0);
    }
    for (size_t p = 0; p < profile->system->properties.count; p++)
        if (profile->system->properties.items[p]->formula)
            assert_true(profile->properties[p].asked >= pair->steps[STEP_END] - start_steps[STEP_END]);
}

static void compare_random(uint64_t seed, enum stepper_choice choice)
{
    struct system *system = random_system(seed);
    assert_null(ir_validate(system));
    struct layout *layout = layout_create(system);
    struct steppers *steppers = steppers_create(layout, choice, true);
    struct pair starts = {.evaluator = stepper_create_evaluator(system, layout),
                          .fast = steppers_make(steppers),
                          .is_silent = choice == STEPPER_EVALUATOR};
    stepper_begin_starts(starts.evaluator);
    stepper_begin_starts(starts.fast);
    compare_steps(&starts, NULL);
    struct pair pair = {.evaluator = starts.evaluator, .fast = starts.fast, .is_silent = starts.is_silent};
    compare_system(&pair, layout, seed, 4);
    stepper_destroy(pair.evaluator);
    stepper_destroy(pair.fast);
    struct profile *profile = steppers_profile(steppers);
    check_profile(profile, &pair, starts.steps);
    profile_destroy(profile);
    steppers_destroy(steppers);
    layout_destroy(layout);
    system_destroy(system);
}

static void test_random_systems(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 150; seed++) {
        compare_random(seed, STEPPER_VM);
        compare_random(seed, STEPPER_EVALUATOR);
    }
}

static void test_not_asked(void **state)
{
    (void)state;
    struct system *system = random_system(3);
    struct layout *layout = layout_create(system);
    struct steppers *steppers = steppers_create(layout, STEPPER_VM, false);
    assert_null(steppers_profile(steppers));
    steppers_destroy(steppers);
    layout_destroy(layout);
    system_destroy(system);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random_systems), cmocka_unit_test(test_not_asked)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
