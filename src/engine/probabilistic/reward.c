/* Expected rewards: until something is reached, over a number of steps, at a step, and in all. */
#include <math.h>
#include <string.h>

#include "engine/probabilistic/exact.h"
#include "engine/probabilistic/formula.h"
#include "engine/probabilistic/witness.h"
#include "numeric/collapse.h"
#include "numeric/ends.h"

/* Beyond these, products with chances and times of the chain may have lost digits, or be 0 or infinite. */
#define LEAST_EARNED 1e-250
#define MOST_EARNED 1e250

static bool check_size(struct markov *markov, double earned)
{
    if (earned == 0 || (earned >= LEAST_EARNED && earned <= MOST_EARNED))
        return true;
    return pctl_fail(&markov->evaluator, "a reward is too %s for doubles (--exact takes it as it is)",
                     earned < LEAST_EARNED ? "small" : "large");
}

bool earnings_check(struct markov *markov, uint32_t structure)
{
    const struct matrix *matrix = &markov->matrix;
    for (uint32_t s = 0; s < markov_count(markov) && !markov->exact; s++) {
        double often = markov_pace(markov, s), stay = markov_state_reward(markov, structure, s);
        if (!check_size(markov, stay) || !check_size(markov, stay / often))
            return false;
        for (uint32_t r = matrix->state_row.items[s]; r < matrix->state_row.items[s + 1]; r++) {
            double taken = markov_row_reward(markov, structure, r);
            if (!check_size(markov, taken) || !check_size(markov, taken * often))
                return false;
        }
    }
    return true;
}

struct markov_earnings earnings_by_row(const struct markov *markov, uint32_t structure)
{
    const struct matrix *matrix = &markov->matrix;
    uint32_t rows = matrix_rows(matrix);
    struct markov_earnings earnings = {memory_zeroed((size_t)rows + 1, sizeof(double)), NULL, rows};
    if (markov->exact)
        earnings.exact = exact_rewards_by_row(markov, structure);
    for (uint32_t s = 0; s < markov_count(markov); s++) {
        double stay = markov_state_reward(markov, structure, s) / markov_pace(markov, s);
        for (uint32_t r = matrix->state_row.items[s]; r < matrix->state_row.items[s + 1]; r++)
            earnings.near[r] =
                earnings.exact ? rational_to_double(earnings.exact[r]) : stay + markov_row_reward(markov, structure, r);
    }
    return earnings;
}

void earnings_free(struct markov_earnings *earnings)
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

/* Where the greatest total reward is without end; and from where something can be earned at all. */
static void total_sets(struct markov *markov, const uint8_t *is_free, uint8_t **endless, uint8_t **earns)
{
    const struct matrix *matrix = &markov->matrix;
    uint8_t *all = numbers_new_set(markov, true), *goal = numbers_new_set(markov, false);
    struct ends *ends = ends_create(matrix, all, NULL, markov_may_go_on, markov);
    for (uint32_t s = 0; ends && s < markov_count(markov); s++)
        for (uint32_t r = matrix->state_row.items[s]; r < matrix->state_row.items[s + 1]; r++)
            goal[s] |= ends->is_kept[r] && !is_free[r];
    *endless = markov_some_until(markov, all, goal);
    memset(goal, 0, markov_count(markov));
    for (uint32_t s = 0; s < markov_count(markov); s++)
        for (uint32_t r = matrix->state_row.items[s]; r < matrix->state_row.items[s + 1]; r++)
            goal[s] |= !is_free[r];
    *earns = markov_some_until(markov, all, goal);
    ends_destroy(ends);
    free(all);
    free(goal);
}

static uint8_t *free_rows(const struct markov_earnings *earnings)
{
    uint8_t *is_free = memory_zeroed((size_t)earnings->count + 1, 1);
    for (uint32_t r = 0; r < earnings->count; r++)
        is_free[r] = earnings->exact ? !rational_sign(earnings->exact[r]) : earnings->near[r] == 0;
    return is_free;
}

static bool enclose(struct markov *markov, const struct pctl *formula, const struct exact_until *until,
                    struct bounds *bounds)
{
    struct fixpoint problem = markov_fixpoint(markov, until->extreme, until->unknown, markov->epsilon);
    problem.row_reward = until->row_reward_doubles;
    bool may_wait = markov->chain->kind == CHAIN_MDP;
    witness_begin(markov, formula, &problem);
    bool is_done = (may_wait ? collapse_enclose : fixpoint_enclose)(&problem, bounds);
    if (is_done)
        witness_schedule(markov, &problem, bounds->lower, until->through, until->goal);
    return is_done;
}

