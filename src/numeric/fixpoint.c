#include "numeric/fixpoint.h"

#include <fenv.h>
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "base/team.h"
#include "numeric/components.h"

enum { WORK_BETWEEN_QUESTIONS = 1 << 18, MAX_GUESSES = 40 };
enum { STATES_FOR_A_THREAD = 1 << 15 };

/* Values are computed only in functions that are not inlined: nothing of them can move across the change of the
 * rounding mode around their call. */
#define ROUNDED static __attribute__((noinline))

static double row_value(const struct fixpoint *problem, uint32_t row, const double *x)
{
    const struct matrix *matrix = problem->matrix;
    double sum = problem->row_reward ? problem->row_reward[row] : 0;
    for (uint64_t i = matrix->row_entry.items[row]; i < matrix->row_entry.items[row + 1]; i++)
        sum += matrix->entries.items[i].value * x[matrix->entries.items[i].target];
    return sum;
}

static bool is_better(const struct fixpoint *problem, double value, double than)
{
    return problem->extreme == EXTREME_LEAST ? value < than : value > than;
}

/* `scale` allows for what the entries are off. */
static double state_value(const struct fixpoint *problem, uint32_t state, const double *x, double scale)
{
    const struct matrix *matrix = problem->matrix;
    uint32_t row = matrix->state_row.items[state];
    double best = row_value(problem, row, x);
    while (++row < matrix->state_row.items[state + 1]) {
        double value = row_value(problem, row, x);
        if (is_better(problem, value, best))
            best = value;
    }
    best *= scale;
    return best < problem->limit ? best : problem->limit;
}

static double scale_down(const struct fixpoint *problem)
{
    return 1 - problem->slack;
}

static double scale_up(const struct fixpoint *problem)
{
    return 1 + problem->slack;
}

/* One sweep upwards over a component. Returns the greatest relative change. */
ROUNDED double sweep_up(const struct fixpoint *problem, const uint32_t *states, uint32_t count, double *x, double scale)
{
    double change = 0;
    for (uint32_t i = 0; i < count; i++) {
        double old = x[states[i]], value = state_value(problem, states[i], x, scale);
        if (value <= old)
            continue;
        double relative = (value - old) / value;
        change = relative > change ? relative : change;
        x[states[i]] = value;
    }
    return change;
}

/* One step of all states at once from `x` to `next`. Is next <= x everywhere? */
ROUNDED bool step_all(const struct fixpoint *problem, const uint32_t *states, uint32_t count, const double *x,
                      double *next, double scale)
{
    bool is_below = true;
    for (uint32_t i = 0; i < count; i++) {
        next[states[i]] = state_value(problem, states[i], x, scale);
        is_below &= next[states[i]] <= x[states[i]];
    }
    return is_below;
}

/* A step of all states at once, in parts. */
struct step {
    const struct fixpoint *problem;
    const uint32_t *states;
    uint32_t count, parts;
    const double *x;
    double *next, scale;
    int mode;
    atomic_bool is_above; /* next > x somewhere */
};

static void step_part(void *user, uint32_t part)
{
    struct step *step = user;
    uint32_t from = (uint32_t)((uint64_t)step->count * part / step->parts);
    uint32_t to = (uint32_t)((uint64_t)step->count * (part + 1) / step->parts);
    fesetround(step->mode); /* of this thread */
    if (!step_all(step->problem, step->states + from, to - from, step->x, step->next, step->scale))
        atomic_store(&step->is_above, true);
}

/* The same as step_all, in the rounding mode that is set; several threads where that is worth it. */
static bool step_together(const struct fixpoint *problem, const uint32_t *states, uint32_t count, const double *x,
                          double *next, double scale)
{
    uint32_t most = count / STATES_FOR_A_THREAD, threads = problem->threads < most ? problem->threads : most;
    if (threads < 2)
        return step_all(problem, states, count, x, next, scale);
    struct step step = {problem, states, count, threads, x, next, scale, fegetround(), false};
    team_run(threads, threads, step_part, &step);
    return !atomic_load(&step.is_above);
}

struct enclosure {
    const struct fixpoint *problem;
    struct bounds *bounds;
    double *next; /* by state */
    uint64_t sweeps, work; /* work: states since the last question */
    bool is_stopped;
    double certain; /* what is known to be above the watched state: not a guess under way */
};

