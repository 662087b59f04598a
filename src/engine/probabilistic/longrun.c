/* The long run of a chain: it ends in a component that is never left, and there each state has a fixed share of the
 * time. The shares come from the elimination of Grassmann, Taksar and Heyman, which never subtracts and so loses no
 * digits; in a large component, from steps of all states, or from what happens between two visits of the same state. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/rounding.h"
#include "engine/probabilistic/exact.h"
#include "engine/probabilistic/formula.h"
#include "numeric/average.h"
#include "numeric/bias.h"
#include "numeric/components.h"
#include "numeric/settle.h"

enum {
    SMALL_COMPONENT = 100,
    LARGEST_COMPONENT = 1000,
    HUB_STEPS = 500,
    MOST_SWEEPS = 20000,
    FEW_TERMS_OF_STATE = 32, /* of a component that is narrow */
    MOST_TERMS = 1 << 23
};

struct longrun {
    struct markov *markov;
    const double *gain;  /* by state: what is earned there, for each unit of time (a step, in a DTMC) */
    uint32_t *component; /* by state */
    struct bounds *bounds;
    uint8_t *unknown;
    double epsilon;
};

/* chance[i * n + j]: of the next jump, within the component. Afterwards share[] is proportional to how often each is
 * visited. */
static void eliminate(double *chance, uint32_t n, double *share)
{
    for (uint32_t k = n - 1; k > 0; k--) {
        double away = 0;
        for (uint32_t j = 0; j < k; j++)
            away += chance[(size_t)k * n + j];
        for (uint32_t i = 0; i < k; i++)
            chance[(size_t)i * n + k] /= away;
        for (uint32_t i = 0; i < k; i++)
            for (uint32_t j = 0; j < k; j++)
                chance[(size_t)i * n + j] += chance[(size_t)i * n + k] * chance[(size_t)k * n + j];
    }
    share[0] = 1;
    for (uint32_t k = 1; k < n; k++) {
        share[k] = 0;
        for (uint32_t i = 0; i < k; i++)
            share[k] += share[i] * chance[(size_t)i * n + k];
    }
}

static bool is_closed(const struct longrun *longrun, const uint32_t *states, uint32_t count)
{
    const struct matrix *matrix = &longrun->markov->matrix;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t row = matrix->state_row.items[states[i]];
        for (uint64_t e = matrix->row_entry.items[row]; e < matrix->row_entry.items[row + 1]; e++)
            if (longrun->component[matrix->entries.items[e].target] != longrun->component[states[i]])
                return false;
    }
    return true;
}

static void fill_chances(const struct longrun *longrun, const uint32_t *states, uint32_t count, uint32_t *position,
                         double *chance)
{
    const struct matrix *matrix = &longrun->markov->matrix;
    for (uint32_t i = 0; i < count; i++)
        position[states[i]] = i;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t row = matrix->state_row.items[states[i]];
        for (uint64_t e = matrix->row_entry.items[row]; e < matrix->row_entry.items[row + 1]; e++)
            chance[(size_t)i * count + position[matrix->entries.items[e].target]] = matrix->entries.items[e].value;
    }
}

/* Nothing is subtracted, so errors of the chances and of the operations only add up, relative to each share (O'Cinneide
 * 1993: 2n for those, 2n^3 for these). */
static double error_of_elimination(const struct longrun *longrun, uint32_t count)
{
    double n = count;
    return (2 * n * n * n + 8 * n + 8) * 0x1p-53 + (4 * n + 8) * longrun->markov->slack;
}

static void settle_densely(struct longrun *longrun, const uint32_t *states, uint32_t count, uint32_t *position)
{
    double *chance = memory_zeroed((size_t)count * count, sizeof *chance);
    double *share = memory_zeroed(count, sizeof *share), total = 0, gain = 0;
    fill_chances(longrun, states, count, position, chance);
    rounding_clear_range();
    eliminate(chance, count, share);
    for (uint32_t i = 0; i < count; i++) {
        double time = share[i] / markov_pace(longrun->markov, states[i]);
        total += time;
        gain += time * longrun->gain[states[i]];
    }
    double value = gain / total;
    /* of products that are too small for all their digits */
    double lost = rounding_is_out_of_range() ? 2 * count * DBL_TRUE_MIN / total : 0;
    double error = value * error_of_elimination(longrun, count) + lost;
    bool is_known = isfinite(error);
    for (uint32_t i = 0; i < count; i++) {
        longrun->bounds->lower[states[i]] = is_known ? fmax(0, value - error) : 0;
        longrun->bounds->upper[states[i]] = is_known ? value + error : INFINITY;
        longrun->unknown[states[i]] = 0;
    }
    free(chance);
    free(share);
}

