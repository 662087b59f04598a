#include "numeric/bias.h"

#include <float.h>
#include <math.h>

#include "numeric/factor.h"
#include "numeric/walk.h"

/* The bias is tried when the method thinks that it is found, and now and then. */
enum { STEPS_BETWEEN_TRIES = 25, MOST_TRIES_IN_VAIN = 8 };
/* With sweeps: a step takes news some states on. Where these lie in a plane, it takes so many tries, from edge to edge.
 */
enum { LEAST_TRIES_IN_VAIN = 24, STATES_OF_A_TRY = 48 };
/* Plain sweeps: so many in a row without progress are in vain. */
enum { SWEEPS_BETWEEN_LOOKS = 50, MOST_LOOKS_IN_VAIN = 8 };
/* States; asking opens a file. */
enum { WORK_BETWEEN_QUESTIONS = 1 << 18 };
/* What an elimination leaves out. A finer one takes longer, but fewer steps: it is made where the method would take
 * more than some tries. Where it would have more entries than so many times those of the chain, it is not. */
static const double TOLERANCES[] = {1e-2, 2.5e-3, 6e-4};
enum { TOLERANCE_COUNT = sizeof TOLERANCES / sizeof *TOLERANCES, MOST_FILL = 32 };
/* By what factor the residuals come together in a try that goes well. */
static const double GOOD_TRY = 1e-2;

struct bias {
    const struct fixpoint *problem;
    struct krylov_chain chain;
    struct krylov krylov; /* its x: the bias */
    double *reward;       /* by number */
    double *share;        /* by number: about what share of the time is spent there; they add up to 1 */
    double lower, upper;
    uint64_t work; /* since go_on was asked */
};

/* What a unit of time earns in the state above its bias, and by how much that may be off. */
static double gain_of(const struct bias *bias, uint32_t i, double *off)
{
    const struct krylov_chain *chain = &bias->chain;
    const double *x = bias->krylov.x;
    double up = 0, down = 0;
    for (uint64_t e = chain->first[i]; e < chain->first[i + 1]; e++) {
        double change = chain->value[e] * (x[chain->target[e]] - x[i]);
        up += change > 0 ? change : 0;
        down -= change < 0 ? change : 0;
    }
    double share = 4 * bias->problem->slack + (double)(chain->first[i + 1] - chain->first[i] + 8) * 0x1p-52;
    double lost =
        (double)(chain->first[i + 1] - chain->first[i] + 8) * DBL_TRUE_MIN; /* of products that are too small */
    *off = 2 * (share * (chain->rate[i] * (up + down) + bias->reward[i]) + lost * (chain->rate[i] + 1));
    return bias->reward[i] + chain->rate[i] * (up - down);
}

/* Tries the bias on every state: narrows the bounds, and takes up the residual that there really is. True: they are
 * near enough. */
static bool try_bias(struct bias *bias)
{
    double least = INFINITY, most = -INFINITY, sum = 0;
    for (uint32_t i = 0; i < bias->chain.count; i++) {
        double off, gain = gain_of(bias, i, &off);
        bias->krylov.residual[i] = gain;
        sum += fabs(gain) + off;
        least = fmin(least, gain - off);
        most = fmax(most, gain + off);
    }
    krylov_take_mean_off(&bias->krylov, bias->krylov.residual);
    if (!isfinite(sum))
        return false; /* no number somewhere: nothing is known */
    bias->lower = fmax(bias->lower, least);
    bias->upper = fmin(bias->upper, most);
    return bias->upper - bias->lower <= bias->problem->epsilon * bias->upper;
}

/* How far apart the residuals are. */
static double spread_of(const struct bias *bias)
{
    double least = INFINITY, most = -INFINITY;
    for (uint32_t i = 0; i < bias->chain.count; i++) {
        least = fmin(least, bias->krylov.residual[i]);
        most = fmax(most, bias->krylov.residual[i]);
    }
    return most >= least ? most - least : INFINITY; /* there is no number */
}

static bool may_go_on(struct bias *bias)
{
    const struct fixpoint *problem = bias->problem;
    if (problem->sweeps)
        (*problem->sweeps)++;
    bias->work += bias->chain.count;
    if (bias->work < WORK_BETWEEN_QUESTIONS || !problem->go_on)
        return true;
    bias->work = 0;
    return problem->go_on(problem->user);
}

/* Some steps, until the method thinks that it is there. False: it breaks down. */
static bool step_for_a_try(struct bias *bias, bool *is_stopped)
{
    double wanted = bias->problem->epsilon * bias->upper / 4, found = INFINITY;
    bool goes_well = true;
    for (int i = 0; i < STEPS_BETWEEN_TRIES && goes_well && !(found <= wanted); i++) {
        double least, most;
        if (!may_go_on(bias)) {
            *is_stopped = true;
            return true;
        }
        goes_well = krylov_step(&bias->krylov, &least, &most);
        found = goes_well ? most - least : INFINITY;
    }
    return goes_well;
}

