/* Expected rewards: until something is reached, over a number of steps, and at a step. */
#include <math.h>
#include <string.h>

#include "engine/probabilistic/formula.h"
#include "engine/probabilistic/witness.h"

/* What a step from the state by the row earns. In a CTMC a state's reward is per unit of time. */
static double *rewards_by_row(const struct markov *markov, uint32_t structure)
{
    const struct matrix *matrix = &markov->matrix;
    double *rewards = memory_zeroed((size_t)matrix_rows(matrix) + 1, sizeof *rewards);
    for (uint32_t s = 0; s < markov_count(markov); s++) {
        double stay = markov->state_reward[structure][s];
        if (markov->chain->kind == CHAIN_CTMC && stay > 0)
            stay = markov->is_deadlock.items[s] ? INFINITY : stay / markov->exit_rate.items[s];
        for (uint32_t r = matrix->state_row.items[s]; r < matrix->state_row.items[s + 1]; r++)
            rewards[r] = stay + markov->row_reward[structure][r];
    }
    return rewards;
}

static bool row_stays(const struct matrix *matrix, uint32_t row, const uint8_t *set)
{
    for (uint64_t i = matrix->row_entry.items[row]; i < matrix->row_entry.items[row + 1]; i++)
        if (!set[matrix->entries.items[i].target])
            return false;
    return true;
}

/* Can a scheduler stay among the unknown states forever without earning anything? Then the least fixed point says less
 * than the least reward. */
static bool can_wait_for_free(const struct markov *markov, const uint8_t *unknown, const double *rewards)
{
    const struct matrix *matrix = &markov->matrix;
    uint32_t count = markov_count(markov), left = 0;
    uint8_t *set = pctl_new_truth(markov);
    memcpy(set, unknown, count);
    for (bool is_changed = true; is_changed;) {
        is_changed = false;
        left = 0;
        for (uint32_t s = 0; s < count; s++) {
            if (!set[s])
                continue;
            bool stays = false;
            for (uint32_t r = matrix->state_row.items[s]; r < matrix->state_row.items[s + 1]; r++)
                stays |= rewards[r] == 0 && row_stays(matrix, r, set);
            is_changed |= !stays;
            set[s] = stays;
            left += stays;
        }
    }
    free(set);
    return left > 0;
}

bool pctl_reward_is_fair(struct markov *markov, enum extreme extreme)
{
    if (!markov->options->is_fair || markov->chain->kind != CHAIN_MDP || extreme == EXTREME_LEAST)
        return true;
    return markov_fail(markov, "the greatest reward until something is reached is not supported under fairness (--fair)");
}

/* The reward is without end where the goal is not reached for certain: by some scheduler (greatest), by any (least). */
static bool until_reached(struct markov *markov, const struct pctl *formula, const struct accuracy *accuracy,
                          struct value *value)
{
    enum extreme extreme = pctl_formula_extreme(formula);
    uint32_t count = markov_count(markov);
    uint8_t *goal = NULL;
    if (!pctl_reward_is_fair(markov, extreme) || !pctl_evaluate_truth(markov, formula->right, accuracy, &goal))
        return false;
    uint8_t *all = pctl_new_truth(markov), *sure = pctl_new_truth(markov), *unknown = pctl_new_truth(markov);
    double *rewards = rewards_by_row(markov, formula->reward);
    memset(all, 1, count);
    reverse_chance_one(markov_reverse(markov), all, goal,
                       extreme == EXTREME_LEAST ? EXTREME_GREATEST : EXTREME_LEAST, sure);
    value->bounds = pctl_new_bounds(markov);
    for (uint32_t s = 0; s < count; s++) {
        value->bounds.lower[s] = value->bounds.upper[s] = goal[s] ? 0 : sure[s] ? 0 : INFINITY;
        unknown[s] = sure[s] && !goal[s];
    }
    struct fixpoint problem = {.matrix = &markov->matrix, .unknown = unknown, .row_reward = rewards,
                               .extreme = extreme, .limit = INFINITY, .epsilon = accuracy->epsilon,
                               .go_on = markov_may_go_on, .user = markov, .sweeps = &markov->sweeps};
    bool is_done = true;
    if (extreme == EXTREME_LEAST && can_wait_for_free(markov, unknown, rewards))
        is_done = markov_fail(markov, "a scheduler can wait forever without earning anything: the least reward is not "
                                      "supported there yet");
    witness_begin(markov, &problem);
    is_done = is_done && fixpoint_enclose(&problem, &value->bounds);
    witness_schedule(markov, &problem, value->bounds.lower, sure, goal);
    free(goal);
    free(all);
    free(sure);
    free(unknown);
    free(rewards);
    return is_done;
}

