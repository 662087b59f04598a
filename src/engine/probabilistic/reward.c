/* Expected rewards: until something is reached, over a number of steps, at a step, and in all. */
#include <math.h>
#include <string.h>

#include "engine/probabilistic/exact.h"
#include "engine/probabilistic/witness.h"
#include "numeric/collapse.h"
#include "numeric/ends.h"

/* What a step by each row earns. In a CTMC a state's reward is per unit of time. */
struct markov_earnings {
    double *near;
    struct rational **exact; /* NULL: numbers are only near */
    uint32_t count;
};

static struct markov_earnings earnings_by_row(const struct markov *markov, uint32_t structure)
{
    const struct matrix *matrix = &markov->matrix;
    uint32_t rows = matrix_rows(matrix);
    struct markov_earnings earnings = {memory_zeroed((size_t)rows + 1, sizeof(double)), NULL, rows};
    if (markov->exact)
        earnings.exact = exact_rewards_by_row(markov, structure);
    for (uint32_t s = 0; s < markov_count(markov); s++) {
        double stay = markov_state_reward(markov, structure, s);
        if (markov->chain->kind == CHAIN_CTMC && stay > 0)
            stay = markov->is_deadlock.items[s] ? INFINITY : stay / markov->exit_rate.items[s];
        for (uint32_t r = matrix->state_row.items[s]; r < matrix->state_row.items[s + 1]; r++)
            earnings.near[r] =
                earnings.exact ? rational_to_double(earnings.exact[r]) : stay + markov_row_reward(markov, structure, r);
    }
    return earnings;
}

static void earnings_free(struct markov_earnings *earnings)
{
    exact_free_numbers(earnings->exact, earnings->count);
    free(earnings->near);
}

static bool row_stays(const struct matrix *matrix, uint32_t row, const uint8_t *set)
{
    for (uint64_t i = matrix->row_entry.items[row]; i < matrix->row_entry.items[row + 1]; i++)
        if (!set[matrix->entries.items[i].target])
            return false;
    return true;
}