/* By sweeps as the preconditioner. */
static bool solve(struct bias *bias)
{
    int in_vain = 0, most_in_vain = (int)fmax(LEAST_TRIES_IN_VAIN, sqrt(bias->chain.count) / STATES_OF_A_TRY);
    bool is_done = try_bias(bias), is_stopped = false;
    krylov_begin(&bias->krylov);
    while (!is_done && in_vain < most_in_vain && !is_stopped) {
        double width = bias->upper - bias->lower;
        bool goes_well = step_for_a_try(bias, &is_stopped);
        is_done = !is_stopped && try_bias(bias);
        in_vain = bias->upper - bias->lower < width * 0.9 ? 0 : in_vain + 1;
        if (!goes_well)
            krylov_begin(&bias->krylov);
    }
    return is_done;
}

/* Of vectors and of the chain, by the entries of all the matrix. */
static uint64_t bytes_of(const struct matrix *matrix, uint32_t count)
{
    enum { VECTORS_OF_STATES = 3, VECTORS_OF_NUMBERS = 16 };
    return ((uint64_t)matrix_states(matrix) * VECTORS_OF_STATES + (uint64_t)count * VECTORS_OF_NUMBERS) *
               sizeof(double) +
           matrix->entries.count * (sizeof(uint32_t) + sizeof(double));
}

/* So many that there is room for them. */
static uint64_t most_entries(const struct bias *bias)
{
    const struct fixpoint *problem = bias->problem;
    uint64_t own = bias->chain.first[bias->chain.count], most = MOST_FILL * own + 64;
    uint64_t held = bytes_of(problem->matrix, bias->chain.count); /* and twice, for rows that grow meanwhile */
    while (most > own && problem->has_room &&
           !problem->has_room(problem->user, held + 2 * factor_bytes(bias->chain.count, most)))
        most /= 2;
    return most > own ? most : 0;
}

/* By the preconditioner that is there, from the bias that is, if it is any good. `is_last`: for as long as it makes
 * progress. */
static bool solve_for_a_while(struct bias *bias, bool is_last, bool *is_stopped)
{
    bool is_done = try_bias(bias);
    double first = spread_of(bias), before = first;
    krylov_begin(&bias->krylov);
    for (int in_vain = 0; !is_done && !*is_stopped && in_vain < (is_last ? MOST_TRIES_IN_VAIN : 1);) {
        bool goes_well = step_for_a_try(bias, is_stopped);
        is_done = !*is_stopped && try_bias(bias);
        double spread = spread_of(bias);
        in_vain = spread < before * (is_last ? 0.5 : GOOD_TRY) ? 0 : in_vain + 1;
        before = fmin(before, spread);
        if (!goes_well)
            krylov_begin(&bias->krylov);
    }
    for (uint32_t i = 0; i < bias->chain.count && !(before < first); i++)
        bias->krylov.x[i] = 0;
    return is_done;
}

/* False: it could not be made. */
static bool solve_by_tolerance(struct bias *bias, double tolerance, bool is_last, bool *is_done, bool *is_stopped)
{
    const struct fixpoint *problem = bias->problem;
    struct factor_limits limits = {tolerance, most_entries(bias), problem->go_on, problem->user};
    struct chain_factor *factor = limits.most_entries ? factor_create(&bias->chain, &limits) : NULL;
    bias->krylov.factor = factor;
    *is_done = factor && solve_for_a_while(bias, is_last, is_stopped);
    bias->krylov.factor = NULL;
    factor_destroy(factor);
    return factor != NULL;
}

/* By elimination as the preconditioner. `has_factor`: even the first of them could be made. */
static bool solve_by_factors(struct bias *bias, bool *has_factor)
{
    bool is_done = false, is_stopped = false;
    *has_factor = false;
    for (int i = 0; i < TOLERANCE_COUNT && !is_done && !is_stopped && may_go_on(bias); i++) {
        bool is_last = i + 1 == TOLERANCE_COUNT;
        if (solve_by_tolerance(bias, TOLERANCES[i], is_last, &is_done, &is_stopped)) {
            *has_factor = true;
            continue;
        }
        if (*has_factor) /* with more patience, then */
            solve_by_tolerance(bias, TOLERANCES[i - 1], true, &is_done, &is_stopped);
        break;
    }
    return is_done;
}

