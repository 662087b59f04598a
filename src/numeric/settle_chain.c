#include <math.h>

#include "base/rounding.h"
#include "numeric/absorption.h"
#include "numeric/settle.h"

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

/* Relative error of the values: of the elimination, of the constants, and of the numbers of the model. A row counts
 * twice with each change of its numbers (absorption.h). */
static double error_of(const struct fixpoint *problem, const struct absorption *solver, uint32_t count, uint64_t length)
{
    double n = count, rows = n * (double)(2 * length + 4) * 0x1p-53;
    return absorption_error(solver) + 1.01 * rows + (4 * n + 8) * problem->slack + 0x1p-50;
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

/* Narrows the bounds of the states to the values, give or take the error. */
static void put_bounds(const struct settle_chain *chain, uint32_t count, double error, const struct bounds *found,
                       struct bounds *bounds)
{
    for (uint32_t i = 0; i < count; i++) {
        double lower = fmax(0, nextafter(found->lower[i] * (1 - error), 0));
        double upper = found->upper[i] > 0 ? nextafter(found->upper[i] * (1 + error), INFINITY) : 0;
        uint32_t state = chain->states[i];
        bounds->lower[state] = fmax(bounds->lower[state], lower);
        bounds->upper[state] = fmin(fmin(bounds->upper[state], upper), chain->problem->limit);
    }
}

static bool enclose(const struct settle_chain *chain, uint32_t count, uint64_t length,
                    const struct settle_limits *limits, struct bounds *bounds)
{
    const struct fixpoint *problem = chain->problem;
    struct bounds found = {memory_zeroed((size_t)count + 1, sizeof(double)),
                           memory_zeroed((size_t)count + 1, sizeof(double))};
    rounding_clear_range();
    struct absorption *solver =
        absorption_create(count, fill_row, (void *)chain, limits->most_terms, problem->go_on, problem->user);
    double error = solver ? error_of(problem, solver, count, length) : INFINITY;
    bool is_found = error <= limits->most_error && error < 0x1p-6 &&
                    solve(chain, solver, count, bounds->lower, found.lower) &&
                    solve(chain, solver, count, bounds->upper, found.upper);
    is_found = is_found && !rounding_is_out_of_range(); /* else digits were lost */
    absorption_destroy(solver);
    if (is_found)
        put_bounds(chain, count, error, &found, bounds);
    free(found.lower);
    free(found.upper);
    return is_found;
}

/* Lines and terms, with the room that vectors keep for more. */
bool settle_has_room(const struct fixpoint *problem, uint32_t count, const struct settle_limits *limits)
{
    enum { BYTES_OF_LINE = 128, BYTES_OF_TERM = 48 };
    return !problem->has_room ||
           problem->has_room(problem->user, (uint64_t)count * BYTES_OF_LINE + limits->most_terms * BYTES_OF_TERM);
}

bool settle_chain(const struct fixpoint *problem, const uint32_t *states, uint32_t count,
                  const struct settle_limits *limits, uint32_t *place, struct bounds *bounds)
{
    struct settle_chain chain = {problem, states, place};
    uint64_t length = row_length(problem->matrix, states, count);
    if (!length || !settle_has_room(problem, count, limits))
        return false;
    for (uint32_t i = 0; i < count; i++)
        place[states[i]] = i + 1;
    bool is_found = enclose(&chain, count, length, limits, bounds);
    for (uint32_t i = 0; i < count; i++)
        place[states[i]] = 0;
    return is_found;
}
