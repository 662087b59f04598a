/* Expected rewards and the long run, exactly. */
#include <string.h>

#include "engine/probabilistic/exact.h"
#include "numeric/components.h"

/* What a step by each row earns; in a CTMC a state's reward is per unit of time. */
static const struct rational **rewards_by_row(struct markov *markov, uint32_t structure)
{
    struct exact_chain *exact = markov->exact;
    const struct matrix *matrix = &markov->matrix;
    const struct rational **rewards = memory_zeroed((size_t)matrix_rows(matrix) + 1, sizeof *rewards);
    for (uint32_t s = 0; s < markov_count(markov); s++) {
        const struct rational *stay = exact->state_reward[structure][s];
        bool is_timed = markov->chain->kind == CHAIN_CTMC;
        for (uint32_t r = matrix->state_row.items[s]; r < matrix->state_row.items[s + 1]; r++) {
            struct rational *sum = exact_chain_own(exact);
            rational_copy(sum, stay);
            if (is_timed && !markov->is_deadlock.items[s])
                rational_divide(sum, exact->exit_rates[s]);
            rational_add(sum, exact->row_reward[structure][r]);
            rewards[r] = sum;
        }
    }
    return rewards;
}

static double *to_doubles(const struct rational **rewards, size_t count)
{
    double *doubles = memory_zeroed(count + 1, sizeof *doubles);
    for (size_t i = 0; i < count; i++)
        doubles[i] = rational_to_double(rewards[i]);
    return doubles;
}

static bool solve(struct markov *markov, enum extreme extreme, const struct rational **rewards, const uint8_t *unknown,
                  const uint8_t *goal, const struct accuracy *accuracy, struct value *value)
{
    double *doubles = to_doubles(rewards, matrix_rows(&markov->matrix));
    struct exact_until problem = {.row_reward = rewards, .row_reward_doubles = doubles, .unknown = unknown,
                                  .through = unknown, .goal = goal, .extreme = extreme};
    bool is_done = exact_solve(markov, &problem, accuracy, value);
    free(doubles);
    return is_done;
}

static bool until_goal(struct markov *markov, enum extreme extreme, const struct rational **rewards,
                       const uint8_t *goal, const struct accuracy *accuracy, struct value *value)
{
    uint8_t *all = pctl_new_truth(markov), *sure = pctl_new_truth(markov);
    memset(all, 1, markov_count(markov));
    reverse_chance_one(markov_reverse(markov), all, goal, extreme == EXTREME_LEAST ? EXTREME_GREATEST : EXTREME_LEAST,
                       sure);
    exact_new_numbers(markov, value);
    for (uint32_t s = 0; s < markov_count(markov); s++) {
        if (goal[s])
            exact_set_integer(value, s, 0);
        sure[s] = sure[s] && !goal[s];
    }
    bool is_done = solve(markov, extreme, rewards, sure, goal, accuracy, value);
    free(all);
    free(sure);
    return is_done;
}

static bool until_reached(struct markov *markov, const struct pctl *formula, const struct accuracy *accuracy,
                          struct value *value)
{
    enum extreme extreme = pctl_formula_extreme(formula);
    uint8_t *goal = NULL;
    if (!pctl_reward_is_fair(markov, formula, extreme) || !pctl_evaluate_truth(markov, formula->right, accuracy, &goal))
        return false;
    const struct rational **rewards = rewards_by_row(markov, formula->reward);
    bool is_done = until_goal(markov, extreme, rewards, goal, accuracy, value);
    free(rewards);
    free(goal);
    return is_done;
}

static bool in_total(struct markov *markov, const struct pctl *formula, const struct accuracy *accuracy,
                     struct value *value)
{
    enum extreme extreme = markov->chain->kind == CHAIN_MDP ? pctl_formula_extreme(formula) : EXTREME_GREATEST;
    if (!pctl_reward_is_fair(markov, formula, extreme))
        return false;
    uint32_t rows = matrix_rows(&markov->matrix);
    const struct rational **rewards = rewards_by_row(markov, formula->reward);
    uint8_t *is_free = memory_zeroed((size_t)rows + 1, 1);
    uint8_t *endless = pctl_new_truth(markov), *earns = pctl_new_truth(markov);
    bool is_done;
    for (uint32_t r = 0; r < rows; r++)
        is_free[r] = !rational_sign(rewards[r]);
    if (extreme == EXTREME_LEAST) {
        pctl_free_forever(markov, is_free, earns);
        is_done = until_goal(markov, extreme, rewards, earns, accuracy, value);
    } else {
        pctl_total_sets(markov, is_free, endless, earns);
        exact_new_numbers(markov, value);
        for (uint32_t s = 0; s < markov_count(markov); s++) {
            if (!endless[s] && !earns[s])
                exact_set_integer(value, s, 0);
            earns[s] = earns[s] && !endless[s];
        }
        for (uint32_t s = 0; s < markov_count(markov); s++)
            endless[s] = !endless[s] && !earns[s]; /* where the run may end: nothing more is earned there */
        is_done = solve(markov, extreme, rewards, earns, endless, accuracy, value);
    }
    free(rewards);
    free(is_free);
    free(endless);
    free(earns);
    return is_done;
}

