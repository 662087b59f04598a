/* The explicit search when its time ends inside the canonicaliser, at every moment in turn: a canonical form that was
 * cut short is stored nowhere, and a search that goes on from the checkpoint has the counts of one that was not cut. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/vec.h"
#include "base/watch.h"
#include "engine/engine.h"
#include "sanitized.h"
#include "store/checkpoint.h"
#include "symmetry/symmetry.h"
#include "text_model.h"

/* All permutations of five points, as graphs; two points at a time are exchanged: 7 up to conjugation, 120 in all.
 * Refinement cannot tell points in cycles of different lengths apart: the search tree of the canonicaliser, which asks
 * for the time at each node, must do so. Each exchange is made in 64 colours, so that a whole batch of other successors
 * follows the form in whose middle the time ends. */
static const char *const permutations =
    "type point: scalarset(5); colour: 0..63;\n"
    "var next: array [point] of array [point] of boolean; painted: colour;\n"
    "startstate for i: point do for j: point do next[i][j] := i = j; endfor; endfor; painted := 0; endstartstate;\n"
    "ruleset i: point; j: point; c: colour do rule \"exchange\" i != j & painted = 0 ==>\n"
    "  for k: point do if next[i][k] != next[j][k] then\n"
    "    next[i][k] := !next[i][k]; next[j][k] := !next[j][k];\n"
    "  endif; endfor; painted := c;\n"
    "endrule; endruleset;\n"
    "rule \"wash\" painted != 0 ==> painted := 0; endrule;\n";
enum { PERMUTATIONS = 7 * 64, PERMUTATIONS_WHOLE = 120 * 64, MOMENTS = IS_SLOW ? 3 : 6 };
static const char *const folder = "explicit_cut_test.kept";

struct fixture {
    struct model *model;
    struct layout *layout;
    struct symmetry *symmetry;
    VEC(uint64_t) states; /* those that the search told of, packed, in this order */
};

static void open_fixture(struct fixture *f)
{
    memset(f, 0, sizeof *f);
    f->model = text_model("explicit_cut_test.m", permutations);
    f->layout = layout_create(f->model->system);
    f->symmetry = symmetry_find(f->model->system);
}

static void close_fixture(struct fixture *f)
{
    symmetry_destroy(f->symmetry);
    layout_destroy(f->layout);
    model_destroy(f->model);
    VEC_FREE(&f->states);
}

static void note_search(void *user, const struct layout *layout, const struct symmetry *symmetry)
{
    struct fixture *f = user;
    (void)layout;
    (void)symmetry;
    VEC_CLEAR(&f->states);
}

static void note_state(void *user, const uint64_t *packed)
{
    struct fixture *f = user;
    for (uint32_t w = 0; w < f->layout->words; w++)
        VEC_PUSH(&f->states, packed[w]);
}

/* The search, whose time is over after so many questions; how many it has asked. */
static struct result *run(struct fixture *f, const struct engine_options *options, int64_t questions, int64_t *asked)
{
    struct engine_options with_states = *options;
    with_states.on_search = note_search;
    with_states.on_state = note_state;
    with_states.on_state_user = f;
    if (!options->representative) /* `auto` may find that the symmetry does not pay */
        with_states.representative = REPRESENTATIVE_CANONICAL;
    _Atomic int64_t left = questions;
    struct watch watch;
    watch_begin(&watch, 0, NULL);
    watch.questions = &left;
    watch.state = WATCH_IS_UNKEPT; /* so that each question is counted */
    struct result *result = engine_explicit.run(f->layout, f->symmetry, &with_states);
    watch_end(&watch);
    *asked = questions - left;
    return result;
}

static bool has_state(const struct fixture *f, const uint64_t *states, size_t count, const uint64_t *state)
{
    for (size_t i = 0; i < count; i += f->layout->words)
        if (!memcmp(states + i, state, f->layout->words * sizeof *state))
            return true;
    return false;
}

/* One thread finds the same states in the same order as a search that is not cut; of several threads the states are
 * some of these. */
