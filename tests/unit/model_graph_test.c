/* What the model graph is made of: tables of numbers stay small, and cells that always have a value are known one by
 * one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "detect/model_graph.h"
#include "lang/murphi/murphi.h"
#include "ir/definite.h"

/* The source must outlive the system. */
struct read_text {
    struct source *source;
    struct system *system;
};

static struct read_text read_text(const char *text)
{
    struct diagnostics diagnostics = {0};
    struct reading options = {0};
    struct read_text read = {.source = source_from_text("model.m", text, strlen(text))};
    read.system = murphi_read(read.source, &options, &diagnostics);
    struct text problems = {0};
    diag_print(&diagnostics, &problems);
    if (!read.system)
        fail_msg("%s", text_chars(&problems));
    text_free(&problems);
    diag_free(&diagnostics);
    return read;
}

static void end(struct read_text *read)
{
    system_destroy(read->system);
    source_free(read->source);
}

/* Of the elements of all index domains: the number of vertices, and of generators. */
static uint64_t vertices_of(const struct system *system, uint32_t *generators)
{
    struct carriers *carriers = carriers_find(system);
    bool *is_in = calloc(carriers->count + 1, sizeof *is_in);
    for (uint32_t c = 0; c < carriers->count; c++)
        is_in[c] = carriers->items[c].is_index;
    struct model_graph_options options = {
        .is_in = is_in, .is_ground = true, .skipped_property = UINT32_MAX, .most_vertices = 4000000};
    struct model_graph *graph = model_graph_create(carriers, &options);
    assert_false(graph->gave_up);
    uint64_t vertices = graph->vertices;
    *generators = graph->generator_count;
    model_graph_destroy(graph);
    carriers_destroy(carriers);
    free(is_in);
    return vertices;
}

/* A table of two bytes has 66,049 entries; here there would be four. */
static void test_tables_of_numbers_are_few(void **state)
{
    (void)state;
    struct read_text read = read_text("type B: 0..255; var x: B; y: B; a: array [B] of boolean;\n"
                                      "startstate begin x := 0; y := 0; for i: B do a[i] := false; end; end;\n"
                                      "rule x + y < 200 ==> begin x := x + 1; a[x] := true; end;\n"
                                      "rule x * 2 < y ==> begin y := y - 1; end;\n"
                                      "rule (x + y) % 7 = 1 ==> begin a[y] := false; end;\n"
                                      "rule x > y + 3 ==> begin x := 0; end;\n");
    uint32_t generators;
    assert_true(vertices_of(read.system, &generators) < 100000);
    assert_int_equal(generators, 0);
    end(&read);
}

/* A ring whose neighbours are two variables keeps its table, and its rotations. */
static void test_tables_of_elements_are_made(void **state)
{
    (void)state;
    struct read_text read =
        read_text("type B: 0..63; var x: B; y: B; a: array [B] of boolean;\n"
                  "ruleset s: B do startstate begin x := s; y := s; for i: B do a[i] := false; end; end; end;\n"
                  "rule (x + 1) % 64 = y ==> begin x := y; a[x] := true; end;\n");
    uint32_t generators;
    vertices_of(read.system, &generators);
    assert_true(generators > 0);
    end(&read);
}

static void test_lengths_have_values(void **state)
{
    (void)state;
    struct read_text read =
        read_text("var q: array [0..1] of record length: 0..1; message: array [0..0] of 0..3; end; one: 0..3;\n"
                  "startstate begin for i: 0..1 do q[i].length := 0; q[i].message[0] := 0; end; one := 0; end;\n"
                  "ruleset i: 0..1 do rule q[i].length = 1 ==> begin undefine q[i].message[0]; q[i].length := 0; end;\n"
                  "rule q[i].length = 0 ==> begin q[i].message[0] := one; q[i].length := 1; end; end;\n"
                  "rule true ==> begin undefine q[1].length; q[1].length := 0; end;\n");
    struct arena *arena = arena_create();
    const bool *is_definite = definite_find(read.system, arena);
    const bool expected[] = {true, false, false, false, true}; /* q[0], q[1], one */
    for (uint32_t c = 0; c < 5; c++)
        assert_int_equal(is_definite[c], expected[c]);
    arena_destroy(arena);
    end(&read);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tables_of_numbers_are_few),
        cmocka_unit_test(test_tables_of_elements_are_made),
        cmocka_unit_test(test_lengths_have_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
