/* Steps of several rules (exec/macro.h): against successors computed in the plainest way, with all steppers and in all
 * searches, on random models of a few symmetric processes. The front ends of the models have no such steps: the test
 * says which variables are the holder and the idle flag. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/hash.h"
#include "driver/session.h"
#include "engine/engine.h"
#include "exec/steppers.h"
#include "pass/guarded.h"
#include "pass/view.h"
#include "reduce/reduce.h"
#include "report/report.h"
#include "report/trace_file.h"
#include "sanitized.h"
#include "text_model.h"

enum { PROCESSES = 3, RULES = 12, MOST_STATES = 4000, MODELS = IS_SANITIZED ? 15 : 60 };

static uint32_t draw(uint64_t *seed, uint32_t below)
{
    *seed = hash_mix(*seed);
    return (uint32_t)((*seed >> 20) % below);
}

static const char *pick(uint64_t *seed, const char *const *list, uint32_t count)
{
    return list[draw(seed, count)];
}

/* --- random models --- */

static void write_rule(struct text *out, uint64_t *seed, int number)
{
    static const char *const conditions[] = {
        "true", "true", "true", "x = 0", "x != 2", "idle", "exists q: pid do q != p & a[q] = 1 end", "b"};
    static const char *const effects[] = {"",
                                          "",
                                          "x := 0;",
                                          "x := (x + 1) % 3;",
                                          "b := !b;",
                                          "assert \"low\" x < 2;",
                                          "x := x + 1;",
                                          "assume x != 1;",
                                          "cover \"met\" x = 2;"};
    static const char *const holders[] = {"", "holder := p;", "holder := p;", "holder := 0;", "holder := 0;"};
    bool is_pair = draw(seed, 5) == 0;
    text_format(out, "ruleset p: pid%s do rule \"r%d\" (holder = 0 | holder = p) & a[p] = %u & (%s)%s ==> ",
                is_pair ? "; q: pid" : "", number, draw(seed, 4),
                pick(seed, conditions, sizeof conditions / sizeof *conditions), is_pair ? " & p != q & a[q] = 0" : "");
    text_format(out, "a[p] := %u; %s ", draw(seed, 4), pick(seed, effects, sizeof effects / sizeof *effects));
    text_format(out, "%s end end;\n", is_pair ? "holder := q;" : pick(seed, holders, sizeof holders / sizeof *holders));
}

static struct model *random_model(uint64_t seed)
{
    struct text text = {0};
    text_format(&text,
                "type pid: 1..%d;\nvar holder: 0..%d; idle: boolean; b: boolean; x: 0..2; a: array [pid] of 0..3;\n"
                "startstate holder := 0; idle := false; b := false; x := 0; for p: pid do a[p] := 0 end end;\n",
                PROCESSES, PROCESSES);
    for (int r = 0; r < RULES; r++)
        write_rule(&text, &seed, r);
    text_append(&text, "invariant \"few\" x != 2 | exists p: pid do a[p] != 2 end;\n"
                       "ctl \"ag\" AG (x != 2 | exists p: pid do a[p] != 2 end);\n"
                       "ltl \"g\" G (x != 2 | exists p: pid do a[p] != 2 end);\n"
                       "ctl \"af\" AF (x = 1);\nltl \"f\" F (x = 1);\n"
                       "ctl \"agaf\" AG AF (x = 0);\nltl \"gf\" G F (x = 0);\n");
    struct model *model = text_model("macro_test.m", text_chars(&text));
    text_free(&text);
    model->system->holder = model->system->globals.items[0];
    model->system->idle = model->system->globals.items[1];
    assert_true(model->system->properties.count < 64);
    return model;
}

/* --- the plainest way --- */

struct set {
    VEC(int32_t) cells;
    uint32_t width;
};

static uint32_t set_count(const struct set *set)
{
    return (uint32_t)set->cells.count / set->width;
}

static bool set_has(const struct set *set, const int32_t *cells)
{
    for (uint32_t i = 0; i < set_count(set); i++)
        if (!memcmp(set->cells.items + (size_t)i * set->width, cells, set->width * sizeof *cells))
            return true;
    return false;
}

static bool set_add(struct set *set, const int32_t *cells)
{
    if (set_has(set, cells))
        return false;
    for (uint32_t c = 0; c < set->width; c++)
        VEC_PUSH(&set->cells, cells[c]);
    return true;
}

struct oracle {
    const struct system *system;
    const struct layout *layout;
    bool covered[64];
    struct set held, found;     /* of one state */
    bool has_fault, is_enabled; /* of one state */
};

