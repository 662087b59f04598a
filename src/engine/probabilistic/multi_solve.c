/* The best scheduler for a weighted sum of objectives, and what it attains of each.
 *
 * With intervals: let v be any values, e the most by which one step of the true chain takes them up (or down), and h
 * the greatest expected number of steps. Then the true values are within e * h of v, for what is best as for one
 * scheduler: v + e * h is not increased by a step, v - e * h not decreased, and all schedulers stop. */
#include <math.h>
#include <string.h>

#include "engine/probabilistic/multi.h"

/* Where fractions are possible, they have the answer sooner than many rounds. */
enum { ROUND = 32, MOST_ROUNDS = 20000, FEW_ROUNDS = 300, FEW_STATES = 2000 };
static const double NARROW = 1e-13, UNIT = 0x1p-52;

struct multi_answer *multi_answer_create(uint32_t count)
{
    struct multi_answer *answer = memory_zeroed(1, sizeof *answer);
    struct rational ***lists[] = {&answer->weights, &answer->lower, &answer->upper};
    answer->limit = rational_create(0, 1);
    for (int k = 0; k < 3; k++) {
        *lists[k] = memory_zeroed(count + 1, sizeof **lists[k]);
        for (uint32_t i = 0; i < count; i++)
            (*lists[k])[i] = rational_create(0, 1);
    }
    return answer;
}

void multi_answer_destroy(struct multi_answer *answer)
{
    struct rational **lists[] = {answer->weights, answer->lower, answer->upper};
    for (int k = 0; k < 3; k++) {
        for (uint32_t i = 0; lists[k][i]; i++)
            rational_destroy(lists[k][i]);
        free(lists[k]);
    }
    rational_destroy(answer->limit);
    free(answer);
}

/* --- intervals --- */

/* One problem: rewards of the rows, and the rows themselves: of a scheduler, or (NULL) all, of which the best counts.
 */
struct sum {
    struct multi *multi;
    const double *rewards;
    const double *sizes; /* their absolute values, added up without cancellation: for the rounding */
    const uint32_t *rows;
    double *values;
};

static double row_value(const struct sum *sum, uint32_t row)
{
    const struct matrix *matrix = &sum->multi->matrix;
    double value = sum->rewards[row];
    for (uint64_t i = matrix->row_entry.items[row]; i < matrix->row_entry.items[row + 1]; i++)
        value += matrix->entries.items[i].value * sum->values[matrix->entries.items[i].target];
    return value;
}

/* How far that may be from the value in the model itself. */
static double row_error(const struct sum *sum, uint32_t row)
{
    const struct matrix *matrix = &sum->multi->matrix;
    uint64_t first = matrix->row_entry.items[row], end = matrix->row_entry.items[row + 1];
    double size = sum->sizes[row];
    for (uint64_t i = first; i < end; i++)
        size += matrix->entries.items[i].value * fabs(sum->values[matrix->entries.items[i].target]);
    double terms = (double)(end - first + 2 * sum->multi->count + 4);
    return size * (2 * sum->multi->markov->slack + terms * UNIT) * (1 + 1e-9) + 1e-300;
}

static uint32_t first_row(const struct sum *sum, uint32_t state)
{
    return sum->rows ? sum->rows[state] : sum->multi->matrix.state_row.items[state];
}

static uint32_t end_row(const struct sum *sum, uint32_t state)
{
    return sum->rows ? sum->rows[state] + 1 : sum->multi->matrix.state_row.items[state + 1];
}

static uint32_t best_row(const struct sum *sum, uint32_t state, double *best)
{
    uint32_t chosen = first_row(sum, state);
    *best = -INFINITY;
    for (uint32_t row = chosen; row < end_row(sum, state); row++) {
        double value = row_value(sum, row);
        if (value > *best) {
            *best = value;
            chosen = row;
        }
    }
    return chosen;
}

static uint32_t last_state(const struct multi *multi)
{
    return matrix_states(&multi->matrix) - 1; /* the end, whose value is 0 */
}

static double sweep(const struct sum *sum)
{
    double change = 0;
    for (uint32_t s = last_state(sum->multi); s-- > 0;) {
        double best;
        best_row(sum, s, &best);
        change = fmax(change, fabs(best - sum->values[s]));
        sum->values[s] = best;
    }
    return change;
}

/* By how much a step of the true chain may take the values up, and down. */
static void find_drift(const struct sum *sum, double *up, double *down)
{
    *up = *down = 0;
    for (uint32_t s = 0; s < last_state(sum->multi); s++) {
        double most = -INFINITY, least = -INFINITY;
        for (uint32_t row = first_row(sum, s); row < end_row(sum, s); row++) {
            double value = row_value(sum, row), error = row_error(sum, row);
            most = fmax(most, value + error);
            least = fmax(least, value - error);
        }
        *up = fmax(*up, most - sum->values[s]);
        *down = fmax(*down, sum->values[s] - least);
    }
}

