/* The partition that each rule leaves, and the place that is blamed for each boundary. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "lang/murphi/murphi.h"
#include "portrait/rule_partition.h"

enum { WORK = 10000000 };

/* Each rule (or property): classes separated by "; ", of each the cells of the first family, boundaries as line:column.
 */
static void describe(const struct rule_partitions *partitions, struct text *out)
{
    for (uint32_t i = 0; i < partitions->count; i++) {
        const struct rule_partition *partition = &partitions->items[i];
        text_format(out, "%s: ", partition->rule ? partition->rule->name : partition->property->name);
        if (partition->not_analysed)
            text_append(out, partition->not_analysed);
        for (uint32_t c = 0; c < partition->class_count; c++) {
            const struct rule_class *class = &partition->classes[c];
            text_append(out, c ? "; " : "");
            rule_partition_print_cells(partitions->roster, class, 0, out);
            for (uint32_t b = 0; b < class->boundary_count; b++)
                text_format(out, " @%u:%u", class->boundaries[b].span.line, class->boundaries[b].span.column);
        }
        text_char(out, '\n');
    }
}

static void expect(const char *model, const char *description)
{
    struct source *source = source_from_text("model.m", model, strlen(model));
    struct diagnostics diagnostics = {0};
    struct reading options = {0};
    struct text text = {0};
    struct system *system = murphi_read(source, &options, &diagnostics);
    assert_non_null(system);
    struct layout *layout = layout_create(system);
    struct rule_partitions *partitions = rule_partitions_find(layout, NULL, NULL, 0, WORK, true);
    describe(partitions, &text);
    assert_string_equal(text_chars(&text), description);
    text_free(&text);
    rule_partitions_destroy(partitions);
    layout_destroy(layout);
    system_destroy(system);
    source_free(source);
    diag_free(&diagnostics);
}

#define HEAD                                                                                                           \
    "type P: 1..4; S: enum { N, T, C };\n"                                                                             \
    "var s: array [P] of S; turn: P; sum: 0..9; hit: boolean;\n"                                                       \
    "startstate begin for i: P do s[i] := N; end; turn := 1; sum := 0; hit := false; end;\n"

static void ids_are_compared(void **unused)
{
    (void)unused;
    expect(HEAD "ruleset i: P do rule \"r\" s[i] = N & i <= 2 ==> begin s[i] := T; end; end;\n",
           "r: 1, 2 | 3, 4 @4:37\n");
    expect(HEAD "ruleset i: P do rule \"r\" s[i] = N & forall j: P do j > 3 -> s[j] = N end ==>\n"
                "begin s[i] := T; end; end;\n",
           "r: 1..3 | 4 @4:52; 1..3 | 4 @4:52\n");
    expect(HEAD "ruleset i: P; j: P do rule \"r\" s[i] = N & s[j] = T & i != j ==> begin s[i] := C; end; end;\n",
           "r: 1..4\n");
}

/* Split by who acts: above, same, below. */
static void actors_are_split_into_classes(void **unused)
{
    (void)unused;
    expect(HEAD "ruleset i: P do rule \"r\" s[i] = N & forall j: P do j / 2 < i / 2 -> s[j] = N end ==>\n"
                "begin s[i] := T; end; end;\n",
           "r: 1 | 2..4 @4:52; 1 | 2, 3 | 4 @4:52 @4:52; 1..3 | 4 @4:52\n");
}

static void parts_of_ranges_are_blamed_on_the_parameter(void **unused)
{
    (void)unused;
    expect(HEAD "ruleset i: 1..3 do rule \"r\" s[i] = N ==> begin s[i] := T; end; end;\n"
                "rule \"one\" s[2] = N ==> begin s[2] := T; end;\n",
           "r: 1..3 | 4 @4:9\none: 1, 3, 4 | 2 @5:14\n");
}

/* A shared variable that holds a process moves with it, unless its number counts. */
static void references_are_names(void **unused)
{
    (void)unused;
    expect(HEAD "ruleset i: P do\n"
                "rule \"pass\" turn = i & s[turn] = C ==> begin turn := i; s[i] := N; end;\n"
                "rule \"reset\" s[i] = C ==> begin turn := 1; end;\n"
                "end;\nrule \"next\" turn < 3 ==> begin hit := true; end;\n",
           "pass: 1..4\nreset: 1 | 2..4 @6:41; 1 | 2..4 @6:41\n"
           "next: 1 | 2 | 3 | 4 @8:13 @8:13 @8:13\n");
}

/* Sums, counts and flags do not depend on the order in which the processes are looked at. */
static void loops_without_an_order_are_symmetric(void **unused)
{
    (void)unused;
    expect(HEAD "ruleset i: P do rule \"count\" s[i] = N ==> begin\n"
                "for j: P do if s[j] = T then sum := sum + 1; end; end; end;\n"
                "rule \"flag\" s[i] = N ==> begin for j: P do if s[j] = T then hit := true; end; end; end;\n"
                "rule \"ids\" s[i] = N ==> begin sum := sum + i; end; end;\n",
           "count: 1..4\nflag: 1..4\n"
           "ids: 1 | 2..4 @7:44; 1, 3, 4 | 2 @7:44; 1, 2, 4 | 3 @7:44; 1..3 | 4 @7:44\n");
}

static void properties_are_listed(void **unused)
{
    (void)unused;
    expect(HEAD "ruleset i: P do rule \"r\" s[i] = N ==> begin s[i] := T; end; end;\n"
                "invariant \"all\" forall i: P do s[i] != C end;\n"
                "invariant \"third\" s[3] != C;\n",
           "r: 1..4\nall: 1..4\nthird: 1, 2, 4 | 3 @6:21\n");
}

static void what_is_too_hard_is_said(void **unused)
{
    (void)unused;
    expect(HEAD "ruleset i: P do rule \"r\" s[i] = N ==> begin while sum < 5 do sum := sum + 1; end; end; end;\n",
           "r: how long a loop runs depends on the state\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ids_are_compared),
        cmocka_unit_test(actors_are_split_into_classes),
        cmocka_unit_test(parts_of_ranges_are_blamed_on_the_parameter),
        cmocka_unit_test(references_are_names),
        cmocka_unit_test(loops_without_an_order_are_symmetric),
        cmocka_unit_test(properties_are_listed),
        cmocka_unit_test(what_is_too_hard_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