static void oracle_note(struct oracle *oracle, struct stepper *single)
{
    for (size_t p = 0; p < oracle->system->properties.count; p++)
        oracle->covered[p] |= single->covered[p];
    stepper_destroy(single);
}

static void oracle_visit(struct oracle *oracle, const int32_t *cells);

/* Whether a rule was enabled in `cells`, what it leads to being visited. */
static bool oracle_fire(struct oracle *oracle, const int32_t *cells)
{
    struct stepper *single = stepper_create_single(oracle->system, oracle->layout);
    struct step step = {0};
    enum step_outcome outcome;
    bool is_enabled = false;
    int32_t *copy = memory_alloc(oracle->layout->cell_count * sizeof *copy);
    stepper_begin_successors(single, cells);
    while ((outcome = stepper_next(single, &step)) != STEP_END) {
        is_enabled |= outcome != STEP_DISCARDED;
        oracle->has_fault |= outcome == STEP_FAULT;
        if (outcome != STEP_STATE)
            continue;
        memcpy(copy, step.cells, oracle->layout->cell_count * sizeof *copy);
        copy[oracle->system->idle->address] = false;
        oracle_visit(oracle, copy);
    }
    free(copy);
    oracle_note(oracle, single);
    return is_enabled;
}

static void oracle_visit(struct oracle *oracle, const int32_t *cells)
{
    if (cells[oracle->system->holder->address] == 0) {
        set_add(&oracle->found, cells);
        return;
    }
    int32_t *copy = memory_alloc(oracle->layout->cell_count * sizeof *copy);
    memcpy(copy, cells, oracle->layout->cell_count * sizeof *copy);
    if (set_add(&oracle->held, copy) && !oracle_fire(oracle, copy)) {
        copy[oracle->system->holder->address] = 0;
        set_add(&oracle->found, copy);
    }
    free(copy);
}

static void oracle_expand(struct oracle *oracle, const int32_t *cells)
{
    VEC_CLEAR(&oracle->held.cells);
    VEC_CLEAR(&oracle->found.cells);
    oracle->has_fault = false;
    oracle->is_enabled = oracle_fire(oracle, cells);
    if (oracle->is_enabled)
        return;
    int32_t *copy = memory_alloc(oracle->layout->cell_count * sizeof *copy);
    memcpy(copy, cells, oracle->layout->cell_count * sizeof *copy);
    copy[oracle->system->idle->address] = true;
    oracle->is_enabled = oracle_fire(oracle, copy);
    free(copy);
}

/* --- the steppers --- */

static uint32_t passed_steps, endless_steps;

static void check_passed(const struct system *system, const struct step *step)
{
    passed_steps += step->passed != NULL;
    for (const struct passed *p = step->passed; p; p = p->before)
        assert_true(system_passes_through(system, p->cells));
}

static void check_changed(const struct step *step, const int32_t *from, uint32_t width)
{
    uint32_t count = 0;
    for (uint32_t c = 0; c < width; c++)
        count += step->cells[c] != from[c];
    for (uint32_t c = 0; c < step->changed_count; c++)
        assert_true(step->cells[step->changed[c]] != from[step->changed[c]]);
    if (step->changed)
        assert_int_equal(count, step->changed_count);
}

static void check_stepper(struct stepper *stepper, const struct oracle *oracle, const int32_t *cells)
{
    struct set found = {.width = oracle->layout->cell_count};
    struct step step = {0};
    enum step_outcome outcome;
    bool has_fault = false, is_enabled = false;
    stepper_begin_successors(stepper, cells);
    while ((outcome = stepper_next(stepper, &step)) != STEP_END) {
        check_passed(oracle->system, &step);
        has_fault |= outcome == STEP_FAULT;
        is_enabled |= outcome != STEP_DISCARDED;
        endless_steps += outcome == STEP_ENDLESS;
        if (outcome != STEP_STATE)
            continue;
        check_changed(&step, cells, found.width);
        assert_true(set_has(&oracle->found, step.cells));
        set_add(&found, step.cells);
    }
    assert_int_equal(set_count(&found), set_count(&oracle->found));
    assert_int_equal(has_fault, oracle->has_fault);
    assert_int_equal(is_enabled, oracle->is_enabled);
    VEC_FREE(&found.cells);
}

struct truth_of {
    uint32_t states;
    bool is_stuck, has_fault;
};

