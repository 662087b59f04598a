/* Policy iteration for averages (Puterman 1994, 9.2): a policy has an average in every state, and values x that say how
 * much better it is to begin there than elsewhere, with average * time + x = reward + row * x and x = 0 in the first
 * state of each component that the policy never leaves. A row that leads to a better average is taken; where there is
 * none, one with a better x. A row is kept as long as there is none that is strictly better: so no policy comes twice.
 */
#include <string.h>

#include "numeric/average.h"
#include "numeric/components.h"

struct averaging {
    const struct policy_problem *problem;
    const struct rational *const *row_time;
    uint32_t count; /* of states */
    uint32_t *rows; /* the policy */
    uint8_t *unknown;
    uint8_t *is_first; /* of a component that is never left */
    uint32_t *first;   /* by state: the first of its component, where that is never left; else AWAY */
    struct rational **averages, **x, **time; /* by state */
    const struct rational **rewards;         /* by row: of a problem at hand */
    struct rational *one;
    struct rational *scratch, *sum, *best;
};

enum { AWAY = UINT32_MAX };

static struct rational **new_numbers(uint32_t count)
{
    struct rational **numbers = memory_zeroed((size_t)count + 1, sizeof *numbers);
    for (uint32_t s = 0; s < count; s++)
        numbers[s] = rational_create(0, 1);
    return numbers;
}

static void free_numbers(struct rational **numbers, uint32_t count)
{
    for (uint32_t s = 0; s < count; s++)
        rational_destroy(numbers[s]);
    free(numbers);
}

static const struct rational *time_of(const struct averaging *averaging, uint32_t row)
{
    return averaging->row_time ? averaging->row_time[row] : averaging->one;
}

/* average * time, into `product`. */
static void take_time(const struct averaging *averaging, uint32_t state, uint32_t row, struct rational *product)
{
    rational_copy(product, averaging->averages[state]);
    rational_multiply(product, time_of(averaging, row));
}

static struct policy_problem problem_of(const struct averaging *averaging, const struct rational *const *rewards)
{
    struct policy_problem problem = *averaging->problem;
    problem.unknown = averaging->unknown;
    problem.row_reward = rewards;
    return problem;
}

/* The graph of the policy, and in it the components that are never left. */
static void find_components(struct averaging *averaging)
{
    const struct matrix *matrix = averaging->problem->matrix;
    struct matrix graph = {0};
    uint32_t *component = memory_zeroed((size_t)averaging->count + 1, sizeof *component);
    for (uint32_t s = 0; s < averaging->count; s++) {
        uint32_t row = averaging->rows[s];
        matrix_begin_state(&graph);
        matrix_begin_row(&graph);
        for (uint64_t i = matrix->row_entry.items[row]; i < matrix->row_entry.items[row + 1]; i++)
            VEC_PUSH(&graph.entries, matrix->entries.items[i]);
    }
    matrix_close(&graph);
    memset(averaging->unknown, 1, averaging->count);
    memset(averaging->is_first, 0, averaging->count);
    struct components *components = components_create(&graph, averaging->unknown);
    for (uint32_t c = 0; c < components->count; c++)
        for (uint32_t i = components->first[c]; i < components->first[c + 1]; i++)
            component[components->states[i]] = c;
    for (uint32_t c = 0; c < components->count; c++) {
        uint32_t least = AWAY;
        bool is_left = false;
        for (uint32_t i = components->first[c]; i < components->first[c + 1]; i++) {
            uint32_t s = components->states[i];
            least = s < least ? s : least;
            for (uint64_t e = graph.row_entry.items[s]; e < graph.row_entry.items[s + 1]; e++)
                is_left |= component[graph.entries.items[e].target] != c;
        }
        averaging->is_first[least] = !is_left;
        for (uint32_t i = components->first[c]; i < components->first[c + 1]; i++)
            averaging->first[components->states[i]] = is_left ? AWAY : least;
    }
    components_destroy(components);
    matrix_free(&graph);
    free(component);
}

/* What is earned until the first state of the component, into `values`. */
static bool earn_until_first(struct averaging *averaging, const struct rational *const *rewards,
                             struct rational **values)
{
    struct policy_problem problem = problem_of(averaging, rewards);
    for (uint32_t s = 0; s < averaging->count; s++) {
        averaging->unknown[s] = averaging->first[s] != AWAY && !averaging->is_first[s];
        rational_set(values[s], 0);
    }
    return policy_evaluate(&problem, averaging->rows, values);
}

/* reward + row * values, from the first state of a component on: all the way round. */
static void go_round(struct averaging *averaging, const struct rational *const *rewards, uint32_t state,
                     struct rational *const *values, struct rational *sum)
{
    struct policy_problem problem = problem_of(averaging, rewards);
    policy_row_value(&problem, averaging->rows[state], values, sum, averaging->scratch);
}

