/* A program that uses the library runs out of memory: at every point, as far as there is time for that. The library
 * comes back with an error or with an answer that is right as far as it goes, has left nothing behind, and works again
 * when there is memory. The functions of the heap are replaced by the linker (tests/CMakeLists.txt): ours refuse. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <jansson.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../include/noether.h"
#include "sanitized.h"

enum mode { REFUSE_NONE, REFUSE_ONE, REFUSE_EVERY, REFUSE_REST, MODES };

static _Atomic int mode;
static _Atomic long asked;
static long chosen;

static bool is_refused(void)
{
    int now = atomic_load(&mode);
    if (now == REFUSE_NONE)
        return false;
    long number = atomic_fetch_add(&asked, 1) + 1;
    return now == REFUSE_ONE ? number == chosen : now == REFUSE_EVERY ? number % chosen == 0 : number >= chosen;
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void *__real_mmap(void *address, size_t size, int protection, int flags, int file, off_t from);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);
void *__wrap_mmap(void *address, size_t size, int protection, int flags, int file, off_t from);

void *__wrap_malloc(size_t size)
{
    return is_refused() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    return is_refused() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
    return is_refused() ? NULL : __real_realloc(old, size);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
    return is_refused() ? NULL : __real_aligned_alloc(alignment, size);
}

void *__wrap_mmap(void *address, size_t size, int protection, int flags, int file, off_t from)
{
    return is_refused() ? MAP_FAILED : __real_mmap(address, size, protection, flags, file, from);
}

/* --- what is checked --- */

static const char desk[] =
    "const N: 3;\n"
    "type guest: scalarset(N); mood: enum {calm, cross};\n"
    "var at: array [guest] of mood; friend: array [guest] of guest; last: guest; days: 0..2;\n"
    "startstate begin for g: guest do at[g] := calm; undefine friend[g]; end; undefine last; days := 0; end;\n"
    "ruleset g: guest; h: guest do\n"
    "  rule \"meet\" g != h ==> begin friend[g] := h; last := g; end;\n"
    "  rule \"part\" isundefined(friend[h]) & at[g] = calm & days > 0 ==> begin at[g] := cross; undefine friend[g]; "
    "end;\n"
    "end;\n"
    "rule \"day\" days < 2 ==> begin days := days + 1; end;\n"
    "invariant \"all calm\" forall g: guest do at[g] = calm end;\n"
    "invariant \"known\" isundefined(last) | days <= 2;\n"
    "ctl \"calm\" AG EF forall g: guest do !isundefined(friend[g]) end;\n";
static const char crowd[] =
    "const N: 40;\n"
    "type p: scalarset(N); l: 0..3;\n"
    "var a: array[p] of l; s: boolean;\n"
    "startstate begin for i: p do a[i] := 0; end; s := false; end;\n"
    "ruleset i: p do\n"
    "  rule a[i] = 0 & !s ==> begin a[i] := 1; s := true; end;\n"
    "  rule a[i] = 1 ==> begin a[i] := 2; s := false; end;\n"
    "  rule a[i] = 2 ==> begin a[i] := 3; end;\n"
    "end;\n"
    "invariant \"one at a time\" forall i: p do forall j: p do a[i] = 1 & a[j] = 1 -> i = j end end;\n";
static const char wide[] = "var a: array[0..3] of 0..9;\n"
                           "startstate begin for i: 0..3 do a[i] := 0; end; end;\n"
                           "ruleset i: 0..3 do rule a[i] < 9 - i ==> begin a[i] := a[i] + 1; end; end;\n"
                           "invariant \"small\" a[0] + a[3] < 16;\n";
static const char walk[] = "mdp\n"
                           "module a\n"
                           "  s : [0..6] init 0;\n"
                           "  [] s<6 -> 0.3:(s'=s+1) + 0.7:(s'=max(s-1,0));\n"
                           "  [] s>0 & s<6 -> (s'=s-1);\n"
                           "endmodule\n"
                           "module b = a [s=t] endmodule\n"
                           "rewards true : 1; endrewards\n";

static const char sum[] =
    "const N: 5;\n"
    "type process: 1..N;\n"
    "var before: array [process] of boolean; sum: 0..15; started: boolean;\n"
    "startstate begin for i: process do before[i] := true; end; sum := 0; started := false; end;\n"
    "rule !started ==> begin started := true; end;\n"
    "ruleset i: process do rule before[i] & started ==> begin sum := sum + i; before[i] := false; end; end;\n"
    "invariant \"no more than all\" sum <= 15;\n";

struct subject {
    const char *text, *extension, *properties, *engine;
    uint32_t threads;
    noether_verdict verdict;
};

static const struct subject subjects[] = {
    {desk, ".m", NULL, "explicit", 2, NOETHER_VIOLATED},
    {desk, ".m", NULL, "symbolic", 2, NOETHER_VIOLATED},
    {desk, ".m", NULL, NULL, 2, NOETHER_VIOLATED},
    {crowd, ".m", NULL, NULL, 2, NOETHER_HOLDS},
    {crowd, ".m", NULL, "counter", 0, NOETHER_HOLDS},
    {wide, ".m", NULL, "explicit", 2, NOETHER_HOLDS},
    {crowd, ".m", NULL, "adaptive", 0, NOETHER_HOLDS},
    {sum, ".m", NULL, "complete", 0, NOETHER_HOLDS},
    {wide, ".m", NULL, "symbolic", 2, NOETHER_HOLDS},
    {walk, ".prism", "Pmax=? [ F s=6 & t=6 ]; Rmin=? [ F s=6 ]; P>=0.5 [ F<=20 s=3 ]; E [ F s=2 ]", NULL, 2,
     NOETHER_VIOLATED},
    {walk, ".prism", "Pmax=? [ F s=6 & t=6 ]; Rmin=? [ F s=6 ]", "symbolic", 2, NOETHER_HOLDS},
};