static bool over_steps(struct markov *markov, const struct pctl *formula, struct value *value)
{
    if (markov->chain->kind == CHAIN_CTMC)
        return markov_fail(markov, "a reward at or within a time is not rational: there is no exact value");
    if (formula->window.upper->value > 1e9)
        return markov_fail(markov, "more than 10^9 steps are too many for exact arithmetic");
    bool is_instant = formula->goal == PCTL_INSTANT;
    uint8_t *all = pctl_new_truth(markov);
    const struct rational **rewards = rewards_by_row(markov, formula->reward);
    memset(all, 1, markov_count(markov));
    exact_new_numbers(markov, value);
    for (uint32_t s = 0; s < markov_count(markov); s++)
        if (is_instant)
            exact_set(value, s, markov->exact->state_reward[formula->reward][s]);
        else
            exact_set_integer(value, s, 0);
    struct exact_until problem = {.row_reward = is_instant ? NULL : rewards, .unknown = all,
                                  .extreme = pctl_formula_extreme(formula)};
    bool is_done = exact_steps(markov, &problem, (uint64_t)formula->window.upper->value, value);
    free(all);
    free(rewards);
    return is_done;
}

/* --- the long run --- */

/* A component that is never left: what is earned from one visit of its first state to the next, and the time that takes,
 * are expectations until something is reached; the gain is the one divided by the other. */
struct cycle {
    struct markov *markov;
    const struct rational *const *gain;
    const struct rational **earned, **time; /* by row: in a visit */
    uint8_t *unknown;
};

static bool solve_cycle(struct cycle *cycle, const struct rational *const *rewards, uint32_t first, struct value *value,
                        struct rational *sum)
{
    struct markov *markov = cycle->markov;
    struct exact_until until = {.row_reward = rewards, .unknown = cycle->unknown, .extreme = EXTREME_GREATEST};
    struct policy_problem problem = {.matrix = &markov->matrix, .chances = markov->exact->chances, .row_reward = rewards};
    struct rational *scratch = rational_create(0, 1);
    exact_new_numbers(markov, value);
    for (uint32_t s = 0; s < markov_count(markov); s++)
        if (!cycle->unknown[s])
            exact_set_integer(value, s, 0);
    bool is_done = exact_solve(markov, &until, NULL, value);
    if (is_done)
        policy_row_value(&problem, markov->matrix.state_row.items[first], value->exact, sum, scratch);
    rational_destroy(scratch);
    pctl_value_free(value);
    return is_done;
}

static bool settle_component(struct cycle *cycle, const uint32_t *states, uint32_t count, struct value *value)
{
    struct markov *markov = cycle->markov;
    struct value scratch = {0};
    if (count == 1) { /* there may be many, and a cycle takes a look at all states */
        exact_set(value, states[0], cycle->gain[states[0]]);
        return true;
    }
    struct rational *gain = rational_create(0, 1), *time = rational_create(0, 1);
    memset(cycle->unknown, 0, markov_count(markov));
    for (uint32_t i = 1; i < count; i++)
        cycle->unknown[states[i]] = 1;
    bool is_done = solve_cycle(cycle, cycle->earned, states[0], &scratch, gain) &&
                   solve_cycle(cycle, cycle->time, states[0], &scratch, time);
    if (is_done)
        rational_divide(gain, time);
    for (uint32_t i = 0; i < count && is_done; i++)
        exact_set(value, states[i], gain);
    rational_destroy(gain);
    rational_destroy(time);
    return is_done;
}

