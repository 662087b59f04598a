/* The worked examples of the survey (Wahl, Donaldson, "Replication and abstraction: symmetry in automated formal
 * verification", 2010): the action of 2.1 and 4.3, equation (12), and the sorted and canonical forms of 4.2 and 4.3.
 *
 * The local states are declared first, then the processes' references, then the shared variables: so the order of the
 * cells is the order in which the survey compares states. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "canon_states.h"

enum { MOST = 4 };

static struct fixture processes(uint32_t count, const char *const *labels, uint32_t label_count, bool has_leaders,
                                uint32_t shared)
{
    struct fixture fixture = fixture_new();
    struct system *system = fixture.system;
    const struct type *process = type_index(system, "Process", count, nowhere);
    const struct type *local = type_enum(system, "Local", labels, label_count, nowhere);
    system_add_global(system, "local", type_array(system, NULL, process, local, nowhere), nowhere);
    if (has_leaders)
        system_add_global(system, "leader", type_array(system, NULL, process, process, nowhere), nowhere);
    for (uint32_t i = 0; i < shared; i++)
        system_add_global(system, "x", process, nowhere);
    fixture_open(&fixture);
    return fixture;
}

/* A state as the survey writes it: a letter for each local state, a digit for each process, in the order of the cells.
 */
static void read_state(const struct fixture *fixture, const char *text, int32_t *cells)
{
    for (uint32_t c = 0; c < fixture->layout->cell_count; c++) {
        const struct type *type = fixture->layout->cells[c].type;
        char name[2] = {text[c], 0};
        uint32_t ordinal = 0;
        if (type->kind == TYPE_INDEX)
            ordinal = (uint32_t)(text[c] - '1');
        else
            while (strcmp(type->labels[ordinal], name))
                ordinal++;
        cells[c] = type_code(type, ordinal);
    }
}

static void assert_state(const struct fixture *fixture, const int32_t *cells, const char *text)
{
    int32_t expected[MAX_CELLS];
    read_state(fixture, text, expected);
    assert_memory_equal(cells, expected, fixture->layout->cell_count * sizeof *cells);
}

/* The survey's pi(s): process i gets the local state of pi(i), and a reference r becomes the process that pi takes to
 * r. That is our action of the inverse. `digits` lists pi(1), pi(2), ... */
static void assert_image(const struct fixture *fixture, const char *digits, const char *state, const char *expected)
{
    int32_t cells[MAX_CELLS], image[MAX_CELLS];
    uint32_t inverse[MOST];
    const uint32_t *images[] = {inverse};
    for (uint32_t i = 0; digits[i]; i++)
        inverse[digits[i] - '1'] = i;
    read_state(fixture, state, cells);
    symmetry_act(fixture->symmetry, fixture->layout, images, cells, image);
    assert_state(fixture, image, expected);
}

static void assert_representative(const struct fixture *fixture, enum representative representative, const char *state,
                                  const char *expected)
{
    int32_t cells[MAX_CELLS], out[MAX_CELLS];
    read_state(fixture, state, cells);
    canon_choose(fixture->canon, representative);
    canon_apply(fixture->canon, cells, out);
    assert_state(fixture, out, expected);
}

static void assert_equivalent(const struct fixture *fixture, enum representative representative, const char *state,
                              const char *other, bool expected)
{
    int32_t cells[MAX_CELLS], first[MAX_CELLS], second[MAX_CELLS];
    canon_choose(fixture->canon, representative);
    read_state(fixture, state, cells);
    canon_apply(fixture->canon, cells, first);
    read_state(fixture, other, cells);
    canon_apply(fixture->canon, cells, second);
    assert_int_equal(!memcmp(first, second, fixture->layout->cell_count * sizeof *first), expected);
}

static const char *const ABC[] = {"A", "B", "C"};
static const char *const NTC[] = {"C", "N", "T"}; /* in alphabetical order, as in Figure 3 */

static void test_left_shift(void **unused)
{
    (void)unused;
    struct fixture plain = processes(3, ABC, 3, false, 0), token = processes(3, NTC, 3, false, 1);
    assert_image(&plain, "231", "ABC", "BCA"); /* equation (2) */
    assert_image(&token, "231", "NTC3", "TCN2");
    assert_image(&token, "231", "TNC1", "NCT3"); /* the transition of 2.2, its source */
    assert_image(&token, "231", "TNN2", "NNT1"); /* and its target */
    assert_image(&token, "213", "TNC1", "NTC2");
    fixture_close(&plain);
    fixture_close(&token);
}

