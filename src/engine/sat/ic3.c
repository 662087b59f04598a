#include "engine/sat/ic3.h"

#include <stdlib.h>

static void ic3_add_level(struct sat_ic3 *ic3)
{
    struct ic3_level level = {.active = solver_variable(ic3->solver)};
    VEC_PUSH(&ic3->levels, level);
}

static struct sat_ic3 *ic3_create(struct sat_search *search)
{
    struct sat_ic3 *ic3 = memory_zeroed(1, sizeof *ic3);
    *ic3 = (struct sat_ic3){.search = search, .solver = solver_create(), .is_symmetric = search->generators.count > 0};
    cnf_open(&ic3->cnf, &search->circuit.aig, ic3->solver);
    ic3->inputs = memory_zeroed((size_t)search->circuit.aig.inputs + 1, sizeof *ic3->inputs);
    ic3->marked = memory_zeroed((size_t)search->circuit.aig.inputs + 1, sizeof *ic3->marked);
    ic3->stepping = solver_variable(ic3->solver);
    for (uint32_t v = 0; v < search->circuit.variable_count; v++)
        ic3_literal(ic3, circuit_variable(v));
    for (size_t i = 0; i < search->always.count; i++)
        cnf_require(&ic3->cnf, search->always.items[i]);
    for (size_t i = 0; i < search->stepping.count; i++)
        solver_add_pair(ic3->solver, -ic3->stepping, ic3_literal(ic3, search->stepping.items[i]));
    for (uint32_t v = 0; v < search->circuit.variable_count; v++)
        ic3_literal(ic3, search->next[v]);
    ic3_add_level(ic3);
    ic3_add_level(ic3);
    return ic3;
}

void sat_ic3_destroy(struct sat_ic3 *ic3)
{
    if (!ic3)
        return;
    ic3_forget_obligations(ic3);
    VEC_FREE(&ic3->obligations);
    VEC_FREE(&ic3->queue);
    for (size_t i = 0; i < ic3->levels.count; i++)
        cubes_free(&ic3->levels.items[i].cubes);
    VEC_FREE(&ic3->levels);
    cnf_close(&ic3->cnf);
    solver_destroy(ic3->solver);
    free(ic3->inputs);
    free(ic3->marked);
    free(ic3);
}

static void ic3_remove(struct sat_ic3 *ic3, uint32_t level, size_t place)
{
    cube_list *cubes = &ic3->levels.items[level].cubes;
    cube_free(&cubes->items[place]);
    cubes->items[place] = VEC_LAST(cubes);
    cubes->count--;
    ic3->search->clauses--;
}

/* What the new cube contains is excluded by it from now on. */
static void ic3_drop_contained(struct sat_ic3 *ic3, uint32_t level, const struct cube *cube)
{
    for (uint32_t l = 1; l <= level; l++)
        for (size_t i = ic3->levels.items[l].cubes.count; i-- > 0;)
            if (cube_contains(cube, &ic3->levels.items[l].cubes.items[i]))
                ic3_remove(ic3, l, i);
}

static void ic3_add_one(struct sat_ic3 *ic3, uint32_t level, struct cube cube)
{
    int *clause = memory_alloc((cube.count + 1) * sizeof *clause);
    ic3_drop_contained(ic3, level, &cube);
    clause[0] = -ic3->levels.items[level].active;
    for (uint32_t i = 0; i < cube.count; i++)
        clause[i + 1] = -ic3_literal(ic3, cube.literals[i]);
    solver_add(ic3->solver, clause, cube.count + 1);
    free(clause);
    VEC_PUSH(&ic3->levels.items[level].cubes, cube);
    ic3->search->clauses++;
}

void ic3_add(struct sat_ic3 *ic3, uint32_t level, struct cube cube)
{
    cube_list orbit = {0};
    size_t count = ic3_orbit(ic3, &cube, &orbit) ? orbit.count : 1;
    cube_free(&cube);
    for (size_t i = 0; i < orbit.count; i++) {
        orbit.items[i].orbit = ic3->orbits;
        if (i < count)
            ic3_add_one(ic3, level, orbit.items[i]);
        else
            cube_free(&orbit.items[i]);
    }
    ic3->orbits++;
    VEC_FREE(&orbit);
}

