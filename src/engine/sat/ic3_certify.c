/* The proof that IC3 ends with, checked again by a solver of its own, which knows nothing of levels: the start states
 * satisfy the clauses, steps keep them, and no state that satisfies them is in a target. */
#include "engine/sat/ic3.h"

static bool certify_starts(const struct sat_ic3 *ic3, uint32_t level)
{
    for (uint32_t l = level; l < ic3->levels.count; l++)
        for (size_t i = 0; i < ic3->levels.items[l].cubes.count; i++)
            if (cube_start(ic3->search, &ic3->levels.items[l].cubes.items[i]) != SIZE_MAX)
                return false;
    return true;
}

/* The states that the clauses exclude, now or after the chosen step. */
static bit certify_excluded(const struct sat_ic3 *ic3, uint32_t level, bool is_after)
{
    struct sat_search *search = ic3->search;
    struct aig *aig = &search->circuit.aig;
    bit excluded = BIT_FALSE;
    for (uint32_t l = level; l < ic3->levels.count; l++)
        for (size_t i = 0; i < ic3->levels.items[l].cubes.count; i++) {
            const struct cube *cube = &ic3->levels.items[l].cubes.items[i];
            bit all = BIT_TRUE;
            for (uint32_t c = 0; c < cube->count; c++) {
                bit literal = cube->literals[c];
                all = aig_and(aig, all, is_after ? search->next[literal / 2 - 1] ^ (literal & 1u) : literal);
            }
            excluded = aig_or(aig, excluded, all);
        }
    return excluded;
}

static bool certify_ask(struct sat_search *search, bit known, bit wanted, bool is_step)
{
    struct solver *solver = solver_create();
    struct cnf cnf;
    cnf_open(&cnf, &search->circuit.aig, solver);
    for (size_t i = 0; i < search->always.count; i++)
        cnf_require(&cnf, search->always.items[i]);
    for (size_t i = 0; is_step && i < search->stepping.count; i++)
        cnf_require(&cnf, search->stepping.items[i]);
    cnf_require(&cnf, known);
    cnf_require(&cnf, wanted);
    bool is_proved = solver_ask(solver, 0) == SOLVER_UNSATISFIABLE;
    cnf_close(&cnf);
    solver_destroy(solver);
    return is_proved;
}

bool ic3_certify(struct sat_ic3 *ic3, uint32_t level)
{
    bit invariant = bit_not(certify_excluded(ic3, level, false)), left = certify_excluded(ic3, level, true);
    return certify_starts(ic3, level) && certify_ask(ic3->search, invariant, left, true) &&
           certify_ask(ic3->search, invariant, ic3->search->wanted, false);
}
