/* The plan of a check: which attempts it has, and that no pass is run twice on one system.
 *
 * The linker puts the functions below in the place of the passes; they count, and call the true ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "bits/solver.h"
#include "driver/check.h"
#include "lang/prism/lexer.h"
#include "reduce/census.h"
#include "reduce/reduce.h"
#include "text_model.h"

enum { MOST = 32 };
static struct {
    const struct system *system;
    struct reduce_options options;
} reductions[MOST];
static size_t reduction_count, detection_count, chain_count, text_count;

struct reduction *__real_reduce_system(const struct system *, const struct reduce_options *, struct diagnostics *);
struct reduction *__wrap_reduce_system(const struct system *, const struct reduce_options *, struct diagnostics *);
struct detection __real_detect_symmetry(const struct system *, const struct detect_options *);
struct detection __wrap_detect_symmetry(const struct system *, const struct detect_options *);
struct census *__real_census_reduce(const struct system *, struct diagnostics *);
struct census *__wrap_census_reduce(const struct system *, struct diagnostics *);
void __real_prism_lexer_read(const struct source *, struct arena *, struct diagnostics *, struct prism_tokens *);
void __wrap_prism_lexer_read(const struct source *, struct arena *, struct diagnostics *, struct prism_tokens *);

static bool is_same(const struct reduce_options *a, const struct reduce_options *b)
{
    return a->keep_dead == b->keep_dead && a->is_bounded == b->is_bounded &&
           a->leaves_quantified == b->leaves_quantified && a->leaves_untranslated == b->leaves_untranslated &&
           a->liveness_as_ctl == b->liveness_as_ctl;
}

struct reduction *__wrap_reduce_system(const struct system *system, const struct reduce_options *options,
                                       struct diagnostics *diagnostics)
{
    for (size_t i = 0; i < reduction_count; i++)
        if (reductions[i].system == system && is_same(&reductions[i].options, options))
            fail_msg("a system is reduced twice");
    assert_true(reduction_count < MOST);
    reductions[reduction_count].system = system;
    reductions[reduction_count++].options = *options;
    return __real_reduce_system(system, options, diagnostics);
}

struct detection __wrap_detect_symmetry(const struct system *system, const struct detect_options *options)
{
    detection_count++;
    return __real_detect_symmetry(system, options);
}

struct census *__wrap_census_reduce(const struct system *system, struct diagnostics *diagnostics)
{
    chain_count++;
    return __real_census_reduce(system, diagnostics);
}

void __wrap_prism_lexer_read(const struct source *source, struct arena *arena, struct diagnostics *diagnostics,
                             struct prism_tokens *tokens)
{
    text_count++;
    __real_prism_lexer_read(source, arena, diagnostics, tokens);
}

/* Processes that take turns; of a range, so that the symmetry has to be found. */
static const char RANGE[] = "type P: 1..3;\n"
                            "var l: array [P] of enum {N, T, C};\n"
                            "startstate for p: P do l[p] := N; end; end;\n"
                            "ruleset p: P do rule \"try\" l[p] = N ==> l[p] := T; end;\n"
                            "rule \"enter\" l[p] = T & forall q: P do l[q] != C end ==> l[p] := C; end;\n"
                            "rule \"leave\" l[p] = C ==> l[p] := N; end; end;\n"
                            "invariant \"mutex\" forall p: P do forall q: P do l[p] = C & l[q] = C -> p = q end end;\n"
                            "ctl \"each\" AG forall p: P do l[p] = T -> EF l[p] = C end;\n";
/* A quantifier over a range stops early: over an index type it looks at all, and here one is undefined. */
static const char EARLY[] = "type P: 1..3;\n"
                            "var b: array [P] of boolean; s: P;\n"
                            "startstate for p: P do b[p] := false; end; end;\n"
                            "ruleset p: P do rule \"set\" !b[p] ==> b[p] := true; s := p; end; end;\n"
                            "invariant \"i\" (exists p: P do b[p] end) -> !isundefined(s);\n"
                            "rule \"again\" forall p: P do b[p] end ==> for p: P do b[p] := false; end; end;\n";

static void test_nothing_twice(void **unused)
{
    (void)unused;
    static const enum engine_choice engines[] = {ENGINE_AUTO, ENGINE_COUNTER, ENGINE_SYMBOLIC, ENGINE_EXPLICIT};
    static const char *const texts[] = {RANGE, EARLY};
    setenv("NOETHER_CROWD", "2", true);
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++)
        for (size_t e = 0; e < sizeof engines / sizeof *engines; e++)
            for (int method = 0; method < 2; method++) {
                struct engine_options options = {.keep_going = true, .deadlock = DEADLOCK_STUCK};
                if (method && engines[e] == ENGINE_SYMBOLIC)
                    options.method = METHOD_GENERIC;
                struct model *model = text_model("plan_test.m", texts[t]);
                reduction_count = detection_count = 0;
                struct check check = check_model(model, engines[e], SYMMETRY_AUTO, &options);
                assert_int_equal(detection_count, 1);
                check_free(&check);
                model_destroy(model);
            }
    unsetenv("NOETHER_CROWD");
}

/* Modules that can be counted. */
static const char CHAIN[] =
    "mdp\n"
    "module a\n x: [0..2] init 0;\n [] x=0 -> 0.5:(x'=1) + 0.5:(x'=2);\n [] x=1 -> (x'=0);\nendmodule\n"
    "module b = a [x=y] endmodule\n"
    "module c = a [x=z] endmodule\n";

