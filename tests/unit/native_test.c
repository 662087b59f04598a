/* Native code against the evaluator on random systems, and how libraries are made, cached and trusted. */
#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "exec/native.h"
#include "exec/native_files.h"
#include "exec/native_library.h"
#include "ir/validate.h"
#include "stepper_pair.h"

enum { FIRST_SEED = 1, SYSTEMS = 60 }; /* among them some that discard steps */

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
    struct pair pair = {.disassemble = print_source, .wants_values = true};
    const char *first = getenv("NATIVE_TEST_SEED"), *count = getenv("NATIVE_TEST_COUNT");
    uint64_t from = first ? strtoull(first, NULL, 10) : FIRST_SEED;
    uint64_t systems = count ? strtoull(count, NULL, 10) : SYSTEMS;
    for (uint64_t seed = from; seed < from + systems; seed++)
        compare_random(&pair, seed);
    for (int outcome = STEP_STATE; outcome <= STEP_END && !count; outcome++)
        assert_true(pair.steps[outcome] > 0 || outcome == STEP_ENDLESS); /* no single rule is */
    assert_true(pair.in_bulk > 0);
    assert_true(pair.visited > 0);
}

/* A counter up to 3: something to compile. */
static struct layout *small_layout(struct system **system)
{
    const struct span span = {0};
    struct system *s = *system = system_create("counter");
    const struct type *range = type_range(s, NULL, 0, 3, span);
    const struct variable *x = system_add_global(s, "x", range, span);
    struct place *place = place_variable(s, x, span);
    struct expr *value = expr_read(s, place, false, span), *one = expr_const(s, range, 1, span);
    for (int start = 0; start < 2; start++) {
        struct rule *rule = start ? system_add_start(s, "start", span) : system_add_rule(s, "count", span);
        struct stmt **items = ARENA_NEW(s->arena, struct stmt *);
        *items = stmt_new(s, STMT_ASSIGN, span);
        (*items)->place = place;
        (*items)->value = start ? one : expr_binary(s, OP_ADD, value, one, span);
        rule->guard = start ? NULL : expr_binary(s, OP_LT, value, expr_const(s, range, 3, span), span);
        rule->body = (struct block){.items = items, .count = 1};
    }
    assert_true(system_finish(s));
    return layout_create(s);
}

static void release(struct system *system, struct layout *layout)
{
    layout_destroy(layout);
    system_destroy(system);
}

