#include <stdlib.h>
#include <string.h>

#include "engine/sat/ic3.h"

void ic3_oblige(struct sat_ic3 *ic3, struct ic3_obligation obligation)
{
    size_t number = ic3->obligations.count;
    VEC_PUSH(&ic3->obligations, obligation);
    VEC_PUSH(&ic3->queue, number);
}

void ic3_forget_obligations(struct sat_ic3 *ic3)
{
    for (size_t i = 0; i < ic3->obligations.count; i++)
        cube_free(&ic3->obligations.items[i].cube);
    VEC_CLEAR(&ic3->obligations);
    VEC_CLEAR(&ic3->queue);
}

/* The newest of those at the lowest level. */
static size_t ic3_take_obligation(struct sat_ic3 *ic3)
{
    size_t best = ic3->queue.count - 1;
    for (size_t i = best; i-- > 0;)
        if (ic3->obligations.items[ic3->queue.items[i]].level < ic3->obligations.items[ic3->queue.items[best]].level)
            best = i;
    size_t number = ic3->queue.items[best];
    memmove(ic3->queue.items + best, ic3->queue.items + best + 1,
            (ic3->queue.count - best - 1) * sizeof *ic3->queue.items);
    ic3->queue.count--;
    return number;
}

/* The state after the step. */
static void ic3_follow(const struct sat_ic3 *ic3, uint32_t step_number, const bool *before, bool *after)
{
    const struct circuit *circuit = &ic3->search->circuit;
    const struct circuit_step *step = &circuit->steps.items[step_number];
    bit *roots = memory_alloc((step->change_count + 1) * sizeof *roots);
    struct aig_values values;
    for (uint32_t c = 0; c < step->change_count; c++)
        roots[c] = circuit->changes.items[step->first_change + c].value;
    memset(ic3->inputs, 0, circuit->aig.inputs * sizeof *ic3->inputs);
    memcpy(ic3->inputs, before, circuit->variable_count * sizeof *before);
    aig_evaluate(&circuit->aig, roots, step->change_count, ic3->inputs, &values);
    memcpy(after, before, circuit->variable_count * sizeof *before);
    for (uint32_t c = 0; c < step->change_count; c++)
        after[circuit->changes.items[step->first_change + c].variable] = aig_value(&values, roots[c]);
    aig_values_free(&values);
    free(roots);
}

/* From a start state in the obligation's cube by the known steps to the target. */
static void ic3_report(struct sat_ic3 *ic3, size_t number, size_t row)
{
    struct sat_search *search = ic3->search;
    size_t width = search->circuit.variable_count;
    uint32_t count = 1, at = 1;
    const struct ic3_obligation *items = ic3->obligations.items;
    for (size_t i = number; items[i].next != SIZE_MAX; i = items[i].next)
        count++;
    bool *states = memory_alloc(count * width + 1);
    memcpy(states, search->rows + row * width, width);
    for (size_t i = number; items[i].next != SIZE_MAX; i = items[i].next, at++)
        ic3_follow(ic3, items[i].step, states + (at - 1) * width, states + at * width);
    bool is_new = sat_target_is_open(search, items[number].target) && !sat_bmc_find_shorter(search, count);
    if (is_new && sat_target_is_open(search, items[number].target))
        sat_found(search, items[number].target, states, count);
    free(states);
}

/* No step from the level before leads into the core: excludes as much as possible, as far up as possible. */
static void ic3_exclude(struct sat_ic3 *ic3, size_t number, struct cube core)
{
    uint32_t level = ic3->obligations.items[number].level;
    struct cube cube = ic3_generalise(ic3, level - 1, core);
    while (level < ic3_top(ic3) && ic3_ask_step(ic3, level, &cube, NULL) == SOLVER_UNSATISFIABLE)
        level++;
    ic3_add(ic3, level, cube);
    if (level >= ic3_top(ic3))
        return;
    ic3->obligations.items[number].level = level + 1;
    VEC_PUSH(&ic3->queue, number);
}

static void ic3_go_back(struct sat_ic3 *ic3, size_t number)
{
    const struct ic3_obligation *after = &ic3->obligations.items[number];
    struct ic3_obligation before = {.level = after->level - 1, .next = number, .target = after->target};
    before.cube = ic3_predecessor(ic3, &after->cube, &before.step);
    VEC_PUSH(&ic3->queue, number);
    ic3_oblige(ic3, before);
}

enum sat_answer ic3_block(struct sat_ic3 *ic3, bool (*pause)(struct sat_search *search))
{
    uint64_t version = ic3->search->version;
    while (ic3->queue.count) {
        if (pause(ic3->search))
            return SAT_CUT;
        if (ic3->search->version != version)
            return SAT_OPEN; /* another method has found something: what is wanted is another question now */
        size_t number = ic3_take_obligation(ic3);
        struct ic3_obligation obligation = ic3->obligations.items[number];
        size_t row = cube_start(ic3->search, &obligation.cube);
        if (row != SIZE_MAX) {
            ic3_report(ic3, number, row);
            return SAT_FOUND;
        }
        ENSURE(obligation.level > 0);
        struct cube core;
        enum solver_answer answer = ic3_ask_step(ic3, obligation.level - 1, &obligation.cube, &core);
        if (answer == SOLVER_UNKNOWN)
            return SAT_CUT;
        if (answer == SOLVER_SATISFIABLE)
            ic3_go_back(ic3, number);
        else
            ic3_exclude(ic3, number, core);
        if (ic3->is_cut)
            return SAT_CUT;
    }
    return SAT_OPEN;
}