static bool is_closed(const struct matrix *matrix, const uint32_t *component, uint32_t state)
{
    uint32_t row = matrix->state_row.items[state];
    for (uint64_t e = matrix->row_entry.items[row]; e < matrix->row_entry.items[row + 1]; e++)
        if (component[matrix->entries.items[e].target] != component[state])
            return false;
    return true;
}

static bool settle_components(struct cycle *cycle, uint8_t *before, struct value *value)
{
    struct markov *markov = cycle->markov;
    uint32_t count = markov_count(markov), *component = memory_zeroed((size_t)count + 1, sizeof *component);
    memset(before, 1, count);
    struct components *components = components_create(&markov->matrix, before);
    bool is_done = true;
    for (uint32_t c = 0; c < components->count; c++)
        for (uint32_t i = components->first[c]; i < components->first[c + 1]; i++)
            component[components->states[i]] = c;
    for (uint32_t c = 0; c < components->count && is_done; c++) {
        bool closed = true;
        for (uint32_t i = components->first[c]; i < components->first[c + 1]; i++)
            closed &= is_closed(&markov->matrix, component, components->states[i]);
        if (!closed)
            continue;
        for (uint32_t i = components->first[c]; i < components->first[c + 1]; i++)
            before[components->states[i]] = 0;
        is_done = settle_component(cycle, components->states + components->first[c],
                                   components->first[c + 1] - components->first[c], value);
    }
    components_destroy(components);
    free(component);
    return is_done;
}

/* The time of a visit, and what is earned in it, by the one row of each state. */
static void fill_visits(struct cycle *cycle)
{
    struct markov *markov = cycle->markov;
    for (uint32_t s = 0; s < markov_count(markov); s++) {
        struct rational *time = exact_chain_own(markov->exact), *earned = exact_chain_own(markov->exact);
        uint32_t row = markov->matrix.state_row.items[s];
        rational_set(time, 1);
        if (markov->chain->kind == CHAIN_CTMC && !markov->is_deadlock.items[s])
            rational_divide(time, markov->exact->exit_rates[s]);
        rational_copy(earned, cycle->gain[s]);
        rational_multiply(earned, time);
        cycle->time[row] = time;
        cycle->earned[row] = earned;
    }
}

bool exact_long_run(struct markov *markov, const struct rational *const *gain, struct value *value)
{
    if (markov->chain->kind == CHAIN_MDP)
        return markov_fail(markov, "the long run of an mdp is not supported in exact arithmetic");
    size_t rows = matrix_rows(&markov->matrix);
    uint8_t *before = pctl_new_truth(markov);
    struct cycle cycle = {markov, gain, memory_zeroed(rows + 1, sizeof *cycle.earned),
                          memory_zeroed(rows + 1, sizeof *cycle.time), pctl_new_truth(markov)};
    fill_visits(&cycle);
    exact_new_numbers(markov, value);
    bool is_done = settle_components(&cycle, before, value);
    struct exact_until until = {.unknown = before, .extreme = EXTREME_GREATEST};
    is_done = is_done && exact_solve(markov, &until, NULL, value);
    free(cycle.earned);
    free(cycle.time);
    free(cycle.unknown);
    free(before);
    return is_done;
}

static bool in_the_long_run(struct markov *markov, const struct pctl *formula, struct value *value)
{
    struct exact_chain *exact = markov->exact;
    const struct rational **gain = memory_zeroed((size_t)markov_count(markov) + 1, sizeof *gain);
    for (uint32_t s = 0; s < markov_count(markov); s++) {
        struct rational *sum = exact_chain_own(exact);
        rational_copy(sum, exact->row_reward[formula->reward][markov->matrix.state_row.items[s]]);
        if (markov->chain->kind == CHAIN_CTMC)
            rational_multiply(sum, exact->exit_rates[s]);
        rational_add(sum, exact->state_reward[formula->reward][s]);
        gain[s] = sum;
    }
    bool is_done = exact_long_run(markov, gain, value);
    free(gain);
    return is_done;
}

bool exact_reward(struct markov *markov, const struct pctl *formula, const struct accuracy *accuracy,
                  struct value *value)
{
    switch (formula->goal) {
    case PCTL_REACH:
        return until_reached(markov, formula, accuracy, value);
    case PCTL_LONG_RUN:
        return in_the_long_run(markov, formula, value);
    case PCTL_TOTAL:
        return in_total(markov, formula, accuracy, value);
    default:
        return over_steps(markov, formula, value);
    }
}