/* Until it no longer gets better. The bounds are those of the initial state. */
static bool enclose(const struct sum *sum, double *lower, double *upper)
{
    struct markov *markov = sum->multi->markov;
    double last = INFINITY;
    uint32_t most = last_state(sum->multi) < FEW_STATES ? FEW_ROUNDS : MOST_ROUNDS;
    for (uint32_t round = 0; round < most; round++) {
        double change = 0;
        for (int k = 0; k < ROUND; k++)
            change = sweep(sum);
        markov->sweeps += ROUND;
        if (!markov_is_within_limits(markov))
            return false;
        double value = fabs(sum->values[sum->multi->initial]);
        if (change * sum->multi->steps <= NARROW * value || change >= last)
            break;
        last = change;
    }
    double up, down, value = sum->values[sum->multi->initial];
    find_drift(sum, &up, &down);
    double room = 1 + 8 * UNIT;
    *upper = nextafter(value + up * sum->multi->steps * room, INFINITY);
    *lower = nextafter(value - down * sum->multi->steps * room, -INFINITY);
    return true;
}

/* The greatest expected number of steps from the initial state, from above. */
static bool find_steps(struct multi *multi)
{
    struct markov *markov = multi->markov;
    uint32_t rows = matrix_rows(&multi->matrix), states = matrix_states(&multi->matrix);
    double *ones = memory_zeroed((size_t)rows + 1, sizeof *ones);
    struct bounds bounds = {memory_zeroed((size_t)states + 1, sizeof(double)),
                            memory_zeroed((size_t)states + 1, sizeof(double))};
    for (uint32_t row = 0; row < rows; row++)
        ones[row] = 1;
    struct fixpoint problem = markov_fixpoint(markov, EXTREME_GREATEST, multi->unknown, 0.1);
    problem.matrix = &multi->matrix;
    problem.row_reward = ones;
    problem.limit = INFINITY;
    bool is_found = fixpoint_enclose(&problem, &bounds);
    multi->steps = fmax(1, bounds.upper[multi->initial]);
    free(ones);
    free(bounds.lower);
    free(bounds.upper);
    return is_found && (isfinite(multi->steps) || pctl_fail_wide(&markov->evaluator));
}

static double signed_weight(const struct multi *multi, struct rational *const *weights, uint32_t objective)
{
    double weight = rational_to_double(weights[objective]);
    return multi->objectives[objective].is_less ? -weight : weight;
}

static void add_up(const struct multi *multi, struct rational *const *weights, double *rewards, double *sizes)
{
    for (uint32_t i = 0; i < multi->count; i++) {
        double weight = signed_weight(multi, weights, i);
        for (uint32_t row = 0; row < matrix_rows(&multi->matrix); row++) {
            rewards[row] += weight * multi->rewards[i][row];
            sizes[row] += fabs(weight) * multi->rewards[i][row];
        }
    }
}

/* What the scheduler attains of one objective. */
static bool attain(const struct sum *best, const uint32_t *rows, uint32_t objective, struct multi_answer *answer)
{
    struct multi *multi = best->multi;
    bool is_less = multi->objectives[objective].is_less;
    double lower, upper;
    struct sum sum = {multi, multi->rewards[objective], multi->rewards[objective], rows,
                      memory_zeroed((size_t)matrix_states(&multi->matrix) + 1, sizeof(double))};
    bool is_done = enclose(&sum, &lower, &upper);
    free(sum.values);
    if (!is_done)
        return false;
    lower = fmax(lower, 0);
    rational_set_double(answer->lower[objective], is_less ? -upper : lower);
    rational_set_double(answer->upper[objective], is_less ? -lower : upper);
    return true;
}

static bool solve_nearly(struct multi *multi, struct rational *const *weights, struct multi_answer *answer)
{
    uint32_t rows = matrix_rows(&multi->matrix), states = matrix_states(&multi->matrix);
    double *rewards = memory_zeroed((size_t)rows + 1, sizeof *rewards), lower, upper;
    double *sizes = memory_zeroed((size_t)rows + 1, sizeof *sizes);
    uint32_t *policy = memory_zeroed((size_t)states + 1, sizeof *policy);
    for (uint32_t i = 0; i < multi->count; i++)
        rational_set_double(answer->weights[i], rational_to_double(weights[i]));
    add_up(multi, answer->weights, rewards, sizes);
    struct sum sum = {multi, rewards, sizes, NULL, memory_zeroed((size_t)states + 1, sizeof(double))};
    bool is_done = (multi->steps > 0 || find_steps(multi)) && enclose(&sum, &lower, &upper);
    if (is_done)
        rational_set_double(answer->limit, upper);
    for (uint32_t s = 0; s < states && is_done; s++) {
        double value;
        policy[s] = best_row(&sum, s, &value);
    }
    for (uint32_t i = 0; i < multi->count && is_done; i++)
        is_done = attain(&sum, policy, i, answer);
    free(sum.values);
    free(policy);
    free(rewards);
    free(sizes);
    return is_done;
}

