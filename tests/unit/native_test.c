/* Native code against the evaluator on random systems, and how libraries are made, cached and trusted. Without a C compiler
 * there is nothing to test. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "exec/native.h"
#include "exec/native_files.h"
#include "ir/validate.h"
#include "stepper_pair.h"

enum { SYSTEMS = 60 };

static struct native *native_now(const struct layout *layout)
{
    struct native *native = native_create(layout);
    if (native_wait(native) != NATIVE_READY)
        fail_msg("%s", native_reason(native));
    return native;
}

static void print_source(const struct stepper *fast, struct text *out)
{
    struct native_source source;
    native_write(&source, fast->system);
    text_append(out, text_chars(&source.code));
    native_source_free(&source);
}

static void compare_random(struct pair *pair, uint64_t seed)
{
    struct system *system = random_system(seed);
    assert_null(ir_validate(system));
    struct layout *layout = layout_create(system);
    struct native *native = native_now(layout);
    pair->evaluator = stepper_create_evaluator(system, layout);
    pair->fast = native_stepper(native);
    compare_system(pair, layout, seed, 30);
    stepper_destroy(pair->evaluator);
    stepper_destroy(pair->fast);
    native_destroy(native);
    layout_destroy(layout);
    system_destroy(system);
}

static void test_random_systems(void **state)
{
    (void)state;
    struct pair pair = {.disassemble = print_source};
    const char *first = getenv("NATIVE_TEST_SEED"), *count = getenv("NATIVE_TEST_COUNT");
    uint64_t from = first ? strtoull(first, NULL, 10) : 1, systems = count ? strtoull(count, NULL, 10) : SYSTEMS;
    for (uint64_t seed = from; seed < from + systems; seed++)
        compare_random(&pair, seed);
    for (int outcome = STEP_STATE; outcome <= STEP_END && !count; outcome++)
        assert_true(pair.steps[outcome] > 100);
}

/* A directory for a cache of its own. */
static int set_up(void **state)
{
    char *cache = files_work(NULL);
    setenv("XDG_CACHE_HOME", cache, 1);
    setenv("NOETHER_CFLAGS", "-O0", 0);
    *state = cache;
    return 0;
}

static int tear_down(void **state)
{
    char *inner = files_join(*state, "noether");
    files_remove_work(inner);
    files_remove_work(*state);
    free(inner);
    free(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_random_systems, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
