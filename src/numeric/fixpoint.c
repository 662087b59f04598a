#include "numeric/fixpoint.h"

#include <math.h>
#include <string.h>

#include "base/rounding.h"
#include "base/words.h"
#include "numeric/components.h"
#include "numeric/settle.h"
#include "numeric/sweep.h"

enum {
    WORK_BETWEEN_QUESTIONS = 1 << 18,
    MAX_GUESSES = 40,
    SWEEPS_BEFORE_SETTLING = 200,
    SWEEPS_BEFORE_ELIMINATION = 64,
    STATES_TO_SETTLE_IN_ANY_CASE = 20000,
    FEW_TERMS_OF_STATE = 32, /* of a chain that is narrow */
    MOST_TERMS = 1 << 23,
    MOST_TERMS_AT_LAST = 1 << 20
};

/* A sum and what it is divided by may both be off: together by so much. */
static double scale_down(const struct fixpoint *problem)
{
    return 1 - 4 * problem->slack;
}

static double scale_up(const struct fixpoint *problem)
{
    return 1 + 4 * problem->slack;
}

struct fixpoint_enclosure {
    const struct fixpoint *problem;
    struct bounds *bounds;
    double *next;          /* by state */
    double *best;          /* by state: what is verified to be above; made when it is needed first */
    uint32_t *sorted;      /* the states of a large component, in order */
    uint32_t *place;       /* for settling; made when it is needed first */
    uint64_t pause_at;     /* sweeps: time to look for another way */
    uint64_t sweeps, work; /* work: states since the last question */
    bool is_stopped;
    double certain; /* what is known to be above the watched state: not a guess under way */
};

static void tell(const struct fixpoint_enclosure *enclosure)
{
    const struct fixpoint *problem = enclosure->problem;
    if (problem->watch)
        problem->watch(problem->user, enclosure->sweeps, enclosure->bounds->lower[problem->watched],
                       enclosure->certain);
}

static bool may_go_on(struct fixpoint_enclosure *enclosure, uint32_t count)
{
    const struct fixpoint *problem = enclosure->problem;
    tell(enclosure);
    enclosure->sweeps++;
    enclosure->work += count;
    enclosure->is_stopped |= problem->most_sweeps && enclosure->sweeps >= problem->most_sweeps;
    if (enclosure->is_stopped || enclosure->work < WORK_BETWEEN_QUESTIONS || !problem->go_on)
        return !enclosure->is_stopped;
    enclosure->work = 0;
    enclosure->is_stopped = !problem->go_on(problem->user);
    return !enclosure->is_stopped;
}

static struct sweep sweep_of(const struct fixpoint_enclosure *enclosure, const uint32_t *states, uint32_t count,
                             double scale)
{
    return (struct sweep){enclosure->problem, states, count, scale, true, enclosure->next};
}

static void iterate(struct fixpoint_enclosure *enclosure, const struct sweep *sweep, double *x, double delta)
{
    if (sweep_is_large(sweep->count))
        memcpy(enclosure->next, x, matrix_states(enclosure->problem->matrix) * sizeof *x);
    while (may_go_on(enclosure, sweep->count) && enclosure->sweeps < enclosure->pause_at && sweep_up(sweep, x) > delta)
        ;
}

/* Raises the upper values by that share and looks whether a few steps bring all of them down. */
static bool verify_guess(struct fixpoint_enclosure *enclosure, const struct sweep *sweep, double share,
                         uint64_t patience)
{
    double *upper = enclosure->bounds->upper, limit = enclosure->problem->limit;
    for (uint32_t i = 0; i < sweep->count; i++) {
        double raised = upper[sweep->states[i]] * (1 + share);
        upper[sweep->states[i]] = raised < limit ? raised : limit;
    }
    if (sweep_is_large(sweep->count))
        memcpy(enclosure->next, upper, matrix_states(enclosure->problem->matrix) * sizeof *upper);
    while (patience-- && may_go_on(enclosure, sweep->count) && enclosure->sweeps < enclosure->pause_at)
        if (sweep_over(sweep, upper))
            return true;
    return false;
}

