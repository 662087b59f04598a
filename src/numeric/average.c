#include "numeric/average.h"

#include <math.h>
#include <string.h>

#include "base/rounding.h"
#include "numeric/collapse.h"
#include "numeric/ends.h"
#include "numeric/settle.h"
#include "numeric/share.h"
#include "numeric/sweep.h"

enum { WORK_BETWEEN_QUESTIONS = 1 << 18, PATIENCE = 1000, SWEEPS_BETWEEN_LOOKS = 1000, SWEEPS_BEFORE_SETTLING = 200 };

struct average {
    const struct fixpoint *problem;
    const struct ends *ends; /* NULL: all rows stay */
    const double *row_rate;  /* how often a row is taken in a unit of time; NULL: once */
    double most_rate;
    uint64_t most_sweeps;
    uint32_t *states;      /* by end component, one after the other */
    uint32_t *first;       /* by end component, one more than there are */
    double *x, *next;      /* by state */
    double *lower, *upper; /* by end component */
    const uint32_t *at;    /* the states of the one at hand */
    uint32_t *place;       /* for settling; NULL: not wanted */
    uint64_t work, sweeps;
    bool is_stopped;
};

/* What a unit of time earns above the value of the state, by the best of the rows that stay in the end component:
 * reward + rate * (row * x - x). */
static double gain_of(const struct average *average, uint32_t state)
{
    const struct matrix *matrix = average->problem->matrix;
    double best = 0, own = average->x[state];
    bool has_row = false;
    for (uint32_t r = matrix->state_row.items[state]; r < matrix->state_row.items[state + 1]; r++) {
        if (average->ends && !average->ends->is_kept[r])
            continue;
        double value = average->row_rate ? 0 : average->problem->row_reward[r];
        for (uint64_t i = matrix->row_entry.items[r]; i < matrix->row_entry.items[r + 1]; i++)
            value += matrix->entries.items[i].value * average->x[matrix->entries.items[i].target];
        value -= own;
        if (average->row_rate)
            value = average->row_rate[r] * value + average->problem->row_reward[r];
        if (!has_row || sweep_is_better(average->problem, value, best))
            best = value;
        has_row = true;
    }
    return best;
}

/* Into `next`. */
static void gain_range(void *user, uint32_t from, uint32_t to)
{
    struct average *average = user;
    for (uint32_t i = from; i < to; i++)
        average->next[average->at[i]] = gain_of(average, average->at[i]);
}

static double extreme_gain(struct average *average, uint32_t count, bool is_least)
{
    double found = is_least ? INFINITY : -INFINITY;
    share_run(average->problem->threads, count, gain_range, average);
    for (uint32_t i = 0; i < count; i++) {
        double gain = average->next[average->at[i]];
        if (is_least ? gain < found : gain > found)
            found = gain;
    }
    return found;
}

/* By the gains in `next`. Half of each step stays where it is, lest the values swing to and fro; the least value is
 * taken off: only differences matter, and they stay small. Returns the greatest. */
static double advance(struct average *average, uint32_t count)
{
    double least = INFINITY, most = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t state = average->at[i];
        average->x[state] += average->next[state] / (2 * average->most_rate);
        least = fmin(least, average->x[state]);
    }
    for (uint32_t i = 0; i < count; i++) {
        average->x[average->at[i]] -= least;
        most = fmax(most, average->x[average->at[i]]);
    }
    return most;
}

static bool may_go_on(struct average *average, uint32_t count)
{
    const struct fixpoint *problem = average->problem;
    average->sweeps++;
    average->work += count;
    if (average->work < WORK_BETWEEN_QUESTIONS || !problem->go_on)
        return true;
    average->work = 0;
    average->is_stopped = !problem->go_on(problem->user);
    return !average->is_stopped;
}

/* Rewards of the rows that stay: the least and the greatest. Between these lies any average. */
static void range_of_rewards(const struct average *average, const uint32_t *states, uint32_t count, double *least,
                             double *most)
{
    const struct fixpoint *problem = average->problem;
    *least = INFINITY;
    *most = 0;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t r = problem->matrix->state_row.items[states[i]];
             r < problem->matrix->state_row.items[states[i] + 1]; r++)
            if (!average->ends || average->ends->is_kept[r]) {
                *least = fmin(*least, problem->row_reward[r]);
                *most = fmax(*most, problem->row_reward[r]);
            }
}

/* Numbers of the matrix and rewards may be off by that much of themselves. */
static double error_of(const struct average *average, double most_x, double most_reward)
{
    return average->problem->slack * (4 * average->most_rate * most_x + most_reward) * 2;
}

/* Rounded upwards: what is above grows, and so does what is taken off below. */
static void allow_for_error(const struct average *average, double most_x, double most_reward, double *least,
                            double *most)
{
    double error = error_of(average, most_x, most_reward);
    *most += error;
    *least = -rounding_hide(error - *least);
}

