#include "numeric/bias.h"

#include <float.h>
#include <math.h>

#include "base/hash.h"
#include "numeric/krylov.h"

/* The bias is tried when the method thinks that it is found, and now and then. */
enum { STEPS_BETWEEN_TRIES = 25, LEAST_TRIES_IN_VAIN = 24 };
/* A step takes news some states on: where these lie in a plane, it takes so many tries, from edge to edge. */
enum { STATES_OF_A_TRY = 48 };
/* Of a walk. */
enum { STEPS_FOR_A_STATE = 256, MOST_STEPS = 1 << 21, STEPS_BETWEEN_LOOKS = 1 << 16 };
/* Plain sweeps: so many in a row without progress are in vain. */
enum { SWEEPS_BETWEEN_LOOKS = 50, MOST_LOOKS_IN_VAIN = 8 };

struct bias {
    const struct fixpoint *problem;
    struct krylov_chain chain;
    struct krylov krylov; /* its x: the bias */
    double *reward;       /* by number */
    double *share;        /* by number: about what share of the time is spent there; they add up to 1 */
    double lower, upper;
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
    return most - least;
}

static bool may_go_on(const struct bias *bias)
{
    const struct fixpoint *problem = bias->problem;
    if (problem->sweeps)
        (*problem->sweeps)++;
    return !problem->go_on || problem->go_on(problem->user);
}

static bool solve(struct bias *bias)
{
    int in_vain = 0, most_in_vain = (int)fmax(LEAST_TRIES_IN_VAIN, sqrt(bias->chain.count) / STATES_OF_A_TRY);
    bool is_done = try_bias(bias);
    krylov_begin(&bias->krylov);
    while (!is_done && in_vain < most_in_vain) {
        double width = bias->upper - bias->lower, wanted = bias->problem->epsilon * bias->upper / 4, found = INFINITY;
        bool goes_well = true;
        for (int i = 0; i < STEPS_BETWEEN_TRIES && goes_well && !(found <= wanted); i++) {
            if (!may_go_on(bias))
                return false;
            double least, most;
            goes_well = krylov_step(&bias->krylov, &least, &most);
            found = goes_well ? most - least : INFINITY;
        }
        is_done = try_bias(bias);
        in_vain = bias->upper - bias->lower < width * 0.9 ? 0 : in_vain + 1;
        if (!goes_well)
            krylov_begin(&bias->krylov);
    }
    return is_done;
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
    for (uint32_t i = 0; i < bias->chain.count; i++) {
        bias->krylov.x[i] = 0;
        bias->krylov.other[i] = 1;
    }
    krylov_smooth(&bias->chain, bias->krylov.other, bias->krylov.shadow);
    bool is_done = try_bias(bias);
    while (!is_done && in_vain < MOST_LOOKS_IN_VAIN) {
        double before = spread_of(bias);
        for (int i = 0; i < SWEEPS_BETWEEN_LOOKS && !is_done; i++) {
            if (!may_go_on(bias))
                return false;
            move_by_sweep(bias);
            is_done = try_bias(bias);
        }
        in_vain = spread_of(bias) < before * 0.9 ? 0 : in_vain + 1;
    }
    return is_done;
}

/* Which of its entries a random number between 0 and 1 leads to. */
static uint64_t entry_of(const struct krylov_chain *chain, uint32_t i, double number)
{
    uint64_t e = chain->first[i];
    for (number *= chain->away[i]; e + 1 < chain->first[i + 1] && number >= chain->value[e]; e++)
        number -= chain->value[e];
    return e;
}

/* By a walk from the first state: what time it spends where, in its second half. Its length is counted in entries that
 * were looked at, as rows may be long. False: go_on said no. */
static bool find_shares(struct bias *bias)
{
    const struct krylov_chain *chain = &bias->chain;
    uint64_t seed = 1, length = (uint64_t)chain->count * STEPS_FOR_A_STATE, passed = 0, next_look = 0;
    uint32_t at = 0;
    double sum = 0;
    bool has_share = false;
    length = length < MOST_STEPS ? length : MOST_STEPS;
    while (passed < length || !has_share) {
        if (passed >= next_look) {
            if (!may_go_on(bias))
                return false;
            next_look = passed + STEPS_BETWEEN_LOOKS;
        }
        if (passed >= length / 2) {
            bias->share[at] += 1 / (chain->rate[at] * chain->away[at]);
            has_share = true;
        }
        seed = hash_mix(seed + 1);
        uint64_t entry = entry_of(chain, at, (double)(seed >> 11) * 0x1p-53);
        passed += entry - chain->first[at] + 1;
        at = entry < chain->first[at + 1] ? chain->target[entry] : at;
    }
    for (uint32_t i = 0; i < chain->count; i++)
        sum += bias->share[i];
    for (uint32_t i = 0; i < chain->count; i++)
        bias->share[i] /= sum;
    return true;
}

static bool find(const struct fixpoint *problem, const double *row_rate, const uint32_t *states, uint32_t count,
                 bool is_by_sweeps, double *lower, double *upper)
{
    struct krylov_numbering numbering = krylov_number_as_found(problem->matrix, states, count);
    if (is_by_sweeps)
        krylov_number_by_distance(problem->matrix, &numbering);
    struct bias bias = {.problem = problem,
                        .chain = krylov_chain_create(problem->matrix, row_rate, &numbering),
                        .reward = memory_zeroed((size_t)count + 1, sizeof(double)),
                        .share = memory_zeroed((size_t)count + 1, sizeof(double)),
                        .lower = *lower,
                        .upper = *upper};
    for (uint32_t i = 0; i < count; i++)
        bias.reward[i] = problem->row_reward[problem->matrix->state_row.items[numbering.state[i]]];
    krylov_numbering_free(&numbering);
    krylov_create(&bias.krylov, &bias.chain, bias.share);
    bool is_done = find_shares(&bias) && (is_by_sweeps ? solve_by_sweeps : solve)(&bias);
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
    return find(problem, row_rate, states, count, false, lower, upper);
}

bool bias_by_sweeps(const struct fixpoint *problem, const double *row_rate, const uint32_t *states, uint32_t count,
                    double *lower, double *upper)
{
    return find(problem, row_rate, states, count, true, lower, upper);
}
