#include "numeric/bias.h"

#include <float.h>
#include <math.h>

#include "numeric/reverse.h"

/* The bias is tried when the method thinks that it is found, and now and then. */
enum { SHARE_STEPS = 100, STEPS_BETWEEN_TRIES = 25, MOST_TRIES_IN_VAIN = 24 };
/* Plain sweeps: so many in a row without progress are in vain. */
enum { SWEEPS_BETWEEN_LOOKS = 50, MOST_LOOKS_IN_VAIN = 8 };

/* The component by itself: its states are numbered as the search has found them, so that a sweep follows the steps of
 * the chain, or by the steps to the first of them. Entries of a row to smaller numbers come first; none stays. */
struct bias_chain {
    uint32_t count;
    uint64_t *first, *middle; /* entries of i: first[i] .. first[i + 1] - 1; from middle[i] on to larger numbers */
    uint32_t *target;
    double *value;
    double *rate, *reward, *away; /* by number; away: the chance to get to another state */
};

struct bias {
    const struct fixpoint *problem;
    struct bias_chain chain;
    /* By number. The unknown, the residual, its shadow, the direction and what it does, and two for a moment. */
    double *bias, *residual, *shadow, *direction, *effect, *smooth, *other;
    double *share; /* about what share of the time is spent there; they add up to 1 */
    double lower, upper;
    double rho, alpha, omega; /* of BiCGStab */
};

static void take_mean_off(const struct bias *bias, double *x)
{
    double mean = 0;
    for (uint32_t i = 0; i < bias->chain.count; i++)
        mean += bias->share[i] * x[i];
    for (uint32_t i = 0; i < bias->chain.count; i++)
        x[i] -= mean;
}

/* out = rate * (x - row * x), less its mean: what is the same everywhere is the average's part. */
static void apply(const struct bias *bias, const double *x, double *out)
{
    const struct bias_chain *chain = &bias->chain;
    for (uint32_t i = 0; i < chain->count; i++) {
        double value = 0, own = x[i];
        for (uint64_t e = chain->first[i]; e < chain->first[i + 1]; e++)
            value += chain->value[e] * (own - x[chain->target[e]]);
        out[i] = chain->rate[i] * value;
    }
    take_mean_off(bias, out);
}

/* The preconditioner: a sweep forwards, solving for the states before, and one back. */
static void sweep(const struct bias_chain *chain, const double *x, double *out)
{
    for (uint32_t i = 0; i < chain->count; i++) {
        double value = x[i] / chain->rate[i];
        for (uint64_t e = chain->first[i]; e < chain->middle[i]; e++)
            value += chain->value[e] * out[chain->target[e]];
        out[i] = value / chain->away[i];
    }
    for (uint32_t i = chain->count; i-- > 0;) {
        double value = 0;
        for (uint64_t e = chain->middle[i]; e < chain->first[i + 1]; e++)
            value += chain->value[e] * out[chain->target[e]];
        out[i] += value / chain->away[i];
    }
}

static double product(const struct bias *bias, const double *a, const double *b)
{
    double sum = 0;
    for (uint32_t i = 0; i < bias->chain.count; i++)
        sum += a[i] * b[i];
    return sum;
}

/* What a unit of time earns in the state above its bias, and by how much that may be off. */
static double gain_of(const struct bias *bias, uint32_t i, double *off)
{
    const struct bias_chain *chain = &bias->chain;
    double up = 0, down = 0;
    for (uint64_t e = chain->first[i]; e < chain->first[i + 1]; e++) {
        double change = chain->value[e] * (bias->bias[chain->target[e]] - bias->bias[i]);
        up += change > 0 ? change : 0;
        down -= change < 0 ? change : 0;
    }
    double share = 4 * bias->problem->slack + (double)(chain->first[i + 1] - chain->first[i] + 8) * 0x1p-52;
    double lost =
        (double)(chain->first[i + 1] - chain->first[i] + 8) * DBL_TRUE_MIN; /* of products that are too small */
    *off = 2 * (share * (chain->rate[i] * (up + down) + chain->reward[i]) + lost * (chain->rate[i] + 1));
    return chain->reward[i] + chain->rate[i] * (up - down);
}

/* Tries the bias on every state: narrows the bounds, and takes up the residual that there really is. True: they are
 * near enough. */
static bool try_bias(struct bias *bias)
{
    double least = INFINITY, most = -INFINITY, sum = 0;
    for (uint32_t i = 0; i < bias->chain.count; i++) {
        double off, gain = gain_of(bias, i, &off);
        bias->residual[i] = gain;
        sum += fabs(gain) + off;
        least = fmin(least, gain - off);
        most = fmax(most, gain + off);
    }
    take_mean_off(bias, bias->residual);
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
        least = fmin(least, bias->residual[i]);
        most = fmax(most, bias->residual[i]);
    }
    return most - least;
}

static void begin(struct bias *bias)
{
    for (uint32_t i = 0; i < bias->chain.count; i++) {
        bias->shadow[i] = bias->residual[i];
        bias->direction[i] = bias->effect[i] = 0;
    }
    bias->rho = bias->alpha = bias->omega = 1;
}

