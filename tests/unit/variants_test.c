/* Variants of instances: what they touch where a cell has a certain value, and when that is not known. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "stubborn/stubborn.h"
#include "text_model.h"

enum { MOST = 1000 };

struct traced {
    struct model *model;
    struct layout *layout;
    struct symmetry *symmetry;
    struct stubborn *stubborn;
    const struct stubborn_variants *variants;
    uint32_t count;
};

static struct traced trace(const char *text, uint32_t most)
{
    struct traced traced = {.model = text_model("variants_test.m", text)};
    traced.layout = layout_create(traced.model->system);
    traced.symmetry = symmetry_none(traced.model->system);
    traced.stubborn = stubborn_create_traces(traced.layout, traced.symmetry, most);
    assert_null(stubborn_refusal(traced.stubborn));
    traced.variants = stubborn_variants_of(traced.stubborn, &traced.count);
    return traced;
}

static void trace_end(struct traced *traced)
{
    stubborn_destroy(traced->stubborn);
    symmetry_destroy(traced->symmetry);
    layout_destroy(traced->layout);
    model_destroy(traced->model);
}

/* Four processes, and what process p does in its rule; a second rule sees to it that at[p] has many values. */
#define PROCESSES(body)                                                                                                \
    "type Process: 0..3; var at: array [Process] of Process; out: array [Process] of 0..9; here: array [Process] of "  \
    "boolean; flag: boolean; procedure Turn(var p: Process); begin p := 0; end; "                                      \
    "startstate begin for p: Process do at[p] := p; out[p] := 0; here[p] := true; end; flag := true; end; "            \
    "ruleset p: Process do rule \"Go\" here[p] ==> begin here[p] := false; " body " end; end; "                        \
    "ruleset p: Process do rule \"Turn\" !here[p] ==> begin at[p] := (at[p] + 1) % 4; end; end;"

/* How many pairs of variants of two processes are apart, of the sixteen. */
static uint32_t pairs_apart(const struct traced *traced)
{
    const struct stubborn_variants *one = &traced->variants[1], *other = &traced->variants[2];
    uint32_t apart = 0;
    for (uint32_t v = 0; v < one->size; v++)
        for (uint32_t w = 0; w < other->size; w++)
            apart += stubborn_is_apart(traced->stubborn, one->first + v, other->first + w);
    return apart;
}

static void expect_pairs(const char *text, uint32_t pairs)
{
    struct traced traced = trace(text, MOST);
    assert_false(stubborn_is_apart(traced.stubborn, 1, 2));
    if (pairs_apart(&traced) != pairs)
        fail_msg("%s: %u pairs are apart, not %u", text, pairs_apart(&traced), pairs);
    trace_end(&traced);
}

/* They are apart where they write to different elements. */
static void test_apart(void **state)
{
    (void)state;
    expect_pairs(PROCESSES("out[at[p]] := 1;"), 12);
    expect_pairs(PROCESSES("out[at[p]] := 1; at[p] := 0;"), 12); /* which element it is has been decided by then */
    expect_pairs(PROCESSES("if out[at[p]] > 3 then out[at[p]] := 1; end;"), 12);
}

/* The cell may have another value where it is used: then nothing is known. */
static void test_loose(void **state)
{
    (void)state;
    expect_pairs(PROCESSES("at[p] := (p + 1) % 4; out[at[p]] := 1;"), 0);
    expect_pairs(PROCESSES("if flag then at[p] := 0; end; out[at[p]] := 1;"), 0);
    expect_pairs(PROCESSES("Turn(at[p]); out[at[p]] := 1;"), 0);
    expect_pairs(PROCESSES("for i := 0 to 1 do out[at[p]] := 1; at[p] := 3; end;"), 0);
    expect_pairs(PROCESSES("while out[at[p]] < 5 do out[at[p]] := 9; at[p] := 3; end;"), 0);
}

/* Whoever writes the cell is not apart from one that goes by it. */
static void test_cell(void **state)
{
    struct traced traced = trace(PROCESSES("out[at[p]] := 1;"), MOST);
    const struct stubborn_variants *of = &traced.variants[1];
    (void)state;
    assert_int_equal(of->size, 4);
    for (uint32_t v = 0; v < of->size; v++) {
        assert_false(stubborn_is_apart(traced.stubborn, of->first + v, 5)); /* "Turn" of the same process */
        assert_true(stubborn_is_apart(traced.stubborn, of->first + v, 6));
    }
    trace_end(&traced);
}

/* A value that is none of the cell's type, and an instance that has no variants, have the number of the instance. */
static void test_number(void **state)
{
    struct traced traced = trace(PROCESSES("out[at[p]] := 1;"), MOST), few = trace(PROCESSES("out[at[p]] := 1;"), 15);
    int32_t *cells = calloc(traced.layout->cell_count, sizeof *cells);
    const struct stubborn_variants *of = &traced.variants[2];
    (void)state;
    assert_int_equal(traced.count, 8 + 16);
    cells[of->cell] = 3;
    assert_int_equal(variant_number(traced.variants, 2, cells), of->first + 3);
    cells[of->cell] = INT32_MIN; /* undefined */
    assert_int_equal(variant_number(traced.variants, 2, cells), 2);
    assert_int_equal(few.count, 8 + 4); /* there is room for one's */
    assert_int_equal(variant_number(few.variants, 2, cells), 2);
    free(cells);
    trace_end(&traced);
    trace_end(&few);
}

/* An instance moves if its guard asks for a value that it surely changes. */
static void test_moves(void **state)
{
    struct traced traced = trace("type Place: enum { A, B }; var at: Place; flag: boolean; "
                                 "startstate begin at := A; flag := true; end; "
                                 "rule \"moves\" at = A ==> begin at := B; end; "
                                 "rule \"may stay\" at = B ==> begin if flag then at := A; end; end; "
                                 "rule \"stays\" at = B ==> begin at := B; end; "
                                 "rule \"not known\" flag ==> begin flag := !flag; end;",
                                 MOST);
    (void)state;
    assert_true(stubborn_moves(traced.stubborn, 1));
    for (uint32_t number = 2; number <= 4; number++)
        assert_false(stubborn_moves(traced.stubborn, number));
    trace_end(&traced);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_apart),  cmocka_unit_test(test_loose), cmocka_unit_test(test_cell),
        cmocka_unit_test(test_number), cmocka_unit_test(test_moves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
