/* The average of an end component by policy iteration (Howard 1960): however slowly a run traverses it, few rounds
 * are enough. The values found are only near; the bounds come from them as from any others (average.h). */
#include <math.h>
#include <string.h>

#include "numeric/absorption.h"
#include "numeric/approach.h"
#include "numeric/average.h"
#include "numeric/components.h"
#include "numeric/drift.h"

enum { MOST_ROUNDS = 100, MOST_REFINEMENTS = 12, MOST_TERMS = 1 << 21 };

/* Another row is taken when it is better by more than this share of its variation. */
static const double GAIN = 0x1p-50;

struct howard {
    const struct fixpoint *problem;
    const uint8_t *is_kept; /* by row; NULL: all */
    const uint32_t *states;
    uint32_t count;
    uint32_t *place;
    struct drift_field field; /* what the states are worth beside the hub */
    uint32_t *rows;           /* by number: the scheduler */
    uint32_t hub;             /* the number of a state that it comes to for certain, again and again */
    struct pair average;
    double *missing, *time; /* by number */
};

static bool is_kept(const struct howard *howard, uint32_t row)
{
    return !howard->is_kept || howard->is_kept[row];
}

static uint32_t number_of(const struct howard *howard, uint64_t entry)
{
    return howard->place[howard->problem->matrix->entries.items[entry].target] - 1;
}

/* --- a scheduler that comes to the hub --- */

static bool is_own_row(const void *user, uint32_t number, uint32_t row)
{
    const struct howard *howard = user;
    return row == howard->rows[number];
}

static bool is_kept_row(const void *user, uint32_t number, uint32_t row)
{
    (void)number;
    return is_kept(user, row);
}

/* The states that come to the hub by the scheduler's rows, into `set`; `changes`: by any, which it takes then. Returns
 * their number, or APPROACH_STOPPED. */
static uint32_t reach_hub(struct howard *howard, bool changes, uint8_t *set)
{
    const struct fixpoint *problem = howard->problem;
    struct approach approach = {
        problem->matrix, howard->states, howard->count, howard->place, changes ? is_kept_row : is_own_row,
        howard,          problem->go_on, problem->user};
    set[howard->hub] = 1;
    return approach_extend(&approach, set, howard->rows);
}

/* Of states that never come to the hub, one that the scheduler comes to again and again. */
static uint32_t other_hub(const struct howard *howard, const uint8_t *set)
{
    struct matrix graph = {0};
    const struct matrix *matrix = howard->problem->matrix;
    uint8_t *wanted = memory_zeroed((size_t)howard->count + 1, 1);
    for (uint32_t i = 0; i < howard->count; i++) {
        wanted[i] = !set[i];
        matrix_begin_state(&graph);
        matrix_begin_row(&graph);
        for (uint64_t e = matrix->row_entry.items[howard->rows[i]]; e < matrix->row_entry.items[howard->rows[i] + 1];
             e++)
            matrix_append(&graph, number_of(howard, e), 1);
    }
    matrix_close(&graph);
    struct components *components = components_create(&graph, wanted);
    uint32_t hub = components->states[0]; /* the first component leads to no other */
    components_destroy(components);
    matrix_free(&graph);
    free(wanted);
    return hub;
}

/* A scheduler that was changed for the better may have got stuck elsewhere: there it is better still, so that all go
 * there. */
static void make_proper(struct howard *howard)
{
    uint8_t *set = memory_zeroed((size_t)howard->count + 1, 1);
    if (reach_hub(howard, false, set) < howard->count) {
        howard->hub = other_hub(howard, set);
        memset(set, 0, howard->count);
        reach_hub(howard, false, set);
        reach_hub(howard, true, set);
    }
    free(set);
}

/* --- its average --- */

static void fill_row(void *user, uint32_t number, struct absorption *into)
{
    const struct howard *howard = user;
    const struct matrix *matrix = howard->problem->matrix;
    uint32_t row = howard->rows[number];
    for (uint64_t e = matrix->row_entry.items[row]; e < matrix->row_entry.items[row + 1]; e++) {
        uint32_t target = number_of(howard, e);
        if (target == howard->hub || number == howard->hub)
            absorption_add_exit(into, number, matrix->entries.items[e].value);
        else
            absorption_add(into, number, target, matrix->entries.items[e].value);
    }
}

/* The mean of values over where the hub leads; what stays there comes back at once. */
static double mean_at_hub(const struct howard *howard, const double *values)
{
    const struct matrix *matrix = howard->problem->matrix;
    uint32_t row = howard->rows[howard->hub];
    double sum = 0;
    for (uint64_t e = matrix->row_entry.items[row]; e < matrix->row_entry.items[row + 1]; e++)
        if (number_of(howard, e) != howard->hub)
            sum += matrix->entries.items[e].value * values[number_of(howard, e)];
    return sum;
}

/* What is missing from reward + row * x - x = average. Returns the greatest share of the variation. */
static double find_missing(struct howard *howard)
{
    double most = 0;
    for (uint32_t i = 0; i < howard->count; i++) {
        struct drift drift = drift_of(&howard->field, i, howard->rows[i]);
        struct pair off = drift_pair(&howard->field, i, howard->rows[i]);
        off = pair_plus(off, (struct pair){-howard->average.high, -howard->average.low});
        howard->missing[i] = off.high;
        most = fmax(most, off.high == 0 ? 0 : fabs(off.high) / (drift.up + drift.down + 0x1p-1000));
    }
    return most;
}

