/* The public C API, as a program outside would use it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fenv.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../include/noether.h"
#include "sanitized.h"

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

/* An options structure as an older program knows it: it ends after `depth`, and something else follows. */
static void older_programs_work(void **state)
{
    (void)state;
    char *error;
    union {
        noether_options options;
        unsigned char bytes[sizeof(noether_options)];
    } old;
    size_t size = offsetof(noether_options, threads);
    memset(&old, 0xee, sizeof old);
    noether_init_options(&old.options, size);
    assert_int_equal(old.options.struct_size, size);
    for (size_t i = size; i < sizeof old; i++)
        assert_int_equal(old.bytes[i], 0xee);
    noether_model *model = noether_load(path, NULL, &error);
    old.options.keep_going = 1;
    noether_result *result = noether_check(model, &old.options);
    assert_non_null(result);
    assert_int_equal(noether_states(result), 4);
    noether_free_result(result);
    old.options.struct_size = 0; /* never initialised */
    assert_null(noether_check_with(model, &old.options, &error));
    assert_non_null(strstr(error, "noether_default_options"));
    noether_free_text(error);
    noether_free_model(model);
}

/* As a newer program knows it: that is fine as long as it does not use what is new. */
static void newer_programs_are_told(void **state)
{
    (void)state;
    char *error;
    struct {
        noether_options options;
        int more;
    } new;
    noether_model *model = noether_load(path, NULL, &error);
    noether_init_options(&new.options, sizeof new);
    noether_result *result = noether_check(model, &new.options);
    assert_non_null(result);
    noether_free_result(result);
    new.more = 1;
    assert_null(noether_check_with(model, &new.options, &error));
    assert_non_null(strstr(error, "does not know"));
    noether_free_text(error);
    noether_free_model(model);
}

static void engines_are_chosen(void **state)
{
    (void)state;
    char *error;
    noether_model *model = noether_load(path, NULL, &error);
    static const char *const engines[] = {"auto", "explicit", "adaptive", "symbolic", "counter"};
    noether_options options;
    noether_default_options(&options);
    for (size_t i = 0; i < sizeof engines / sizeof *engines; i++) {
        options.engine = engines[i];
        noether_result *result = noether_check_with(model, &options, &error);
        assert_null(error);
        assert_int_equal(noether_verdict_of(result), NOETHER_VIOLATED);
        assert_int_equal(noether_stop_of(result), NOETHER_STOP_VIOLATION);
        assert_string_equal(noether_stop_reason(result), "first violation");
        noether_free_result(result);
    }
    options.engine = "probabilistic";
    assert_null(noether_check(model, &options));
    assert_null(noether_check_with(model, &options, &error));
    assert_string_not_equal(error, "");
    noether_free_text(error);
    options.engine = "steam";
    assert_null(noether_check_with(model, &options, &error));
    assert_non_null(strstr(error, "no such engine"));
    noether_free_text(error);
    noether_free_model(model);
}

static void limits_say_so(void **state)
{
    (void)state;
    char *error;
    noether_model *model = noether_load(path, NULL, &error);
    noether_options options;
    noether_default_options(&options);
    options.states = 2;
    options.keep_going = 1;
    options.use_symmetry = 0;
    noether_result *result = noether_check(model, &options);
    assert_int_equal(noether_verdict_of(result), NOETHER_UNKNOWN);
    assert_int_equal(noether_stop_of(result), NOETHER_STOP_STATES);
    assert_string_equal(noether_stop_reason(result), "state limit (2)");
    for (size_t i = 0; i < noether_property_count(result); i++)
        if (noether_property_verdict(result, i) == NOETHER_UNKNOWN)
            assert_int_equal(noether_property_stop(result, i), NOETHER_STOP_STATES);
    noether_free_result(result);
    noether_free_model(model);
}

static void write_text(char *name, int suffix, const char *text)
{
    int file = mkstemps(name, suffix);
    assert_int_equal(write(file, text, strlen(text)), strlen(text));
    assert_int_equal(close(file), 0);
}