static const uint32_t *sort(struct fixpoint_enclosure *enclosure, const uint32_t *states, uint32_t count)
{
    if (!enclosure->sorted)
        enclosure->sorted = memory_zeroed((size_t)matrix_states(enclosure->problem->matrix) + 1, sizeof(uint32_t));
    memcpy(enclosure->sorted, states, count * sizeof *states);
    words_sort(enclosure->sorted, count, 1);
    return enclosure->sorted;
}

/* Keeps what is verified. Is it near enough to what is below? */
static bool keep_guess(struct fixpoint_enclosure *enclosure, const uint32_t *states, uint32_t count)
{
    const struct bounds *bounds = enclosure->bounds;
    bool is_near = true;
    for (uint32_t i = 0; i < count; i++) {
        double *best = &enclosure->best[states[i]], upper = bounds->upper[states[i]];
        *best = upper < *best ? upper : *best;
        is_near = is_near && upper - bounds->lower[states[i]] <= enclosure->problem->epsilon * upper;
    }
    return is_near;
}

static void begin_best(struct fixpoint_enclosure *enclosure, const uint32_t *states, uint32_t count)
{
    if (!enclosure->best)
        enclosure->best = memory_zeroed((size_t)matrix_states(enclosure->problem->matrix) + 1, sizeof(double));
    for (uint32_t i = 0; i < count; i++)
        enclosure->best[states[i]] = enclosure->problem->limit;
}

static uint32_t *place_of(struct fixpoint_enclosure *enclosure)
{
    if (!enclosure->place)
        enclosure->place = memory_zeroed((size_t)matrix_states(enclosure->problem->matrix) + 1, sizeof(uint32_t));
    return enclosure->place;
}

/* A component of a chain by elimination without subtraction. */
static bool eliminate(struct fixpoint_enclosure *enclosure, const uint32_t *states, uint32_t count, uint64_t most_terms,
                      double most_error)
{
    struct settle_limits limits = {most_terms, most_error};
    for (uint32_t i = 0; i < count; i++)
        enclosure->bounds->upper[states[i]] = enclosure->problem->limit;
    return settle_chain(enclosure->problem, states, count, &limits, place_of(enclosure), enclosure->bounds);
}

/* A component that is left slowly: by elimination, unless that takes too much. `sweeps`: so many were in vain; of a
 * large component an attempt costs a few times as much as these, and when it does not get far enough, the next one
 * comes after several times as many. */
static bool settle(struct fixpoint_enclosure *enclosure, const uint32_t *states, uint32_t count, uint64_t sweeps)
{
    const struct matrix *matrix = enclosure->problem->matrix;
    uint64_t entries_of_state = matrix->entries.count / matrix_states(matrix) + 1;
    bool is_small = count <= STATES_TO_SETTLE_IN_ANY_CASE;
    uint64_t most_work = is_small ? UINT64_MAX : 4 * sweeps * count * entries_of_state;
    enclosure->pause_at = is_small ? UINT64_MAX : enclosure->sweeps + 4 * sweeps;
    uint64_t most_terms = most_work / 16 < MOST_TERMS ? most_work / 16 : MOST_TERMS;
    if (eliminate(enclosure, states, count, most_terms, enclosure->problem->epsilon / 8))
        return true;
    return settle_component(enclosure->problem, states, count, most_work, place_of(enclosure), enclosure->bounds) ||
           eliminate(enclosure, states, count, MOST_TERMS_AT_LAST, INFINITY);
}

/* Of a chain, after few sweeps: by elimination where that keeps few numbers of each state; else, of a large one, by a
 * Krylov method. */
static bool settle_soon(struct fixpoint_enclosure *enclosure, const uint32_t *states, uint32_t count)
{
    const struct fixpoint *problem = enclosure->problem;
    uint64_t few = (uint64_t)FEW_TERMS_OF_STATE * count;
    return eliminate(enclosure, states, count, few < MOST_TERMS ? few : MOST_TERMS, problem->epsilon / 8) ||
           (count > STATES_TO_SETTLE_IN_ANY_CASE && settle_by_krylov(problem, states, count, enclosure->bounds));
}

/* After how many sweeps that is tried, when the first was `first`. */
static uint64_t settling_time(uint32_t count, uint64_t first)
{
    uint32_t most = STATES_TO_SETTLE_IN_ANY_CASE;
    return count > SETTLE_MOST_STATES ? UINT64_MAX
                                      : first + SWEEPS_BEFORE_SETTLING + (count < most ? count : most) / 64;
}

