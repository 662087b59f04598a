/* Sets of states by the graph of the chain. */
#include <string.h>

#include "engine/probabilistic/formula.h"

uint8_t *markov_some_until(struct markov *markov, const uint8_t *through, const uint8_t *goal)
{
    uint8_t *set = numbers_new_set(markov, false);
    reverse_chance_zero(markov_reverse(markov), through, goal, EXTREME_GREATEST, set);
    for (uint32_t s = 0; s < markov_count(markov); s++)
        set[s] = !set[s];
    return set;
}

static bool has_successor_in(const struct matrix *matrix, uint32_t state, const uint8_t *set)
{
    uint64_t end = matrix->row_entry.items[matrix->state_row.items[state + 1]];
    for (uint64_t i = matrix->row_entry.items[matrix->state_row.items[state]]; i < end; i++)
        if (set[matrix->entries.items[i].target])
            return true;
    return false;
}

uint8_t *markov_some_next(struct markov *markov, const uint8_t *goal)
{
    uint8_t *set = numbers_new_set(markov, false);
    for (uint32_t s = 0; s < markov_count(markov); s++)
        set[s] = has_successor_in(&markov->matrix, s, goal);
    return set;
}

uint8_t *markov_some_always(struct markov *markov, const uint8_t *inside)
{
    const struct reverse *reverse = markov_reverse(markov);
    uint32_t count = markov_count(markov);
    uint8_t *set = numbers_new_set(markov, false);
    VEC(uint32_t) work = {0};
    memcpy(set, inside, count);
    for (uint32_t s = 0; s < count; s++)
        VEC_PUSH(&work, s);
    while (work.count) {
        uint32_t state = VEC_POP(&work);
        if (!set[state] || has_successor_in(&markov->matrix, state, set))
            continue;
        set[state] = 0;
        for (uint64_t i = reverse->first[state]; i < reverse->first[state + 1]; i++)
            VEC_PUSH(&work, reverse->row_state[reverse->rows[i]]);
    }
    VEC_FREE(&work);
    return set;
}

bool markov_is_beside(const struct markov *markov, const struct pctl *formula, uint32_t state)
{
    return formula == markov->evaluator.root && state >= markov->initial_count;
}

/* Forwards from the initial states. */
static uint8_t *reach_through(const struct markov *markov, const uint8_t *through)
{
    const struct matrix *matrix = &markov->matrix;
    uint8_t *reached = numbers_new_set(markov, false);
    VEC(uint32_t) work = {0};
    for (uint32_t s = 0; s < markov->initial_count; s++)
        VEC_PUSH(&work, s);
    while (work.count) {
        uint32_t state = VEC_POP(&work);
        if (reached[state] || !through[state])
            continue;
        reached[state] = 1;
        uint64_t end = matrix->row_entry.items[matrix->state_row.items[state + 1]];
        for (uint64_t i = matrix->row_entry.items[matrix->state_row.items[state]]; i < end; i++)
            VEC_PUSH(&work, matrix->entries.items[i].target);
    }
    VEC_FREE(&work);
    return reached;
}

void markov_keep_reachable(struct markov *markov, const struct pctl *formula, double limit, uint8_t *unknown,
                           struct state_numbers *numbers)
{
    if (formula != markov->evaluator.root)
        return;
    uint8_t *reached = reach_through(markov, unknown);
    for (uint32_t s = 0; s < markov_count(markov); s++)
        if (unknown[s] && !reached[s]) {
            unknown[s] = 0;
            numbers_set(numbers, s, 0);
            if (!numbers->exact)
                numbers->bounds.upper[s] = limit;
        }
    free(reached);
}

enum extreme markov_extreme(bool is_least)
{
    return is_least ? EXTREME_LEAST : EXTREME_GREATEST;
}

bool markov_is_sign(const struct pctl *formula)
{
    return !formula->is_query && !formula->threshold->is_rounded && !rational_sign(formula->threshold->factor);
}