/* The state that is visited most, or nearly so: a run comes back to it soon. By so many steps of the chain (each made
 * with chance 1/2, lest it swing to and fro), from anywhere. */
static uint32_t find_hub(const struct longrun *longrun, const uint32_t *states, uint32_t count)
{
    const struct matrix *matrix = &longrun->markov->matrix;
    size_t size = (size_t)markov_count(longrun->markov) + 1;
    double *share = memory_zeroed(size, sizeof *share), *next = memory_zeroed(size, sizeof *next);
    for (uint32_t i = 0; i < count; i++)
        share[states[i]] = 1;
    for (int step = 0; step < HUB_STEPS && markov_may_go_on(longrun->markov); step++) {
        for (uint32_t i = 0; i < count; i++)
            next[states[i]] = share[states[i]] / 2;
        for (uint32_t i = 0; i < count; i++) {
            uint32_t row = matrix->state_row.items[states[i]];
            for (uint64_t e = matrix->row_entry.items[row]; e < matrix->row_entry.items[row + 1]; e++)
                next[matrix->entries.items[e].target] += share[states[i]] / 2 * matrix->entries.items[e].value;
        }
        double *swap = share;
        share = next;
        next = swap;
    }
    uint32_t hub = states[0];
    for (uint32_t i = 0; i < count; i++)
        hub = share[states[i]] > share[hub] ? states[i] : hub;
    free(share);
    free(next);
    return hub;
}

/* What is earned, for each visit `worth` (by row), from one visit of the hub to the next. */
static bool earn_in_cycle(struct longrun *longrun, const uint8_t *unknown, const double *worth, uint32_t hub,
                          double *lower, double *upper)
{
    struct markov *markov = longrun->markov;
    uint32_t row = markov->matrix.state_row.items[hub];
    struct bounds bounds = numbers_new_bounds(markov);
    struct fixpoint problem = markov_fixpoint(markov, EXTREME_GREATEST, unknown, longrun->epsilon);
    problem.row_reward = worth;
    bool is_done = fixpoint_enclose(&problem, &bounds);
    *lower = *upper = worth[row];
    for (uint64_t e = markov->matrix.row_entry.items[row]; e < markov->matrix.row_entry.items[row + 1]; e++) {
        const struct entry *entry = &markov->matrix.entries.items[e];
        *lower += entry->value * bounds.lower[entry->target];
        *upper += entry->value * bounds.upper[entry->target];
    }
    double off = (double)(markov->matrix.row_entry.items[row + 1] - markov->matrix.row_entry.items[row] + 4) * 0x1p-52 +
                 2 * markov->slack;
    *lower *= 1 - off;
    *upper *= 1 + off;
    free(bounds.lower);
    free(bounds.upper);
    return is_done;
}

static void put_bounds(struct longrun *longrun, const uint32_t *states, uint32_t count, double lower, double upper)
{
    for (uint32_t i = 0; i < count; i++) {
        longrun->bounds->lower[states[i]] = lower;
        longrun->bounds->upper[states[i]] = upper;
    }
}

/* A mean lies between what is earned least and most. */
static void bound_by_gains(struct longrun *longrun, const uint32_t *states, uint32_t count)
{
    double lower = INFINITY, upper = 0, slack = 2 * longrun->markov->slack;
    for (uint32_t i = 0; i < count; i++) {
        lower = fmin(lower, longrun->gain[states[i]]);
        upper = fmax(upper, longrun->gain[states[i]]);
    }
    put_bounds(longrun, states, count, lower > 0 ? nextafter(lower * (1 - slack), 0) : 0,
               upper > 0 ? nextafter(upper * (1 + slack), INFINITY) : 0);
}

/* By elimination, as long as that keeps few numbers. From the hub that a random walk finds if the first state is
 * visited so rarely that numbers leave the range of a double. */