/* The values above, from those below: iterated with the upper values of the components that are known already, so
 * that only the error of this component is left to guess. A guess that nothing verifies was too near: the next one is
 * further away, and once something is verified, nearer again. */
static void enclose_component(struct fixpoint_enclosure *enclosure, const uint32_t *states, uint32_t count)
{
    struct bounds *bounds = enclosure->bounds;
    double delta = enclosure->problem->epsilon / 4, share = enclosure->problem->epsilon / 2;
    bool is_near = false;
    if (sweep_is_large(count))
        states = sort(enclosure, states, count);
    struct sweep down = sweep_of(enclosure, states, count, scale_down(enclosure->problem));
    struct sweep up = sweep_of(enclosure, states, count, scale_up(enclosure->problem));
    begin_best(enclosure, states, count);
    const struct matrix *matrix = enclosure->problem->matrix;
    bool is_first_pause = matrix_rows(matrix) == matrix_states(matrix);
    uint64_t first_sweep = enclosure->sweeps;
    enclosure->pause_at = is_first_pause ? first_sweep + SWEEPS_BEFORE_ELIMINATION : settling_time(count, first_sweep);
    for (int guess = 0; guess < MAX_GUESSES && !is_near && !enclosure->is_stopped; guess++, delta /= 4) {
        uint64_t before = enclosure->sweeps;
        rounding_set(ROUNDING_DOWN);
        iterate(enclosure, &down, bounds->lower, delta);
        rounding_set(ROUNDING_UP);
        for (uint32_t i = 0; i < count; i++)
            bounds->upper[states[i]] = bounds->lower[states[i]];
        iterate(enclosure, &up, bounds->upper, delta);
        bool is_verified = verify_guess(enclosure, &up, share, 2 * (enclosure->sweeps - before) + 16);
        rounding_set(ROUNDING_NEAREST);
        if (!is_verified && enclosure->sweeps >= enclosure->pause_at) {
            if (is_first_pause ? settle_soon(enclosure, states, count)
                               : settle(enclosure, states, count, enclosure->sweeps - first_sweep))
                return;
            if (is_first_pause)
                enclosure->pause_at = settling_time(count, first_sweep);
            is_first_pause = false;
            delta *= 4;
            continue;
        }
        /* where the guess was near, any distance that is left is that of the values outside */
        is_near = is_verified && (keep_guess(enclosure, states, count) || share <= enclosure->problem->epsilon / 2);
        share = fmin(is_verified ? fmax(share / 16, enclosure->problem->epsilon / 2) : share * 16, 1);
    }
    for (uint32_t i = 0; i < count; i++)
        bounds->upper[states[i]] = enclosure->best[states[i]];
}

/* A row's value when the state itself has the share `own` of it: rest / (1 - own). */
static double solve_row(const struct fixpoint *problem, uint32_t row, uint32_t state, const double *x, double away)
{
    const struct matrix *matrix = problem->matrix;
    double rest = problem->row_reward ? problem->row_reward[row] : 0;
    for (uint64_t i = matrix->row_entry.items[row]; i < matrix->row_entry.items[row + 1]; i++)
        if (matrix->entries.items[i].target != state)
            rest += matrix->entries.items[i].value * x[matrix->entries.items[i].target];
    return rest == 0 ? 0 : rest / away;
}

/* 1 - own, as the sum of what leads elsewhere: rounded like the rest. */
static double share_elsewhere(const struct matrix *matrix, uint32_t row, uint32_t state)
{
    double away = 0;
    for (uint64_t i = matrix->row_entry.items[row]; i < matrix->row_entry.items[row + 1]; i++)
        if (matrix->entries.items[i].target != state)
            away += matrix->entries.items[i].value;
    return away;
}

/* Allows for the slack of what was divided, and of what it was divided by. */
static double round_away(double value, double slack, enum rounding mode)
{
    if (slack == 0 || value == 0 || !isfinite(value))
        return value;
    return mode == ROUNDING_UP ? nextafter(value * (1 + slack), INFINITY) : nextafter(value * (1 - slack), 0);
}