static void test_local_states(void **unused)
{
    (void)unused;
    struct fixture fixture = processes(4, ABC, 3, false, 0);
    static const enum representative all[] = {REPRESENTATIVE_SORTED, REPRESENTATIVE_SEGMENTED, REPRESENTATIVE_ENUMERATE,
                                              REPRESENTATIVE_LOCAL};
    for (uint32_t i = 0; i < 4; i++) {
        assert_representative(&fixture, all[i], "ACAB", "AABC");
        assert_representative(&fixture, all[i], "BAAC", "AABC");
    }
    assert_equivalent(&fixture, REPRESENTATIVE_CANONICAL, "ACAB", "BAAC", true);
    assert_equivalent(&fixture, REPRESENTATIVE_NAUTY, "ACAB", "BAAC", true);
    assert_equivalent(&fixture, REPRESENTATIVE_CANONICAL, "ACAB", "BABC", false);
    fixture_close(&fixture);
}

/* 4.2: s = ((1, 2, 3), A, C, A, B) and t = ((3, 4, 2), B, A, A, C). */
static void test_shared_variables(void **unused)
{
    (void)unused;
    struct fixture fixture = processes(4, ABC, 3, false, 3);
    static const enum representative least[] = {REPRESENTATIVE_SEGMENTED, REPRESENTATIVE_ENUMERATE,
                                                REPRESENTATIVE_LOCAL};
    for (uint32_t i = 0; i < 3; i++) {
        assert_representative(&fixture, least[i], "ACAB123", "AABC142");
        assert_representative(&fixture, least[i], "BAAC342", "AABC142");
    }
    assert_equivalent(&fixture, REPRESENTATIVE_CANONICAL, "ACAB123", "BAAC342", true);
    assert_equivalent(&fixture, REPRESENTATIVE_NAUTY, "ACAB123", "BAAC342", true);
    fixture_close(&fixture);
}

/* 4.3: s = ((A, 2), (B, 2), (C, 1)), and the exchange of 1 and 2. */
static void test_extended_action(void **unused)
{
    (void)unused;
    struct fixture fixture = processes(3, ABC, 3, true, 0);
    assert_image(&fixture, "213", "ABC221", "BAC112");
    fixture_close(&fixture);
}

/* 4.3: s = ((B, 1), (A, 1), (C, 3), (A, 3)) and t = ((A, 4), (B, 2), (A, 2), (C, 4)), s the left shift of t. */
static void test_sorted(void **unused)
{
    (void)unused;
    static const char s[] = "BACA1133", t[] = "ABAC4224", sorted_s[] = "AABC3434", sorted_t[] = "AABC4334";
    struct fixture fixture = processes(4, ABC, 3, true, 0);
    assert_image(&fixture, "2341", t, s);
    assert_representative(&fixture, REPRESENTATIVE_SORTED, s, sorted_s);
    assert_representative(&fixture, REPRESENTATIVE_SORTED, t, sorted_t);
    assert_image(&fixture, "2134", sorted_t, sorted_s);
    assert_representative(&fixture, REPRESENTATIVE_SEGMENTED, s, sorted_s);
    assert_representative(&fixture, REPRESENTATIVE_SEGMENTED, t, sorted_s);
    assert_representative(&fixture, REPRESENTATIVE_ENUMERATE, t, sorted_s);
    assert_representative(&fixture, REPRESENTATIVE_LOCAL, t, sorted_s);
    assert_equivalent(&fixture, REPRESENTATIVE_SORTED, s, t, false);
    assert_equivalent(&fixture, REPRESENTATIVE_CANONICAL, s, t, true);
    assert_equivalent(&fixture, REPRESENTATIVE_NAUTY, s, t, true);
    fixture_close(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_left_shift),       cmocka_unit_test(test_local_states),
        cmocka_unit_test(test_shared_variables), cmocka_unit_test(test_extended_action),
        cmocka_unit_test(test_sorted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