/* All states, and each of them by all steppers. */
static struct truth_of explore_plainly(const struct model *model, struct stepper *const *steppers, size_t count)
{
    struct oracle oracle = {.system = model->system, .layout = model->layout};
    struct truth_of truth = {0};
    uint32_t width = model->layout->cell_count;
    struct set all = {.width = width};
    struct step step = {0};
    oracle.held.width = oracle.found.width = width;
    struct stepper *single = stepper_create_single(model->system, model->layout);
    stepper_begin_starts(single);
    while (stepper_next(single, &step) == STEP_STATE)
        set_add(&all, step.cells);
    stepper_destroy(single);
    int32_t *cells = memory_alloc(width * sizeof *cells);
    for (uint32_t i = 0; i < set_count(&all) && i < MOST_STATES; i++) {
        memcpy(cells, all.cells.items + (size_t)i * width, width * sizeof *cells);
        oracle_expand(&oracle, cells);
        truth.is_stuck |= !oracle.is_enabled;
        truth.has_fault |= oracle.has_fault;
        for (size_t s = 0; s < count; s++)
            check_stepper(steppers[s], &oracle, cells);
        for (uint32_t f = 0; f < set_count(&oracle.found); f++)
            set_add(&all, oracle.found.cells.items + (size_t)f * width);
    }
    for (size_t s = 0; s < count; s++)
        for (size_t p = 0; p < model->system->properties.count; p++)
            assert_int_equal(oracle.covered[p], steppers[s]->covered[p]);
    truth.states = set_count(&all);
    assert_true(truth.states < MOST_STATES);
    free(cells);
    VEC_FREE(&all.cells);
    VEC_FREE(&oracle.held.cells);
    VEC_FREE(&oracle.found.cells);
    return truth;
}

static void test_steppers(void **unused)
{
    (void)unused;
    for (uint64_t seed = 1; seed <= MODELS; seed++) {
        struct model *model = random_model(seed);
        struct stepper *both[] = {stepper_create_evaluator(model->system, model->layout),
                                  stepper_create_vm(model->system, model->layout)};
        explore_plainly(model, both, 2);
        stepper_destroy(both[0]);
        stepper_destroy(both[1]);
        model_destroy(model);
    }
    assert_true(IS_SANITIZED || passed_steps > 1000);
    assert_true(IS_SANITIZED || endless_steps > 10);
}

static void check_native(struct model *model, bool is_profiled)
{
    struct steppers *steppers = steppers_create(model->layout, is_profiled ? STEPPER_VM : STEPPER_NATIVE, is_profiled);
    struct stepper *native = steppers_make(steppers);
    explore_plainly(model, &native, 1);
    stepper_destroy(native);
    steppers_destroy(steppers);
}

static void test_native_and_profile(void **unused)
{
    (void)unused;
    for (uint64_t seed = 100; seed <= 103; seed++) {
        struct model *model = random_model(seed);
        check_native(model, false);
        check_native(model, true);
        model_destroy(model);
    }
}

/* --- the searches --- */

static uint32_t long_traces, refused;

/* As a file has it: each rule that fired, and nothing of what is internal. */
static void check_fold(const struct trace *trace)
{
    const struct system *system = trace->system;
    struct trace *flat;
    trace_show(trace, &flat);
    if (!flat)
        return;
    long_traces++;
    assert_int_equal(flat->count, trace_number(trace, trace->count - 1) + 1);
    for (uint32_t i = 0; i < flat->count; i++)
        if (flat->steps[i].cells) {
            flat->steps[i].cells[system->holder->address] = system_nobody(system);
            flat->steps[i].cells[system->idle->address] = false;
        }
    trace_fold(flat);
    char *wrong = trace_replay(flat);
    if (wrong)
        fail_msg("%s", wrong);
    assert_int_equal(flat->count, trace->count);
    trace_destroy(flat);
}

/* Without one of the rules that fired it is no run. */
static void check_refusal(struct trace *trace)
{
    for (uint32_t i = 0; i < trace->count; i++) {
        struct trace_step *step = &trace->steps[i];
        if (!step->passed_count)
            continue;
        step->passed_count--;
        char *wrong = trace_replay(trace);
        step->passed_count++;
        refused += wrong != NULL;
        free(wrong);
        int32_t *cell = &step->passed[0].cells[trace->system->holder->address];
        int32_t kept = *cell;
        *cell = system_nobody(trace->system);
        wrong = trace_replay(trace);
        assert_non_null(wrong);
        free(wrong);
        *cell = kept;
    }
}