static void check_cuts(const struct engine_options *options)
{
    struct fixture f;
    int64_t all, asked;
    size_t cut = 0;
    open_fixture(&f);
    struct result *whole = run(&f, options, INT64_MAX, &all);
    assert_true(whole->is_complete);
    size_t count = f.states.count, bytes = count * sizeof *f.states.items;
    uint64_t *expected = memcpy(malloc(bytes), f.states.items, bytes);
    for (int64_t m = 1; m < MOMENTS; m++) {
        struct result *result = run(&f, options, all * m / MOMENTS, &asked);
        cut += !result->is_complete;
        assert_true(f.states.count <= count);
        if (options->threads == 1)
            assert_memory_equal(f.states.items, expected, f.states.count * sizeof *expected);
        for (size_t i = 0; options->threads > 1 && i < f.states.count; i += f.layout->words)
            assert_true(has_state(&f, expected, count, f.states.items + i));
        result_destroy(result);
    }
    assert_true(cut > MOMENTS / 2);
    free(expected);
    result_destroy(whole);
    close_fixture(&f);
}

static void no_cut_form_is_stored(void **unused)
{
    (void)unused;
    static const struct engine_options settings[] = {
        {.threads = 1, .stepper = STEPPER_VM},
        {.threads = 1, .stepper = STEPPER_VM, .crowd = 1},
        {.threads = 1, .stepper = STEPPER_VM, .hash_compact = true},
        {.threads = 1, .stepper = STEPPER_VM, .store = STORE_PLAIN},
        {.threads = 1, .stepper = STEPPER_VM, .order = SEARCH_DEPTH_FIRST},
        {.threads = 1, .stepper = STEPPER_VM, .partial_order = PARTIAL_ORDER_REDUCED},
        {.threads = 1, .stepper = STEPPER_VM, .representative = REPRESENTATIVE_ENUMERATE},
        {.threads = 1, .stepper = STEPPER_VM, .representative = REPRESENTATIVE_SEGMENTED},
        {.threads = 1, .stepper = STEPPER_VM, .representative = REPRESENTATIVE_LOCAL},
        {.threads = 1, .stepper = STEPPER_VM, .representative = REPRESENTATIVE_MARKERS},
        {.threads = 1, .stepper = STEPPER_VM, .disk_folder = "."},
        {.threads = 3, .stepper = STEPPER_VM, .crowd = 1},
    };
    for (size_t s = 0; s < sizeof settings / sizeof *settings; s++)
        check_cuts(&settings[s]);
}

static struct checkpoint *keep(bool is_there)
{
    struct text why = {0};
    struct checkpoint *checkpoint = is_there ? checkpoint_open(folder, checkpoint_alone, &why)
                                             : checkpoint_create(folder, checkpoint_alone, json_make_object(), &why);
    if (!checkpoint)
        fail_msg("%s", why.chars);
    text_free(&why);
    return checkpoint;
}

static void check_whole(const struct result *result)
{
    uint64_t represented;
    assert_true(result->is_complete);
    assert_int_equal(result->statistics.states, PERMUTATIONS);
    assert_true(result->statistics.represented_is_exact);
    assert_true(bigint_fits_u64(result->statistics.represented, &represented));
    assert_int_equal(represented, PERMUTATIONS_WHOLE);
}

static void check_resumed(const struct engine_options *options)
{
    struct fixture f;
    int64_t all, asked;
    open_fixture(&f);
    struct result *result = run(&f, options, INT64_MAX, &all);
    check_whole(result);
    result_destroy(result);
    for (int64_t m = 1; m < MOMENTS; m++) {
        struct engine_options kept = *options;
        bool is_whole = false, has_commit = false;
        for (int attempt = 0; !is_whole; attempt++) {
            kept.checkpoint = keep(has_commit);
            result = run(&f, &kept, attempt < 2 ? all * m / MOMENTS : INT64_MAX, &asked);
            is_whole = result->is_complete;
            if (is_whole)
                check_whole(result);
            result_destroy(result);
            if (is_whole)
                checkpoint_remove(kept.checkpoint);
            has_commit = checkpoint_has_commit(kept.checkpoint);
            checkpoint_close(kept.checkpoint);
        }
    }
    close_fixture(&f);
}

static void resumed_searches_count_right(void **unused)
{
    (void)unused;
    static const struct engine_options settings[] = {
        {.threads = 1, .stepper = STEPPER_VM},
        {.threads = 3, .stepper = STEPPER_VM, .crowd = 1},
        {.threads = 1, .stepper = STEPPER_VM, .disk_folder = "."},
    };
    for (size_t s = 0; s < sizeof settings / sizeof *settings; s++)
        check_resumed(&settings[s]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_cut_form_is_stored),
        cmocka_unit_test(resumed_searches_count_right),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
