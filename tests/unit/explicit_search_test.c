/* The explicit engine on small systems whose answers can be worked out by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "engine/engine.h"
#include "ir/chain.h"
#include "rewrite/antecedents.h"
#include "small_system.h"

/* Every combination of order and stepper must agree. */
struct setting {
    enum search_order order;
    enum stepper_choice stepper;
};

static const struct setting settings[] = {
    {SEARCH_BREADTH_FIRST, STEPPER_VM},
    {SEARCH_BREADTH_FIRST, STEPPER_EVALUATOR},
    {SEARCH_DEPTH_FIRST, STEPPER_VM},
    {SEARCH_DEPTH_FIRST, STEPPER_EVALUATOR},
};

#define FOR_SETTINGS(options)                                                                                          \
    for (size_t s_ = 0; s_ < sizeof settings / sizeof *settings &&                                                     \
                        ((options).order = settings[s_].order, (options).stepper = settings[s_].stepper, true);        \
         s_++)

static struct result *run(const struct small *small, const struct engine_options *options)
{
    assert_null(engine_explicit.supports(small->system, NULL, NULL));
    return engine_explicit.run(small->layout, small->symmetry, options);
}

static enum verdict verdict_of(const struct result *result, const struct property *property)
{
    return result->properties[property->id].verdict;
}

static const struct trace *trace_of(const struct result *result, const struct property *property)
{
    return result->properties[property->id].trace;
}

static void test_counts(void **unused)
{
    (void)unused;
    struct small small = small_counter(9);
    small_add_increment(&small, 9);
    small_add_edge(&small, "back", 9, 0);
    struct property *below = small_add_property(&small, PROPERTY_INVARIANT, "below", small_compare(&small, OP_LE, 9));
    struct property *seven = small_add_property(&small, PROPERTY_COVER, "seven", small_compare(&small, OP_EQ, 7));
    small_finish(&small, false);
    struct engine_options options = {0};
    FOR_SETTINGS(options)
    {
        struct result *result = run(&small, &options);
        uint64_t represented;
        assert_true(result->is_complete);
        assert_int_equal(result->stop.kind, STOP_NONE);
        assert_int_equal(result->statistics.states, 10);
        assert_int_equal(result->statistics.rules_fired, 10);
        assert_int_equal(result->statistics.transitions, 10);
        assert_int_equal(result->statistics.fired_by_rule[0], 9);
        assert_int_equal(result->statistics.fired_by_rule[1], 1);
        assert_int_equal(result->statistics.depth, 9);
        assert_true(bigint_fits_u64(result->statistics.represented, &represented) && represented == 10);
        assert_int_equal(verdict_of(result, below), VERDICT_HOLDS);
        assert_int_equal(verdict_of(result, seven), VERDICT_HOLDS);
        assert_int_equal(trace_of(result, seven)->count, 8);
        assert_int_equal(result_exit_code(result), 0);
        result_destroy(result);
    }
    small_free(&small);
}

static void test_invariant_violated(void **unused)
{
    (void)unused;
    struct small small = small_counter(9);
    small_add_increment(&small, 9);
    small_add_edge(&small, "jump", 2, 5);
    struct property *low = small_add_property(&small, PROPERTY_INVARIANT, "low", small_compare(&small, OP_LT, 6));
    struct property *high = small_add_property(&small, PROPERTY_COVER, "high", small_compare(&small, OP_EQ, 9));
    small_finish(&small, false);
    struct engine_options options = {0};
    struct result *result = run(&small, &options);
    assert_int_equal(verdict_of(result, low), VERDICT_VIOLATED);
    assert_int_equal(trace_of(result, low)->count, 5); /* 0 1 2 5 6: the shortest */
    assert_int_equal(trace_of(result, low)->steps[4].cells[0], 6);
    assert_int_equal(verdict_of(result, high), VERDICT_UNKNOWN);
    assert_string_equal(result->properties[high->id].reason, "the search stopped at the first violation");
    assert_int_equal(result->stop.kind, STOP_VIOLATION);
    assert_int_equal(result_exit_code(result), 1);
    result_destroy(result);

    options.keep_going = true;
    FOR_SETTINGS(options)
    {
        result = run(&small, &options);
        assert_int_equal(verdict_of(result, low), VERDICT_VIOLATED);
        assert_int_equal(verdict_of(result, high), VERDICT_HOLDS);
        assert_int_equal(verdict_of(result, small.system->properties.items[SYSTEM_DEADLOCK]), VERDICT_VIOLATED);
        assert_int_equal(verdict_of(result, small.system->properties.items[SYSTEM_RUNTIME]), VERDICT_HOLDS);
        assert_int_equal(result->statistics.states, 10);
        assert_true(result->is_complete);
        result_destroy(result);
    }
    small_free(&small);
}