static void tell(const struct enclosure *enclosure)
{
    const struct fixpoint *problem = enclosure->problem;
    if (problem->watch)
        problem->watch(problem->user, enclosure->sweeps, enclosure->bounds->lower[problem->watched], enclosure->certain);
}

static bool may_go_on(struct enclosure *enclosure, uint32_t count)
{
    const struct fixpoint *problem = enclosure->problem;
    tell(enclosure);
    enclosure->sweeps++;
    enclosure->work += count;
    if (enclosure->is_stopped || enclosure->work < WORK_BETWEEN_QUESTIONS || !problem->go_on)
        return !enclosure->is_stopped;
    enclosure->work = 0;
    enclosure->is_stopped = !problem->go_on(problem->user);
    return !enclosure->is_stopped;
}

static void iterate(struct enclosure *enclosure, const uint32_t *states, uint32_t count, double *x, double scale,
                    double delta)
{
    while (may_go_on(enclosure, count) && sweep_up(enclosure->problem, states, count, x, scale) > delta)
        ;
}

/* Raises the upper values a little and looks whether a few steps bring all of them down. */
static bool verify_guess(struct enclosure *enclosure, const uint32_t *states, uint32_t count, uint64_t patience)
{
    double *upper = enclosure->bounds->upper, limit = enclosure->problem->limit;
    for (uint32_t i = 0; i < count; i++) {
        double raised = upper[states[i]] * (1 + enclosure->problem->epsilon / 2);
        upper[states[i]] = raised < limit ? raised : limit;
    }
    while (patience-- && may_go_on(enclosure, count)) {
        bool is_below = step_together(enclosure->problem, states, count, upper, enclosure->next,
                                      scale_up(enclosure->problem));
        for (uint32_t i = 0; i < count; i++)
            upper[states[i]] = enclosure->next[states[i]];
        if (is_below)
            return true;
    }
    return false;
}

/* The values above, from those below: iterated with the upper values of the components that are known already, so
 * that only the error of this component is left to guess. */
static void enclose_component(struct enclosure *enclosure, const uint32_t *states, uint32_t count)
{
    struct bounds *bounds = enclosure->bounds;
    double delta = enclosure->problem->epsilon / 4;
    for (int guess = 0; guess < MAX_GUESSES && !enclosure->is_stopped; guess++, delta /= 4) {
        uint64_t before = enclosure->sweeps;
        fesetround(FE_DOWNWARD);
        iterate(enclosure, states, count, bounds->lower, scale_down(enclosure->problem), delta);
        fesetround(FE_UPWARD);
        for (uint32_t i = 0; i < count; i++)
            bounds->upper[states[i]] = bounds->lower[states[i]];
        iterate(enclosure, states, count, bounds->upper, scale_up(enclosure->problem), delta);
        bool is_verified = verify_guess(enclosure, states, count, 2 * (enclosure->sweeps - before) + 16);
        fesetround(FE_TONEAREST);
        if (is_verified)
            return;
    }
    for (uint32_t i = 0; i < count; i++)
        bounds->upper[states[i]] = enclosure->problem->limit;
}

/* A row's value when the state itself has the share `own` of it: rest / (1 - own). */
ROUNDED double solve_row(const struct fixpoint *problem, uint32_t row, uint32_t state, const double *x,
                         double away)
{
    const struct matrix *matrix = problem->matrix;
    double rest = problem->row_reward ? problem->row_reward[row] : 0;
    for (uint64_t i = matrix->row_entry.items[row]; i < matrix->row_entry.items[row + 1]; i++)
        if (matrix->entries.items[i].target != state)
            rest += matrix->entries.items[i].value * x[matrix->entries.items[i].target];
    return rest == 0 ? 0 : rest / away;
}

/* 1 - own, as the sum of what leads elsewhere: rounded like the rest. */
ROUNDED double share_elsewhere(const struct matrix *matrix, uint32_t row, uint32_t state)
{
    double away = 0;
    for (uint64_t i = matrix->row_entry.items[row]; i < matrix->row_entry.items[row + 1]; i++)
        if (matrix->entries.items[i].target != state)
            away += matrix->entries.items[i].value;
    return away;
}