/* A chain, with what is asked in a text and in a file. */
static void properties_are_asked(void **state)
{
    (void)state;
    char *error, chain[] = "api-test-XXXXXX.prism", file[] = "api-test-XXXXXX.props";
    write_text(chain, 6,
               "dtmc\nmodule m s: [0..2] init 0; [] s=0 -> 0.25:(s'=1) + 0.75:(s'=2); [] s>0 -> true; endmodule\n");
    write_text(file, 6, "P=? [ F s=1 ]\n");
    noether_model *model = noether_load_with(chain, NULL, file, "P=? [ F s=2 ]", &error);
    assert_non_null(model);
    static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_TOWARDZERO};
    for (int i = 0; i < 3; i++) { /* whatever the rounding mode is, it stays */
        fesetround(modes[i]);
        noether_result *result = noether_check(model, NULL);
        assert_int_equal(fegetround(), modes[i]);
        fesetround(FE_TONEAREST);
        int found = 0;
        for (size_t p = 0; p < noether_property_count(result); p++) {
            double lower, upper;
            if (!noether_property_value(result, p, &lower, &upper))
                continue;
            double value = strstr(noether_property_name(result, p), "s=1") ? 0.25 : 0.75;
            assert_true(lower <= value && value <= upper && upper - lower < 1e-5);
            found++;
        }
        assert_int_equal(found, 2);
        noether_free_result(result);
    }
    noether_free_model(model);
    assert_null(noether_load_with(chain, NULL, NULL, "P=? [ F t=2 ]", &error));
    assert_non_null(strstr(error, "\"t\""));
    noether_free_text(error);
    unlink(chain);
    unlink(file);
}

static const char large_text[] = "var x: 0..5000; y: 0..5000;\n"
                                 "startstate begin x := 0; y := 0; end;\n"
                                 "rule x < 5000 ==> begin x := x + 1; end;\n"
                                 "rule y < 5000 ==> begin y := y + 1; end;\n"
                                 "rule x = 5000 & y = 5000 ==> begin x := 0; end;\n";

static volatile int cancel;

static void *cancel_soon(void *unused)
{
    usleep(200000);
    __atomic_store_n(&cancel, 1, __ATOMIC_RELAXED);
    return unused;
}

static void a_check_is_cancelled(void **state)
{
    (void)state;
    char *error, large[] = "api-test-XXXXXX.m";
    pthread_t thread;
    noether_options options;
    write_text(large, 2, large_text);
    noether_model *model = noether_load(large, NULL, &error);
    noether_default_options(&options);
    options.cancel = &cancel;
    options.threads = 1;
    for (int is_before = 0; is_before < 2; is_before++) {
        cancel = is_before;
        if (!is_before)
            assert_int_equal(pthread_create(&thread, NULL, cancel_soon, NULL), 0);
        noether_result *result = noether_check(model, &options);
        assert_int_equal(noether_verdict_of(result), NOETHER_UNKNOWN);
        assert_int_equal(noether_stop_of(result), NOETHER_STOP_INTERRUPTED);
        assert_string_equal(noether_stop_reason(result), "interrupted");
        noether_free_result(result);
        if (!is_before)
            pthread_join(thread, NULL);
    }
    noether_free_model(model);
    unlink(large);
}

struct shared_work {
    const noether_model *model;
    const char *engine;
    int use_symmetry;
    noether_verdict verdict;
};

static void *check_with_engine(void *user)
{
    struct shared_work *work = user;
    noether_options options;
    char *error;
    noether_default_options(&options);
    options.engine = work->engine;
    options.use_symmetry = work->use_symmetry;
    options.threads = 1;
    options.keep_going = 1;
    options.seconds = 60;
    noether_result *result = noether_check_with(work->model, &options, &error);
    work->verdict = result ? noether_verdict_of(result) : NOETHER_UNKNOWN;
    if (result)
        noether_free_text(noether_json(result));
    noether_free_text(error);
    noether_free_result(result);
    return NULL;
}

/* Every engine, several times at once, on one model: also where they refuse it, and counters and symmetry are looked
 * for. */
