/* The adaptive engine: the nine abstract states of the paper's Figure 2, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "engine/engine.h"
#include "lang/murphi/murphi.h"

static const char readers_writers[] =
    "type Proc: 1..3; Place: enum { N, T, C };\n"
    "var s: array [Proc] of Place;\n"
    "startstate begin for i: Proc do s[i] := N; end; end;\n"
    "ruleset i: Proc do\n"
    "  rule \"try\" s[i] = N ==> begin s[i] := T; end;\n"
    "  rule \"alone\" s[i] = T & forall j: Proc do s[j] != C end ==> begin s[i] := C; end;\n"
    "  rule \"join\" s[i] = T & i < 3 & s[3] != C ==> begin s[i] := C; end;\n"
    "  rule \"leave\" s[i] = C ==> begin s[i] := N; end;\n"
    "end;\n";

struct model {
    struct source *source;
    struct system *system;
    struct layout *layout;
};

static struct model model_read(const char *text)
{
    struct model model = {.source = source_from_text("model.m", text, strlen(text))};
    struct diagnostics diagnostics = {0};
    struct murphi_options options = {0};
    model.system = murphi_read(model.source, &options, &diagnostics);
    assert_non_null(model.system);
    model.layout = layout_create(model.system);
    diag_free(&diagnostics);
    return model;
}

static void model_free(struct model *model)
{
    layout_destroy(model->layout);
    system_destroy(model->system);
    source_free(model->source);
}

static void tick_off(void *user, const char *state)
{
    static const char *const figure[] = {"N*3",   "N*2,T", "N*2,C", "N,T*2",   "N,T,C",
                                         "T*3", "T*2,C", "C*2 | N", "C*2 | T"};
    bool *seen = user;
    for (size_t i = 0; i < sizeof figure / sizeof *figure; i++)
        if (!strcmp(figure[i], state)) {
            assert_false(seen[i]);
            seen[i] = true;
            return;
        }
    fail_msg("the state %s is not in the figure", state);
}

static void nine_states_of_figure_2(void **unused)
{
    struct model model = model_read(readers_writers);
    bool seen[9] = {0};
    struct engine_options options = {.on_abstract = tick_off, .on_abstract_user = seen};
    (void)unused;
    assert_null(engine_adaptive.supports(model.system, NULL));
    struct result *result = engine_adaptive.run(model.layout, NULL, &options);
    uint64_t represented = 0;
    assert_int_equal(result->statistics.states, 9);
    assert_true(bigint_fits_u64(result->statistics.represented, &represented));
    assert_int_equal(represented, 22);
    for (size_t i = 0; i < 9; i++)
        assert_true(seen[i]);
    result_destroy(result);
    model_free(&model);
}

static void expect_refusal(const char *text, const char *reason)
{
    struct model model = model_read(text);
    const char *refusal = engine_adaptive.supports(model.system, NULL);
    assert_non_null(refusal);
    assert_non_null(strstr(refusal, reason));
    model_free(&model);
}

static void refusals_name_the_line(void **unused)
{
    (void)unused;
    expect_refusal("var x: boolean;\nstartstate begin x := false; end;\nrule x ==> begin x := true; end;",
                   "without processes");
    expect_refusal("type P: 1..2;\nvar x: array [P] of boolean;\nstartstate begin clear x; end;\n"
                   "ruleset i: P do rule !x[i] ==> begin x[i] := true; end; end;\n"
                   "liveness \"all\" forall i: P do x[i] end;",
                   "line 5: the adaptive engine does not support liveness");
    expect_refusal("type P: 1..2;\nvar x: array [P] of boolean;\n  m: multiset [2] of P;\nstartstate begin clear x; end;\n"
                   "ruleset i: P do rule !x[i] ==> begin x[i] := true; end; end;",
                   "line 3: the adaptive engine does not support multisets");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nine_states_of_figure_2),
        cmocka_unit_test(refusals_name_the_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
