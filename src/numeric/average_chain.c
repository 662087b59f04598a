/* The average of a component of a chain by elimination without subtraction: what is earned from one visit of a state,
 * the hub, to the next, divided by the time that takes. All numbers are positive, so both have a relative error that
 * follows from the operations (absorption.h). It does not matter for the error which state is the hub; one that is
 * visited often keeps the numbers in the range of a double. */
#include <math.h>

#include "base/rounding.h"
#include "numeric/absorption.h"
#include "numeric/average.h"
#include "numeric/settle.h"

struct cycle {
    const struct fixpoint *problem;
    const double *row_rate;
    const uint32_t *states;
    uint32_t count, hub; /* the hub has the number `count` */
    uint32_t *place;     /* by state: its number, plus 1 */
    uint64_t length;     /* of the longest row */
};

static uint32_t row_of(const struct cycle *cycle, uint32_t number)
{
    return cycle->problem->matrix->state_row.items[number == cycle->count ? cycle->hub : cycle->states[number]];
}

static void fill_row(void *user, uint32_t number, struct absorption *into)
{
    const struct cycle *cycle = user;
    const struct matrix *matrix = cycle->problem->matrix;
    uint32_t row = row_of(cycle, number);
    for (uint64_t e = matrix->row_entry.items[row]; e < matrix->row_entry.items[row + 1]; e++) {
        uint32_t target = cycle->place[matrix->entries.items[e].target] - 1;
        if (target == cycle->count)
            absorption_add_exit(into, number, matrix->entries.items[e].value);
        else
            absorption_add(into, number, target, matrix->entries.items[e].value);
    }
}

static double time_of(const struct cycle *cycle, uint32_t number)
{
    return cycle->row_rate ? 1 / cycle->row_rate[row_of(cycle, number)] : 1;
}

/* What one visit of the state earns, or (`is_time`) how long it takes. */
static double worth_of(const struct cycle *cycle, uint32_t number, bool is_time)
{
    double time = time_of(cycle, number);
    return is_time ? time : time * cycle->problem->row_reward[row_of(cycle, number)];
}

/* From one visit of the hub to the next. */
static double earn(const struct cycle *cycle, const struct absorption *solver, bool is_time, double *values)
{
    const struct matrix *matrix = cycle->problem->matrix;
    uint32_t hub_row = row_of(cycle, cycle->count);
    for (uint32_t i = 0; i < cycle->count; i++)
        values[i] = worth_of(cycle, i, is_time);
    absorption_solve(solver, values);
    double sum = worth_of(cycle, cycle->count, is_time);
    for (uint64_t e = matrix->row_entry.items[hub_row]; e < matrix->row_entry.items[hub_row + 1]; e++) {
        uint32_t target = cycle->place[matrix->entries.items[e].target] - 1;
        if (target != cycle->count)
            sum += matrix->entries.items[e].value * values[target];
    }
    return sum;
}

/* Relative, of what is earned and of the time alike. */
static double error_of(const struct cycle *cycle, const struct absorption *solver)
{
    double n = (double)cycle->count + 1, rows = n * (double)(2 * cycle->length + 8) * 0x1p-53;
    return absorption_error(solver) + 1.01 * rows + (4 * n + 16) * cycle->problem->slack;
}

static enum average_outcome enclose(const struct cycle *cycle, const struct absorption *solver, double most_error,
                                    double *lower, double *upper)
{
    double error = 2.1 * error_of(cycle, solver);
    if (!(error <= most_error && error < 0x1p-6))
        return AVERAGE_LIMIT;
    double *values = memory_zeroed((size_t)cycle->count + 1, sizeof *values);
    double earned = earn(cycle, solver, false, values), time = earn(cycle, solver, true, values), value = earned / time;
    free(values);
    if (rounding_is_out_of_range() || !(time > 0) || !isfinite(earned) || !isfinite(time))
        return AVERAGE_OUT_OF_RANGE;
    *lower = fmax(*lower, nextafter(value * (1 - error), 0));
    *upper = fmin(*upper, value > 0 ? nextafter(value * (1 + error), INFINITY) : 0);
    return AVERAGE_FOUND;
}

enum average_outcome average_by_elimination(const struct fixpoint *problem, const double *row_rate,
                                            const uint32_t *states, uint32_t count, uint32_t hub,
                                            const struct settle_limits *limits, double *lower, double *upper)
{
    const struct matrix *matrix = problem->matrix;
    uint32_t *place = memory_zeroed((size_t)matrix_states(matrix) + 1, sizeof *place), others = 0;
    uint32_t *numbered = memory_zeroed((size_t)count + 1, sizeof *numbered);
    struct cycle cycle = {problem, row_rate, numbered, count - 1, hub, place, 0};
    for (uint32_t i = 0; i < count; i++) {
        uint32_t row = matrix->state_row.items[states[i]];
        uint64_t length = matrix->row_entry.items[row + 1] - matrix->row_entry.items[row];
        cycle.length = length > cycle.length ? length : cycle.length;
        place[states[i]] = states[i] == hub ? count : others + 1;
        if (states[i] != hub)
            numbered[others++] = states[i];
    }
    rounding_clear_range();
    struct absorption *solver =
        settle_has_room(problem, count, limits)
            ? absorption_create(cycle.count, fill_row, &cycle, limits->most_terms, problem->go_on, problem->user)
            : NULL;
    enum average_outcome outcome = solver ? enclose(&cycle, solver, limits->most_error, lower, upper) : AVERAGE_LIMIT;
    absorption_destroy(solver);
    free(place);
    free(numbered);
    return outcome;
}