/* At that pace, would it take more sweeps than there may be? */
static bool is_hopeless(const struct average *average, double before, double now, double upper)
{
    double wanted = average->problem->epsilon * upper;
    if (average->most_sweeps == UINT64_MAX || now <= wanted)
        return false;
    return SWEEPS_BETWEEN_LOOKS * log(now / wanted) > (double)average->most_sweeps * log(before / now);
}

/* By value iteration, until the bounds are near enough, or do not come nearer any more. */
static void iterate(struct average *average, uint32_t count, double most_reward, double *lower, double *upper)
{
    double most_x = 0, before = *upper - *lower;
    uint64_t begin = average->sweeps, last_gain = begin, patience = PATIENCE + 4 * (uint64_t)count;
    while (*upper - *lower > average->problem->epsilon * *upper && average->sweeps - last_gain < patience &&
           average->sweeps - begin < average->most_sweeps) {
        double width = *upper - *lower;
        rounding_set(ROUNDING_DOWN);
        double least = extreme_gain(average, count, true);
        rounding_set(ROUNDING_UP);
        double most = extreme_gain(average, count, false);
        ROUNDED(allow_for_error)(average, most_x, most_reward, &least, &most);
        rounding_set(ROUNDING_NEAREST);
        *lower = fmax(*lower, least);
        *upper = fmin(*upper, most);
        if (*upper - *lower < width * (1 - 1e-9))
            last_gain = average->sweeps;
        if (!may_go_on(average, count))
            return;
        if (average->place && count <= SETTLE_MOST_STATES &&
            average->sweeps - begin == SWEEPS_BEFORE_SETTLING + count / 4)
            average_settle(average->problem, average->ends->is_kept, average->at, count, average->place, lower, upper);
        if ((average->sweeps - begin) % SWEEPS_BETWEEN_LOOKS == 0) {
            if (is_hopeless(average, before, *upper - *lower, *upper))
                return;
            before = *upper - *lower;
        }
        most_x = advance(average, count);
    }
}

/* What can be said at once: between the least reward and the greatest. */
static void begin_bounds(const struct average *average, double least, double most, double *lower, double *upper)
{
    double slack = average->problem->slack;
    *lower = slack > 0 ? nextafter(least * (1 - 2 * slack), 0) : least;
    *upper = slack > 0 && most > 0 ? nextafter(most * (1 + 2 * slack), INFINITY) : most;
}

/* Can a scheduler go on for ever by rows that earn nothing? Then the least average is 0. */
static uint8_t *free_ends(struct average *average)
{
    const struct fixpoint *problem = average->problem;
    uint32_t states = matrix_states(problem->matrix), rows = matrix_rows(problem->matrix);
    uint8_t *is_free = memory_zeroed((size_t)average->ends->count + 1, 1);
    if (problem->extreme != EXTREME_LEAST)
        return is_free;
    uint8_t *all = memory_zeroed((size_t)states + 1, 1), *allowed = memory_zeroed((size_t)rows + 1, 1);
    memset(all, 1, states);
    for (uint32_t r = 0; r < rows; r++)
        allowed[r] = average->ends->is_kept[r] && problem->row_reward[r] == 0;
    struct ends *ends = ends_create(problem->matrix, all, allowed, problem->go_on, problem->user);
    average->is_stopped = !ends;
    for (uint32_t s = 0; s < states && ends; s++)
        if (ends->of[s] != ENDS_NONE)
            is_free[average->ends->of[s]] = 1;
    ends_destroy(ends);
    free(all);
    free(allowed);
    return is_free;
}

static void enclose_ends(struct average *average)
{
    uint8_t *is_free = free_ends(average);
    for (uint32_t end = 0; end < average->ends->count; end++) {
        const uint32_t *states = average->states + average->first[end];
        uint32_t count = average->first[end + 1] - average->first[end];
        double least, most, *lower = &average->lower[end], *upper = &average->upper[end];
        range_of_rewards(average, states, count, &least, &most);
        begin_bounds(average, least, most, lower, upper);
        average->at = states;
        if (is_free[end])
            *lower = *upper = 0;
        if (least < most && !is_free[end] && !average->is_stopped)
            iterate(average, count, most, lower, upper);
    }
    free(is_free);
}

static void list_states(struct average *average)
{
    uint32_t states = matrix_states(average->problem->matrix), sum = 0;
    for (uint32_t s = 0; s < states; s++)
        if (average->ends->of[s] != ENDS_NONE)
            average->first[average->ends->of[s] + 2]++;
    for (uint32_t end = 0; end < average->ends->count; end++) {
        sum += average->first[end + 2];
        average->first[end + 2] = sum;
    }
    for (uint32_t s = 0; s < states; s++)
        if (average->ends->of[s] != ENDS_NONE)
            average->states[average->first[average->ends->of[s] + 1]++] = s;
}