static char path[64];

static void write_model(const struct subject *subject)
{
    snprintf(path, sizeof path, "starving-test-XXXXXX%s", subject->extension);
    int file = mkstemps(path, (int)strlen(subject->extension));
    assert_int_equal(write(file, subject->text, strlen(subject->text)), strlen(subject->text));
    close(file);
}

struct outcome {
    bool is_loaded, is_checked;
    noether_verdict verdict;
    noether_stop stop;
    char said[80]; /* the error */
};

static void take_error(struct outcome *outcome, char *error)
{
    snprintf(outcome->said, sizeof outcome->said, "%s", error ? error : "");
    noether_free_text(error);
}

static struct outcome use_library(const struct subject *subject)
{
    struct outcome outcome = {0};
    noether_options options;
    char *error;
    noether_default_options(&options);
    options.engine = subject->engine;
    options.keep_going = 1;
    options.deadlock = NOETHER_DEADLOCK_OFF;
    options.threads = subject->threads;
    noether_model *model = noether_load_with(path, NULL, NULL, subject->properties, &error);
    outcome.is_loaded = model != NULL;
    if (!model) {
        take_error(&outcome, error);
        return outcome;
    }
    noether_result *result = noether_check_with(model, &options, &error);
    outcome.is_checked = result != NULL;
    if (result) {
        outcome.verdict = noether_verdict_of(result);
        outcome.stop = noether_stop_of(result);
        noether_free_text(noether_json(result));
        for (size_t i = 0; i < noether_property_count(result); i++) {
            assert_non_null(noether_property_name(result, i));
            noether_free_text(noether_property_trace(result, i));
        }
        noether_free_text(noether_represented(result));
    } else {
        take_error(&outcome, error);
    }
    noether_free_result(result);
    noether_free_model(model);
    return outcome;
}

/* How often memory was asked for. */
static long starve(const struct subject *subject, enum mode how, long number)
{
    chosen = number;
    atomic_store(&asked, 0);
    atomic_store(&mode, (int)how);
    struct outcome outcome = use_library(subject);
    atomic_store(&mode, REFUSE_NONE);
    if ((!outcome.is_loaded || !outcome.is_checked) && !strstr(outcome.said, "memory"))
        fail_msg("%s: refusal %ld (%d): %s", subject->engine, number, (int)how, outcome.said);
    if (outcome.is_checked && outcome.verdict != subject->verdict &&
        (outcome.verdict != NOETHER_UNKNOWN || outcome.stop != NOETHER_STOP_MEMORY))
        fail_msg("%s: refusal %ld (%d): verdict %d, stop %d", subject->engine, number, (int)how, (int)outcome.verdict,
                 (int)outcome.stop);
    return atomic_load(&asked);
}

/* The first few, and then further and further apart: all of them would take hours. */
static long next_number(long number)
{
    return number + 1 + number / (IS_SANITIZED ? 2 : 12);
}

static void memory_runs_out(void **state)
{
    const struct subject *subject = *state;
    write_model(subject);
    use_library(subject); /* what is made once is there: the names of locales, buffers of the C library */
    for (int how = REFUSE_ONE; how < MODES; how++)
        for (long number = 1; starve(subject, (enum mode)how, number) >= number; number = next_number(number))
            ;
    struct outcome outcome = use_library(subject);
    assert_true(outcome.is_checked);
    assert_int_equal(outcome.verdict, subject->verdict);
    unlink(path);
}

/* Requests while an answer is written; `number` of them is refused, 0: none. */
static char *write_answer(const noether_result *result, long number)
{
    chosen = number;
    atomic_store(&asked, 0);
    atomic_store(&mode, REFUSE_ONE);
    char *json = noether_json(result);
    atomic_store(&mode, REFUSE_NONE);
    return json;
}

/* An answer is whole, or there is none: wherever the texts that it is made of have to grow (there are few such places,
 * so the whole is moved by a longer path). The last requests are those of the text. */
static void answers_are_whole(void **state)
{
    (void)state;
    enum { MOVES = 24, LAST = 30 };
    char *error, moved[sizeof path + 2 * MOVES + 1] = "";
    write_model(&subjects[0]);
    for (int move = 0; move < MOVES; move++, strcat(moved, "./")) {
        char name[sizeof moved + sizeof path];
        snprintf(name, sizeof name, "%s%s", moved, path);
        noether_model *model = noether_load(name, NULL, &error);
        noether_result *result = noether_check(model, NULL);
        char *whole = write_answer(result, 0);
        long count = atomic_load(&asked);
        for (long number = count > LAST ? count - LAST : 1; number <= count; number++) {
            char *json = write_answer(result, number);
            if (json)
                assert_string_equal(json, whole);
            noether_free_text(json);
        }
        noether_free_text(whole);
        noether_free_result(result);
        noether_free_model(model);
    }
    unlink(path);
}

int main(void)
{
    enum { COUNT = sizeof subjects / sizeof *subjects };
    struct CMUnitTest tests[COUNT + 1];
    char names[COUNT][40];
    json_set_alloc_funcs(malloc, free); /* those that this file knows, as in a program with the C library's */
    for (size_t i = 0; i < COUNT; i++) {
        snprintf(names[i], sizeof names[i], "memory_runs_out_%zu_%s", i,
                 subjects[i].engine ? subjects[i].engine : "auto");
        tests[i] =
            (struct CMUnitTest){.name = names[i], .test_func = memory_runs_out, .initial_state = (void *)&subjects[i]};
    }
    tests[COUNT] = (struct CMUnitTest)cmocka_unit_test(answers_are_whole);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
