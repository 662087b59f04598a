/* Expected rewards: until something is reached, over a number of steps, at a step, and in all. */
#include <math.h>
#include <string.h>

#include "engine/probabilistic/formula.h"
#include "engine/probabilistic/witness.h"
#include "numeric/collapse.h"
#include "numeric/ends.h"

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

void pctl_free_forever(const struct markov *markov, const uint8_t *is_free, uint8_t *set)
{
    const struct matrix *matrix = &markov->matrix;
    memset(set, 1, markov_count(markov));
    for (bool is_changed = true; is_changed;) {
        is_changed = false;
        for (uint32_t s = markov_count(markov); s-- > 0;) { /* most states were found before what follows them */
            bool stays = false;
            for (uint32_t r = matrix->state_row.items[s]; set[s] && r < matrix->state_row.items[s + 1]; r++)
                stays |= is_free[r] && row_stays(matrix, r, set);
            is_changed |= set[s] && !stays;
            set[s] = stays;
        }
    }
}

/* Backwards from the states with such rows. */
static void can_reach(struct markov *markov, const uint8_t *goal, uint8_t *set)
{
    uint8_t *all = pctl_new_truth(markov);
    memset(all, 1, markov_count(markov));
    reverse_chance_zero(markov_reverse(markov), all, goal, EXTREME_GREATEST, set);
    for (uint32_t s = 0; s < markov_count(markov); s++)
        set[s] = !set[s];
    free(all);
}

void pctl_total_sets(struct markov *markov, const uint8_t *is_free, uint8_t *endless, uint8_t *earns)
{
    const struct matrix *matrix = &markov->matrix;
    uint8_t *all = pctl_new_truth(markov), *goal = pctl_new_truth(markov);
    memset(all, 1, markov_count(markov));
    struct ends *ends = ends_create(matrix, all, NULL);
    for (uint32_t s = 0; s < markov_count(markov); s++)
        for (uint32_t r = matrix->state_row.items[s]; r < matrix->state_row.items[s + 1]; r++)
            goal[s] |= ends->is_kept[r] && !is_free[r];
    can_reach(markov, goal, endless);
    memset(goal, 0, markov_count(markov));
    for (uint32_t s = 0; s < markov_count(markov); s++)
        for (uint32_t r = matrix->state_row.items[s]; r < matrix->state_row.items[s + 1]; r++)
            goal[s] |= !is_free[r];
    can_reach(markov, goal, earns);
    ends_destroy(ends);
    free(all);
    free(goal);
}

bool pctl_reward_is_fair(struct markov *markov, const struct pctl *formula, enum extreme extreme)
{
    bool is_total = formula->goal == PCTL_TOTAL;
    if (!markov->options->is_fair || markov->chain->kind != CHAIN_MDP || (extreme == EXTREME_LEAST && !is_total))
        return true;
    return markov_fail(markov, "the %s is not supported under fairness (--fair)",
                       is_total ? "total reward" : "greatest reward until something is reached");
}

static uint8_t *free_rows(const struct markov *markov, const double *rewards)
{
    uint8_t *is_free = memory_zeroed((size_t)matrix_rows(&markov->matrix) + 1, 1);
    for (uint32_t r = 0; r < matrix_rows(&markov->matrix); r++)
        is_free[r] = rewards[r] == 0;
    return is_free;
}

/* Rewards of the unknown states; what the others are worth is in the bounds. `through` and `goal` are for the witness. */
static bool enclose(struct markov *markov, const struct pctl *formula, enum extreme extreme, const double *rewards,
                    const uint8_t *unknown, const uint8_t *through, const uint8_t *goal,
                    const struct accuracy *accuracy, struct value *value)
{
    struct fixpoint problem = {.matrix = &markov->matrix, .unknown = unknown, .row_reward = rewards,
                               .extreme = extreme, .slack = markov->slack, .threads = markov->threads, .limit = INFINITY,
                               .epsilon = accuracy->epsilon, .go_on = markov_may_go_on, .user = markov,
                               .sweeps = &markov->sweeps};
    bool may_wait = markov->chain->kind == CHAIN_MDP;
    witness_begin(markov, formula, false, &problem);
    bool is_done = (may_wait ? collapse_enclose : fixpoint_enclose)(&problem, &value->bounds);
    if (is_done)
        witness_schedule(markov, &problem, value->bounds.lower, through, goal);
    return is_done;
}