static bool settle_by_elimination(struct longrun *longrun, const uint32_t *states, uint32_t count, uint64_t most_terms)
{
    struct markov *markov = longrun->markov;
    const double *rate = markov->chain->kind == CHAIN_CTMC ? markov->exit_rate.items : NULL;
    struct fixpoint problem = markov_fixpoint(markov, EXTREME_GREATEST, NULL, longrun->epsilon);
    struct settle_limits limits = {most_terms, longrun->epsilon};
    double lower = longrun->bounds->lower[states[0]], upper = longrun->bounds->upper[states[0]];
    problem.row_reward = longrun->gain; /* a state has one row */
    enum average_outcome outcome =
        average_by_elimination(&problem, rate, states, count, states[0], &limits, &lower, &upper);
    if (outcome == AVERAGE_OUT_OF_RANGE && markov_may_go_on(markov))
        outcome = average_by_elimination(&problem, rate, states, count, find_hub(longrun, states, count), &limits,
                                         &lower, &upper);
    bool is_done = outcome == AVERAGE_FOUND;
    put_bounds(longrun, states, count, lower, upper);
    for (uint32_t i = 0; i < count && is_done; i++)
        longrun->unknown[states[i]] = 0;
    return is_done;
}

/* By the bias; where that is not found, by steps of all states. What is found until then are bounds, too. */
static bool settle_by_steps(struct longrun *longrun, const uint32_t *states, uint32_t count)
{
    struct markov *markov = longrun->markov;
    const double *rate = markov->chain->kind == CHAIN_CTMC ? markov->exit_rate.items : NULL;
    struct fixpoint problem = markov_fixpoint(markov, EXTREME_GREATEST, NULL, longrun->epsilon);
    double lower = longrun->bounds->lower[states[0]], upper = longrun->bounds->upper[states[0]];
    problem.row_reward = longrun->gain; /* a state has one row */
    bool is_done = bias_of_component(&problem, rate, states, count, &lower, &upper) ||
                   (markov_may_go_on(markov) && bias_by_sweeps(&problem, rate, states, count, &lower, &upper));
    if (!is_done && markov_may_go_on(markov)) {
        double least, most;
        is_done = average_of_component(&problem, rate, states, count, MOST_SWEEPS, &least, &most);
        lower = fmax(lower, least);
        upper = fmin(upper, most);
    }
    put_bounds(longrun, states, count, lower, upper);
    for (uint32_t i = 0; i < count && is_done; i++)
        longrun->unknown[states[i]] = 0;
    return is_done;
}

/* Of a large component: what is earned from one visit of a state to the next, divided by the time that takes. */
static bool settle_by_cycles(struct longrun *longrun, const uint32_t *states, uint32_t count)
{
    struct markov *markov = longrun->markov;
    size_t rows = (size_t)matrix_rows(&markov->matrix) + 1;
    double *earned = memory_zeroed(rows, sizeof *earned), *time = memory_zeroed(rows, sizeof *time);
    double least = 0, most = 0, short_time = 1, long_time = 1;
    uint8_t *unknown = numbers_new_set(markov, false);
    bool is_right = true;
    uint32_t hub = find_hub(longrun, states, count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t row = markov->matrix.state_row.items[states[i]];
        time[row] = 1 / markov_pace(markov, states[i]);
        earned[row] = time[row] * longrun->gain[states[i]];
        is_right &= longrun->gain[states[i]] == 0 || (earned[row] >= DBL_MIN && earned[row] <= DBL_MAX);
        unknown[states[i]] = states[i] != hub;
    }
    bool is_done = is_right && earn_in_cycle(longrun, unknown, earned, hub, &least, &most) &&
                   earn_in_cycle(longrun, unknown, time, hub, &short_time, &long_time);
    is_done = is_done && isfinite(most) && isfinite(long_time);
    for (uint32_t i = 0; i < count && is_done; i++) {
        longrun->bounds->lower[states[i]] = nextafter(least / long_time, 0);
        longrun->bounds->upper[states[i]] = nextafter(most / short_time, INFINITY);
        longrun->unknown[states[i]] = 0;
    }
    free(earned);
    free(time);
    free(unknown);
    return is_done;
}

/* Where it was stopped: the bounds of all components where runs end hold for every state. */
static void bound_all(struct longrun *longrun, const struct components *components)
{
    double lower = INFINITY, upper = 0;
    for (uint32_t c = 0; c < components->count; c++) {
        const uint32_t *states = components->states + components->first[c];
        if (!is_closed(longrun, states, components->first[c + 1] - components->first[c]))
            continue;
        lower = fmin(lower, longrun->bounds->lower[states[0]]);
        upper = fmax(upper, longrun->bounds->upper[states[0]]);
    }
    for (uint32_t s = 0; s < markov_count(longrun->markov); s++) {
        longrun->bounds->lower[s] = lower;
        longrun->bounds->upper[s] = upper;
    }
}

