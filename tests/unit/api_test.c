/* The public C API, as a program outside would use it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../include/noether.h"

static char path[] = "api-test-XXXXXX.m";

static const char model_text[] = "const N: 3;\n"
                                 "type node: scalarset(N);\n"
                                 "var a: array [node] of boolean;\n"
                                 "startstate begin for i: node do a[i] := false; end; end;\n"
                                 "ruleset i: node do rule \"flip\" begin a[i] := !a[i]; end; end;\n"
                                 "invariant \"one is down\" exists i: node do !a[i] end;\n"
                                 "invariant \"fine\" true;\n";

static int write_model(void **state)
{
    (void)state;
    int file = mkstemps(path, 2);
    ssize_t written = write(file, model_text, strlen(model_text));
    return close(file) || written != (ssize_t)strlen(model_text);
}

static int remove_model(void **state)
{
    (void)state;
    return unlink(path);
}

static void a_model_is_checked(void **state)
{
    (void)state;
    char *error;
    noether_options options;
    noether_model *model = noether_load(path, NULL, &error);
    assert_non_null(model);
    noether_default_options(&options);
    options.keep_going = 1;
    noether_result *result = noether_check(model, &options);
    assert_int_equal(noether_verdict_of(result), NOETHER_VIOLATED);
    assert_int_equal(noether_states(result), 4);
    char *represented = noether_represented(result), *json = noether_json(result);
    assert_string_equal(represented, "8");
    assert_non_null(strstr(json, "\"verdict\": \"violated\""));
    size_t violated = 0;
    for (size_t i = 0; i < noether_property_count(result); i++) {
        char *trace = noether_property_trace(result, i);
        if (noether_property_verdict(result, i) == NOETHER_VIOLATED) {
            assert_string_equal(noether_property_name(result, i), "one is down");
            assert_string_equal(noether_property_kind(result, i), "invariant");
            assert_string_not_equal(noether_property_reason(result, i), "");
            assert_non_null(strstr(trace, "flip"));
            violated++;
        } else {
            assert_null(trace);
        }
        noether_free_text(trace);
    }
    assert_int_equal(violated, 1);
    noether_free_text(represented);
    noether_free_text(json);
    noether_free_result(result);
    noether_free_model(model);
}

static void defines_and_options(void **state)
{
    (void)state;
    char *error;
    const char *const defines[] = {"N=4", NULL};
    noether_model *model = noether_load(path, defines, &error);
    assert_non_null(model);
    noether_options options;
    noether_default_options(&options);
    options.use_symmetry = 0;
    options.keep_going = 1;
    noether_result *result = noether_check(model, &options);
    assert_int_equal(noether_states(result), 16);
    noether_free_result(result);
    noether_free_model(model);
}

/* A crowd is counted: nobody knows then how many states that are. */
static void a_crowd_is_counted(void **state)
{
    (void)state;
    char *error;
    const char *const defines[] = {"N=100", NULL};
    noether_model *model = noether_load(path, defines, &error);
    noether_options options;
    noether_default_options(&options);
    options.keep_going = 1;
    noether_result *result = noether_check(model, &options);
    assert_int_equal(noether_verdict_of(result), NOETHER_VIOLATED);
    assert_int_equal(noether_states(result), 101);
    assert_null(noether_represented(result));
    noether_free_result(result);
    noether_free_model(model);
}

static void *check_in_thread(void *model)
{
    noether_result *result = noether_check(model, NULL);
    uint64_t states = noether_states(result);
    noether_free_result(result);
    return (void *)(uintptr_t)states;
}

static void threads_share_a_model(void **state)
{
    (void)state;
    enum { THREADS = 3 };
    char *error;
    pthread_t threads[THREADS];
    noether_model *model = noether_load(path, NULL, &error);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, check_in_thread, model), 0);
    void *first = NULL;
    for (int i = 0; i < THREADS; i++) {
        void *states;
        assert_int_equal(pthread_join(threads[i], &states), 0);
        first = first ? first : states;
        assert_ptr_equal(states, first);
    }
    noether_free_model(model);
}

static void errors_are_text(void **state)
{
    (void)state;
    char *error;
    assert_null(noether_load("no-such-model.m", NULL, &error));
    assert_non_null(strstr(error, "no-such-model.m"));
    noether_free_text(error);
    const char *const bad[] = {"N", NULL}, *const unused[] = {"M=1", NULL};
    assert_null(noether_load(path, bad, &error));
    assert_non_null(strstr(error, "NAME=VALUE"));
    noether_free_text(error);
    assert_null(noether_load(path, unused, &error));
    assert_non_null(strstr(error, "\"M\""));
    noether_free_text(error);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_model_is_checked),
        cmocka_unit_test(defines_and_options), cmocka_unit_test(a_crowd_is_counted),
        cmocka_unit_test(threads_share_a_model),
        cmocka_unit_test(errors_are_text),
    };
    return cmocka_run_group_tests(tests, write_model, remove_model);
}