/* Compiled once, found the second time; not trusted when somebody else could have written it. */
static void test_cache(void **state)
{
    struct system *system;
    struct layout *layout = small_layout(&system);
    struct native *native = native_create(layout);
    assert_int_equal(native_poll(native), NATIVE_UNTRIED);
    assert_int_equal(native_wait(native), NATIVE_READY);
    native_destroy(native);
    native = native_create(layout);
    assert_int_equal(native_poll(native), NATIVE_READY);
    native_destroy(native);

    char *inner = files_join(*state, "noether");
    struct stat about;
    assert_int_equal(stat(inner, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0700);
    assert_int_equal(chmod(inner, 0777), 0);
    native = native_create(layout);
    assert_int_equal(native_poll(native), NATIVE_UNTRIED);
    assert_int_equal(native_wait(native), NATIVE_READY); /* without the cache */
    native_destroy(native);
    assert_int_equal(chmod(inner, 0700), 0);
    free(inner);
    release(system, layout);
}

/* The one library in the cache; its path on the heap. */
static char *cached_library(const char *state)
{
    char *inner = files_join(state, "noether"), *path = NULL;
    DIR *entries = opendir(inner);
    assert_non_null(entries);
    for (const struct dirent *entry; (entry = readdir(entries));)
        if (entry->d_name[0] != '.') {
            assert_null(path);
            path = files_join(inner, entry->d_name);
        }
    closedir(entries);
    free(inner);
    assert_non_null(path);
    return path;
}

static void put(const char *path, const char *chars, size_t length)
{
    unlink(path);
    assert_true(files_write(path, chars, length));
}

static bool is_taken(const struct layout *layout)
{
    struct native *native = native_create(layout);
    bool is_ready = native_poll(native) == NATIVE_READY;
    native_destroy(native);
    return is_ready;
}

/* Whatever is there instead is not loaded; the compiler makes it again, and the cache is good again where that can be.
 */
static void is_repaired(const struct layout *layout)
{
    assert_false(is_taken(layout));
    struct native *native = native_create(layout);
    assert_int_equal(native_wait(native), NATIVE_READY);
    struct stepper *stepper = native_stepper(native);
    struct step step;
    const int32_t two = 2;
    stepper_begin_successors(stepper, &two);
    assert_int_equal(stepper_next(stepper, &step), STEP_STATE);
    assert_int_equal(step.cells[0], 3);
    stepper_destroy(stepper);
    native_destroy(native);
    assert_true(is_taken(layout));
}

static void test_damaged_library(void **state)
{
    struct system *system;
    struct layout *layout = small_layout(&system);
    struct text good = {0};
    struct native *native = native_create(layout);
    assert_int_equal(native_wait(native), NATIVE_READY);
    native_destroy(native);
    char *path = cached_library(*state);
    assert_true(files_read(path, &good));
    for (size_t length = 0; length < good.length; length += length < 64 || length + 64 > good.length ? 1 : 509) {
        put(path, good.chars, length);
        assert_false(is_taken(layout));
    }
    for (size_t bit = 0; bit<8 * good.length; bit += bit / 8 + 64> good.length ? 1 : 331) {
        good.chars[bit / 8] ^= (char)(1 << bit % 8);
        put(path, good.chars, good.length);
        assert_false(is_taken(layout));
        good.chars[bit / 8] ^= (char)(1 << bit % 8);
    }
    is_repaired(layout);
    put(path, good.chars, good.length);
    assert_true(is_taken(layout));
    text_char(&good, 0); /* something after its end */
    put(path, good.chars, good.length);
    is_repaired(layout);
    text_free(&good);
    free(path);
    release(system, layout);
}

static void test_other_things_in_its_place(void **state)
{
    struct system *system;
    struct layout *layout = small_layout(&system);
    struct text good = {0};
    struct native *native = native_create(layout);
    assert_int_equal(native_wait(native), NATIVE_READY);
    native_destroy(native);
    char *path = cached_library(*state), *elsewhere = files_join(*state, "elsewhere");
    assert_true(files_read(path, &good));
    assert_true(files_write(elsewhere, good.chars, good.length));
    unlink(path);
    assert_int_equal(symlink(elsewhere, path), 0);
    is_repaired(layout);
    unlink(path);
    assert_int_equal(mkfifo(path, 0600), 0);
    is_repaired(layout);
    assert_int_equal(chmod(path, 0622), 0);
    is_repaired(layout);
    assert_int_equal(chmod(path, 0), 0);
    assert_int_equal(is_taken(layout), geteuid() == 0); /* who may read everything reads it */
    assert_true(library_unseal(&good, strrchr(path, '/') + 1));
    put(path, good.chars, good.length); /* as compilers write it */
    is_repaired(layout);
    library_seal(&good, "00000000000000000000000000000000.so"); /* sealed, but for something else */
    put(path, good.chars, good.length);
    is_repaired(layout);
    unlink(path);
    assert_int_equal(mkdir(path, 0700), 0);
    native = native_create(layout);
    assert_int_equal(native_wait(native), NATIVE_READY);
    native_destroy(native);
    assert_int_equal(rmdir(path), 0); /* it is in the way, and stays: it is not ours */
    text_free(&good);
    free(path);
    free(elsewhere);
    release(system, layout);
}

/* Loaded at the same time, each keeps its own code: the loader must not take one for the other. */
static void test_two_libraries(void **state)
{
    (void)state;
    struct system *systems[2];
    struct layout *layouts[2];
    for (int i = 0; i < 2; i++)
        layouts[i] = small_layout(&systems[i]);
    struct native *natives[2];
    systems[1]->rules.items[0]->guard = NULL; /* so the second can leave the range */
    for (int round = 0; round < 2; round++) { /* compiled, then from the cache */
        for (int i = 0; i < 2; i++) {
            natives[i] = native_create(layouts[i]);
            assert_int_equal(native_wait(natives[i]), NATIVE_READY);
        }
        for (int i = 0; i < 2; i++) {
            struct stepper *stepper = native_stepper(natives[i]);
            struct step step;
            const int32_t three = 3;
            stepper_begin_successors(stepper, &three);
            assert_int_equal(stepper_next(stepper, &step), i ? STEP_FAULT : STEP_END);
            stepper_destroy(stepper);
            native_destroy(natives[i]);
        }
    }
    for (int i = 0; i < 2; i++)
        release(systems[i], layouts[i]);
}

static void expect_failure(const struct layout *layout, const char *reason)
{
    struct native *native = native_create(layout);
    assert_int_equal(native_wait(native), NATIVE_FAILED);
    if (!strstr(native_reason(native), reason))
        fail_msg("%s", native_reason(native));
    native_destroy(native);
}

/* A variable of the environment, for a while. */
static char *swap_variable(const char *name, const char *value)
{
    const char *old = getenv(name);
    char *kept = old ? memory_string(old) : NULL;
    if (value)
        setenv(name, value, 1);
    else
        unsetenv(name);
    return kept;
}

static void test_failures(void **state)
{
    (void)state;
    struct system *system;
    struct layout *layout = small_layout(&system);
    char *kept = swap_variable("NOETHER_CC", "/nowhere/cc");
    expect_failure(layout, "no C compiler was found");
    free(swap_variable("NOETHER_CC", "false"));
    expect_failure(layout, "the C compiler failed");
    free(swap_variable("NOETHER_CC", "true")); /* makes nothing */
    expect_failure(layout, "cannot be loaded");
    free(swap_variable("NOETHER_CC", kept));
    free(kept);
    kept = swap_variable("NOETHER_NO_NATIVE", "1");
    expect_failure(layout, "NOETHER_NO_NATIVE");
    free(swap_variable("NOETHER_NO_NATIVE", kept));
    release(system, layout);
}

/* Destroyed in the middle of compiling: nothing is left behind. */
static void test_stop(void **state)
{
    struct system *system;
    struct layout *layout = small_layout(&system);
    struct native *native = native_create(layout);
    native_begin(native);
    assert_int_not_equal(native_poll(native), NATIVE_UNTRIED);
    native_destroy(native);
    char *inner = files_join(*state, "noether");
    assert_int_equal(rmdir(inner), 0); /* it is empty */
    free(inner);
    release(system, layout);
}

/* The VM first, then native code: the same successors, and covers are not forgotten. */
static void test_auto(void **state)
{
    (void)state;
    struct system *system;
    struct layout *layout = small_layout(&system);
    struct native *native = native_create(layout);
    struct stepper *stepper = native_stepper_auto(native);
    stepper->covered[SYSTEM_RUNTIME] = true;
    for (int round = 0; round < 1000; round++) {
        struct step step;
        const int32_t zero = 0;
        stepper_begin_successors(stepper, &zero);
        assert_int_equal(stepper_next(stepper, &step), STEP_STATE);
        assert_int_equal(step.cells[0], 1);
        assert_int_equal(step.changed_count, 1);
        assert_int_equal(stepper_next(stepper, &step), STEP_END);
        if (round == 300)
            assert_int_equal(native_wait(native), NATIVE_READY);
    }
    assert_true(stepper->covered[SYSTEM_RUNTIME]);
    stepper_destroy(stepper);
    native_destroy(native);
    release(system, layout);
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
        cmocka_unit_test_setup_teardown(test_cache, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_damaged_library, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_other_things_in_its_place, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_two_libraries, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_failures, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_stop, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_auto, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