static void engines_share_a_model(void **state)
{
    (void)state;
    static const char *const engines[] = {"auto",          "auto",     "explicit",      "adaptive",
                                          "complete",      "symbolic", "counter",       "counter",
                                          "probabilistic", "symbolic", "probabilistic", "adaptive"};
    enum { THREADS = sizeof engines / sizeof *engines };
    char chain[] = "api-test-XXXXXX.prism", live[] = "api-test-XXXXXX.m", *error;
    write_text(chain, 6,
               "dtmc\nmodule a x: [0..2] init 0; [] x<2 -> 0.5:(x'=x+1) + 0.5:(x'=0); [] x=2 -> true; endmodule\n"
               "module b = a [x=y] endmodule\nmodule c = a [x=z] endmodule\n");
    write_text(live, 2,
               "type S: scalarset(3); var a: array [S] of 0..2;\n"
               "startstate begin for i: S do a[i] := 0; end; end;\n"
               "ruleset i: S do rule \"up\" a[i] < 2 ==> begin a[i] := a[i] + 1; end;\n"
               "  rule \"down\" a[i] = 2 ==> begin a[i] := 0; end; end;\n"
               "liveness \"again\" exists i: S do a[i] = 0 end; ctl \"back\" AG EF (forall i: S do a[i] = 0 end);\n");
    noether_model *models[3];
    models[0] = noether_load(path, NULL, &error);
    models[1] = noether_load(live, NULL, &error);
    models[2] = noether_load_with(chain, NULL, NULL, "P=? [ F<=5 x=2 ]; P>=1 [ F x=2 ]", &error);
    for (size_t m = 0; m < 3; m++) {
        assert_non_null(models[m]);
        struct shared_work works[THREADS];
        pthread_t threads[THREADS];
        for (size_t i = 0; i < THREADS; i++) {
            works[i] = (struct shared_work){models[m], engines[i], i % 4 != 3, NOETHER_UNKNOWN};
            assert_int_equal(pthread_create(&threads[i], NULL, check_with_engine, &works[i]), 0);
        }
        for (size_t i = 0; i < THREADS; i++)
            pthread_join(threads[i], NULL);
        for (size_t i = 1; i < THREADS; i++)
            if (works[i].verdict != NOETHER_UNKNOWN)
                assert_int_equal(works[i].verdict, works[0].verdict);
        assert_int_not_equal(works[0].verdict, NOETHER_UNKNOWN);
        noether_free_model(models[m]);
    }
    unlink(chain);
    unlink(live);
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

/* A model whose loading takes too long: each formula has the one before twice. */
static void write_slow(char *name)
{
    char text[8192];
    int length = sprintf(text, "dtmc\nformula f0 = x;\n");
    for (int i = 0; i < 60; i++)
        length += sprintf(text + length, "formula f%d = mod(f%d + f%d, 2);\n", i + 1, i, i);
    sprintf(text + length, "module m\nx:[0..1];\n[] true -> (x'=1-x);\nendmodule\ninit f60=0 endinit\n");
    write_text(name, 6, text);
}

static void loading_is_limited(void **state)
{
    (void)state;
    char slow[] = "api-test-XXXXXX.prism", *error;
    noether_stop stop;
    noether_options options;
    pthread_t thread;
    write_slow(slow);
    noether_default_options(&options);
    options.seconds = 0.3;
    assert_null(noether_load_within(slow, NULL, NULL, NULL, &options, &error, &stop));
    assert_string_equal(error, "time limit (0.3 s)\n");
    assert_int_equal(stop, NOETHER_STOP_TIME);
    noether_free_text(error);
    options.seconds = 0;
    options.cancel = &cancel;
    cancel = 0;
    assert_int_equal(pthread_create(&thread, NULL, cancel_soon, NULL), 0);
    assert_null(noether_load_within(slow, NULL, NULL, NULL, &options, &error, &stop));
    pthread_join(thread, NULL);
    assert_string_equal(error, "interrupted\n");
    assert_int_equal(stop, NOETHER_STOP_INTERRUPTED);
    noether_free_text(error);
    options.cancel = NULL;
    options.memory_bytes = 20000;
    assert_null(noether_load_within(slow, NULL, NULL, NULL, &options, &error, &stop));
    assert_non_null(strstr(error, "memory limit (20000 bytes)"));
    assert_int_equal(stop, NOETHER_STOP_MEMORY);
    noether_free_text(error);
    unlink(slow);
    options.memory_bytes = 64 << 20;
    noether_model *model = noether_load_within(path, NULL, NULL, NULL, &options, &error, &stop);
    assert_non_null(model);
    assert_int_equal(stop, NOETHER_STOP_NONE);
    noether_free_result(noether_check(model, NULL));
    noether_free_model(model);
    options.struct_size = 1;
    assert_null(noether_load_within(path, NULL, NULL, NULL, &options, &error, NULL));
    assert_non_null(strstr(error, "noether_default_options"));
    noether_free_text(error);
}

enum { DEEP = 900, TOO_DEEP = 100000, SMALL_STACK = 128 << 10 };

static void write_nested(char *name, int depth)
{
    char *text = calloc(1, 2 * TOO_DEEP + 200);
    strcpy(text, "var x: boolean; startstate x := true; end; rule ");
    memset(text + strlen(text), '(', (size_t)depth);
    strcat(text, "x");
    memset(text + strlen(text), ')', (size_t)depth);
    strcat(text, " ==> x := x; end;");
    write_text(name, 2, text);
    free(text);
}

static void *check_nested(void *user)
{
    (void)user;
    char deep[] = "api-test-XXXXXX.m", deeper[] = "api-test-XXXXXX.m", *error;
    noether_options options;
    noether_default_options(&options);
    options.deadlock = NOETHER_DEADLOCK_OFF;
    write_nested(deep, DEEP);
    write_nested(deeper, TOO_DEEP);
    assert_null(noether_load(deeper, NULL, &error));
    assert_non_null(strstr(error, "nested more than 1000 levels deep"));
    noether_free_text(error);
    noether_model *model = noether_load(deep, NULL, &error);
    assert_non_null(model);
    noether_result *result = noether_check(model, &options);
    assert_int_equal(noether_verdict_of(result), NOETHER_HOLDS);
    noether_free_result(result);
    noether_free_model(model);
    unlink(deep);
    unlink(deeper);
    return NULL;
}

static void threads_may_have_small_stacks(void **state)
{
    (void)state;
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    assert_int_equal(pthread_attr_setstacksize(&attributes, SMALL_STACK), 0);
    assert_int_equal(pthread_create(&thread, &attributes, check_nested, NULL), 0);
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
}

static void memory_is_limited(void **state)
{
    (void)state;
    static const char *const engines[] = {"explicit", "symbolic", NULL};
    char walk[] = "api-test-XXXXXX.m", *error;
    write_text(walk, 2,
               "var a: array[0..9] of 0..1000002;\n"
               "startstate begin for i: 0..9 do a[i] := i * 1000; end; end;\n"
               "ruleset i: 0..9 do rule true ==> begin a[i] := (a[i] * 5 + i * 7 + 1) % 1000003;\n"
               "  a[(i * 7 + 3) % 10] := (a[i] * 3 + a[(i + 1) % 10]) % 1000003; end; end;\n");
    noether_model *model = noether_load(walk, NULL, &error);
    for (size_t i = IS_SLOW; i < sizeof engines / sizeof *engines; i++) { /* without a choice it is the first, too */
        noether_options options;
        noether_default_options(&options);
        options.engine = engines[i];
        options.memory_bytes = 8 << 20;
        noether_result *result = noether_check(model, &options);
        assert_non_null(result);
        assert_int_equal(noether_verdict_of(result), NOETHER_UNKNOWN);
        assert_int_equal(noether_stop_of(result), NOETHER_STOP_MEMORY);
        assert_non_null(strstr(noether_stop_reason(result), "memory limit (8"));
        noether_free_result(result);
    }
    noether_free_model(model);
    unlink(walk);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_is_limited),
        cmocka_unit_test(a_model_is_checked),
        cmocka_unit_test(defines_and_options),
        cmocka_unit_test(a_crowd_is_counted),
        cmocka_unit_test(threads_share_a_model),
        cmocka_unit_test(older_programs_work),
        cmocka_unit_test(newer_programs_are_told),
        cmocka_unit_test(engines_are_chosen),
        cmocka_unit_test(limits_say_so),
        cmocka_unit_test(properties_are_asked),
        cmocka_unit_test(engines_share_a_model),
        cmocka_unit_test(a_check_is_cancelled),
        cmocka_unit_test(errors_are_text),
        cmocka_unit_test(loading_is_limited),
        cmocka_unit_test(threads_may_have_small_stacks),
    };
    return cmocka_run_group_tests(tests, write_model, remove_model);
}