/* The states from which it is possible to go on forever by rows that are free. */
static void free_forever(struct markov *markov, const uint8_t *is_free, uint8_t *set)
{
    const struct matrix *matrix = &markov->matrix;
    memset(set, 1, markov_count(markov));
    for (bool is_changed = true; is_changed && markov_may_go_on(markov);) {
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

/* Where the greatest total reward is without end; and from where something can be earned at all. */
static void total_sets(struct markov *markov, const uint8_t *is_free, uint8_t *endless, uint8_t *earns)
{
    const struct matrix *matrix = &markov->matrix;
    uint8_t *all = pctl_new_truth(markov), *goal = pctl_new_truth(markov);
    memset(all, 1, markov_count(markov));
    struct ends *ends = ends_create(matrix, all, NULL, markov_may_go_on, markov);
    for (uint32_t s = 0; ends && s < markov_count(markov); s++)
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

/* Fairness changes nothing for the least reward until something is reached; the greatest (as by PRISM), the total and
 * the long run are refused. */
static bool is_fair(struct markov *markov, const struct pctl *formula, enum extreme extreme)
{
    bool is_reach = formula->goal == PCTL_REACH;
    if (!markov->options->is_fair || markov->chain->kind != CHAIN_MDP || (extreme == EXTREME_LEAST && is_reach))
        return true;
    return markov_fail(markov, "the %s is not supported under fairness (--fair)",
                       formula->goal == PCTL_TOTAL ? "total reward" : "greatest reward until something is reached");
}

static uint8_t *free_rows(const struct markov_earnings *earnings)
{
    uint8_t *is_free = memory_zeroed((size_t)earnings->count + 1, 1);
    for (uint32_t r = 0; r < earnings->count; r++)
        is_free[r] = earnings->exact ? !rational_sign(earnings->exact[r]) : earnings->near[r] == 0;
    return is_free;
}

static bool enclose(struct markov *markov, const struct pctl *formula, const struct exact_until *until,
                    const struct accuracy *accuracy, struct pctl_value *value)
{
    struct fixpoint problem = markov_fixpoint(markov, until->extreme, until->unknown, accuracy->epsilon);
    problem.row_reward = until->row_reward_doubles;
    bool may_wait = markov->chain->kind == CHAIN_MDP;
    witness_begin(markov, formula, &problem);
    bool is_done = (may_wait ? collapse_enclose : fixpoint_enclose)(&problem, &value->bounds);
    if (is_done)
        witness_schedule(markov, &problem, value->bounds.lower, until->through, until->goal);
    return is_done;
}

/* Rewards of the unknown states; of the others they are 0, or (`endless`) infinite. The first scheduler to look at
 * makes progress to the goal by states of `through`. */
static bool solve(struct markov *markov, const struct pctl *formula, const struct markov_earnings *earnings,
                  const uint8_t *endless, uint8_t *unknown, struct exact_until *until, const struct accuracy *accuracy,
                  struct pctl_value *value)
{
    until->unknown = unknown;
    until->row_reward = (const struct rational *const *)earnings->exact;
    until->row_reward_doubles = earnings->near;
    if (!earnings->exact)
        value->bounds = pctl_new_bounds(markov);
    else
        exact_new_numbers(markov, value);
    for (uint32_t s = 0; s < markov_count(markov); s++)
        if (!earnings->exact)
            value->bounds.lower[s] = value->bounds.upper[s] = endless[s] ? INFINITY : 0;
        else if (!endless[s] && !unknown[s])
            exact_set_integer(value, s, 0);
    pctl_keep_reachable(markov, formula, INFINITY, unknown, &value->bounds);
    return earnings->exact ? exact_solve(markov, until, value) : enclose(markov, formula, until, accuracy, value);
}

/* The reward is without end where the goal is not reached for certain: by some scheduler (greatest), by any (least). */
static bool until_goal(struct markov *markov, const struct pctl *formula, enum extreme extreme,
                       const struct markov_earnings *earnings, const uint8_t *goal, const struct accuracy *accuracy,
                       struct pctl_value *value)
{
    uint32_t count = markov_count(markov);
    uint8_t *all = pctl_new_truth(markov), *sure = pctl_new_truth(markov), *unknown = pctl_new_truth(markov);
    memset(all, 1, count);
    reverse_chance_one(markov_reverse(markov), all, goal, extreme == EXTREME_LEAST ? EXTREME_GREATEST : EXTREME_LEAST,
                       sure);
    for (uint32_t s = 0; s < count; s++) {
        unknown[s] = sure[s] && !goal[s];
        all[s] = !sure[s] && !goal[s];
    }
    struct exact_until until = {.through = sure, .goal = goal, .extreme = extreme};
    bool is_done = solve(markov, formula, earnings, all, unknown, &until, accuracy, value);
    free(all);
    free(sure);
    free(unknown);
    return is_done;
}

static bool until_reached(struct markov *markov, const struct pctl *formula, const struct accuracy *accuracy,
                          struct pctl_value *value)
{
    enum extreme extreme = pctl_formula_extreme(formula);
    uint8_t *goal = NULL;
    if (!is_fair(markov, formula, extreme) || !pctl_evaluate_truth(markov, formula->right, accuracy, &goal))
        return false;
    struct markov_earnings earnings = earnings_by_row(markov, formula->reward);
    bool is_done = until_goal(markov, formula, extreme, &earnings, goal, accuracy, value);
    earnings_free(&earnings);
    free(goal);
    return is_done;
}

/* All that is ever earned. The least: until one can go on for free. */
static bool in_total(struct markov *markov, const struct pctl *formula, const struct accuracy *accuracy,
                     struct pctl_value *value)
{
    enum extreme extreme = markov->chain->kind == CHAIN_MDP ? pctl_formula_extreme(formula) : EXTREME_GREATEST;
    if (!is_fair(markov, formula, extreme))
        return false;
    struct markov_earnings earnings = earnings_by_row(markov, formula->reward);
    uint8_t *is_free = free_rows(&earnings), *endless = pctl_new_truth(markov), *earns = pctl_new_truth(markov);
    bool is_done;
    if (extreme == EXTREME_LEAST) {
        free_forever(markov, is_free, earns);
        is_done = until_goal(markov, formula, extreme, &earnings, earns, accuracy, value);
    } else {
        uint8_t *over = pctl_new_truth(markov); /* nothing more is earned there */
        total_sets(markov, is_free, endless, earns);
        for (uint32_t s = 0; s < markov_count(markov); s++) {
            over[s] = !earns[s];
            earns[s] = earns[s] && !endless[s];
        }
        struct exact_until until = {.through = earns, .goal = markov->exact ? over : endless, .extreme = extreme};
        is_done = solve(markov, formula, &earnings, endless, earns, &until, accuracy, value);
        free(over);
    }
    earnings_free(&earnings);
    free(is_free);
    free(endless);
    free(earns);
    return is_done;
}

static bool over_steps_exactly(struct markov *markov, const struct pctl *formula,
                               const struct markov_earnings *earnings, const uint8_t *all, struct pctl_value *value)
{
    bool is_instant = formula->goal == PCTL_INSTANT;
    if (formula->window.upper->value > 1e9)
        return markov_fail(markov, "more than 10^9 steps are too many for exact arithmetic");
    exact_new_numbers(markov, value);
    for (uint32_t s = 0; s < markov_count(markov); s++)
        if (is_instant)
            exact_set(value, s, markov->exact->state_reward[formula->reward][s]);
        else
            exact_set_integer(value, s, 0);
    struct exact_until until = {.row_reward = is_instant ? NULL : (const struct rational *const *)earnings->exact,
                                .unknown = all,
                                .extreme = pctl_formula_extreme(formula)};
    return exact_steps(markov, &until, (uint64_t)formula->window.upper->value, value);
}

static bool over_steps(struct markov *markov, const struct pctl *formula, const struct accuracy *accuracy,
                       struct pctl_value *value)
{
    bool is_instant = formula->goal == PCTL_INSTANT, is_done;
    uint8_t *all = pctl_new_truth(markov);
    struct markov_earnings earnings = earnings_by_row(markov, formula->reward);
    memset(all, 1, markov_count(markov));
    if (markov->exact)
        is_done = over_steps_exactly(markov, formula, &earnings, all, value);
    else {
        value->bounds = pctl_new_bounds(markov);
        for (uint32_t s = 0; s < markov_count(markov) && is_instant; s++)
            value->bounds.lower[s] = value->bounds.upper[s] = markov_state_reward(markov, formula->reward, s);
        pctl_widen(markov, &value->bounds);
        struct fixpoint problem = markov_fixpoint(markov, pctl_formula_extreme(formula), all, accuracy->epsilon);
        problem.row_reward = is_instant ? NULL : earnings.near;
        is_done = fixpoint_steps(&problem, (uint64_t)formula->window.upper->value, false, &value->bounds);
        if (!is_done && !is_instant) { /* what is earned by fewer steps */
            for (uint32_t s = 0; s < markov_count(markov); s++)
                value->bounds.upper[s] = INFINITY;
            witness_note(markov, formula, &value->bounds);
        }
    }
    free(all);
    earnings_free(&earnings);
    return is_done;
}

/* What is earned for each unit of time (a step) in a state; transitions count as often as they are taken. */
static double *gains_by_state(const struct markov *markov, uint32_t structure)
{
    double *gains = memory_zeroed((size_t)markov_count(markov) + 1, sizeof *gains);
    for (uint32_t s = 0; s < markov_count(markov); s++) {
        double often = markov->chain->kind == CHAIN_CTMC ? markov->exit_rate.items[s] : 1;
        uint32_t row = markov->matrix.state_row.items[s];
        gains[s] = markov_state_reward(markov, structure, s) + often * markov_row_reward(markov, structure, row);
    }
    return gains;
}

static bool over_time(struct markov *markov, const struct pctl *formula, struct pctl_value *value)
{
    double time = formula->window.upper->value;
    if (markov->exact)
        return markov_fail(markov, "a reward at or within a time is not rational: there is no exact value");
    value->bounds = pctl_new_bounds(markov);
    if (formula->goal == PCTL_CUMULATED) {
        double *rates = gains_by_state(markov, formula->reward);
        bool is_done = pctl_accumulate(markov, rates, time, pctl_is_sign(formula), &value->bounds);
        if (!is_done)
            witness_note(markov, formula, &value->bounds);
        free(rates);
        return is_done;
    }
    uint8_t *all = pctl_new_truth(markov);
    memset(all, 1, markov_count(markov));
    for (uint32_t s = 0; s < markov_count(markov); s++)
        value->bounds.lower[s] = value->bounds.upper[s] = markov_state_reward(markov, formula->reward, s);
    pctl_widen(markov, &value->bounds);
    bool is_done = pctl_transient(markov, all, time, pctl_is_sign(formula), &value->bounds);
    if (!is_done)
        witness_note(markov, formula, &value->bounds);
    free(all);
    return is_done;
}

static bool in_the_long_run(struct markov *markov, const struct pctl *formula, const struct accuracy *accuracy,
                            struct pctl_value *value)
{
    enum extreme extreme = pctl_formula_extreme(formula);
    if (!pctl_long_run_is_fair(markov))
        return false;
    if (!markov->exact && markov->chain->kind != CHAIN_MDP) {
        double *gains = gains_by_state(markov, formula->reward);
        value->bounds = pctl_new_bounds(markov);
        bool is_done = pctl_long_run(markov, gains, accuracy, &value->bounds);
        free(gains);
        return is_done;
    }
    struct markov_earnings earnings = earnings_by_row(markov, formula->reward);
    bool is_done = earnings.exact ? exact_average(markov, extreme, earnings.exact, value)
                                  : pctl_average(markov, extreme, earnings.near, accuracy, value);
    earnings_free(&earnings);
    return is_done;
}

bool pctl_reward_evaluate(struct markov *markov, const struct pctl *formula, const struct accuracy *accuracy,
                          struct pctl_value *value)
{
    switch (formula->goal) {
    case PCTL_REACH:
        return until_reached(markov, formula, accuracy, value);
    case PCTL_LONG_RUN:
        return in_the_long_run(markov, formula, accuracy, value);
    case PCTL_TOTAL:
        return in_total(markov, formula, accuracy, value);
    default:
        return markov->chain->kind == CHAIN_CTMC ? over_time(markov, formula, value)
                                                 : over_steps(markov, formula, accuracy, value);
    }
}