static bool evaluate_components(struct averaging *averaging)
{
    const struct rational *const *rewards = averaging->problem->row_reward;
    for (uint32_t r = 0; r < matrix_rows(averaging->problem->matrix); r++)
        averaging->rewards[r] = time_of(averaging, r);
    if (!earn_until_first(averaging, rewards, averaging->x) ||
        !earn_until_first(averaging, averaging->rewards, averaging->time))
        return false;
    for (uint32_t s = 0; s < averaging->count; s++)
        if (averaging->is_first[s]) {
            go_round(averaging, rewards, s, averaging->x, averaging->averages[s]);
            go_round(averaging, averaging->rewards, s, averaging->time, averaging->sum);
            rational_divide(averaging->averages[s], averaging->sum);
        }
    for (uint32_t s = 0; s < averaging->count; s++) {
        if (averaging->first[s] == AWAY)
            continue;
        if (!averaging->is_first[s])
            rational_copy(averaging->averages[s], averaging->averages[averaging->first[s]]);
        rational_copy(averaging->sum, averaging->time[s]);
        rational_multiply(averaging->sum, averaging->averages[s]);
        rational_subtract(averaging->x[s], averaging->sum);
    }
    return true;
}

/* Before a component is reached: the mean of what comes after. */
static bool evaluate_others(struct averaging *averaging)
{
    for (uint32_t s = 0; s < averaging->count; s++)
        averaging->unknown[s] = averaging->first[s] == AWAY;
    struct policy_problem problem = problem_of(averaging, NULL);
    if (!policy_evaluate(&problem, averaging->rows, averaging->averages))
        return false;
    for (uint32_t s = 0; s < averaging->count; s++) {
        if (!averaging->unknown[s])
            continue;
        take_time(averaging, s, averaging->rows[s], averaging->sum);
        rational_copy(averaging->time[s], averaging->problem->row_reward[averaging->rows[s]]); /* no time any more */
        rational_subtract(averaging->time[s], averaging->sum);
        averaging->rewards[averaging->rows[s]] = averaging->time[s];
    }
    problem.row_reward = averaging->rewards;
    return policy_evaluate(&problem, averaging->rows, averaging->x);
}

static bool is_better(const struct averaging *averaging, const struct rational *value, const struct rational *than)
{
    int order = rational_compare(value, than);
    return averaging->problem->extreme == EXTREME_LEAST ? order < 0 : order > 0;
}

/* Takes rows with a better average than the policy has; is_about_x: rows with the same average, and a better x. */
static bool improve(struct averaging *averaging, bool is_about_x)
{
    const struct matrix *matrix = averaging->problem->matrix;
    struct policy_problem means = problem_of(averaging, NULL),
                          gains = problem_of(averaging, averaging->problem->row_reward);
    bool is_changed = false;
    for (uint32_t s = 0; s < averaging->count; s++) {
        rational_copy(averaging->best, is_about_x ? averaging->x[s] : averaging->averages[s]);
        uint32_t first = matrix->state_row.items[s], end = matrix->state_row.items[s + 1], taken = averaging->rows[s];
        for (uint32_t r = first; r < end && end - first > 1; r++) {
            if (r == taken)
                continue;
            policy_row_value(&means, r, averaging->averages, averaging->sum, averaging->scratch);
            if (is_about_x && rational_compare(averaging->sum, averaging->averages[s]))
                continue;
            if (is_about_x) {
                policy_row_value(&gains, r, averaging->x, averaging->sum, averaging->scratch);
                take_time(averaging, s, r, averaging->scratch);
                rational_subtract(averaging->sum, averaging->scratch);
            }
            if (!is_better(averaging, averaging->sum, averaging->best))
                continue;
            rational_copy(averaging->best, averaging->sum);
            averaging->rows[s] = r;
            is_changed = true;
        }
    }
    return is_changed;
}

static bool may_go_on(const struct averaging *averaging)
{
    return !averaging->problem->go_on || averaging->problem->go_on(averaging->problem->user);
}

bool average_solve(const struct policy_problem *problem, const struct rational *const *row_time,
                   struct rational **averages)
{
    uint32_t count = matrix_states(problem->matrix);
    size_t size = (size_t)count + 1;
    struct averaging averaging = {.problem = problem,
                                  .row_time = row_time,
                                  .count = count,
                                  .rows = memory_zeroed(size, sizeof(uint32_t)),
                                  .unknown = memory_zeroed(size, 1),
                                  .is_first = memory_zeroed(size, 1),
                                  .first = memory_zeroed(size, sizeof(uint32_t)),
                                  .averages = averages,
                                  .x = new_numbers(count),
                                  .time = new_numbers(count),
                                  .rewards = memory_zeroed((size_t)matrix_rows(problem->matrix) + 1, sizeof(void *)),
                                  .one = rational_create(1, 1),
                                  .scratch = rational_create(0, 1),
                                  .sum = rational_create(0, 1),
                                  .best = rational_create(0, 1)};
    memcpy(averaging.rows, problem->matrix->state_row.items, count * sizeof *averaging.rows);
    for (uint32_t s = 0; s < count; s++)
        averages[s] = rational_create(0, 1);
    bool is_changed = true, goes_on = true;
    while (is_changed && goes_on) {
        find_components(&averaging);
        goes_on = may_go_on(&averaging) && evaluate_components(&averaging) && evaluate_others(&averaging);
        is_changed = goes_on && (improve(&averaging, false) || improve(&averaging, true));
    }
    free_numbers(averaging.x, count);
    free_numbers(averaging.time, count);
    free(averaging.rows);
    free(averaging.unknown);
    free(averaging.is_first);
    free(averaging.first);
    free(averaging.rewards);
    rational_destroy(averaging.one);
    rational_destroy(averaging.scratch);
    rational_destroy(averaging.sum);
    rational_destroy(averaging.best);
    return goes_on;
}
