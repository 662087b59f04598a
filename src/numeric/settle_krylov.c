/* A large component of a chain by BiCGStab: its values, and about the steps until it is left. If a step of every state
 * lowers the steps by a half at least, the values, raised by a multiple of the steps, are inductive from above, and
 * lowered by it from below: the multiple need only be as large as the residual. That is verified. */
#include <math.h>

#include "base/rounding.h"
#include "numeric/krylov.h"
#include "numeric/settle.h"
#include "numeric/sweep.h"

enum { STEPS_BETWEEN_LOOKS = 25, MOST_LOOKS_IN_VAIN = 8, MOST_TRIES = 6 };

struct leaving {
    const struct fixpoint *problem;
    struct krylov_numbering numbering;
    struct krylov_chain chain;
    struct krylov krylov;
    double *steps;    /* by number: about the steps until the component is left */
    double *earned;   /* by number: the right side of the equations */
    double *found;    /* by number: what is verified to be above */
    double *x, *next; /* by state */
};

static uint32_t row_of(const struct leaving *leaving, uint32_t i)
{
    return leaving->problem->matrix->state_row.items[leaving->numbering.state[i]];
}

/* Does any row lead out? Then a chain leaves the component for certain, as it is strongly connected, and its equations
 * have one solution: what is inductive from below is below it. */
static bool is_left(const struct leaving *leaving)
{
    double sum = 0;
    for (uint32_t i = 0; i < leaving->chain.count; i++)
        sum += leaving->chain.leave[i];
    return sum > 0;
}

static bool is_chain(const struct fixpoint *problem, const uint32_t *states, uint32_t count)
{
    const uint32_t *rows = problem->matrix->state_row.items;
    for (uint32_t i = 0; i < count; i++)
        if (rows[states[i] + 1] - rows[states[i]] != 1)
            return false;
    return true;
}

/* The rewards of a step, and what it gains outside by those values. */
static void earn(struct leaving *leaving, const double *outside)
{
    const struct fixpoint *problem = leaving->problem;
    const struct matrix *matrix = problem->matrix;
    for (uint32_t i = 0; i < leaving->chain.count; i++) {
        uint32_t row = row_of(leaving, i);
        double sum = problem->row_reward ? problem->row_reward[row] : 0;
        for (uint64_t e = matrix->row_entry.items[row]; e < matrix->row_entry.items[row + 1]; e++)
            if (!leaving->numbering.number[matrix->entries.items[e].target])
                sum += matrix->entries.items[e].value * outside[matrix->entries.items[e].target];
        leaving->earned[i] = sum;
    }
}

/* The residual that there really is; returns the greatest. */
static double find_residual(struct leaving *leaving)
{
    struct krylov *krylov = &leaving->krylov;
    double most = 0;
    krylov_apply(krylov, krylov->x, krylov->residual);
    for (uint32_t i = 0; i < leaving->chain.count; i++) {
        krylov->residual[i] = leaving->earned[i] - krylov->residual[i];
        most = fmax(most, fabs(krylov->residual[i]));
    }
    return most;
}

static bool may_go_on(const struct leaving *leaving)
{
    const struct fixpoint *problem = leaving->problem;
    if (problem->sweeps)
        (*problem->sweeps)++;
    return !problem->go_on || problem->go_on(problem->user);
}

/* How large the residual may be such that the bounds become as near as they should. */
static double wanted_residual(const struct leaving *leaving)
{
    double least = INFINITY;
    for (uint32_t i = 0; i < leaving->chain.count; i++)
        least = fmin(least, leaving->krylov.x[i] / leaving->steps[i]);
    return leaving->problem->epsilon / 32 * least;
}

/* Until the residual is at most `wanted`; NULL: until it is as small as the bounds need it. If that is not reached, or
 * go_on said no, what is there by then may do all the same. */
static void solve(struct leaving *leaving, const double *wanted)
{
    struct krylov *krylov = &leaving->krylov;
    double residual = find_residual(leaving);
    krylov_begin(krylov);
    for (int in_vain = 0; in_vain < MOST_LOOKS_IN_VAIN && residual > 0;) {
        double enough = wanted ? *wanted : wanted_residual(leaving), before = residual;
        if (residual <= enough)
            return;
        bool goes_well = true;
        double least = -INFINITY, most = INFINITY;
        for (int i = 0; i < STEPS_BETWEEN_LOOKS && goes_well && !(fmax(-least, most) <= enough); i++) {
            if (!may_go_on(leaving))
                return;
            goes_well = krylov_step(krylov, &least, &most);
        }
        residual = find_residual(leaving);
        in_vain = residual < before * 0.5 ? 0 : in_vain + 1;
        if (!goes_well || in_vain)
            krylov_begin(krylov);
    }
}

static bool find_steps(struct leaving *leaving)
{
    struct krylov *krylov = &leaving->krylov;
    double wanted = 0.25;
    bool is_found = true;
    for (uint32_t i = 0; i < leaving->chain.count; i++)
        leaving->earned[i] = 1;
    solve(leaving, &wanted);
    is_found = find_residual(leaving) <= 0.5;
    for (uint32_t i = 0; i < leaving->chain.count; i++) {
        is_found = is_found && krylov->x[i] > 0 && isfinite(krylov->x[i]);
        leaving->steps[i] = krylov->x[i];
        krylov->x[i] = 0;
    }
    return is_found;
}

