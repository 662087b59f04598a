/* k-induction with simple paths (Sheeran, Singh, Stalmarck: Checking safety properties using induction and a
 * SAT-solver, FMCAD 2000). Where no target is reached within k steps, and no path of k + 1 different states leads to a
 * target through states that are in none, no target is ever reached. That two states differ is said of those only that
 * the solver takes to be equal (Een, Sorensson: Temporal induction by incremental SAT solving, BMC 2003). */
#include <stdlib.h>
#include <string.h>

#include "engine/sat/search.h"

struct induction {
    struct sat_search *search;
    struct sat_unrolling unrolling;
    uint64_t version; /* of what is wanted; when that changes, it begins anew */
};

static void induction_begin(struct induction *induction)
{
    sat_unroll_begin(&induction->unrolling, induction->search);
    sat_unroll_extend(&induction->unrolling);
    induction->version = induction->search->version;
}

static void induction_differ(struct induction *induction, uint32_t a, uint32_t b)
{
    struct sat_unrolling *unrolling = &induction->unrolling;
    uint32_t count = induction->search->circuit.variable_count;
    int *clause = memory_alloc((count + 1) * sizeof *clause);
    for (uint32_t v = 0; v < count; v++) {
        int x = sat_unroll_literal(unrolling, a, circuit_variable(v));
        int y = sat_unroll_literal(unrolling, b, circuit_variable(v));
        int differ = clause[v] = solver_variable(unrolling->solver);
        solver_add(unrolling->solver, (int[]){-differ, x, y}, 3);
        solver_add(unrolling->solver, (int[]){-differ, -x, -y}, 3);
    }
    solver_add(unrolling->solver, clause, count);
    free(clause);
}

/* Two states of the path that are the same must differ from now on. False: there are none. */
static bool induction_separate(struct induction *induction)
{
    size_t width = induction->search->circuit.variable_count, count = induction->unrolling.frames.count;
    bool *states = memory_alloc(count * width + 1), is_new = false;
    for (uint32_t i = 0; i < count; i++)
        sat_unroll_state(&induction->unrolling, i, states + i * width);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = i + 1; j < count; j++)
            if (!memcmp(states + i * width, states + j * width, width)) {
                induction_differ(induction, i, j);
                is_new = true;
            }
    free(states);
    return is_new;
}

static enum sat_answer induction_step(struct induction *induction)
{
    struct sat_unrolling *unrolling = &induction->unrolling;
    struct sat_search *search = induction->search;
    uint32_t last = (uint32_t)unrolling->frames.count - 1;
    for (;;) {
        solver_assume(unrolling->solver, sat_unroll_literal(unrolling, last, search->wanted));
        enum solver_answer answer = solver_ask(unrolling->solver, 0);
        if (answer == SOLVER_UNKNOWN)
            return sat_cut(search);
        if (answer == SOLVER_UNSATISFIABLE)
            return SAT_SETTLED;
        if (!induction_separate(induction))
            break;
    }
    solver_add_unit(unrolling->solver, -sat_unroll_literal(unrolling, last, search->wanted));
    sat_unroll_extend(unrolling);
    return SAT_OPEN;
}

/* No step behind the one that the bounded search has excluded is looked at. */
enum sat_answer sat_induction_run(struct sat_search *search)
{
    struct induction induction = {.search = search};
    enum sat_answer answer = SAT_OPEN;
    induction_begin(&induction);
    while (!search->is_over && (answer == SAT_OPEN || answer == SAT_FOUND)) {
        answer = sat_bmc_advance(search, 0);
        if (answer != SAT_OPEN && answer != SAT_FOUND)
            break;
        if (induction.version != search->version) {
            sat_unroll_end(&induction.unrolling);
            induction_begin(&induction);
        }
        while (answer == SAT_OPEN && induction.unrolling.frames.count <= search->depth + 1)
            answer = induction_step(&induction);
    }
    sat_unroll_end(&induction.unrolling);
    return answer;
}
