/* The explicit engine on the quotient: counts, what they represent, and traces that are real runs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine/engine.h"
#include "small_system.h"
#include "text_model.h"

/* forall i: level[i] < bound */
static struct expr *all_below(struct small_family *family, int64_t bound)
{
    struct system *system = family->small.system;
    struct variable *i = system_add_scratch(system, "i", family->node, HERE);
    struct expr *level = expr_read(system, small_element(family, i), false, HERE);
    struct expr *body = expr_binary(system, OP_LT, level, small_number(&family->small, bound), HERE);
    return expr_quantifier(system, OP_FORALL, i, (struct domain){.type = family->node}, body, HERE);
}

static uint64_t power(uint64_t base, uint32_t exponent)
{
    return exponent ? base * power(base, exponent - 1) : 1;
}

/* The all-zero state, and every other with a mark on one process that has moved. */
static uint64_t concrete_states(uint32_t nodes, uint32_t top)
{
    return 1 + nodes * top * power(top + 1, nodes - 1);
}

/* The level of the marked process, and how many others stand at each level. */
static uint64_t canonical_states(uint32_t nodes, uint32_t top)
{
    uint64_t others = 1;
    for (uint32_t i = 1; i <= top; i++)
        others = others * (nodes - 1 + i) / i;
    return 1 + top * others;
}

static void check_counts(uint32_t nodes, uint32_t top, bool with_symmetry, enum search_order order)
{
    struct small_family family = small_family_create(nodes, (int32_t)top);
    small_family_rule(&family, "climb", top);
    struct property *bounded =
        small_add_property(&family.small, PROPERTY_INVARIANT, "bounded", all_below(&family, top + 1));
    small_finish(&family.small, with_symmetry);
    struct engine_options options = {.order = order, .deadlock = DEADLOCK_OFF};
    struct result *result = engine_explicit.run(family.small.layout, family.small.symmetry, &options);
    uint64_t represented = 0;
    assert_true(result->is_complete);
    assert_int_equal(result->properties[bounded->id].verdict, VERDICT_HOLDS);
    assert_int_equal(result->statistics.states,
                     with_symmetry ? canonical_states(nodes, top) : concrete_states(nodes, top));
    assert_true(result->statistics.represented_is_exact);
    assert_true(bigint_fits_u64(result->statistics.represented, &represented));
    assert_int_equal(represented, concrete_states(nodes, top));
    if (order == SEARCH_BREADTH_FIRST)
        assert_int_equal(result->statistics.depth, nodes * top);
    result_destroy(result);
    small_free(&family.small);
}

static void test_counts(void **unused)
{
    (void)unused;
    for (uint32_t nodes = 2; nodes <= 5; nodes++)
        for (uint32_t top = 1; top <= 3; top++)
            for (int mode = 0; mode < 4; mode++)
                check_counts(nodes, top, mode & 1, mode & 2 ? SEARCH_DEPTH_FIRST : SEARCH_BREADTH_FIRST);
}

static void test_many_processes(void **unused)
{
    (void)unused;
    /* 40 processes: no n! anywhere, and more concrete states than a word counts. */
    struct small_family family = small_family_create(40, 2);
    small_family_rule(&family, "climb", 2);
    small_finish(&family.small, true);
    struct engine_options options = {.deadlock = DEADLOCK_OFF, .limits = {.states = 100000}};
    struct result *result = engine_explicit.run(family.small.layout, family.small.symmetry, &options);
    struct bigint *expected = bigint_create(40 * 2);
    for (int i = 0; i < 39; i++)
        bigint_multiply_u64(expected, 3);
    bigint_add_u64(expected, 1);
    assert_int_equal(result->statistics.states, canonical_states(40, 2));
    assert_int_equal(bigint_compare(result->statistics.represented, expected), 0);
    bigint_destroy(expected);
    result_destroy(result);
    small_free(&family.small);
}