static bool settle_components(struct longrun *longrun, const struct components *components)
{
    for (uint32_t c = 0; c < components->count; c++)
        bound_by_gains(longrun, components->states + components->first[c],
                       components->first[c + 1] - components->first[c]);
    uint32_t *position = memory_zeroed((size_t)markov_count(longrun->markov) + 1, sizeof *position);
    bool is_done = true;
    for (uint32_t c = 0; c < components->count && is_done; c++) {
        const uint32_t *states = components->states + components->first[c];
        uint32_t count = components->first[c + 1] - components->first[c];
        if (!is_closed(longrun, states, count))
            continue;
        uint64_t few_terms = (uint64_t)FEW_TERMS_OF_STATE * count;
        if (count > SMALL_COMPONENT &&
            settle_by_elimination(longrun, states, count, few_terms < MOST_TERMS ? few_terms : MOST_TERMS))
            continue;
        if (count > LARGEST_COMPONENT ||
            (count > SMALL_COMPONENT && error_of_elimination(longrun, count) > longrun->epsilon))
            is_done =
                settle_by_steps(longrun, states, count) ||
                (markov_may_go_on(longrun->markov) && settle_by_elimination(longrun, states, count, MOST_TERMS)) ||
                (markov_may_go_on(longrun->markov) && settle_by_cycles(longrun, states, count));
        else if (count == 1 || markov_may_go_on(longrun->markov))
            settle_densely(longrun, states, count, position);
        else
            is_done = false;
    }
    free(position);
    return is_done;
}

bool markov_gain(struct markov *markov, const double *gain, struct bounds *bounds)
{
    uint32_t count = markov_count(markov);
    struct longrun longrun = {markov,
                              gain,
                              memory_zeroed((size_t)count + 1, sizeof(uint32_t)),
                              bounds,
                              numbers_new_set(markov, true),
                              markov->epsilon / 4};
    struct components *components = components_create(&markov->matrix, longrun.unknown);
    for (uint32_t c = 0; c < components->count; c++)
        for (uint32_t i = components->first[c]; i < components->first[c + 1]; i++)
            longrun.component[components->states[i]] = c;
    bool is_done = settle_components(&longrun, components);
    if (!is_done)
        bound_all(&longrun, components);
    /* Before: the mean of what comes after. */
    struct fixpoint problem = markov_fixpoint(markov, EXTREME_GREATEST, longrun.unknown, markov->epsilon);
    is_done = is_done && fixpoint_enclose(&problem, bounds);
    components_destroy(components);
    free(longrun.component);
    free(longrun.unknown);
    return is_done;
}

bool markov_average(struct markov *markov, enum extreme extreme, const double *row_reward, struct bounds *bounds)
{
    struct fixpoint problem = markov_fixpoint(markov, extreme, NULL, markov->epsilon / 4);
    problem.row_reward = row_reward;
    return average_enclose(&problem, bounds);
}

/* The mean gain where the states of the set earn 1. */
static bool enclose_share(struct markov *markov, enum extreme extreme, const uint8_t *set, struct bounds *bounds)
{
    const struct matrix *matrix = &markov->matrix;
    bool is_mdp = markov->chain->kind == CHAIN_MDP;
    double *gain = memory_zeroed((size_t)(is_mdp ? matrix_rows(matrix) : markov_count(markov)) + 1, sizeof *gain);
    for (uint32_t s = 0; s < markov_count(markov); s++)
        if (!is_mdp)
            gain[s] = set[s];
        else
            for (uint32_t r = matrix->state_row.items[s]; r < matrix->state_row.items[s + 1]; r++)
                gain[r] = set[s];
    bool is_done = is_mdp ? markov_average(markov, extreme, gain, bounds) : markov_gain(markov, gain, bounds);
    for (uint32_t s = 0; s < markov_count(markov); s++)
        bounds->upper[s] = fmin(1, bounds->upper[s]);
    free(gain);
    return is_done;
}

bool markov_share(struct markov *markov, const struct pctl *formula, const uint8_t *set, struct state_numbers *numbers)
{
    enum extreme extreme = markov_extreme(pctl_is_least(formula));
    return numbers->exact ? exact_share(markov, extreme, set, numbers->exact)
                          : enclose_share(markov, extreme, set, &numbers->bounds);
}