/* x by state: the values, raised or lowered by that multiple of the steps; outside as it is. */
static void put_raised(struct leaving *leaving, double multiple)
{
    double limit = leaving->problem->limit;
    for (uint32_t i = 0; i < leaving->chain.count; i++) {
        double raised = leaving->krylov.x[i] + multiple * leaving->steps[i];
        leaving->x[leaving->numbering.state[i]] = raised < 0 ? 0 : raised > limit ? limit : raised;
    }
}

/* Is a step of all states, rounded against it, no worse anywhere? */
static bool is_inductive(struct leaving *leaving, bool is_upper)
{
    const struct fixpoint *problem = leaving->problem;
    double scale = is_upper ? 1 + 4 * problem->slack : 1 - 4 * problem->slack;
    struct sweep sweep = {problem, leaving->numbering.state, leaving->chain.count, scale, true, leaving->next};
    rounding_set(is_upper ? ROUNDING_UP : ROUNDING_DOWN);
    bool is_below = sweep_step(&sweep, leaving->x);
    rounding_set(ROUNDING_NEAREST);
    for (uint32_t i = 0; i < leaving->chain.count && !is_upper; i++) {
        uint32_t state = leaving->numbering.state[i];
        if (!(leaving->next[state] >= leaving->x[state]))
            return false;
    }
    return !is_upper || is_below;
}

static double greatest_value(const struct leaving *leaving)
{
    double most = 0;
    for (uint32_t i = 0; i < leaving->chain.count; i++)
        most = fmax(most, fabs(leaving->krylov.x[i]));
    return most;
}

/* Values on one side, in x. `outside`: the values there on that side. */
static bool find_side(struct leaving *leaving, bool is_upper, const double *outside)
{
    earn(leaving, outside);
    solve(leaving, NULL);
    double residual = find_residual(leaving), most = greatest_value(leaving);
    if (!isfinite(residual) || !isfinite(most))
        return false;
    double multiple = 4 * residual + (0x1p-50 + 16 * leaving->problem->slack) * most;
    for (int i = 0; i < MOST_TRIES; i++, multiple *= 4) {
        if (!may_go_on(leaving))
            return false;
        put_raised(leaving, is_upper ? multiple : -multiple);
        if (is_inductive(leaving, is_upper))
            return true;
    }
    return false;
}

static bool find_both(struct leaving *leaving, const struct bounds *bounds)
{
    uint32_t count = leaving->chain.count, all = matrix_states(leaving->problem->matrix);
    for (uint32_t s = 0; s < all; s++)
        leaving->x[s] = bounds->upper[s];
    if (!find_steps(leaving) || !find_side(leaving, true, bounds->upper))
        return false;
    for (uint32_t i = 0; i < count; i++)
        leaving->found[i] = leaving->x[leaving->numbering.state[i]];
    for (uint32_t s = 0; s < all; s++)
        leaving->x[s] = bounds->lower[s];
    return find_side(leaving, false, bounds->lower);
}

/* Only if they are near each other: else the iteration goes on. */
static bool put_bounds(const struct leaving *leaving, struct bounds *bounds)
{
    bool is_near = true;
    for (uint32_t i = 0; i < leaving->chain.count; i++) {
        double lower = leaving->x[leaving->numbering.state[i]], upper = leaving->found[i];
        is_near = is_near && upper - lower <= leaving->problem->epsilon * upper;
    }
    for (uint32_t i = 0; i < leaving->chain.count && is_near; i++) {
        bounds->lower[leaving->numbering.state[i]] = leaving->x[leaving->numbering.state[i]];
        bounds->upper[leaving->numbering.state[i]] = leaving->found[i];
    }
    return is_near;
}

/* Of the vectors and the chain. */
static uint64_t bytes_of(const struct matrix *matrix, uint32_t count)
{
    enum { VECTORS_OF_STATES = 3, VECTORS_OF_NUMBERS = 16 };
    return (uint64_t)matrix_states(matrix) * VECTORS_OF_STATES * sizeof(double) +
           (uint64_t)count * VECTORS_OF_NUMBERS * sizeof(double) +
           matrix->entries.count * (sizeof(uint32_t) + sizeof(double));
}

bool settle_by_krylov(const struct fixpoint *problem, const uint32_t *states, uint32_t count, struct bounds *bounds)
{
    if (!is_chain(problem, states, count) ||
        (problem->has_room && !problem->has_room(problem->user, bytes_of(problem->matrix, count))))
        return false;
    size_t size = (size_t)count + 1, all = (size_t)matrix_states(problem->matrix) + 1;
    struct leaving leaving = {.problem = problem,
                              .numbering = krylov_number_as_found(problem->matrix, states, count),
                              .steps = memory_zeroed(size, sizeof(double)),
                              .earned = memory_zeroed(size, sizeof(double)),
                              .found = memory_zeroed(size, sizeof(double)),
                              .x = memory_zeroed(all, sizeof(double)),
                              .next = memory_zeroed(all, sizeof(double))};
    leaving.chain = krylov_chain_create(problem->matrix, NULL, &leaving.numbering);
    krylov_create(&leaving.krylov, &leaving.chain, NULL);
    bool is_done = is_left(&leaving) && find_both(&leaving, bounds) && put_bounds(&leaving, bounds);
    krylov_free(&leaving.krylov);
    krylov_chain_free(&leaving.chain);
    krylov_numbering_free(&leaving.numbering);
    free(leaving.steps);
    free(leaving.earned);
    free(leaving.found);
    free(leaving.x);
    free(leaving.next);
    return is_done;
}