/* Nothing is undefined, and the search says so, though the antecedent of an implication is a proposition of its own: a
 * caller need not look again. */
static void test_is_defined(void **unused)
{
    (void)unused;
    struct small small = small_counter(9);
    small_add_increment(&small, 9);
    struct expr *implication =
        expr_binary(small.system, OP_IMPLIES, small_compare(&small, OP_EQ, 3), small_compare(&small, OP_LT, 4), HERE);
    small_add_property(&small, PROPERTY_INVARIANT, "implication", implication);
    antecedents_add(small.system);
    small_finish(&small, false);
    struct engine_options options = {.deadlock = DEADLOCK_OFF};
    FOR_SETTINGS(options)
    {
        struct result *result = run(&small, &options);
        assert_true(result->is_complete);
        assert_true(result->is_defined);
        result_destroy(result);
    }
    small_free(&small);
}

static void test_deadlock_modes(void **unused)
{
    (void)unused;
    struct small small = small_counter(3);
    small_add_increment(&small, 3);
    small_add_edge(&small, "stay", 3, 3);
    small_finish(&small, false);
    const struct property *deadlock = small.system->properties.items[SYSTEM_DEADLOCK];
    struct engine_options options = {0};
    FOR_SETTINGS(options)
    {
        options.deadlock = DEADLOCK_STUTTERING;
        struct result *result = run(&small, &options);
        assert_int_equal(verdict_of(result, deadlock), VERDICT_VIOLATED);
        assert_int_equal(trace_of(result, deadlock)->count, 4);
        result_destroy(result);
        options.deadlock = DEADLOCK_STUCK;
        result = run(&small, &options);
        assert_int_equal(verdict_of(result, deadlock), VERDICT_HOLDS);
        result_destroy(result);
        options.deadlock = DEADLOCK_OFF;
        result = run(&small, &options);
        assert_false(result->checked[SYSTEM_DEADLOCK]);
        assert_int_equal(result_exit_code(result), 0);
        result_destroy(result);
    }
    small_free(&small);
}

static void test_faults(void **unused)
{
    (void)unused;
    struct small small = small_counter(5);
    small_add_increment(&small, 6); /* 5 + 1 is out of range */
    small_add_rule(
        &small, "divide", small_compare(&small, OP_EQ, 2),
        expr_binary(small.system, OP_DIV, small_number(&small, 1),
                    expr_binary(small.system, OP_SUB, small_read(&small, small.x), small_number(&small, 2), HERE),
                    HERE));
    small_finish(&small, false);
    const struct property *runtime = small.system->properties.items[SYSTEM_RUNTIME];
    struct engine_options options = {0};
    struct result *result = run(&small, &options);
    const struct trace *trace = trace_of(result, runtime);
    assert_int_equal(verdict_of(result, runtime), VERDICT_VIOLATED);
    assert_int_equal(result->properties[runtime->id].fault.kind, FAULT_DIVISION);
    assert_int_equal(trace->count, 4);
    assert_null(trace->steps[3].cells);
    assert_string_equal(trace->steps[3].rule->name, "divide");
    result_destroy(result);
    options.keep_going = true;
    FOR_SETTINGS(options)
    {
        result = run(&small, &options);
        assert_int_equal(verdict_of(result, runtime), VERDICT_VIOLATED);
        assert_int_equal(result->statistics.states, 6);
        /* In 5 only a faulting instance is enabled: that is no deadlock. */
        assert_int_equal(verdict_of(result, small.system->properties.items[SYSTEM_DEADLOCK]), VERDICT_HOLDS);
        result_destroy(result);
    }
    small_free(&small);
}

