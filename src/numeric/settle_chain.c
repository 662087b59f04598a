#include <math.h>

#include "base/rounding.h"
#include "numeric/absorption.h"
#include "numeric/settle.h"

enum { MOST_TERMS = 1 << 20 };

struct settle_chain {
    const struct fixpoint *problem;
    const uint32_t *states, *place;
};

static void fill_row(void *user, uint32_t number, struct absorption *into)
{
    const struct settle_chain *chain = user;
    const struct matrix *matrix = chain->problem->matrix;
    uint32_t row = matrix->state_row.items[chain->states[number]];
    for (uint64_t i = matrix->row_entry.items[row]; i < matrix->row_entry.items[row + 1]; i++) {
        const struct entry *entry = &matrix->entries.items[i];
        if (chain->place[entry->target])
            absorption_add(into, number, chain->place[entry->target] - 1, entry->value);
        else
            absorption_add_exit(into, number, entry->value);
    }
}

/* What a state earns, and what is outside. */
static double constant_of(const struct settle_chain *chain, uint32_t number, const double *outside)
{
    const struct fixpoint *problem = chain->problem;
    const struct matrix *matrix = problem->matrix;
    uint32_t row = matrix->state_row.items[chain->states[number]];
    double sum = problem->row_reward ? problem->row_reward[row] : 0;
    for (uint64_t i = matrix->row_entry.items[row]; i < matrix->row_entry.items[row + 1]; i++)
        if (!chain->place[matrix->entries.items[i].target])
            sum += matrix->entries.items[i].value * outside[matrix->entries.items[i].target];
    return sum;
}

/* The length of the longest row; 0: it is no chain. */
static uint64_t row_length(const struct matrix *matrix, const uint32_t *states, uint32_t count)
{
    uint64_t most = 1;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t row = matrix->state_row.items[states[i]];
        if (matrix->state_row.items[states[i] + 1] != row + 1)
            return 0;
        uint64_t length = matrix->row_entry.items[row + 1] - matrix->row_entry.items[row];
        most = length > most ? length : most;
    }
    return most;
}

/* Each of the n states that are eliminated changes all numbers by (n + 3) roundings at most. A value is a sum of
 * products of n - 1 probabilities divided by a sum of products of n of them, so each change counts 2n times. */
static double error_of(const struct fixpoint *problem, uint64_t size)
{
    double n = (double)size;
    return (4 * n * n * n + 16 * n + 16) * 0x1p-53 + (4 * n + 8) * problem->slack;
}

static bool solve(const struct settle_chain *chain, const struct absorption *solver, uint32_t count,
                  const double *outside, double *found)
{
    bool is_finite = true;
    for (uint32_t i = 0; i < count; i++)
        found[i] = constant_of(chain, i, outside);
    absorption_solve(solver, found);
    for (uint32_t i = 0; i < count; i++)
        is_finite &= isfinite(found[i]);
    return is_finite;
}

bool settle_chain(const struct fixpoint *problem, const uint32_t *states, uint32_t count, const uint32_t *place,
                  const struct bounds *outside, struct bounds *found)
{
    struct settle_chain chain = {problem, states, place};
    uint64_t length = row_length(problem->matrix, states, count);
    double error = error_of(problem, count + length);
    if (!length || count > SETTLE_CHAIN_STATES)
        return false;
    rounding_clear_range();
    struct absorption *solver = absorption_create(count, fill_row, &chain, MOST_TERMS, problem->go_on, problem->user);
    bool is_found = solver && solve(&chain, solver, count, outside->lower, found->lower) &&
                    solve(&chain, solver, count, outside->upper, found->upper);
    absorption_destroy(solver);
    if (!is_found || rounding_is_out_of_range()) /* then digits were lost */
        return false;
    for (uint32_t i = 0; i < count; i++) {
        found->lower[i] = fmax(0, nextafter(found->lower[i] * (1 - error), 0));
        found->upper[i] = fmin(nextafter(found->upper[i] * (1 + error), INFINITY), problem->limit);
    }
    return true;
}