/* --- fractions --- */

static struct rational **new_numbers(uint32_t count)
{
    struct rational **numbers = memory_zeroed((size_t)count + 1, sizeof *numbers);
    for (uint32_t i = 0; i < count; i++)
        numbers[i] = rational_create(0, 1);
    return numbers;
}

/* rewards += weight * those of the objective. */
static void add_exactly(const struct multi *multi, uint32_t objective, const struct rational *weight,
                        struct rational **rewards)
{
    const struct multi_objective *from = &multi->objectives[objective];
    struct rational *scratch = rational_create(0, 1);
    for (uint32_t row = 0; row < matrix_rows(&multi->matrix); row++) {
        if (!(multi->row_memory.items[row] >> objective & 1))
            continue;
        if (from->is_reward)
            rational_add_product(rewards[row], weight, from->earnings.exact[multi->row_origin.items[row]], scratch);
        else
            rational_add(rewards[row], weight);
    }
    rational_destroy(scratch);
}

/* Of the policy, or (is_best) of the best one, which it becomes; into `value`, for the initial state. */
static bool solve_policy(const struct multi *multi, const struct rational *const *chances, struct rational **rewards,
                         bool is_best, uint32_t *rows, struct rational *value)
{
    uint32_t states = matrix_states(&multi->matrix);
    struct rational **values = memory_zeroed((size_t)states + 1, sizeof *values);
    struct policy_problem problem = {.matrix = &multi->matrix,
                                     .chances = chances,
                                     .row_reward = (const struct rational *const *)rewards,
                                     .unknown = multi->unknown,
                                     .extreme = EXTREME_GREATEST,
                                     .go_on = markov_may_go_on,
                                     .user = multi->markov};
    for (uint32_t s = is_best ? states - 1 : 0; s < states; s++)
        values[s] = rational_create(0, 1);
    bool is_done =
        is_best ? policy_solve(&problem, multi->reverse, rows, values) : policy_evaluate(&problem, rows, values);
    if (is_done)
        rational_copy(value, values[multi->initial]);
    exact_free_numbers(values, states);
    return is_done;
}

static bool attain_exactly(const struct multi *multi, const struct rational *const *chances, uint32_t *rows,
                           uint32_t objective, struct multi_answer *answer)
{
    uint32_t count = matrix_rows(&multi->matrix);
    struct rational **rewards = new_numbers(count), *weight = rational_create(1, 1);
    if (multi->objectives[objective].is_less)
        rational_negate(weight);
    add_exactly(multi, objective, weight, rewards);
    bool is_done = solve_policy(multi, chances, rewards, false, rows, answer->lower[objective]);
    rational_copy(answer->upper[objective], answer->lower[objective]);
    exact_free_numbers(rewards, count);
    rational_destroy(weight);
    return is_done;
}

static bool solve_exactly(struct multi *multi, struct rational *const *weights, struct multi_answer *answer)
{
    uint32_t count = matrix_rows(&multi->matrix), states = matrix_states(&multi->matrix);
    struct rational **rewards = new_numbers(count), *one = rational_create(1, 1), *weight = rational_create(0, 1);
    const struct rational **chances = memory_zeroed(multi->origin.count + 1, sizeof *chances);
    uint32_t *rows = memory_zeroed((size_t)states + 1, sizeof *rows);
    memcpy(rows, multi->matrix.state_row.items, states * sizeof *rows);
    for (size_t i = 0; i < multi->origin.count; i++)
        chances[i] = multi->origin.items[i] == UINT64_MAX ? one : multi->markov->exact->chances[multi->origin.items[i]];
    for (uint32_t i = 0; i < multi->count; i++) {
        rational_copy(answer->weights[i], weights[i]);
        rational_copy(weight, weights[i]);
        if (multi->objectives[i].is_less)
            rational_negate(weight);
        add_exactly(multi, i, weight, rewards);
    }
    bool is_done = solve_policy(multi, chances, rewards, true, rows, answer->limit);
    for (uint32_t i = 0; i < multi->count && is_done; i++)
        is_done = attain_exactly(multi, chances, rows, i, answer);
    exact_free_numbers(rewards, count);
    rational_destroy(one);
    rational_destroy(weight);
    free(chances);
    free(rows);
    return is_done;
}

bool multi_solve(struct multi *multi, struct rational *const *weights, struct multi_answer *answer)
{
    return (multi->markov->exact ? solve_exactly : solve_nearly)(multi, weights, answer);
}