static double solve_state(const struct fixpoint *problem, uint32_t state, const double *x, enum rounding mode)
{
    const struct matrix *matrix = problem->matrix;
    double best = problem->extreme == EXTREME_LEAST ? INFINITY : 0;
    for (uint32_t row = matrix->state_row.items[state]; row < matrix->state_row.items[state + 1]; row++) {
        rounding_set(rounding_opposite(mode));
        double away = ROUNDED(share_elsewhere)(matrix, row, state);
        rounding_set(mode);
        double value =
            away > 0 ? ROUNDED(solve_row)(problem, row, state, x, away) : sweep_value_of_staying(problem, row);
        if (sweep_is_better(problem, value, best))
            best = value;
    }
    rounding_set(ROUNDING_NEAREST);
    best = round_away(best, 3 * problem->slack, mode);
    return best < problem->limit ? best : problem->limit;
}

static void enclose_state(struct fixpoint_enclosure *enclosure, uint32_t state)
{
    struct bounds *bounds = enclosure->bounds;
    bounds->lower[state] = solve_state(enclosure->problem, state, bounds->lower, ROUNDING_DOWN);
    bounds->upper[state] = solve_state(enclosure->problem, state, bounds->upper, ROUNDING_UP);
}

bool fixpoint_enclose(const struct fixpoint *problem, struct bounds *bounds)
{
    uint32_t states = matrix_states(problem->matrix);
    struct components *components = components_create(problem->matrix, problem->unknown);
    struct fixpoint_enclosure enclosure = {
        .problem = problem, .bounds = bounds, .next = memory_zeroed((size_t)states + 1, sizeof(double))};
    for (uint32_t s = 0; s < states; s++)
        if (problem->unknown[s]) {
            bounds->lower[s] = 0;
            bounds->upper[s] = problem->limit;
        }
    enclosure.certain = bounds->upper[problem->watched];
    for (uint32_t c = 0; c < components->count && !enclosure.is_stopped; c++) {
        const uint32_t *members = components->states + components->first[c];
        uint32_t count = components->first[c + 1] - components->first[c];
        if (count == 1)
            enclose_state(&enclosure, members[0]);
        else
            enclose_component(&enclosure, members, count);
    }
    enclosure.certain = bounds->upper[problem->watched];
    tell(&enclosure);
    if (problem->sweeps)
        *problem->sweeps += enclosure.sweeps;
    free(enclosure.next);
    free(enclosure.best);
    free(enclosure.place);
    free(enclosure.sorted);
    components_destroy(components);
    return !enclosure.is_stopped;
}

static bool step_bound(const struct fixpoint *problem, uint64_t steps, enum rounding mode, const uint32_t *states,
                       uint32_t count, double *x, double *next)
{
    bool goes_on = true, is_changed = true;
    uint64_t work = 0;
    double scale = mode == ROUNDING_UP ? scale_up(problem) : scale_down(problem);
    struct sweep sweep = {problem, states, count, scale, false, next};
    rounding_set(mode);
    for (uint64_t k = 0; k < steps && goes_on && is_changed; k++) {
        sweep_step(&sweep, x);
        is_changed = sweep_copy(&sweep, x);
        work += count;
        if (work < WORK_BETWEEN_QUESTIONS || !problem->go_on)
            continue;
        work = 0;
        goes_on = problem->go_on(problem->user);
    }
    rounding_set(ROUNDING_NEAREST);
    if (problem->sweeps)
        *problem->sweeps += steps;
    return goes_on;
}

/* What says most when there is an early end comes first. */
bool fixpoint_steps(const struct fixpoint *problem, uint64_t steps, bool is_falling, struct bounds *bounds)
{
    uint32_t states = matrix_states(problem->matrix), count = 0;
    uint32_t *list = memory_zeroed((size_t)states + 1, sizeof *list);
    double *next = memory_zeroed((size_t)states + 1, sizeof *next);
    for (uint32_t s = 0; s < states; s++)
        if (problem->unknown[s])
            list[count++] = s;
    bool is_done = true;
    for (int side = 0; side < 2 && is_done; side++) {
        bool is_upper = is_falling ? side == 0 : side == 1;
        is_done = step_bound(problem, steps, is_upper ? ROUNDING_UP : ROUNDING_DOWN, list, count,
                             is_upper ? bounds->upper : bounds->lower, next);
    }
    free(list);
    free(next);
    return is_done;
}