/* Clauses that no step leads out of move up. True: a level is empty, *level, and those behind it are invariant. */
static bool ic3_propagate(struct sat_ic3 *ic3, uint32_t *level)
{
    for (*level = 1; *level < ic3_top(ic3); ++*level) {
        cube_list *cubes = &ic3->levels.items[*level].cubes;
        bool *stays = memory_zeroed((size_t)ic3->orbits + 1, sizeof *stays);
        uint32_t orbits = ic3->orbits;
        for (size_t i = cubes->count; i-- > 0 && !ic3->is_cut;) {
            if (i >= cubes->count) /* others were contained in one that moved */
                continue;
            if (cubes->items[i].orbit < orbits && stays[cubes->items[i].orbit])
                continue; /* as the others of its orbit */
            struct cube cube = cube_copy(&cubes->items[i]);
            bool moves = ic3_ask_step(ic3, *level, &cube, NULL) == SOLVER_UNSATISFIABLE;
            stays[cube.orbit] = !moves && ic3->is_symmetric;
            if (moves)
                ic3_add(ic3, *level + 1, cube); /* which removes it here */
            else
                cube_free(&cube);
        }
        free(stays);
        if (!cubes->count && !ic3->is_cut)
            return true;
    }
    return false;
}

/* Where some orbits were too large, the levels are not symmetric, and clauses may not follow from those before: then
 * without symmetry. */
static void ic3_begin_again(struct sat_ic3 *ic3)
{
    ic3->is_symmetric = false;
    result_fall_back(ic3->search->result, NULL, "symmetry",
                     "some orbits of clauses were too large, and the proof did not hold without them");
    for (size_t i = 0; i < ic3->levels.count; i++)
        cubes_free(&ic3->levels.items[i].cubes);
    VEC_CLEAR(&ic3->levels); /* their clauses are off for ever */
    ic3_add_level(ic3);
    ic3_add_level(ic3);
}

/* No more targets in the last level: one more. */
static enum sat_answer ic3_extend(struct sat_ic3 *ic3)
{
    uint32_t level;
    ic3_add_level(ic3);
    ic3->search->frames = ic3_top(ic3);
    sat_tell(ic3->search);
    if (!ic3_propagate(ic3, &level))
        return ic3->is_cut ? SAT_CUT : SAT_OPEN;
    if (ic3_certify(ic3, level + 1)) {
        ic3->proved = level + 1;
        return SAT_SETTLED;
    }
    if (watch_is_up())
        return SAT_CUT;
    ENSURE(ic3->is_symmetric); /* else the proof is wrong: a bug of ours */
    ic3_begin_again(ic3);
    return SAT_OPEN;
}

static enum sat_answer ic3_round(struct sat_ic3 *ic3, bool (*pause)(struct sat_search *search))
{
    struct ic3_obligation obligation = {.level = ic3_top(ic3), .next = SIZE_MAX};
    enum solver_answer answer = ic3_ask_target(ic3, ic3_top(ic3), &obligation.target);
    if (answer == SOLVER_UNKNOWN)
        return SAT_CUT;
    if (answer == SOLVER_UNSATISFIABLE)
        return ic3_extend(ic3);
    obligation.cube = ic3_target_cube(ic3, obligation.target);
    ic3_oblige(ic3, obligation);
    enum sat_answer blocked = ic3_block(ic3, pause);
    ic3_forget_obligations(ic3);
    return blocked;
}

enum sat_answer sat_ic3_run(struct sat_search *search, bool (*pause)(struct sat_search *search))
{
    enum sat_answer answer = SAT_OPEN;
    if (!search->ic3)
        search->ic3 = ic3_create(search);
    while ((answer == SAT_OPEN || answer == SAT_FOUND) && !search->is_over) {
        answer = ic3_round(search->ic3, pause);
        if (answer != SAT_SETTLED && pause(search))
            answer = SAT_CUT;
    }
    return answer == SAT_CUT && !search->is_settled ? sat_cut(search) : answer;
}
