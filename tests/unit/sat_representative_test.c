/* Representatives at one end of a run, and the pitfall: at both ends of each step, runs are lost. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "engine/sat/search.h"
#include "text_model.h"

/* From (1, 1, 1) one process rises, and only that one can drop. In order, (2, 1, 1) is followed by (0, 1, 1), which is
 * not in order, whichever order that is: the risen process is at an end, and so is the dropped one, at the other. */
static const char MODEL[] = "type P: scalarset(3);\n"
                            "var x: array [P] of 0..2;\n"
                            "startstate begin for p: P do x[p] := 1; end; end;\n"
                            "ruleset p: P do\n"
                            "  rule \"rise\" forall q: P do x[q] = 1 end ==> begin x[p] := 2; end;\n"
                            "  rule \"drop\" x[p] = 2 ==> begin x[p] := 0; end;\n"
                            "end;\n"
                            "invariant \"nobody has dropped\" forall p: P do x[p] != 0 end;\n";
enum { DEPTH = 2 };

enum ends { NO_END, LAST_END, BOTH_ENDS };

/* Is there a run of so many steps to a violation? */
static bool finds(struct sat_search *search, uint32_t depth, enum ends ends)
{
    struct sat_unrolling unrolling;
    sat_unroll_begin(&unrolling, search);
    for (uint32_t i = 0; i <= depth; i++)
        sat_unroll_extend(&unrolling);
    cnf_require(&unrolling.frames.items[0], search->starts);
    for (size_t i = 0; i < search->targets.count; i++)
        if (search->targets.items[i].kind == SAT_BAD)
            cnf_require(&unrolling.frames.items[depth], search->targets.items[i].when);
    for (uint32_t i = ends == BOTH_ENDS ? 0 : depth; ends != NO_END && i <= depth; i++)
        cnf_require(&unrolling.frames.items[i], sat_representative(search));
    bool is_found = solver_ask(unrolling.solver, 0) == SOLVER_SATISFIABLE;
    sat_unroll_end(&unrolling);
    return is_found;
}

static void one_end_only(void **state)
{
    (void)state;
    if (!solver_is_available())
        skip();
    struct model *model = text_model("sat-representative.m", MODEL);
    struct layout *layout = layout_create(model->system);
    struct symmetry *symmetry = symmetry_find(model->system);
    struct engine_options options = {0};
    struct sat_search search = {
        .layout = layout,
        .system = model->system,
        .symmetry = symmetry,
        .options = &options,
        .result = result_create(model->system, "sat"),
        .decided = memory_zeroed(model->system->properties.count, sizeof(bool)),
    };
    assert_true(sat_prepare(&search));
    assert_int_equal(search.generators.count, 2);
    for (uint32_t depth = 0; depth <= DEPTH; depth++) {
        assert_int_equal(finds(&search, depth, NO_END), depth == DEPTH);
        assert_int_equal(finds(&search, depth, LAST_END), depth == DEPTH);
        assert_false(finds(&search, depth, BOTH_ENDS)); /* the pitfall */
    }
    result_destroy(search.result);
    sat_release(&search);
    symmetry_destroy(symmetry);
    layout_destroy(layout);
    model_destroy(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(one_end_only)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
