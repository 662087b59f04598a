/* The layered search: the same answer from any number of threads and any store, within its memory, from files if need
 * be. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/clock.h"
#include "engine/engine.h"
#include "sanitized.h"
#include "small_system.h"

static const struct engine_options settings[] = {
    {.threads = 1},
    {.threads = 2, .crowd = 1},
    {.threads = 3, .crowd = 1},
    {.threads = 4, .crowd = 100},
    {.threads = 4, .crowd = 1, .hash_compact = true},
    {.store = STORE_PLAIN},
};
enum { SETTINGS = sizeof settings / sizeof *settings };

/* forall i: level[i] < bound */
static struct expr *all_below(struct small_family *family, int64_t bound)
{
    struct system *system = family->small.system;
    struct variable *i = system_add_scratch(system, "i", family->node, HERE);
    struct expr *level = expr_read(system, small_element(family, i), false, HERE);
    struct expr *body = expr_binary(system, OP_LT, level, small_number(&family->small, bound), HERE);
    return expr_quantifier(system, OP_FORALL, i, (struct domain){.type = family->node}, body, HERE);
}

static struct small_family make_family(uint32_t nodes, int32_t top, int64_t bound, bool with_symmetry)
{
    struct small_family family = small_family_create(nodes, top);
    small_family_rule(&family, "climb", (uint32_t)top);
    if (bound)
        small_add_property(&family.small, PROPERTY_INVARIANT, "bounded", all_below(&family, bound));
    small_finish(&family.small, with_symmetry);
    return family;
}

static struct result *run(const struct small *small, const struct engine_options *options)
{
    struct engine_options quick = *options;
    quick.stepper = STEPPER_VM;
    return engine_explicit.run(small->layout, small->symmetry, &quick);
}

static void compare_figures(const struct result *a, const struct result *b)
{
    const struct statistics *x = &a->statistics, *y = &b->statistics;
    assert_int_equal(x->states, y->states);
    assert_int_equal(x->transitions, y->transitions);
    assert_int_equal(x->rules_fired, y->rules_fired);
    assert_int_equal(x->depth, y->depth);
    assert_int_equal(x->represented_is_exact, y->represented_is_exact);
    for (size_t i = 0; i < a->system->rules.count; i++)
        assert_int_equal(x->fired_by_rule[i], y->fired_by_rule[i]);
    char *first = bigint_digits(x->represented), *second = bigint_digits(y->represented);
    assert_string_equal(first, second);
    free(first);
    free(second);
}

static void test_same_counts(void **unused)
{
    (void)unused;
    const struct {
        uint32_t nodes;
        int32_t top;
        bool has_symmetry;
    } cases[] = {{6, 3, false}, {7, 3, false}, {6, 3, true}, {20, 4, true}, {40, 2, true}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        if (IS_SANITIZED && c % 2)
            continue;
        struct small_family family = make_family(cases[c].nodes, cases[c].top, 100, cases[c].has_symmetry);
        struct result *first = NULL;
        for (size_t s = 0; s < SETTINGS; s++) {
            struct engine_options options = settings[s];
            options.deadlock = DEADLOCK_OFF;
            struct result *result = run(&family.small, &options);
            assert_true(result->is_complete);
            assert_int_equal(result_exit_code(result), 0);
            assert_int_equal(result->statistics.is_hash_compact, options.hash_compact);
            if (first) {
                compare_figures(first, result);
                result_destroy(result);
            } else {
                first = result;
            }
        }
        result_destroy(first);
        small_free(&family.small);
    }
}

/* Several properties are violated, at the same depth and at others: which is reported, how long the run is and where it
 * ends do not depend on the threads. */
static void test_same_violation(void **unused)
{
    (void)unused;
    for (int with_symmetry = 0; with_symmetry < 2; with_symmetry++) {
        struct small_family family = small_family_create(5, 4);
        small_family_rule(&family, "climb", 4);
        const struct property *third =
            small_add_property(&family.small, PROPERTY_INVARIANT, "third", all_below(&family, 3));
        const struct property *second =
            small_add_property(&family.small, PROPERTY_INVARIANT, "second", all_below(&family, 2));
        const struct property *also =
            small_add_property(&family.small, PROPERTY_INVARIANT, "also", all_below(&family, 2));
        small_finish(&family.small, with_symmetry);
        struct trace *shown = NULL;
        struct result *results[SETTINGS];
        for (size_t s = 0; s < SETTINGS; s++) {
            results[s] = run(&family.small, &settings[s]);
            const struct property_result *found = &results[s]->properties[second->id];
            assert_int_equal(found->verdict, VERDICT_VIOLATED);
            assert_int_equal(results[s]->properties[third->id].verdict, VERDICT_UNKNOWN);
            assert_int_equal(results[s]->properties[also->id].verdict, VERDICT_UNKNOWN);
            assert_int_equal(found->trace->count, 3);
            shown = shown ? shown : found->trace;
            if (!with_symmetry)
                assert_memory_equal(found->trace->steps[2].cells, shown->steps[2].cells,
                                    family.small.layout->cell_count * sizeof(int32_t));
            struct engine_options options = settings[s];
            options.keep_going = true;
            struct result *all = run(&family.small, &options);
            assert_int_equal(all->properties[third->id].trace->count, 4);
            assert_int_equal(all->properties[also->id].trace->count, 3);
            assert_int_equal(all->properties[SYSTEM_DEADLOCK].verdict, VERDICT_VIOLATED);
            assert_int_equal(all->properties[SYSTEM_DEADLOCK].trace->count, 21); /* all at the top */
            result_destroy(all);
        }
        for (size_t s = 0; s < SETTINGS; s++)
            result_destroy(results[s]);
        small_free(&family.small);
    }
}