static void test_fault_in_start(void **unused)
{
    (void)unused;
    struct small small = small_counter(5);
    struct rule *start = system_add_start(small.system, "bad start", HERE);
    struct stmt *stmt =
        small_assign(&small, place_variable(small.system, small.x, HERE), small_read(&small, small.x)); /* undefined */
    small_set_body(&small, start, 1, &stmt);
    small_add_increment(&small, 5);
    small_finish(&small, false);
    const struct property *runtime = small.system->properties.items[SYSTEM_RUNTIME];
    struct engine_options options = {0};
    FOR_SETTINGS(options)
    {
        struct result *result = run(&small, &options);
        assert_int_equal(verdict_of(result, runtime), VERDICT_VIOLATED);
        assert_int_equal(trace_of(result, runtime)->count, 1);
        assert_int_equal(result->properties[runtime->id].fault.kind, FAULT_UNDEFINED);
        result_destroy(result);
    }
    small_free(&small);
}

static void test_formula_faults(void **unused)
{
    (void)unused;
    const enum property_kind kinds[] = {PROPERTY_INVARIANT, PROPERTY_ASSUMPTION, PROPERTY_COVER, PROPERTY_LIVENESS};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        struct small small = small_counter(5);
        small_add_increment(&small, 5);
        small_add_edge(&small, "back", 5, 0);
        struct expr *minus =
            expr_binary(small.system, OP_SUB, small_read(&small, small.x), small_number(&small, 3), HERE);
        struct expr *quotient = expr_binary(small.system, OP_DIV, small_number(&small, 6), minus, HERE);
        /* True until x is 3 (a cover: never true), where it faults. */
        struct expr *formula = expr_binary(small.system, kinds[k] == PROPERTY_COVER ? OP_EQ : OP_NE, quotient,
                                           small_number(&small, 100), HERE);
        struct property *property = small_add_property(&small, kinds[k], "quotient", formula);
        small_finish(&small, false);
        struct engine_options options = {0};
        FOR_SETTINGS(options)
        {
            struct result *result = run(&small, &options);
            assert_int_equal(verdict_of(result, property), VERDICT_VIOLATED);
            assert_true(result->checked[property->id]);
            assert_int_equal(result->properties[property->id].fault.kind, FAULT_DIVISION);
            assert_int_equal(trace_of(result, property)->count, 4);
            assert_int_equal(trace_of(result, property)->steps[3].cells[0], 3);
            result_destroy(result);
        }
        small_free(&small);
    }
}

static void test_assumption(void **unused)
{
    (void)unused;
    struct small small = small_counter(9);
    small_add_increment(&small, 9);
    small_add_edge(&small, "back", 3, 0);
    small_add_property(&small, PROPERTY_ASSUMPTION, "small", small_compare(&small, OP_LT, 4));
    struct property *low = small_add_property(&small, PROPERTY_INVARIANT, "low", small_compare(&small, OP_LT, 4));
    struct property *five = small_add_property(&small, PROPERTY_COVER, "five", small_compare(&small, OP_EQ, 5));
    small_finish(&small, false);
    struct engine_options options = {0};
    FOR_SETTINGS(options)
    {
        struct result *result = run(&small, &options);
        assert_int_equal(result->statistics.states, 4);
        assert_int_equal(result->statistics.rules_fired, 5);
        assert_int_equal(result->statistics.transitions, 4);
        assert_int_equal(verdict_of(result, low), VERDICT_HOLDS);
        assert_int_equal(verdict_of(result, five), VERDICT_VIOLATED);
        assert_null(trace_of(result, five));
        assert_string_equal(result->properties[five->id].reason, "never reached");
        assert_int_equal(result_exit_code(result), 1);
        result_destroy(result);
    }
    small_free(&small);
}

static void test_liveness(void **unused)
{
    (void)unused;
    struct small small = small_counter(9);
    small_add_edge(&small, "a", 0, 1);
    small_add_edge(&small, "b", 1, 0);
    small_add_edge(&small, "c", 1, 2);
    small_add_edge(&small, "d", 2, 3);
    small_add_edge(&small, "e", 3, 2);
    struct property *home = small_add_property(&small, PROPERTY_LIVENESS, "home", small_compare(&small, OP_EQ, 0));
    struct property *away = small_add_property(&small, PROPERTY_LIVENESS, "away", small_compare(&small, OP_EQ, 3));
    small_finish(&small, false);
    struct engine_options options = {0};
    FOR_SETTINGS(options)
    {
        struct result *result = run(&small, &options);
        assert_int_equal(verdict_of(result, home), VERDICT_VIOLATED);
        assert_int_equal(trace_of(result, home)->count, 3);
        assert_int_equal(trace_of(result, home)->steps[2].cells[0], 2);
        assert_int_equal(verdict_of(result, away), VERDICT_HOLDS);
        assert_true(result->is_complete);
        result_destroy(result);
        /* Undecided as long as the graph is not known. */
        options.limits.states = 2;
        result = run(&small, &options);
        assert_int_equal(verdict_of(result, home), VERDICT_UNKNOWN);
        assert_int_equal(result_exit_code(result), 3);
        result_destroy(result);
        options.limits.states = 0;
    }
    small_free(&small);
}