static bool over_steps(struct markov *markov, const struct pctl *formula, const struct accuracy *accuracy,
                       struct value *value)
{
    bool is_instant = formula->goal == PCTL_INSTANT;
    uint8_t *all = pctl_new_truth(markov);
    double *rewards = rewards_by_row(markov, formula->reward);
    memset(all, 1, markov_count(markov));
    value->bounds = pctl_new_bounds(markov);
    for (uint32_t s = 0; s < markov_count(markov) && is_instant; s++)
        value->bounds.lower[s] = value->bounds.upper[s] = markov->state_reward[formula->reward][s];
    struct fixpoint problem = {.matrix = &markov->matrix, .unknown = all, .row_reward = is_instant ? NULL : rewards,
                               .extreme = pctl_formula_extreme(formula), .limit = INFINITY, .epsilon = accuracy->epsilon,
                               .go_on = markov_may_go_on, .user = markov, .sweeps = &markov->sweeps};
    bool is_done = fixpoint_steps(&problem, (uint64_t)formula->window.upper->value, &value->bounds);
    free(all);
    free(rewards);
    return is_done;
}

/* What is earned for each unit of time (a step) in a state; transitions count as often as they are taken. */
static double *gains_by_state(const struct markov *markov, uint32_t structure)
{
    double *gains = memory_zeroed((size_t)markov_count(markov) + 1, sizeof *gains);
    for (uint32_t s = 0; s < markov_count(markov); s++) {
        double often = markov->chain->kind == CHAIN_CTMC ? markov->exit_rate.items[s] : 1;
        uint32_t row = markov->matrix.state_row.items[s];
        gains[s] = markov->state_reward[structure][s] + often * markov->row_reward[structure][row];
    }
    return gains;
}

static bool over_time(struct markov *markov, const struct pctl *formula, const struct accuracy *accuracy,
                      struct value *value)
{
    double time = formula->window.upper->value;
    value->bounds = pctl_new_bounds(markov);
    if (formula->goal == PCTL_CUMULATED) {
        double *rates = gains_by_state(markov, formula->reward);
        bool is_done = pctl_accumulate(markov, rates, time, accuracy, &value->bounds);
        free(rates);
        return is_done;
    }
    uint8_t *all = pctl_new_truth(markov);
    memset(all, 1, markov_count(markov));
    for (uint32_t s = 0; s < markov_count(markov); s++)
        value->bounds.lower[s] = value->bounds.upper[s] = markov->state_reward[formula->reward][s];
    bool is_done = pctl_transient(markov, all, time, accuracy, &value->bounds);
    free(all);
    return is_done;
}

static bool in_the_long_run(struct markov *markov, const struct pctl *formula, const struct accuracy *accuracy,
                            struct value *value)
{
    double *gains = gains_by_state(markov, formula->reward);
    value->bounds = pctl_new_bounds(markov);
    bool is_done = pctl_long_run(markov, gains, accuracy, &value->bounds);
    free(gains);
    return is_done;
}

bool pctl_reward_evaluate(struct markov *markov, const struct pctl *formula, const struct accuracy *accuracy,
                     struct value *value)
{
    switch (formula->goal) {
    case PCTL_REACH:
        return until_reached(markov, formula, accuracy, value);
    case PCTL_LONG_RUN:
        return in_the_long_run(markov, formula, accuracy, value);
    case PCTL_TOTAL:
        return markov_fail(markov, "the total reward (C) is not supported yet");
    default:
        return (markov->chain->kind == CHAIN_CTMC ? over_time : over_steps)(markov, formula, accuracy, value);
    }
}
