#include "numeric/policy.h"

#include <string.h>

#include "numeric/components.h"
#include "numeric/elimination.h"

struct policy {
    const struct policy_problem *problem;
    const uint32_t *rows;
    uint32_t *own; /* the same, where they may change */
    struct rational **values;
    uint32_t *place; /* by state: its number in the component at hand */
    struct rational *scratch, *worth;
};

static bool is_finite_row(const struct policy *policy, uint32_t row)
{
    const struct matrix *matrix = policy->problem->matrix;
    for (uint64_t i = matrix->row_entry.items[row]; i < matrix->row_entry.items[row + 1]; i++) {
        uint32_t target = matrix->entries.items[i].target;
        if (!policy->problem->unknown[target] && !policy->values[target])
            return false;
    }
    return true;
}

/* Backwards from the known states: first by the rows of the policy, then, for those it does not lead out, by any row.
 */
static bool make_proper(struct policy *policy, const struct reverse *reverse)
{
    const struct matrix *matrix = policy->problem->matrix;
    uint32_t count = matrix_states(matrix), end = 0;
    uint8_t *is_out = memory_zeroed((size_t)count + 1, 1);
    uint32_t *queue = memory_zeroed((size_t)count + 1, sizeof *queue);
    for (uint32_t s = 0; s < count; s++)
        if (!policy->problem->unknown[s]) {
            is_out[s] = 1;
            queue[end++] = s;
        }
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t begin = 0; begin < end; begin++)
            for (uint64_t i = reverse->first[queue[begin]]; i < reverse->first[queue[begin] + 1]; i++) {
                uint32_t row = reverse->rows[i], state = reverse->row_state[row];
                if (is_out[state] || (pass == 0 && policy->rows[state] != row) || !is_finite_row(policy, row))
                    continue;
                is_out[state] = 1;
                policy->own[state] = row;
                queue[end++] = state;
            }
    free(is_out);
    free(queue);
    return end == count;
}

/* The graph of the policy alone, for its components. */
static struct matrix graph_of(const struct policy *policy)
{
    const struct matrix *matrix = policy->problem->matrix;
    struct matrix graph = {0};
    for (uint32_t s = 0; s < matrix_states(matrix); s++) {
        uint32_t row = policy->rows[s];
        matrix_begin_state(&graph);
        matrix_begin_row(&graph);
        for (uint64_t i = matrix->row_entry.items[row];
             policy->problem->unknown[s] && i < matrix->row_entry.items[row + 1]; i++)
            VEC_PUSH(&graph.entries, matrix->entries.items[i]);
    }
    matrix_close(&graph);
    return graph;
}

static void add_equation(struct policy *policy, struct elimination *equations, uint32_t number, uint32_t state,
                         const uint8_t *is_member)
{
    const struct policy_problem *problem = policy->problem;
    const struct matrix *matrix = problem->matrix;
    uint32_t row = policy->rows[state];
    if (problem->row_reward)
        elimination_add_constant(equations, number, problem->row_reward[row]);
    for (uint64_t i = matrix->row_entry.items[row]; i < matrix->row_entry.items[row + 1]; i++) {
        uint32_t target = matrix->entries.items[i].target;
        if (is_member[target]) {
            elimination_add(equations, number, policy->place[target], problem->chances[i]);
            continue;
        }
        rational_copy(policy->worth, problem->chances[i]);
        rational_multiply(policy->worth, policy->values[target]);
        elimination_add_constant(equations, number, policy->worth);
    }
}

static bool evaluate_component(struct policy *policy, const uint32_t *states, uint32_t count, uint8_t *is_member)
{
    struct elimination *equations = elimination_create(count);
    for (uint32_t i = 0; i < count; i++) {
        policy->place[states[i]] = i;
        is_member[states[i]] = 1;
    }
    for (uint32_t i = 0; i < count; i++)
        add_equation(policy, equations, i, states[i], is_member);
    bool is_solved = elimination_solve(equations, policy->problem->go_on, policy->problem->user);
    for (uint32_t i = 0; i < count && is_solved; i++)
        rational_copy(policy->values[states[i]], elimination_value(equations, i));
    for (uint32_t i = 0; i < count; i++)
        is_member[states[i]] = 0;
    elimination_destroy(equations);
    return is_solved;
}