/* Of a row that never leaves: no chance to reach anything; a reward until then is without end, or, where the greatest is
 * asked for and there is nothing to earn, none. */
static double value_of_staying(const struct fixpoint *problem, uint32_t row)
{
    bool is_free = !problem->row_reward || problem->row_reward[row] == 0;
    bool must_reach = problem->row_reward && problem->extreme == EXTREME_LEAST;
    return is_free && !must_reach ? 0 : INFINITY;
}

/* Allows for the slack of what was divided, and of what it was divided by. */
static double round_away(double value, double slack, int mode)
{
    if (slack == 0 || value == 0 || !isfinite(value))
        return value;
    return mode == FE_UPWARD ? nextafter(value * (1 + slack), INFINITY) : nextafter(value * (1 - slack), 0);
}

static double solve_state(const struct fixpoint *problem, uint32_t state, const double *x, int mode, int opposite)
{
    const struct matrix *matrix = problem->matrix;
    double best = problem->extreme == EXTREME_LEAST ? INFINITY : 0;
    for (uint32_t row = matrix->state_row.items[state]; row < matrix->state_row.items[state + 1]; row++) {
        fesetround(opposite);
        double away = share_elsewhere(matrix, row, state);
        fesetround(mode);
        double value = away > 0 ? solve_row(problem, row, state, x, away) : value_of_staying(problem, row);
        if (is_better(problem, value, best))
            best = value;
    }
    fesetround(FE_TONEAREST);
    best = round_away(best, 3 * problem->slack, mode);
    return best < problem->limit ? best : problem->limit;
}

static void enclose_state(struct enclosure *enclosure, uint32_t state)
{
    struct bounds *bounds = enclosure->bounds;
    bounds->lower[state] = solve_state(enclosure->problem, state, bounds->lower, FE_DOWNWARD, FE_UPWARD);
    bounds->upper[state] = solve_state(enclosure->problem, state, bounds->upper, FE_UPWARD, FE_DOWNWARD);
}

bool fixpoint_enclose(const struct fixpoint *problem, struct bounds *bounds)
{
    uint32_t states = matrix_states(problem->matrix);
    struct components *components = components_create(problem->matrix, problem->unknown);
    struct enclosure enclosure = {.problem = problem, .bounds = bounds,
                                  .next = memory_zeroed((size_t)states + 1, sizeof(double))};
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
    components_destroy(components);
    return !enclosure.is_stopped;
}

static bool step_bound(const struct fixpoint *problem, uint64_t steps, int mode, const uint32_t *states, uint32_t count,
                       double *x, double *next)
{
    bool goes_on = true, is_changed = true;
    uint64_t work = 0;
    double scale = mode == FE_UPWARD ? scale_up(problem) : scale_down(problem);
    fesetround(mode);
    for (uint64_t k = 0; k < steps && goes_on && is_changed; k++) {
        step_together(problem, states, count, x, next, scale);
        is_changed = false;
        for (uint32_t i = 0; i < count; i++) {
            is_changed |= x[states[i]] != next[states[i]];
            x[states[i]] = next[states[i]];
        }
        work += count;
        if (work < WORK_BETWEEN_QUESTIONS || !problem->go_on)
            continue;
        work = 0;
        goes_on = problem->go_on(problem->user);
    }
    fesetround(FE_TONEAREST);
    if (problem->sweeps)
        *problem->sweeps += steps;
    return goes_on;
}

bool fixpoint_steps(const struct fixpoint *problem, uint64_t steps, struct bounds *bounds)
{
    uint32_t states = matrix_states(problem->matrix), count = 0;
    uint32_t *list = memory_zeroed((size_t)states + 1, sizeof *list);
    double *next = memory_zeroed((size_t)states + 1, sizeof *next);
    for (uint32_t s = 0; s < states; s++)
        if (problem->unknown[s])
            list[count++] = s;
    bool is_done = step_bound(problem, steps, FE_DOWNWARD, list, count, bounds->lower, next) &&
                   step_bound(problem, steps, FE_UPWARD, list, count, bounds->upper, next);
    free(list);
    free(next);
    return is_done;
}
