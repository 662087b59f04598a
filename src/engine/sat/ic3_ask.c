#include <stdlib.h>
#include <string.h>

#include "engine/sat/ic3.h"

int ic3_literal(struct sat_ic3 *ic3, bit f)
{
    return cnf_literal(&ic3->cnf, f);
}

static void ic3_assume_level(struct sat_ic3 *ic3, uint32_t level)
{
    if (!level)
        solver_assume(ic3->solver, ic3_literal(ic3, ic3->search->starts));
    for (uint32_t i = level ? level : 1; i < ic3->levels.count; i++)
        solver_assume(ic3->solver, ic3->levels.items[i].active);
}

/* The value of the literal after the chosen step. */
static int ic3_next_literal(struct sat_ic3 *ic3, bit literal)
{
    return ic3_literal(ic3, ic3->search->next[literal / 2 - 1] ^ (literal & 1u));
}

/* The literals that the solver needed, and, where start states are among those, some more until they are not. */
static struct cube ic3_core(struct sat_ic3 *ic3, const struct cube *cube)
{
    struct cube core = cube_copy(cube);
    bool *is_needed = memory_zeroed((size_t)cube->count + 1, sizeof *is_needed);
    for (uint32_t i = 0; i < cube->count; i++)
        is_needed[i] = solver_failed(ic3->solver, ic3_next_literal(ic3, cube->literals[i]));
    for (uint32_t extra = 0;; extra++) {
        core.count = 0;
        for (uint32_t i = 0; i < cube->count; i++)
            if (is_needed[i])
                core.literals[core.count++] = cube->literals[i];
        if (cube_start(ic3->search, &core) == SIZE_MAX || extra == cube->count)
            break;
        is_needed[extra] = true;
    }
    free(is_needed);
    return core;
}

enum solver_answer ic3_ask_step(struct sat_ic3 *ic3, uint32_t level, const struct cube *cube, struct cube *core)
{
    int *outside = memory_alloc(cube->count * sizeof *outside + 1);
    for (uint32_t i = 0; i < cube->count; i++)
        outside[i] = -ic3_literal(ic3, cube->literals[i]);
    ic3_assume_level(ic3, level);
    solver_assume(ic3->solver, ic3->stepping);
    for (uint32_t i = 0; i < cube->count; i++)
        solver_assume(ic3->solver, ic3_next_literal(ic3, cube->literals[i]));
    solver_constrain(ic3->solver, outside, cube->count);
    free(outside);
    enum solver_answer answer = solver_ask(ic3->solver, 0);
    if (answer == SOLVER_UNSATISFIABLE && core)
        *core = ic3_core(ic3, cube);
    ic3->is_cut |= answer == SOLVER_UNKNOWN;
    return answer;
}

static void ic3_take_state(struct sat_ic3 *ic3)
{
    memset(ic3->inputs, 0, ic3->search->circuit.aig.inputs * sizeof *ic3->inputs);
    for (uint32_t v = 0; v < ic3->search->circuit.variable_count; v++)
        ic3->inputs[v] = solver_value(ic3->solver, ic3_literal(ic3, circuit_variable(v)));
}

static struct cube ic3_justified(struct sat_ic3 *ic3, const bit *roots, size_t count)
{
    const struct aig *aig = &ic3->search->circuit.aig;
    struct aig_values values;
    memset(ic3->marked, 0, aig->inputs * sizeof *ic3->marked);
    aig_evaluate(aig, roots, count, ic3->inputs, &values);
    for (size_t i = 0; i < count; i++)
        ENSURE(aig_value(&values, roots[i]));
    aig_justify(aig, &values, roots, count, ic3->marked);
    aig_values_free(&values);
    return cube_marked(ic3);
}

static uint32_t ic3_chosen_step(struct sat_ic3 *ic3)
{
    const struct sat_search *search = ic3->search;
    for (uint32_t s = 0; s < search->chosen.count; s++)
        if (solver_value(ic3->solver, ic3_literal(ic3, search->chosen.items[s])))
            return s;
    UNREACHABLE("no step is chosen");
}

/* The value of a state variable after the step. */
static bit ic3_after_step(const struct circuit *circuit, const struct circuit_step *step, uint32_t variable)
{
    for (uint32_t c = 0; c < step->change_count; c++)
        if (circuit->changes.items[step->first_change + c].variable == variable)
            return circuit->changes.items[step->first_change + c].value;
    return circuit_variable(variable);
}

struct cube ic3_predecessor(struct sat_ic3 *ic3, const struct cube *cube, uint32_t *step)
{
    const struct sat_search *search = ic3->search;
    const struct circuit *circuit = &search->circuit;
    bit *roots = memory_alloc((cube->count + 2) * sizeof *roots);
    *step = ic3_chosen_step(ic3);
    ic3_take_state(ic3);
    ic3->inputs[circuit->aig.nodes.items[search->chosen.items[*step] >> 1].right] = true;
    roots[0] = circuit->steps.items[*step].fires;
    roots[1] = search->after;
    for (uint32_t i = 0; i < cube->count; i++) {
        bit after = ic3_after_step(circuit, &circuit->steps.items[*step], cube->literals[i] / 2 - 1);
        roots[i + 2] = after ^ (cube->literals[i] & 1u);
    }
    struct cube predecessor = ic3_justified(ic3, roots, cube->count + 2);
    free(roots);
    return predecessor;
}

enum solver_answer ic3_ask_target(struct sat_ic3 *ic3, uint32_t level, struct sat_target **target)
{
    const struct sat_search *search = ic3->search;
    for (size_t i = 0; i < search->targets.count; i++) /* so that their values can be asked for */
        ic3_literal(ic3, search->targets.items[i].when);
    ic3_assume_level(ic3, level);
    solver_assume(ic3->solver, ic3_literal(ic3, search->wanted));
    enum solver_answer answer = solver_ask(ic3->solver, 0);
    ic3->is_cut |= answer == SOLVER_UNKNOWN;
    for (size_t i = 0; answer == SOLVER_SATISFIABLE && i < search->targets.count; i++) {
        *target = &search->targets.items[i];
        if (sat_target_is_open(search, *target) && solver_value(ic3->solver, ic3_literal(ic3, (*target)->when)))
            return answer;
    }
    ENSURE(answer != SOLVER_SATISFIABLE);
    return answer;
}

struct cube ic3_target_cube(struct sat_ic3 *ic3, const struct sat_target *target)
{
    ic3_take_state(ic3);
    return ic3_justified(ic3, &target->when, 1);
}