/* Rewards of the unknown states; of the others they are 0, or (`endless`) infinite. The first scheduler to look at
 * makes progress to the goal by states of `through`. */
static bool solve(struct markov *markov, const struct pctl *formula, const struct markov_earnings *earnings,
                  const uint8_t *endless, uint8_t *unknown, struct exact_until *until, struct state_numbers *numbers)
{
    until->unknown = unknown;
    until->row_reward = (const struct rational *const *)earnings->exact;
    until->row_reward_doubles = earnings->near;
    for (uint32_t s = 0; s < markov_count(markov); s++)
        if (!numbers->exact)
            numbers_set(numbers, s, endless[s] ? INFINITY : 0);
        else if (!endless[s] && !unknown[s])
            numbers_set(numbers, s, 0);
    markov_keep_reachable(markov, formula, INFINITY, unknown, numbers);
    return numbers->exact ? exact_solve(markov, until, numbers) : enclose(markov, formula, until, &numbers->bounds);
}

/* The reward is without end where the goal is not reached for certain: by some scheduler (greatest), by any (least). */
bool markov_reward_until(struct markov *markov, const struct pctl *formula, const struct markov_earnings *earnings,
                         const uint8_t *goal, struct state_numbers *numbers)
{
    enum extreme extreme = markov_extreme(pctl_is_least(formula));
    uint32_t count = markov_count(markov);
    uint8_t *all = numbers_new_set(markov, true), *sure = numbers_new_set(markov, false);
    uint8_t *unknown = numbers_new_set(markov, false);
    reverse_chance_one(markov_reverse(markov), all, goal, markov_extreme(extreme == EXTREME_GREATEST), sure);
    for (uint32_t s = 0; s < count; s++) {
        unknown[s] = sure[s] && !goal[s];
        all[s] = !sure[s] && !goal[s];
    }
    struct exact_until until = {.through = sure, .goal = goal, .extreme = extreme};
    bool is_done = solve(markov, formula, earnings, all, unknown, &until, numbers);
    free(all);
    free(sure);
    free(unknown);
    return is_done;
}

/* All that is ever earned, at most. */
static bool greatest_total(struct markov *markov, const struct pctl *formula, const struct markov_earnings *earnings,
                           const uint8_t *is_free, struct state_numbers *numbers)
{
    uint8_t *endless, *earns, *over = numbers_new_set(markov, false); /* over: nothing more is earned there */
    total_sets(markov, is_free, &endless, &earns);
    for (uint32_t s = 0; s < markov_count(markov); s++) {
        over[s] = !earns[s];
        earns[s] = earns[s] && !endless[s];
    }
    struct exact_until until = {.through = earns, .goal = markov->exact ? over : endless, .extreme = EXTREME_GREATEST};
    bool is_done = solve(markov, formula, earnings, endless, earns, &until, numbers);
    free(over);
    free(endless);
    free(earns);
    return is_done;
}

/* The least: until one can go on for free. */
static bool in_total(struct markov *markov, const struct pctl *formula, enum extreme extreme,
                     const struct markov_earnings *earnings, struct state_numbers *numbers)
{
    uint8_t *is_free = free_rows(earnings);
    bool is_done;
    if (markov->chain->kind == CHAIN_MDP && extreme == EXTREME_LEAST) {
        uint8_t *goal = numbers_new_set(markov, false);
        free_forever(markov, is_free, goal);
        is_done = markov_reward_until(markov, formula, earnings, goal, numbers);
        free(goal);
    } else
        is_done = greatest_total(markov, formula, earnings, is_free, numbers);
    free(is_free);
    return is_done;
}

/* --- within steps, or a time --- */

/* What states are worth: the beginning of what is expected at a step or time. */
static void begin_instant(struct markov *markov, uint32_t structure, struct state_numbers *numbers)
{
    for (uint32_t s = 0; s < markov_count(markov); s++)
        if (numbers->exact)
            rational_copy(numbers->exact[s], markov->exact->state_reward[structure][s]);
        else
            numbers_set(numbers, s, markov_state_reward(markov, structure, s));
    if (!numbers->exact)
        numbers_widen(markov, &numbers->bounds);
}

static bool enclose_steps(struct markov *markov, const struct pctl *formula, const struct exact_until *until,
                          uint64_t steps, struct bounds *bounds)
{
    struct fixpoint problem = markov_fixpoint(markov, until->extreme, until->unknown, markov->epsilon);
    problem.row_reward = until->row_reward_doubles;
    bool is_done = markov_take_steps(markov, &problem, steps, false, bounds);
    if (!is_done && problem.row_reward) { /* what is earned by fewer steps */
        for (uint32_t s = 0; s < markov_count(markov); s++)
            bounds->upper[s] = INFINITY;
        witness_note(markov, formula, bounds);
    }
    return is_done;
}