static void test_traces(void **unused)
{
    (void)unused;
    struct small_family family = small_family_create(4, 3);
    small_family_rule(&family, "climb", 3);
    struct property *low = small_add_property(&family.small, PROPERTY_INVARIANT, "low", all_below(&family, 3));
    small_finish(&family.small, true);
    const struct property *deadlock = family.small.system->properties.items[SYSTEM_DEADLOCK];
    struct engine_options options = {.keep_going = true};
    for (int order = 0; order < 2; order++) {
        options.order = order ? SEARCH_DEPTH_FIRST : SEARCH_BREADTH_FIRST;
        struct result *result = engine_explicit.run(family.small.layout, family.small.symmetry, &options);
        assert_int_equal(result->properties[low->id].verdict, VERDICT_VIOLATED);
        assert_int_equal(result->properties[deadlock->id].verdict, VERDICT_VIOLATED);
        assert_int_equal(result->properties[deadlock->id].trace->count, 13);
        if (!order)
            assert_int_equal(result->properties[low->id].trace->count, 4);
        assert_null(trace_replay(result->properties[low->id].trace));
        result_destroy(result);
    }
    small_free(&family.small);
}

static void test_fault_under_symmetry(void **unused)
{
    (void)unused;
    struct small_family family = small_family_create(4, 2);
    small_family_rule(&family, "climb", 3); /* the third step leaves the range */
    small_finish(&family.small, true);
    struct engine_options options = {0};
    struct result *result = engine_explicit.run(family.small.layout, family.small.symmetry, &options);
    const struct property_result *runtime = &result->properties[SYSTEM_RUNTIME];
    assert_int_equal(runtime->verdict, VERDICT_VIOLATED);
    assert_int_equal(runtime->fault.kind, FAULT_RANGE);
    assert_int_equal(runtime->trace->count, 4);
    assert_null(runtime->trace->steps[3].cells);
    result_destroy(result);
    small_free(&family.small);
}

static void test_asymmetric_start(void **unused)
{
    (void)unused;
    /* A start state that names a process: verdicts stand, the represented states are only an upper bound. */
    struct small_family family = small_family_create(3, 2);
    small_family_rule(&family, "climb", 2);
    struct rule *start = family.small.system->starts.items[0];
    struct stmt *body[] = {
        start->body.items[0],
        small_assign(&family.small, place_variable(family.small.system, family.last, HERE),
                     expr_const(family.small.system, family.node, type_code(family.node, 0), HERE)),
    };
    small_set_body(&family.small, start, 2, body);
    small_finish(&family.small, true);
    if (!symmetry_is_trivial(family.small.symmetry)) {
        struct engine_options options = {.deadlock = DEADLOCK_OFF};
        struct result *result = engine_explicit.run(family.small.layout, family.small.symmetry, &options);
        assert_true(result->is_complete);
        assert_false(result->statistics.represented_is_exact);
        result_destroy(result);
    }
    small_free(&family.small);
}

/* What an instance touches depends on the value of a cell: with symmetry nobody asks for it, not even where the test
 * wants everything at once. */
static void test_references(void **unused)
{
    (void)unused;
    struct model *model =
        text_model("explicit_symmetry_test.m",
                   "type Process: scalarset(4); var at: array [Process] of Process; out: array [Process] of 0..2; "
                   "startstate begin for p: Process do at[p] := p; out[p] := 0; end; end; "
                   "ruleset p: Process do rule \"Go\" out[at[p]] < 2 ==> begin out[at[p]] := out[at[p]] + 1; end; end; "
                   "ruleset p: Process; q: Process do rule \"Turn\" out[p] = 1 ==> begin at[p] := q; end; end; ");
    struct layout *layout = layout_create(model->system);
    struct symmetry *symmetry = symmetry_find(model->system);
    struct engine_options plain = {.store = STORE_PLAIN, .stepper = STEPPER_VM, .deadlock = DEADLOCK_OFF};
    struct engine_options crowd = {.crowd = 1,
                                   .threads = 1,
                                   .stepper = STEPPER_VM,
                                   .deadlock = DEADLOCK_OFF,
                                   .representative = REPRESENTATIVE_CANONICAL};
    assert_false(symmetry_is_trivial(symmetry));
    struct result *expected = engine_explicit.run(layout, symmetry, &plain);
    struct result *found = engine_explicit.run(layout, symmetry, &crowd);
    assert_true(expected->is_complete && found->is_complete);
    assert_int_equal(found->statistics.states, expected->statistics.states);
    assert_int_equal(found->statistics.rules_fired, expected->statistics.rules_fired);
    assert_int_equal(found->statistics.depth, expected->statistics.depth);
    result_destroy(expected);
    result_destroy(found);
    symmetry_destroy(symmetry);
    layout_destroy(layout);
    model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts),           cmocka_unit_test(test_many_processes),
        cmocka_unit_test(test_traces),           cmocka_unit_test(test_fault_under_symmetry),
        cmocka_unit_test(test_asymmetric_start), cmocka_unit_test(test_references),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
