/* The adaptive engine: the nine abstract states of the paper's Figure 2, asymmetric questions, ids in shared variables,
 * families; and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "engine/engine.h"
#include "lang/murphi/murphi.h"
#include "symmetry/symmetry.h"

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
    struct reading options = {0};
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
    static const char *const figure[] = {"N*3", "N*2,T", "N*2,C",   "N,T*2",  "N,T,C",
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
    assert_null(engine_adaptive.supports(model.system, NULL, model.system->arena));
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
    const char *refusal = engine_adaptive.supports(model.system, NULL, model.system->arena);
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
    expect_refusal(
        "type P: 1..2;\nvar x: array [P] of boolean;\n  m: multiset [2] of P;\nstartstate begin clear x; end;\n"
        "ruleset i: P do rule !x[i] ==> begin x[i] := true; end; end;",
        "line 3: the adaptive engine does not support multisets");
#define FLAGS "type P: 1..2;\nvar x: array [P] of boolean;\nstartstate begin for i: P do x[i] := false; end; end;\n"
    expect_refusal(FLAGS "ruleset i: P do rule !x[i] ==> begin x[i] := true; end; end;\nassume !x[1];",
                   "line 5: the adaptive engine does not support assumptions");
    expect_refusal(FLAGS "ruleset i: P do rule !x[i] ==> begin cover x[2]; x[i] := true; end; end;",
                   "line 4: the adaptive engine does not support cover statements");
    expect_refusal(FLAGS "ruleset a: P; b: P; c: P; d: P; e: P do\n"
                         "rule x[a] & x[b] & x[c] & x[d] & x[e] ==> begin x[a] := true; end; end;",
                   "line 5: the adaptive engine does not support a rule about more than four processes");
}

static void run_both(const char *text, struct model *model, struct result **plain, struct result **adaptive)
{
    struct engine_options options = {.keep_going = true, .deadlock = DEADLOCK_OFF, .stepper = STEPPER_VM, .threads = 1};
    *model = model_read(text);
    struct symmetry *none = symmetry_none(model->system);
    assert_null(engine_adaptive.supports(model->system, &options, model->system->arena));
    *plain = engine_explicit.run(model->layout, none, &options);
    *adaptive = engine_adaptive.run(model->layout, NULL, &options);
    symmetry_destroy(none);
}

/* The same verdicts, runs of the same length, the same states; in `states` abstract ones. */
static void expect_same(const char *text, uint64_t states)
{
    struct model model;
    struct result *plain, *adaptive;
    uint64_t represented = 0;
    run_both(text, &model, &plain, &adaptive);
    for (size_t i = 0; i < model.system->properties.count; i++) {
        const struct property_result *one = &plain->properties[i], *other = &adaptive->properties[i];
        assert_int_equal(plain->checked[i], adaptive->checked[i]);
        if (!plain->checked[i])
            continue;
        assert_int_equal(one->verdict, other->verdict);
        assert_int_equal(one->trace ? one->trace->count : 0, other->trace ? other->trace->count : 0);
    }
    assert_true(plain->is_complete && adaptive->is_complete);
    assert_true(bigint_fits_u64(adaptive->statistics.represented, &represented));
    assert_int_equal(represented, plain->statistics.states);
    assert_int_equal(adaptive->statistics.states, states);
    result_destroy(plain);
    result_destroy(adaptive);
    model_free(&model);
}

#define MUTEX                                                                                                          \
    "type P: 1..4; S: enum { N, T, C };\nvar s: array [P] of S; turn: P;\n"                                            \
    "startstate begin for i: P do s[i] := N; end; turn := 1; end;\n"                                                   \
    "ruleset i: P do rule \"try\" s[i] = N ==> begin s[i] := T; end;\n"

/* Nothing tells the processes apart but the question: it is asked of all that an abstract state stands for. */
static void a_property_may_name_a_process(void **unused)
{
    (void)unused;
    expect_same(MUTEX "rule \"enter\" s[i] = T & forall j: P do s[j] != C end ==> begin s[i] := C; end;\n"
                      "rule \"leave\" s[i] = C ==> begin s[i] := N; end; end;\n"
                      "invariant \"third\" s[3] != C;\ninvariant \"two\" !(s[1] = C & s[2] = C);\n"
                      "cover \"last alone\" s[4] = C & s[1] = T;\n",
                9);
}

/* The shared variable names a process; one rule compares its number. */
static void shared_variables_may_hold_processes(void **unused)
{
    (void)unused;
    expect_same(MUTEX "rule \"enter\" s[i] = T & turn = i ==> begin s[i] := C; end;\n"
                      "rule \"pass\" s[i] = T & s[turn] = N ==> begin turn := i; end;\n"
                      "rule \"leave\" s[i] = C & turn <= 3 ==> begin s[i] := N; end; end;\n"
                      "invariant \"owner\" forall i: P do s[i] = C -> turn = i end;\n"
                      "cover \"stuck\" turn = 4 & s[4] = C;\n",
                32);
}

static void there_may_be_several_families_and_locals(void **unused)
{
    (void)unused;
    expect_same(
        "type P: 1..3; Q: 1..3; var at: array [P] of 0..2; late: array [P] of boolean; up: array [Q] of boolean;\n"
        "startstate begin for i: P do at[i] := 0; late[i] := false; end; for k: Q do up[k] := true; end; end;\n"
        "ruleset i: P; k: Q do rule \"take\" at[i] < 2 & up[k] & (i < 3 | !late[i]) ==>\n"
        "  begin at[i] := at[i] + 1; up[k] := false; late[i] := k = 2; end; end;\n"
        "ruleset k: Q do rule \"give\" !up[k] & forall i: P do at[i] = 0 end ==> begin up[k] := true; end; end;\n"
        "ruleset i: P do rule \"back\" at[i] = 2 ==> begin at[i] := 0; end; end;\n"
        "invariant \"late\" !(late[1] & late[2]);\ninvariant \"all up\" exists k: Q do up[k] end;\n",
        89);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nine_states_of_figure_2),
        cmocka_unit_test(refusals_name_the_line),
        cmocka_unit_test(a_property_may_name_a_process),
        cmocka_unit_test(shared_variables_may_hold_processes),
        cmocka_unit_test(there_may_be_several_families_and_locals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