static bool evaluate(struct howard *howard)
{
    const struct fixpoint *problem = howard->problem;
    struct absorption *solver =
        absorption_create(howard->count, fill_row, howard, MOST_TERMS, problem->go_on, problem->user);
    if (!solver)
        return false;
    uint32_t hub = howard->hub;
    memset(howard->field.x, 0, howard->count * sizeof *howard->field.x);
    howard->average = (struct pair){0};
    for (uint32_t i = 0; i < howard->count; i++)
        howard->time[i] = i != hub;
    absorption_solve(solver, howard->time);
    double cycle = 1 + mean_at_hub(howard, howard->time), before = INFINITY;
    for (int round = 0; round < MOST_REFINEMENTS; round++) {
        double missing = find_missing(howard), at_hub = howard->missing[hub];
        if (round && (missing < 0x1p-70 || missing > before / 2))
            break;
        before = missing;
        howard->missing[hub] = 0;
        absorption_solve(solver, howard->missing);
        double more = (at_hub + mean_at_hub(howard, howard->missing)) / cycle;
        howard->average = pair_add(howard->average, more);
        for (uint32_t i = 0; i < howard->count; i++)
            if (i != hub)
                howard->field.x[i] = pair_add(howard->field.x[i], howard->missing[i] - more * howard->time[i]);
    }
    absorption_destroy(solver);
    return isfinite(howard->average.high);
}

static bool improve(struct howard *howard)
{
    const struct matrix *matrix = howard->problem->matrix;
    bool is_changed = false, is_least = howard->problem->extreme == EXTREME_LEAST;
    for (uint32_t i = 0; i < howard->count; i++) {
        uint32_t state = howard->states[i], own = howard->rows[i];
        double best = 0;
        for (uint32_t r = matrix->state_row.items[state]; r < matrix->state_row.items[state + 1]; r++) {
            if (r == own || !is_kept(howard, r))
                continue;
            struct drift drift = drift_of(&howard->field, i, r);
            struct pair change = drift_pair(&howard->field, i, r);
            change = pair_plus(change, (struct pair){-howard->average.high, -howard->average.low});
            double gain = is_least ? -change.high : change.high;
            if (gain <= GAIN * (drift.up + drift.down) || gain <= best)
                continue;
            best = gain;
            howard->rows[i] = r;
            is_changed = true;
        }
    }
    return is_changed;
}

/* --- the bounds --- */

static void enclose(const struct howard *howard, double *lower, double *upper)
{
    const struct matrix *matrix = howard->problem->matrix;
    bool is_least = howard->problem->extreme == EXTREME_LEAST;
    double least = INFINITY, most = -INFINITY;
    for (uint32_t i = 0; i < howard->count; i++) {
        uint32_t state = howard->states[i];
        double low = is_least ? INFINITY : -INFINITY, high = low;
        for (uint32_t r = matrix->state_row.items[state]; r < matrix->state_row.items[state + 1]; r++) {
            if (!is_kept(howard, r))
                continue;
            struct drift drift = drift_of(&howard->field, i, r);
            double error = (drift.up + drift.down) * (2 * drift.share) + 1.01 * drift.off, gain = drift.up - drift.down;
            double below = nextafter(gain - error, -INFINITY), above = nextafter(gain + error, INFINITY);
            low = is_least ? fmin(low, below) : fmax(low, below);
            high = is_least ? fmin(high, above) : fmax(high, above);
        }
        least = fmin(least, low);
        most = fmax(most, high);
    }
    *lower = fmax(*lower, least);
    *upper = fmin(*upper, most);
}

bool average_settle(const struct fixpoint *problem, const uint8_t *kept, const uint32_t *states, uint32_t count,
                    uint32_t *place, double *lower, double *upper)
{
    size_t size = (size_t)count + 1;
    struct howard howard = {.problem = problem,
                            .is_kept = kept,
                            .states = states,
                            .count = count,
                            .place = place,
                            .field = {problem, place, NULL, memory_zeroed(size, sizeof(struct pair))},
                            .rows = memory_zeroed(size, sizeof(uint32_t)),
                            .missing = memory_zeroed(size, sizeof(double)),
                            .time = memory_zeroed(size, sizeof(double))};
    uint8_t *set = memory_zeroed(size, 1);
    for (uint32_t i = 0; i < count; i++)
        place[states[i]] = i + 1;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t r = problem->matrix->state_row.items[states[i] + 1];
             r-- > problem->matrix->state_row.items[states[i]];)
            howard.rows[i] = is_kept(&howard, r) ? r : howard.rows[i];
    reach_hub(&howard, true, set);
    bool is_good = true, is_changed = true;
    for (int round = 0; round < MOST_ROUNDS && is_good && is_changed; round++) {
        is_good = (!problem->go_on || problem->go_on(problem->user)) && evaluate(&howard);
        is_changed = is_good && improve(&howard);
        if (is_changed)
            make_proper(&howard);
    }
    if (is_good)
        enclose(&howard, lower, upper);
    for (uint32_t i = 0; i < count; i++)
        place[states[i]] = 0;
    free(set);
    free(howard.field.x);
    free(howard.rows);
    free(howard.missing);
    free(howard.time);
    return is_good;
}
