/* The chance of a path formula, exactly. */
#include <math.h>
#include <string.h>

#include "engine/probabilistic/exact.h"
#include "engine/probabilistic/until.h"
#include "numeric/collapse.h"
#include "numeric/scheduler.h"

static const double HINT = 1e-4; /* how near the values need to be that suggest a policy */

static struct policy_problem problem_of(struct markov *markov, const struct exact_until *until)
{
    return (struct policy_problem){.matrix = &markov->matrix, .chances = markov->exact->chances,
                                   .row_reward = until->row_reward, .unknown = until->unknown,
                                   .extreme = until->extreme, .go_on = markov_may_go_on, .user = markov};
}

/* A policy that is best or nearly so, by doubles. */
static bool guess_policy(struct markov *markov, const struct exact_until *until, const struct value *value, uint32_t *rows)
{
    uint32_t count = markov_count(markov);
    memcpy(rows, markov->matrix.state_row.items, count * sizeof *rows);
    if (markov->chain->kind != CHAIN_MDP)
        return true;
    struct bounds bounds = pctl_new_bounds(markov);
    for (uint32_t s = 0; s < count; s++)
        if (!until->unknown[s])
            bounds.lower[s] = bounds.upper[s] = value->exact[s] ? rational_to_double(value->exact[s]) : INFINITY;
    struct fixpoint problem = {.matrix = &markov->matrix, .unknown = until->unknown,
                               .row_reward = until->row_reward_doubles, .extreme = until->extreme, .limit = INFINITY,
                               .epsilon = HINT, .go_on = markov_may_go_on, .user = markov, .sweeps = &markov->sweeps};
    bool is_done = collapse_enclose(&problem, &bounds);
    if (is_done)
        scheduler_choose(markov_reverse(markov), &problem, bounds.lower, until->through, until->goal, rows);
    free(bounds.lower);
    free(bounds.upper);
    return is_done;
}

bool exact_solve(struct markov *markov, const struct exact_until *until, const struct accuracy *accuracy,
                 struct value *value)
{
    (void)accuracy;
    uint32_t *rows = memory_zeroed((size_t)markov_count(markov) + 1, sizeof *rows);
    struct policy_problem problem = problem_of(markov, until);
    bool is_done = guess_policy(markov, until, value, rows) &&
                   policy_solve(&problem, markov_reverse(markov), rows, value->exact);
    if (!is_done)
        markov_fail(markov, "internal error, please report it: the exact equations have no unique solution");
    free(rows);
    return is_done;
}

/* The extreme over the rows of the state, into `best`. False: it is infinite. */
static bool best_row(const struct policy_problem *problem, uint32_t state, struct rational *const *values,
                     struct rational *best, struct rational *worth, struct rational *scratch)
{
    bool is_known = false, is_least = problem->extreme == EXTREME_LEAST;
    for (uint32_t row = problem->matrix->state_row.items[state]; row < problem->matrix->state_row.items[state + 1]; row++) {
        if (!policy_row_value(problem, row, values, worth, scratch)) {
            if (!is_least)
                return false;
            continue;
        }
        int order = is_known ? rational_compare(worth, best) : 0;
        if (!is_known || (is_least ? order < 0 : order > 0))
            rational_copy(best, worth);
        is_known = true;
    }
    return is_known;
}

/* One step of the unknown states; `next` has the values before, afterwards. False: they are the same. */
static bool step_once(const struct policy_problem *problem, struct value *value, struct value *next,
                      struct rational *scratch[3])
{
    bool is_changed = false;
    for (uint32_t s = 0; s < value->exact_count; s++) {
        if (!problem->unknown[s])
            continue;
        if (best_row(problem, s, value->exact, scratch[0], scratch[1], scratch[2])) {
            exact_set(next, s, scratch[0]);
        } else {
            rational_destroy(next->exact[s]);
            next->exact[s] = NULL;
        }
        is_changed |= exact_compare(next->exact[s], value->exact[s]) != 0;
    }
    for (uint32_t s = 0; s < value->exact_count; s++)
        if (problem->unknown[s]) {
            struct rational *after = next->exact[s];
            next->exact[s] = value->exact[s];
            value->exact[s] = after;
        }
    return is_changed;
}

bool exact_steps(struct markov *markov, const struct exact_until *until, uint64_t steps, struct value *value)
{
    struct policy_problem problem = problem_of(markov, until);
    struct rational *scratch[3] = {rational_create(0, 1), rational_create(0, 1), rational_create(0, 1)};
    struct value next = {0};
    exact_new_numbers(markov, &next);
    bool goes_on = true;
    for (uint64_t k = 0; k < steps && goes_on && step_once(&problem, value, &next, scratch); k++)
        goes_on = markov_may_go_on(markov);
    pctl_value_free(&next);
    for (int i = 0; i < 3; i++)
        rational_destroy(scratch[i]);
    return goes_on;
}