/* The reward is without end where the goal is not reached for certain: by some scheduler (greatest), by any (least). */
static bool until_goal(struct markov *markov, const struct pctl *formula, enum extreme extreme, const double *rewards,
                       const uint8_t *goal, const struct accuracy *accuracy, struct value *value)
{
    uint32_t count = markov_count(markov);
    uint8_t *all = pctl_new_truth(markov), *sure = pctl_new_truth(markov), *unknown = pctl_new_truth(markov);
    memset(all, 1, count);
    reverse_chance_one(markov_reverse(markov), all, goal,
                       extreme == EXTREME_LEAST ? EXTREME_GREATEST : EXTREME_LEAST, sure);
    value->bounds = pctl_new_bounds(markov);
    for (uint32_t s = 0; s < count; s++) {
        value->bounds.lower[s] = value->bounds.upper[s] = goal[s] ? 0 : sure[s] ? 0 : INFINITY;
        unknown[s] = sure[s] && !goal[s];
    }
    bool is_done = enclose(markov, formula, extreme, rewards, unknown, sure, goal, accuracy, value);
    free(all);
    free(sure);
    free(unknown);
    return is_done;
}

static bool until_reached(struct markov *markov, const struct pctl *formula, const struct accuracy *accuracy,
                          struct value *value)
{
    enum extreme extreme = pctl_formula_extreme(formula);
    uint8_t *goal = NULL;
    if (!pctl_reward_is_fair(markov, formula, extreme) || !pctl_evaluate_truth(markov, formula->right, accuracy, &goal))
        return false;
    double *rewards = rewards_by_row(markov, formula->reward);
    bool is_done = until_goal(markov, formula, extreme, rewards, goal, accuracy, value);
    free(rewards);
    free(goal);
    return is_done;
}

/* All that is ever earned. The least: until one can go on for free. */
static bool in_total(struct markov *markov, const struct pctl *formula, const struct accuracy *accuracy,
                     struct value *value)
{
    enum extreme extreme = markov->chain->kind == CHAIN_MDP ? pctl_formula_extreme(formula) : EXTREME_GREATEST;
    if (!pctl_reward_is_fair(markov, formula, extreme))
        return false;
    double *rewards = rewards_by_row(markov, formula->reward);
    uint8_t *is_free = free_rows(markov, rewards), *endless = pctl_new_truth(markov), *earns = pctl_new_truth(markov);
    bool is_done;
    if (extreme == EXTREME_LEAST) {
        pctl_free_forever(markov, is_free, earns);
        is_done = until_goal(markov, formula, extreme, rewards, earns, accuracy, value);
    } else {
        pctl_total_sets(markov, is_free, endless, earns);
        value->bounds = pctl_new_bounds(markov);
        for (uint32_t s = 0; s < markov_count(markov); s++) {
            value->bounds.lower[s] = value->bounds.upper[s] = endless[s] ? INFINITY : 0;
            earns[s] = earns[s] && !endless[s];
        }
        is_done = enclose(markov, formula, extreme, rewards, earns, earns, endless, accuracy, value);
    }
    free(rewards);
    free(is_free);
    free(endless);
    free(earns);
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
    pctl_widen(markov, &value->bounds);
    struct fixpoint problem = {.matrix = &markov->matrix, .unknown = all, .row_reward = is_instant ? NULL : rewards,
                               .extreme = pctl_formula_extreme(formula), .slack = markov->slack,
                               .threads = markov->threads, .limit = INFINITY, .epsilon = accuracy->epsilon,
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
    pctl_widen(markov, &value->bounds);
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
        return in_total(markov, formula, accuracy, value);
    default:
        return (markov->chain->kind == CHAIN_CTMC ? over_time : over_steps)(markov, formula, accuracy, value);
    }
}