static bool over_steps(struct markov *markov, const struct pctl *formula, enum extreme extreme,
                       const struct markov_earnings *earnings, struct state_numbers *numbers)
{
    bool is_instant = formula->goal == PCTL_INSTANT;
    uint64_t steps = (uint64_t)formula->window.upper->value;
    uint8_t *all = numbers_new_set(markov, true);
    struct exact_until until = {.unknown = all, .extreme = extreme};
    if (!is_instant) {
        until.row_reward = (const struct rational *const *)earnings->exact;
        until.row_reward_doubles = earnings->near;
    }
    for (uint32_t s = 0; s < markov_count(markov); s++)
        numbers_set(numbers, s, 0);
    if (is_instant)
        begin_instant(markov, formula->reward, numbers);
    bool is_done = numbers->exact ? exact_steps(markov, &until, steps, numbers)
                                  : enclose_steps(markov, formula, &until, steps, &numbers->bounds);
    free(all);
    return is_done;
}

/* What is earned for each unit of time (a step) in a state; transitions count as often as they are taken. */
static double *gains_by_state(const struct markov *markov, uint32_t structure)
{
    double *gains = memory_zeroed((size_t)markov_count(markov) + 1, sizeof *gains);
    for (uint32_t s = 0; s < markov_count(markov); s++) {
        double taken = markov_row_reward(markov, structure, markov->matrix.state_row.items[s]);
        gains[s] = markov_state_reward(markov, structure, s) + markov_pace(markov, s) * taken;
    }
    return gains;
}

static bool over_time(struct markov *markov, const struct pctl *formula, struct state_numbers *numbers)
{
    double time = formula->window.upper->value;
    enum transient_scope scope = transient_scope(markov, formula);
    bool is_done;
    if (formula->goal == PCTL_CUMULATED) {
        double *rates = gains_by_state(markov, formula->reward);
        is_done = transient_sum(markov, rates, time, scope, &numbers->bounds);
        free(rates);
    } else {
        uint8_t *all = numbers_new_set(markov, true);
        begin_instant(markov, formula->reward, numbers);
        is_done = transient_mean(markov, all, time, scope, &numbers->bounds);
        free(all);
    }
    if (!is_done)
        witness_note(markov, formula, &numbers->bounds);
    return is_done;
}

static bool in_the_long_run(struct markov *markov, const struct pctl *formula, enum extreme extreme,
                            const struct markov_earnings *earnings, struct state_numbers *numbers)
{
    if (numbers->exact)
        return exact_average(markov, extreme, earnings->exact, numbers->exact);
    if (markov->chain->kind == CHAIN_MDP)
        return markov_average(markov, extreme, earnings->near, &numbers->bounds);
    double *gains = gains_by_state(markov, formula->reward);
    bool is_done = markov_gain(markov, gains, &numbers->bounds);
    free(gains);
    return is_done;
}

static bool evaluate(struct markov *markov, const struct pctl *formula, const uint8_t *set,
                     struct state_numbers *numbers)
{
    enum extreme extreme = markov_extreme(pctl_is_least(formula));
    bool is_over = formula->goal == PCTL_CUMULATED || formula->goal == PCTL_INSTANT;
    if (!earnings_check(markov, formula->reward))
        return false;
    if (is_over && markov->chain->kind == CHAIN_CTMC)
        return over_time(markov, formula, numbers);
    struct markov_earnings earnings = earnings_by_row(markov, formula->reward);
    bool is_done = is_over                          ? over_steps(markov, formula, extreme, &earnings, numbers)
                   : formula->goal == PCTL_REACH    ? markov_reward_until(markov, formula, &earnings, set, numbers)
                   : formula->goal == PCTL_LONG_RUN ? in_the_long_run(markov, formula, extreme, &earnings, numbers)
                                                    : in_total(markov, formula, extreme, &earnings, numbers);
    earnings_free(&earnings);
    return is_done;
}

bool markov_mean(void *self, const struct pctl *formula, union pctl_set set, struct pctl_value *value)
{
    struct state_numbers *numbers = numbers_begin(self, value);
    const struct markov *markov = self;
    bool is_share = formula->kind == PCTL_STEADY, is_long = is_share || formula->goal == PCTL_LONG_RUN;
    bool is_done = (is_share ? markov_share : evaluate)(self, formula, set.bytes, numbers);
    if (!is_done && is_long && !numbers->exact && markov->chain->kind != CHAIN_MDP)
        witness_note(self, formula, &numbers->bounds);
    return is_done;
}