static bool unbounded(struct markov *markov, const struct until *until, const struct accuracy *accuracy,
                      struct value *value)
{
    uint8_t *zero = pctl_new_truth(markov), *one = pctl_new_truth(markov), *unknown = pctl_new_truth(markov);
    until_decide(markov, until, zero, one);
    exact_new_numbers(markov, value);
    for (uint32_t s = 0; s < markov_count(markov); s++) {
        unknown[s] = !zero[s] && !one[s];
        if (!unknown[s])
            exact_set_integer(value, s, one[s]);
    }
    struct exact_until problem = {.unknown = unknown, .through = until->left, .goal = until->goal,
                                  .extreme = until->extreme};
    bool is_done = exact_solve(markov, &problem, accuracy, value);
    free(zero);
    free(one);
    free(unknown);
    return is_done;
}

/* The first, and the last, number of steps in a window; none when it is empty. */
static bool window_steps(struct markov *markov, const struct pctl_window *window, uint64_t *from, uint64_t *to,
                         bool *is_empty)
{
    double low = window->lower ? window->lower->value + window->is_lower_strict : 0;
    double high = window->upper ? window->upper->value - window->is_upper_strict : low;
    if (low > 1e9 || high > 1e9)
        return markov_fail(markov, "more than 10^9 steps are too many for exact arithmetic");
    *from = low > 0 ? (uint64_t)low : 0;
    *to = high > 0 ? (uint64_t)high : 0;
    *is_empty = high < 0 || *to < *from;
    return true;
}

static void set_goal(const struct markov *markov, const struct until *until, bool is_empty, struct value *value,
                     uint8_t *unknown)
{
    for (uint32_t s = 0; s < markov_count(markov); s++) {
        exact_set_integer(value, s, !is_empty && until->goal[s]);
        unknown[s] = !is_empty && until->left[s] && !until->goal[s];
    }
}

static bool within_steps(struct markov *markov, const struct until *until, const struct accuracy *accuracy,
                         struct value *value)
{
    uint64_t from = 0, to = 0;
    bool is_empty = false;
    if (!window_steps(markov, until->window, &from, &to, &is_empty))
        return false;
    uint8_t *unknown = pctl_new_truth(markov);
    struct exact_until problem = {.unknown = unknown, .extreme = until->extreme};
    bool is_done;
    if (until->window->upper) {
        exact_new_numbers(markov, value);
        set_goal(markov, until, is_empty, value, unknown);
        is_done = exact_steps(markov, &problem, is_empty ? 0 : to - from, value);
    } else
        is_done = unbounded(markov, until, accuracy, value);
    if (is_done && from) {
        memcpy(unknown, until->left, markov_count(markov));
        is_done = exact_steps(markov, &problem, 1, value);
        for (uint32_t s = 0; s < markov_count(markov) && is_done; s++)
            if (!unknown[s])
                exact_set_integer(value, s, 0);
        is_done = is_done && exact_steps(markov, &problem, from - 1, value);
    }
    free(unknown);
    return is_done;
}

static bool next_step(struct markov *markov, const struct pctl *formula, const struct accuracy *accuracy,
                      struct value *value)
{
    if (formula->window.lower || formula->window.upper)
        return markov_fail(markov, "bounds on X are not supported");
    uint8_t *goal = NULL, *all = pctl_new_truth(markov);
    bool is_done = pctl_evaluate_truth(markov, formula->right, accuracy, &goal);
    if (is_done) {
        struct exact_until problem = {.unknown = all, .extreme = pctl_formula_extreme(formula)};
        memset(all, 1, markov_count(markov));
        exact_new_numbers(markov, value);
        for (uint32_t s = 0; s < markov_count(markov); s++)
            exact_set_integer(value, s, goal[s]);
        is_done = exact_steps(markov, &problem, 1, value);
    }
    free(goal);
    free(all);
    return is_done;
}

static void complement(struct value *value)
{
    struct rational *one = rational_create(1, 1);
    for (uint32_t s = 0; s < value->exact_count; s++) {
        rational_negate(value->exact[s]);
        rational_add(value->exact[s], one);
    }
    rational_destroy(one);
}

bool exact_path(struct markov *markov, const struct pctl *formula, const struct accuracy *accuracy, struct value *value)
{
    struct until until;
    if (formula->path == PCTL_NEXT)
        return next_step(markov, formula, accuracy, value);
    bool has_window = formula->window.lower || formula->window.upper;
    if (has_window && markov->chain->kind == CHAIN_CTMC)
        return markov_fail(markov, "the chance within a time is not rational: there is no exact value");
    bool is_done = until_make(markov, formula, accuracy, &until) &&
                   (has_window ? within_steps : unbounded)(markov, &until, accuracy, value);
    if (is_done && until.is_complement)
        complement(value);
    until_free(&until);
    return is_done;
}