static void check_trace(struct trace *trace, const struct property *property)
{
    char *wrong = trace_replay(trace);
    if (!wrong && property->kind == PROPERTY_DEADLOCK)
        wrong = trace_confirm(trace, TRACE_SHOWS_STUCK, property);
    if (!wrong && (property->ctl || property->ltl))
        wrong = trace_confirm(trace, TRACE_SHOWS_FALSE, property);
    if (wrong)
        fail_msg("%s: %s", property->name, wrong);
    check_fold(trace);
    check_refusal(trace);
}

static uint32_t temporal_verdicts[2];

static enum verdict verdict_of(const struct result *result, const char *name)
{
    for (size_t p = 0; p < result->system->properties.count; p++)
        if (!strcmp(result->system->properties.items[p]->name, name))
            return result->properties[p].verdict;
    fail();
    return VERDICT_UNKNOWN;
}

/* Two properties that say the same, decided in different ways. (Where a rule fails, some are left open.) */
static void check_pair(const struct result *result, const char *one, const char *other)
{
    enum verdict a = verdict_of(result, one), b = verdict_of(result, other);
    if (a == VERDICT_UNKNOWN || b == VERDICT_UNKNOWN)
        return;
    assert_int_equal(a, b);
    temporal_verdicts[a == VERDICT_HOLDS]++;
}

static void check_search(const struct layout *layout, const struct symmetry *symmetry, struct truth_of truth,
                         struct engine_options options)
{
    options.deadlock = DEADLOCK_STUCK;
    options.keep_going = true;
    struct result *result = engine_explicit.run(layout, symmetry, &options);
    uint64_t represented = 0;
    assert_true(result->is_complete);
    if (symmetry_is_trivial(symmetry))
        assert_int_equal(result->statistics.states, truth.states);
    assert_true(bigint_fits_u64(result->statistics.represented, &represented));
    assert_int_equal(represented, truth.states);
    temporal_decide(layout, symmetry, &options, result);
    check_pair(result, "few", "ag");
    check_pair(result, "few", "g");
    check_pair(result, "af", "f");
    check_pair(result, "agaf", "gf");
    bool is_stuck = result->properties[SYSTEM_DEADLOCK].verdict == VERDICT_VIOLATED, has_fault = false;
    assert_int_equal(is_stuck, truth.is_stuck);
    for (size_t p = 0; p < layout->system->properties.count; p++) {
        const struct property_result *found = &result->properties[p];
        has_fault |= found->trace && !found->trace->steps[found->trace->count - 1].cells;
        if (found->trace)
            check_trace(found->trace, found->property);
    }
    assert_int_equal(has_fault, truth.has_fault);
    result_destroy(result);
}

static uint32_t symmetric_models, all_states;

static void check_searches(const struct layout *layout, const struct symmetry *symmetry, struct truth_of truth)
{
    check_search(layout, symmetry, truth, (struct engine_options){.threads = 1, .stepper = STEPPER_VM});
    check_search(layout, symmetry, truth, (struct engine_options){.threads = 2, .stepper = STEPPER_VM, .crowd = 2});
    check_search(layout, symmetry, truth,
                 (struct engine_options){.threads = 1, .stepper = STEPPER_EVALUATOR, .store = STORE_PLAIN});
    check_search(layout, symmetry, truth,
                 (struct engine_options){.threads = 1, .stepper = STEPPER_VM, .order = SEARCH_DEPTH_FIRST});
    check_search(layout, symmetry, truth,
                 (struct engine_options){.threads = 1, .stepper = STEPPER_VM, .hash_compact = true});
}

static void test_searches(void **unused)
{
    (void)unused;
    for (uint64_t seed = 1; seed <= MODELS; seed++) {
        struct model *model = random_model(seed);
        struct truth_of truth = explore_plainly(model, NULL, 0);
        all_states += truth.states;
        struct view *plain = view_plain(model->layout);
        check_searches(plain->layout, plain->symmetry, truth);
        view_close(plain);
        bool is_copy;
        struct view *view = view_detected(model->layout, &(struct detect_options){0}, &is_copy);
        symmetric_models += !symmetry_is_trivial(view->symmetry);
        check_searches(view->layout, view->symmetry, truth);
        view_close(view);
        model_destroy(model);
    }
    print_message("%u states %u symmetric, %u traces, %u refused\n", all_states, symmetric_models, long_traces,
                  refused);
    if (IS_SANITIZED)
        return;
    assert_true(symmetric_models > 40);
    assert_true(long_traces > 50);
    assert_true(refused > 50);
    assert_true(temporal_verdicts[0] > 100 && temporal_verdicts[1] > 100);
}