/* Where a chain soon forgets, sweeps are the best preconditioner: elimination takes longer than all of their steps. */
static bool solve_by_krylov(struct bias *bias)
{
    bool has_factor, is_stopped = false;
    if (solve_for_a_while(bias, false, &is_stopped))
        return true;
    return !is_stopped && (solve_by_factors(bias, &has_factor) || (!has_factor && may_go_on(bias) && solve(bias)));
}

/* A sweep: the bias is moved by what the preconditioner makes of the residual, and the average with it, such that the
 * bias does not move as a whole. `shadow` is what a residual of 1 everywhere would move it by. */
static void move_by_sweep(struct bias *bias)
{
    struct krylov *krylov = &bias->krylov;
    krylov_smooth(&bias->chain, krylov->residual, krylov->smooth);
    double moved =
        krylov_product(krylov, bias->share, krylov->smooth) / krylov_product(krylov, bias->share, krylov->shadow);
    for (uint32_t i = 0; i < bias->chain.count; i++)
        krylov->x[i] += krylov->smooth[i] - moved * krylov->shadow[i];
}

/* From the beginning by sweeps alone: slower where that other method works, but it does not go astray. */
static bool solve_by_sweeps(struct bias *bias)
{
    int in_vain = 0;
    double best = INFINITY; /* not the one before: at the floor of roundings they go up and down */
    for (uint32_t i = 0; i < bias->chain.count; i++) {
        bias->krylov.x[i] = 0;
        bias->krylov.other[i] = 1;
    }
    krylov_smooth(&bias->chain, bias->krylov.other, bias->krylov.shadow);
    bool is_done = try_bias(bias);
    while (!is_done && in_vain < MOST_LOOKS_IN_VAIN) {
        best = fmin(best, spread_of(bias));
        for (int i = 0; i < SWEEPS_BETWEEN_LOOKS && !is_done; i++) {
            if (!may_go_on(bias))
                return false;
            move_by_sweep(bias);
            is_done = try_bias(bias);
        }
        in_vain = spread_of(bias) < best * 0.9 ? 0 : in_vain + 1;
    }
    return is_done;
}

/* The numbers that the chain is given, such that the last is where it is most of the time; and the shares by them.
 * False: go_on said no. */
static bool number_states(struct bias *bias, const double *row_rate, struct krylov_numbering *numbering)
{
    const struct fixpoint *problem = bias->problem;
    struct walk walk = {problem->matrix, row_rate, problem->go_on, problem->user};
    double *share = memory_zeroed((size_t)matrix_states(problem->matrix) + 1, sizeof *share);
    uint32_t hub = numbering->state[0];
    bool is_done = walk_shares(&walk, hub, numbering->count, share);
    for (uint32_t i = 0; i < numbering->count; i++)
        hub = share[numbering->state[i]] > share[hub] ? numbering->state[i] : hub;
    krylov_number_towards(problem->matrix, numbering, hub);
    for (uint32_t i = 0; i < numbering->count; i++)
        bias->share[i] = share[numbering->state[i]];
    free(share);
    return is_done;
}

static bool find(const struct fixpoint *problem, const double *row_rate, const uint32_t *states, uint32_t count,
                 bool (*method)(struct bias *bias), double *lower, double *upper)
{
    if (problem->has_room && !problem->has_room(problem->user, bytes_of(problem->matrix, count)))
        return false;
    struct krylov_numbering numbering = krylov_number_as_found(problem->matrix, states, count);
    struct bias bias = {.problem = problem,
                        .share = memory_zeroed((size_t)count + 1, sizeof(double)),
                        .reward = memory_zeroed((size_t)count + 1, sizeof(double)),
                        .lower = *lower,
                        .upper = *upper};
    bool is_done = number_states(&bias, row_rate, &numbering);
    bias.chain = krylov_chain_create(problem->matrix, row_rate, &numbering);
    for (uint32_t i = 0; i < count; i++)
        bias.reward[i] = problem->row_reward[problem->matrix->state_row.items[numbering.state[i]]];
    krylov_numbering_free(&numbering);
    krylov_create(&bias.krylov, &bias.chain, bias.share);
    is_done = is_done && method(&bias);
    *lower = bias.lower;
    *upper = bias.upper;
    krylov_free(&bias.krylov);
    krylov_chain_free(&bias.chain);
    free(bias.reward);
    free(bias.share);
    return is_done;
}

bool bias_of_component(const struct fixpoint *problem, const double *row_rate, const uint32_t *states, uint32_t count,
                       double *lower, double *upper)
{
    return find(problem, row_rate, states, count, solve_by_krylov, lower, upper);
}

bool bias_by_sweeps(const struct fixpoint *problem, const double *row_rate, const uint32_t *states, uint32_t count,
                    double *lower, double *upper)
{
    return find(problem, row_rate, states, count, solve_by_sweeps, lower, upper);
}