static void check_stopped(const struct small *small, const struct engine_options *options, const char *by,
                          uint64_t at_most)
{
    struct result *result = run(small, options);
    struct text words = {0};
    assert_false(result->is_complete);
    stop_print(&result->stop, &words);
    assert_string_equal(words.chars, by);
    text_free(&words);
    assert_int_equal(result->properties[SYSTEM_RUNTIME].stop, result->stop.kind);
    assert_string_equal(result->properties[SYSTEM_RUNTIME].reason, by);
    assert_int_equal(result->properties[SYSTEM_RUNTIME].verdict, VERDICT_UNKNOWN);
    assert_true(result->statistics.states <= at_most);
    assert_int_equal(result_exit_code(result), 3);
    result_destroy(result);
}

static void test_limits(void **unused)
{
    (void)unused;
    const int yes = 1;
    struct small small = small_counter(2000000);
    small_add_increment(&small, 2000000);
    small_finish(&small, false);
    struct engine_options options = {0};
    FOR_SETTINGS(options)
    {
        options.limits = (struct limits){.states = 100};
        check_stopped(&small, &options, "state limit (100)", 100);
        options.limits = (struct limits){.depth = 50};
        check_stopped(&small, &options, "depth limit (50)", 51);
        options.limits = (struct limits){.memory_bytes = 1 << 20};
        check_stopped(&small, &options, "memory limit (1 MiB)", (1 << 20) / 2);
        options.limits = (struct limits){.seconds = 0.03};
        check_stopped(&small, &options, "time limit (0.03 s)", 1999999);
        options.limits = (struct limits){0};
        options.interrupted = &yes;
        check_stopped(&small, &options, "interrupted", 10000);
        options.interrupted = NULL;
    }
    small_free(&small);
}

static void count_call(void *user, const struct progress_sample *sample)
{
    assert_true(sample->states > 0 && sample->seconds > 0);
    ++*(int *)user;
}

static void count_state(void *user, const uint64_t *packed)
{
    (void)packed;
    ++*(int *)user;
}

/* So long that there is a sample: on a loaded machine the time may be over before the search has had a processor. */
static void test_callbacks(void **unused)
{
    (void)unused;
    int calls = 0, states = 0;
    struct small small = small_counter(2000000);
    small_add_increment(&small, 2000000);
    small_finish(&small, false);
    struct engine_options options = {
        .limits = {.seconds = 0.7},
        .stepper = STEPPER_EVALUATOR,
        .progress = count_call,
        .progress_user = &calls,
        .on_state = count_state,
        .on_state_user = &states,
    };
    for (bool is_complete = false; !calls && !is_complete; options.limits.seconds *= 2) {
        states = 0;
        struct result *result = run(&small, &options);
        assert_int_equal(states, (int)result->statistics.states);
        is_complete = result->is_complete;
        result_destroy(result);
    }
    assert_in_range(calls, 0, (int)(3 * options.limits.seconds)); /* the double of what it took */
    small_free(&small);
}

static void test_probabilities_are_refused(void **unused)
{
    (void)unused;
    struct small small = small_counter(3);
    small_add_increment(&small, 3);
    small.system->rules.items[0]->weight = ARENA_NEW(small.system->arena, struct weight);
    small_finish(&small, false);
    assert_non_null(strstr(engine_explicit.supports(small.system, NULL, NULL), "probabilit"));
    small_free(&small);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts),         cmocka_unit_test(test_invariant_violated),
        cmocka_unit_test(test_is_defined),     cmocka_unit_test(test_deadlock_modes),
        cmocka_unit_test(test_faults),         cmocka_unit_test(test_fault_in_start),
        cmocka_unit_test(test_formula_faults), cmocka_unit_test(test_assumption),
        cmocka_unit_test(test_liveness),       cmocka_unit_test(test_limits),
        cmocka_unit_test(test_callbacks),      cmocka_unit_test(test_probabilities_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