static bool evaluate(struct policy *policy)
{
    struct matrix graph = graph_of(policy);
    struct components *components = components_create(&graph, policy->problem->unknown);
    uint8_t *is_member = memory_zeroed((size_t)matrix_states(&graph) + 1, 1);
    bool is_solved = true;
    for (uint32_t c = 0; c < components->count && is_solved; c++)
        is_solved = evaluate_component(policy, components->states + components->first[c],
                                       components->first[c + 1] - components->first[c], is_member);
    components_destroy(components);
    matrix_free(&graph);
    free(is_member);
    return is_solved;
}

bool policy_row_value(const struct policy_problem *problem, uint32_t row, struct rational *const *values,
                      struct rational *value, struct rational *scratch)
{
    const struct matrix *matrix = problem->matrix;
    if (problem->row_reward)
        rational_copy(value, problem->row_reward[row]);
    else
        rational_set(value, 0);
    for (uint64_t i = matrix->row_entry.items[row]; i < matrix->row_entry.items[row + 1]; i++) {
        const struct rational *after = values[matrix->entries.items[i].target];
        if (!after)
            return false;
        rational_add_product(value, problem->chances[i], after, scratch);
    }
    return true;
}

/* Is the row better than the value of its state? A row to infinity is so for the greatest value only; and then the
 * state is not unknown. */
static bool is_better(struct policy *policy, uint32_t row, const struct rational *than)
{
    if (!policy_row_value(policy->problem, row, policy->values, policy->worth, policy->scratch))
        return false;
    int order = rational_compare(policy->worth, than);
    return policy->problem->extreme == EXTREME_LEAST ? order < 0 : order > 0;
}

static bool improve(struct policy *policy, bool *is_changed)
{
    const struct matrix *matrix = policy->problem->matrix;
    struct rational *best = rational_create(0, 1);
    *is_changed = false;
    bool goes_on = true;
    for (uint32_t s = 0; s < matrix_states(matrix) && goes_on; s++) {
        if (!policy->problem->unknown[s])
            continue;
        rational_copy(best, policy->values[s]);
        for (uint32_t row = matrix->state_row.items[s]; row < matrix->state_row.items[s + 1]; row++)
            if (row != policy->rows[s] && is_better(policy, row, best)) {
                rational_copy(best, policy->worth);
                policy->own[s] = row;
                *is_changed = true;
            }
        goes_on = s % 1024 || !policy->problem->go_on || policy->problem->go_on(policy->problem->user);
    }
    rational_destroy(best);
    return goes_on;
}

static struct policy policy_begin(const struct policy_problem *problem, const uint32_t *rows, uint32_t *own,
                                  struct rational **values)
{
    size_t count = matrix_states(problem->matrix);
    return (struct policy){problem,
                           rows,
                           own,
                           values,
                           memory_zeroed(count + 1, sizeof(uint32_t)),
                           rational_create(0, 1),
                           rational_create(0, 1)};
}

static void policy_end(struct policy *policy)
{
    free(policy->place);
    rational_destroy(policy->scratch);
    rational_destroy(policy->worth);
}

bool policy_evaluate(const struct policy_problem *problem, const uint32_t *rows, struct rational **values)
{
    struct policy policy = policy_begin(problem, rows, NULL, values);
    bool is_solved = evaluate(&policy);
    policy_end(&policy);
    return is_solved;
}

bool policy_solve(const struct policy_problem *problem, const struct reverse *reverse, uint32_t *rows,
                  struct rational **values)
{
    struct policy policy = policy_begin(problem, rows, rows, values);
    for (uint32_t s = 0; s < matrix_states(problem->matrix); s++)
        if (problem->unknown[s])
            values[s] = rational_create(0, 1);
    bool is_changed = true, is_solved = make_proper(&policy, reverse);
    while (is_solved && is_changed)
        is_solved = evaluate(&policy) && improve(&policy, &is_changed);
    policy_end(&policy);
    return is_solved;
}