static void turn_direction(struct bias *bias, double beta)
{
    for (uint32_t i = 0; i < bias->chain.count; i++)
        bias->direction[i] = bias->residual[i] + beta * (bias->direction[i] - bias->omega * bias->effect[i]);
}

/* bias += length * step, residual -= length * what the step does. How far apart the residuals are then. */
static double go(struct bias *bias, double length, const double *step, const double *effect)
{
    double least = INFINITY, most = -INFINITY;
    for (uint32_t i = 0; i < bias->chain.count; i++) {
        bias->bias[i] += length * step[i];
        double residual = bias->residual[i] -= length * effect[i];
        least = residual < least ? residual : least;
        most = residual > most ? residual : most;
    }
    return most - least;
}

/* False: it breaks down, and has to begin again. */
static bool step(struct bias *bias, double *width)
{
    double rho = product(bias, bias->shadow, bias->residual);
    turn_direction(bias, rho / bias->rho * (bias->alpha / bias->omega));
    sweep(&bias->chain, bias->direction, bias->smooth);
    apply(bias, bias->smooth, bias->effect);
    bias->rho = rho;
    bias->alpha = rho / product(bias, bias->shadow, bias->effect);
    if (!isfinite(bias->alpha) || bias->alpha == 0)
        return false;
    go(bias, bias->alpha, bias->smooth, bias->effect);
    sweep(&bias->chain, bias->residual, bias->smooth);
    apply(bias, bias->smooth, bias->other);
    bias->omega = product(bias, bias->other, bias->residual) / product(bias, bias->other, bias->other);
    if (!isfinite(bias->omega) || bias->omega == 0)
        return false;
    *width = go(bias, bias->omega, bias->smooth, bias->other);
    return true;
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
    int in_vain = 0;
    bool is_done = try_bias(bias);
    begin(bias);
    while (!is_done && in_vain < MOST_TRIES_IN_VAIN) {
        double width = bias->upper - bias->lower, wanted = bias->problem->epsilon * bias->upper / 4, found = INFINITY;
        bool goes_well = true;
        for (int i = 0; i < STEPS_BETWEEN_TRIES && goes_well && !(found <= wanted); i++) {
            if (!may_go_on(bias))
                return false;
            goes_well = step(bias, &found);
        }
        is_done = try_bias(bias);
        in_vain = bias->upper - bias->lower < width * 0.9 ? 0 : in_vain + 1;
        if (!goes_well)
            begin(bias);
    }
    return is_done;
}

/* A sweep: the bias is moved by what the preconditioner makes of the residual, and the average with it, such that the
 * bias does not move as a whole. `shadow` is what a residual of 1 everywhere would move it by. */
static void move_by_sweep(struct bias *bias)
{
    sweep(&bias->chain, bias->residual, bias->smooth);
    double moved = product(bias, bias->share, bias->smooth) / product(bias, bias->share, bias->shadow);
    for (uint32_t i = 0; i < bias->chain.count; i++)
        bias->bias[i] += bias->smooth[i] - moved * bias->shadow[i];
}