/* The matrix with one more row in each state of an end component, to a new state that stands for staying there. */
static struct matrix with_rests(const struct average *average)
{
    const struct matrix *matrix = average->problem->matrix;
    uint32_t states = matrix_states(matrix), ends = average->ends->count;
    struct matrix wide = {0};
    for (uint32_t s = 0; s < states + ends; s++) {
        matrix_begin_state(&wide);
        for (uint32_t r = s < states ? matrix->state_row.items[s] : 0; s < states && r < matrix->state_row.items[s + 1];
             r++) {
            matrix_begin_row(&wide);
            for (uint64_t i = matrix->row_entry.items[r]; i < matrix->row_entry.items[r + 1]; i++)
                VEC_PUSH(&wide.entries, matrix->entries.items[i]);
        }
        uint32_t rest = s >= states ? s : average->ends->of[s] == ENDS_NONE ? ENDS_NONE : states + average->ends->of[s];
        if (rest == ENDS_NONE)
            continue;
        matrix_begin_row(&wide);
        VEC_PUSH(&wide.entries, ((struct entry){rest, 1}));
    }
    matrix_close(&wide);
    return wide;
}

/* To stay somewhere for ever is worth the average there: the best of these that can be reached. */
static bool choose_rest(struct average *average, struct bounds *bounds)
{
    size_t states = matrix_states(average->problem->matrix), all = states + average->ends->count;
    struct matrix wide = with_rests(average);
    struct bounds inner = {memory_zeroed(all + 1, sizeof(double)), memory_zeroed(all + 1, sizeof(double))};
    uint8_t *unknown = memory_zeroed(all + 1, 1);
    struct fixpoint problem = *average->problem;
    memset(unknown, 1, states);
    memcpy(inner.lower + states, average->lower, average->ends->count * sizeof(double));
    memcpy(inner.upper + states, average->upper, average->ends->count * sizeof(double));
    problem.matrix = &wide;
    problem.unknown = unknown;
    problem.row_reward = NULL;
    bool is_done = collapse_enclose(&problem, &inner);
    memcpy(bounds->lower, inner.lower, states * sizeof(double));
    memcpy(bounds->upper, inner.upper, states * sizeof(double));
    matrix_free(&wide);
    free(inner.lower);
    free(inner.upper);
    free(unknown);
    return is_done;
}

bool average_enclose(const struct fixpoint *problem, struct bounds *bounds)
{
    size_t states = matrix_states(problem->matrix);
    uint8_t *all = memory_zeroed(states + 1, 1);
    memset(all, 1, states);
    struct ends *ends = ends_create(problem->matrix, all, NULL, problem->go_on, problem->user);
    if (!ends) {
        free(all);
        return false;
    }
    struct average average = {.problem = problem,
                              .ends = ends,
                              .most_rate = 1,
                              .most_sweeps = UINT64_MAX,
                              .states = memory_zeroed(states + 1, sizeof(uint32_t)),
                              .first = memory_zeroed((size_t)ends->count + 2, sizeof(uint32_t)),
                              .x = memory_zeroed(states + 1, sizeof(double)),
                              .next = memory_zeroed(states + 1, sizeof(double)),
                              .place = memory_zeroed(states + 1, sizeof(uint32_t)),
                              .lower = memory_zeroed((size_t)ends->count + 1, sizeof(double)),
                              .upper = memory_zeroed((size_t)ends->count + 1, sizeof(double))};
    list_states(&average);
    enclose_ends(&average);
    bool is_done = choose_rest(&average, bounds) && !average.is_stopped;
    if (problem->sweeps)
        *problem->sweeps += average.sweeps;
    ends_destroy(ends);
    free(all);
    free(average.states);
    free(average.first);
    free(average.x);
    free(average.next);
    free(average.place);
    free(average.lower);
    free(average.upper);
    return is_done;
}

bool average_of_component(const struct fixpoint *problem, const double *row_rate, const uint32_t *states,
                          uint32_t count, uint64_t most_sweeps, double *lower, double *upper)
{
    size_t all = matrix_states(problem->matrix);
    struct average average = {.problem = problem,
                              .row_rate = row_rate,
                              .most_rate = row_rate ? 0 : 1,
                              .most_sweeps = most_sweeps,
                              .at = states,
                              .x = memory_zeroed(all + 1, sizeof(double)),
                              .next = memory_zeroed(all + 1, sizeof(double))};
    double least, most;
    for (uint32_t i = 0; row_rate && i < count; i++)
        average.most_rate = fmax(average.most_rate, row_rate[problem->matrix->state_row.items[states[i]]]);
    range_of_rewards(&average, states, count, &least, &most);
    begin_bounds(&average, least, most, lower, upper);
    if (least < most)
        iterate(&average, count, most, lower, upper);
    if (problem->sweeps)
        *problem->sweeps += average.sweeps;
    free(average.x);
    free(average.next);
    return !average.is_stopped && *upper - *lower <= problem->epsilon * *upper;
}