/* A chain: every level has one state, and every state is a step of the run. */
static void test_long_run_from_the_log(void **unused)
{
    (void)unused;
    const int32_t end = FEWER(25000); /* levels, at each of which the threads meet */
    struct small small = small_counter(30000);
    small_add_increment(&small, 30000);
    struct property *low = small_add_property(&small, PROPERTY_INVARIANT, "low", small_compare(&small, OP_LT, end));
    small_finish(&small, false);
    for (size_t s = 0; s < 2; s++) {
        struct engine_options options = {.threads = s ? 2 : 1, .crowd = s ? 1 : 0};
        struct result *result = run(&small, &options);
        assert_int_equal(result->properties[low->id].trace->count, end + 1);
        assert_int_equal(result->statistics.depth, end);
        result_destroy(result);
    }
    small_free(&small);
}

static void test_limits(void **unused)
{
    (void)unused;
    const int yes = 1;
    struct small_family family = make_family(8, 4, 0, false);
    for (uint32_t threads = 1; threads <= 4; threads += 3) {
        struct engine_options options = {.threads = threads, .crowd = 1, .limits = {.states = 5000}};
        struct result *result = run(&family.small, &options);
        assert_int_equal(result->stop.kind, STOP_STATES);
        assert_int_equal(result->stop.limit, 5000);
        assert_in_range(result->statistics.states, 4990, 5000);
        result_destroy(result);
        options.limits = (struct limits){.seconds = 0.02};
        result = run(&family.small, &options);
        assert_int_equal(result->stop.kind, STOP_TIME);
        result_destroy(result);
        options.limits = (struct limits){0};
        options.interrupted = &yes;
        result = run(&family.small, &options);
        assert_int_equal(result->stop.kind, STOP_INTERRUPTED);
        result_destroy(result);
    }
    small_free(&family.small);
}

/* --- memory: in a process of its own, whose peak is that of the search --- */

struct measured {
    uint64_t states, peak;
    bool is_complete;
};

static struct measured measure(const struct small *small, uint64_t limit, uint32_t threads)
{
    struct measured measured = {0};
    int ends[2], status;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        struct engine_options options = {
            .threads = threads, .deadlock = DEADLOCK_OFF, .limits = {.memory_bytes = limit}};
        struct result *result = run(small, &options);
        measured = (struct measured){result->statistics.states, clock_peak_bytes(), result->is_complete};
        bool is_right = result->is_complete || result->stop.kind == STOP_MEMORY;
        ssize_t written = write(ends[1], &measured, sizeof measured);
        _exit(is_right && written == sizeof measured ? 0 : 1);
    }
    close(ends[1]); /* or a child that dies is waited for without end */
    assert_int_equal(read(ends[0], &measured, sizeof measured), sizeof measured);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    close(ends[0]);
    return measured;
}

static void test_memory_limit(void **unused)
{
    (void)unused;
    if (IS_EMULATED)
        skip();
    struct small_family family = make_family(IS_SANITIZED ? 6 : 8, 4, 0, false);
    struct measured free_run = measure(&family.small, 0, 1);
    bool has_spilled = false, has_stopped = false;
    assert_true(free_run.is_complete);
    /* States are whole without a limit. A sanitizer has memory of its own: what is seen there are the threads. */
    for (int32_t percent = 90; percent >= 10; percent -= IS_SANITIZED ? 40 : 20) {
        uint64_t limit = free_run.peak * (uint64_t)percent / 100;
        struct measured measured = measure(&family.small, limit, 1 + (uint32_t)percent / 20 % 2);
        if (measured.is_complete)
            assert_int_equal(measured.states, free_run.states);
        else
            assert_true(measured.states < free_run.states);
        has_spilled |= measured.is_complete;
        has_stopped |= !measured.is_complete;
        /* Of so few megabytes 5% are less than the pages that come and go. */
        assert_true(IS_SANITIZED || measured.peak <= limit * 105 / 100 + (4 << 20));
    }
    assert_true(IS_SANITIZED || (has_spilled && has_stopped));
    small_free(&family.small);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_memory_limit), /* first: what other tests leave on the heap is not its business */
        cmocka_unit_test(test_same_counts),           cmocka_unit_test(test_same_violation),
        cmocka_unit_test(test_long_run_from_the_log), cmocka_unit_test(test_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