/* From the beginning by sweeps alone: slower where that other method works, but it does not go astray. */
static bool solve_by_sweeps(struct bias *bias)
{
    int in_vain = 0;
    for (uint32_t i = 0; i < bias->chain.count; i++) {
        bias->bias[i] = 0;
        bias->other[i] = 1;
    }
    sweep(&bias->chain, bias->other, bias->shadow);
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

/* Some steps of the chain from its first state, each made with chance 1/2, lest it swing to and fro. False: go_on said
 * no. */
static bool find_shares(struct bias *bias)
{
    const struct bias_chain *chain = &bias->chain;
    double sum = 0;
    bias->share[0] = 1;
    for (int step = 0; step < SHARE_STEPS; step++) {
        if (!may_go_on(bias))
            return false;
        for (uint32_t i = 0; i < chain->count; i++)
            bias->other[i] = bias->share[i] /= 2;
        for (uint32_t i = 0; i < chain->count; i++) {
            bias->share[i] += bias->other[i] * (1 - chain->away[i]);
            for (uint64_t e = chain->first[i]; e < chain->first[i + 1] && bias->other[i] > 0; e++)
                bias->share[chain->target[e]] += bias->other[i] * chain->value[e];
        }
    }
    for (uint32_t i = 0; i < chain->count; i++)
        sum += bias->share[i] /= chain->rate[i];
    for (uint32_t i = 0; i < chain->count; i++)
        bias->share[i] /= sum;
    return true;
}

/* By state: its number in the component, plus 1; and by number: the state. */
struct numbering {
    uint32_t *number, *state;
};

/* In the order of their numbers in the matrix, in which the search has found them. */
static struct numbering number_as_found(const struct matrix *matrix, const uint32_t *states, uint32_t count)
{
    uint32_t all = matrix_states(matrix), next = 0;
    struct numbering numbering = {memory_zeroed((size_t)all + 1, sizeof(uint32_t)),
                                  memory_zeroed((size_t)count + 1, sizeof(uint32_t))};
    for (uint32_t i = 0; i < count; i++)
        numbering.number[states[i]] = 1;
    for (uint32_t s = 0; s < all; s++)
        if (numbering.number[s]) {
            numbering.state[next] = s;
            numbering.number[s] = ++next;
        }
    return numbering;
}

/* By the number of steps to the state that was found first: a sweep then takes what is near it to the last state of the
 * component at once, however far that is. */
static void number_by_distance(const struct matrix *matrix, uint32_t count, struct numbering *numbering)
{
    struct reverse *reverse = reverse_create(matrix);
    uint32_t next = 1;
    for (uint32_t i = 1; i < count; i++)
        numbering->number[numbering->state[i]] = UINT32_MAX; /* not reached yet */
    for (uint32_t i = 0; i < next; i++) {
        uint32_t state = numbering->state[i];
        for (uint64_t r = reverse->first[state]; r < reverse->first[state + 1]; r++) {
            uint32_t source = reverse->row_state[reverse->rows[r]];
            if (numbering->number[source] == UINT32_MAX) {
                numbering->state[next] = source;
                numbering->number[source] = ++next;
            }
        }
    }
    reverse_destroy(reverse);
}

/* The entries of a row to numbers on one side of its own. */
static void take_entries(struct bias_chain *chain, const struct matrix *matrix, uint32_t row, const uint32_t *number,
                         uint32_t own, bool is_larger, uint64_t *next)
{
    for (uint64_t e = matrix->row_entry.items[row]; e < matrix->row_entry.items[row + 1]; e++) {
        uint32_t target = number[matrix->entries.items[e].target] - 1;
        if (is_larger ? target <= own : target >= own)
            continue;
        chain->target[*next] = target;
        chain->value[(*next)++] = matrix->entries.items[e].value;
        chain->away[own] += matrix->entries.items[e].value;
    }
}

static void take_chain(struct bias_chain *chain, const struct fixpoint *problem, const double *row_rate,
                       const struct numbering *numbering)
{
    const struct matrix *matrix = problem->matrix;
    const uint32_t *number = numbering->number;
    uint64_t next = 0;
    for (uint32_t own = 0; own < chain->count; own++) {
        uint32_t row = matrix->state_row.items[numbering->state[own]];
        chain->first[own] = next;
        take_entries(chain, matrix, row, number, own, false, &next);
        chain->middle[own] = next;
        take_entries(chain, matrix, row, number, own, true, &next);
        chain->rate[own] = row_rate ? row_rate[row] : 1;
        chain->reward[own] = problem->row_reward[row];
    }
    chain->first[chain->count] = next;
}

static uint64_t count_entries(const struct matrix *matrix, const uint32_t *states, uint32_t count)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t row = matrix->state_row.items[states[i]];
        sum += matrix->row_entry.items[row + 1] - matrix->row_entry.items[row];
    }
    return sum;
}

static struct bias_chain chain_create(const struct fixpoint *problem, const double *row_rate, const uint32_t *states,
                                      uint32_t count, bool is_by_distance)
{
    uint64_t entries = count_entries(problem->matrix, states, count);
    size_t size = (size_t)count + 1;
    struct bias_chain chain = {.count = count,
                               .first = memory_zeroed(size, sizeof(uint64_t)),
                               .middle = memory_zeroed(size, sizeof(uint64_t)),
                               .target = memory_zeroed(entries + 1, sizeof(uint32_t)),
                               .value = memory_zeroed(entries + 1, sizeof(double)),
                               .rate = memory_zeroed(size, sizeof(double)),
                               .reward = memory_zeroed(size, sizeof(double)),
                               .away = memory_zeroed(size, sizeof(double))};
    struct numbering numbering = number_as_found(problem->matrix, states, count);
    if (is_by_distance)
        number_by_distance(problem->matrix, count, &numbering);
    take_chain(&chain, problem, row_rate, &numbering);
    free(numbering.number);
    free(numbering.state);
    return chain;
}

static void chain_free(struct bias_chain *chain)
{
    free(chain->first);
    free(chain->middle);
    free(chain->target);
    free(chain->value);
    free(chain->rate);
    free(chain->reward);
    free(chain->away);
}

static bool find(const struct fixpoint *problem, const double *row_rate, const uint32_t *states, uint32_t count,
                 bool is_by_sweeps, double *lower, double *upper)
{
    struct bias bias = {.problem = problem,
                        .chain = chain_create(problem, row_rate, states, count, is_by_sweeps),
                        .lower = *lower,
                        .upper = *upper};
    double **const vectors[] = {&bias.bias,   &bias.residual, &bias.shadow, &bias.direction,
                                &bias.effect, &bias.smooth,   &bias.other,  &bias.share};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        *vectors[i] = memory_zeroed((size_t)count + 1, sizeof(double));
    bool is_done = find_shares(&bias) && (is_by_sweeps ? solve_by_sweeps : solve)(&bias);
    *lower = bias.lower;
    *upper = bias.upper;
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++)
        free(*vectors[i]);
    chain_free(&bias.chain);
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