/* A step of thousands of states, and one of few behind it. */
static void test_large_step(void **unused)
{
    (void)unused;
    struct model *model =
        text_model("macro_test_large.m", "var holder: 0..1; idle: boolean; x: 0..9000; b: boolean;\n"
                                         "startstate holder := 0; idle := false; x := 0; b := false end;\n"
                                         "rule \"in\" holder = 0 & x = 0 ==> holder := 1 end;\n"
                                         "rule \"on\" holder = 1 & x < 9000 ==> x := x + 1 end;\n"
                                         "rule \"again\" holder = 0 & x = 9000 ==> b := !b; holder := 1 end;\n");
    model->system->holder = model->system->globals.items[0];
    model->system->idle = model->system->globals.items[1];
    struct view *view = view_plain(model->layout);
    struct engine_options options = {.threads = 1, .stepper = STEPPER_VM, .deadlock = DEADLOCK_STUCK};
    struct result *result = engine_explicit.run(view->layout, view->symmetry, &options);
    assert_true(result->is_complete);
    assert_int_equal(result->statistics.states, 3); /* x = 0; x = 9000 with b and without */
    assert_int_equal(result->statistics.rules_fired, 9000 + 1 + 2);
    result_destroy(result);
    view_close(view);
    model_destroy(model);
}

/* --- who fires single rules --- */

static void test_refusals(void **unused)
{
    (void)unused;
    const struct engine *const engines[] = {&engine_adaptive, &engine_complete, &engine_symbolic, &engine_cover,
                                            &engine_probabilistic};
    struct model *model = random_model(1);
    struct arena *words = arena_create();
    struct engine_options options = {0};
    for (size_t e = 0; e < sizeof engines / sizeof *engines; e++) {
        const char *refusal = engines[e]->supports(model->system, &options, words);
        assert_non_null(refusal);
        assert_non_null(strstr(refusal, "a step may fire several rules"));
    }
    assert_null(engine_explicit.supports(model->system, &options, words));
    struct diagnostics diagnostics = {0};
    assert_null(reduce_system(model->system, NULL, &diagnostics));
    assert_non_null(strstr(diagnostics.items[0].message, "a step may fire several rules"));
    diag_free(&diagnostics);
    assert_non_null(guarded_refusal(model->system));
    arena_destroy(words);
    model_destroy(model);
}

/* --- what users see --- */

static void check_hidden(const struct trace *trace)
{
    struct report_style style = {.full_states = true};
    struct text text = {0};
    report_text_trace(trace, &style, &text);
    if (trace->steps[trace->count - 1].cells) /* else a line of the model is shown */
        assert_null(strstr(text_chars(&text), "holder"));
    text_free(&text);
    struct json *json = trace_to_json(trace);
    assert_int_equal(json_size(json), trace_number(trace, trace->count - 1) + 1);
    struct trace *read = trace_from_json(json, trace->layout, &text);
    assert_non_null(read);
    trace_fold(read);
    char *wrong = trace_replay(read);
    if (wrong)
        fail_msg("%s", wrong);
    assert_int_equal(read->count, trace->count);
    trace_destroy(read);
    json_free(json);
    text_free(&text);
}

/* Random walks: every choice can be taken, each run replays, and can be undone step by step. */
static void test_sessions(void **unused)
{
    (void)unused;
    uint32_t several = 0;
    for (uint64_t seed = 1; seed <= 30; seed++) {
        struct model *model = random_model(seed);
        struct session *session = session_create(model, DEADLOCK_STUCK, seed);
        struct text text = {0};
        for (int i = 0; i < 12 && session->choices.count; i++) {
            session_print_choice(session, session->choices.count - 1, &text);
            session_take_any(session);
        }
        assert_null(strstr(text_chars(&text), "holder"));
        char *wrong = trace_replay(session->trace);
        if (wrong)
            fail_msg("%s", wrong);
        check_hidden(session->trace);
        several += trace_number(session->trace, session->trace->count - 1) >= session->trace->count;
        session_undo(session, 1);
        assert_true(!session->trace->count || !system_passes_through(model->system, session_cells(session)));
        text_free(&text);
        session_destroy(session);
        model_destroy(model);
    }
    assert_true(several > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steppers),   cmocka_unit_test(test_native_and_profile), cmocka_unit_test(test_searches),
        cmocka_unit_test(test_large_step), cmocka_unit_test(test_refusals),           cmocka_unit_test(test_sessions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