static void test_chain_is_counted_once(void **unused)
{
    (void)unused;
    static const enum engine_choice engines[] = {ENGINE_COUNTER, ENGINE_SYMBOLIC, ENGINE_AUTO};
    for (size_t e = 0; e < sizeof engines / sizeof *engines; e++) {
        struct engine_options options = {0};
        struct model *model = text_model("plan_test.prism", CHAIN);
        chain_count = text_count = 0;
        struct check check = check_model(model, engines[e], SYMMETRY_AUTO, &options);
        assert_non_null(check.result);
        assert_int_equal(chain_count, engines[e] == ENGINE_AUTO ? 0 : 1); /* it has few variables */
        assert_int_equal(text_count, 0); /* the text was read when the model was loaded */
        check_free(&check);
        model_destroy(model);
    }
}

static void expect_plan(const char *path, const char *text, enum engine_choice engine, enum method method,
                        const char *expected)
{
    struct engine_options options = {.method = method};
    struct model *model = text_model(path, text);
    struct text plan = {0};
    check_print_plan(model, engine, SYMMETRY_AUTO, &options, &plan);
    assert_string_equal(text_chars(&plan), expected);
    text_free(&plan);
    model_destroy(model);
}

static const char FLAGS[] = "var a: boolean; b: boolean;"
                            "startstate begin a := false; b := false; end;"
                            "rule \"a\" begin a := !a; end;"
                            "rule \"b\" begin b := a; end;"
                            "invariant \"one\" a | !a;";

/* Rivals, one after the other: safety is also the matter of a SAT solver, formulas of linear time are not. */
static void test_rivals(void **unused)
{
    (void)unused;
    struct text with_ltl = {0};
    const char *expected = "1. detected symmetry, engine explicit\n"
                           "2. while that grows, for a part of its time: detected symmetry, engine symbolic\n";
    text_append(&with_ltl, FLAGS);
    text_append(&with_ltl, "ltl \"again\" G F a;");
    expect_plan("plan_test.m", text_chars(&with_ltl), ENGINE_AUTO, METHOD_AUTO, expected);
    text_clear(&with_ltl);
    text_append(&with_ltl, expected);
    if (solver_is_available())
        text_append(&with_ltl, "3. while that grows, for a part of its time: declared symmetry, engine sat\n");
    expect_plan("plan_test.m", FLAGS, ENGINE_AUTO, METHOD_AUTO, text_chars(&with_ltl));
    text_free(&with_ltl);
}

/* A ring cannot be counted. Its states may be too many to be taken one by one; with options that only one engine has,
 * there is no other. */
static const char RING[] =
    "mdp\n"
    "module a1\n x1: [0..4];\n [] x1=0 & x8=0 -> 0.5:(x1'=1) + 0.5:(x1'=0);\n [] x1=1 -> (x1'=0);\nendmodule\n"
    "module a2 = a1 [x1=x2, x8=x1] endmodule\n module a3 = a1 [x1=x3, x8=x2] endmodule\n"
    "module a4 = a1 [x1=x4, x8=x3] endmodule\n module a5 = a1 [x1=x5, x8=x4] endmodule\n"
    "module a6 = a1 [x1=x6, x8=x5] endmodule\n module a7 = a1 [x1=x7, x8=x6] endmodule\n"
    "module a8 = a1 [x1=x8, x8=x7] endmodule\n";

static void test_rival_of_chain(void **unused)
{
    (void)unused;
    expect_plan("plan_test.prism", RING, ENGINE_AUTO, METHOD_AUTO,
                "1. detected symmetry, engine probabilistic\n"
                "2. while that grows, for a part of its time: no symmetry, engine symbolic\n");
    expect_plan("plan_test.prism", RING, ENGINE_PROBABILISTIC, METHOD_AUTO,
                "1. detected symmetry, engine probabilistic\n");
    for (uint32_t crowd = 0; crowd < 2; crowd++)
        for (int is_exact = 0; is_exact < 2; is_exact++) {
            struct engine_options options = {.crowd = crowd, .is_exact = is_exact}; /* crowd: it is asked at once */
            struct model *model = text_model("plan_test.prism", RING);
            struct check check = check_model(model, ENGINE_AUTO, SYMMETRY_AUTO, &options);
            assert_string_equal(check.result->engine, crowd && !is_exact ? "symbolic" : "probabilistic");
            assert_true(check.result->is_complete);
            check_free(&check);
            model_destroy(model);
        }
}

static void test_print(void **unused)
{
    (void)unused;
    expect_plan("plan_test.m", RANGE, ENGINE_EXPLICIT, METHOD_AUTO,
                "1. detected symmetry, engine explicit\n"
                "2. if evaluation fails there, though it may not in the model: declared symmetry, engine explicit\n");
    expect_plan("plan_test.m", RANGE, ENGINE_COMPLETE, METHOD_AUTO,
                "refused: the complete engine decides what can be reached, not CTL properties\n");
    expect_plan(
        "plan_test.m", RANGE, ENGINE_COUNTER, METHOD_AUTO,
        "1. detected symmetry, counter abstraction, engine counter\n"
        "2. if evaluation fails there, though it may not in the model: declared symmetry, counter abstraction, engine "
        "counter\n");
    expect_plan("plan_test.prism", CHAIN, ENGINE_COUNTER, METHOD_AUTO,
                "1. no symmetry, counter abstraction, engine probabilistic\n"
                "2. if there is a run-time error: detected symmetry, engine probabilistic\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_twice),  cmocka_unit_test(test_chain_is_counted_once),
        cmocka_unit_test(test_print),          cmocka_unit_test(test_rivals),
        cmocka_unit_test(test_rival_of_chain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
