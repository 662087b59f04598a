/* Chances and rewards until something is reached, and over steps, exactly. */
#include <math.h>
#include <string.h>

#include "engine/probabilistic/exact.h"
#include "numeric/collapse.h"
#include "numeric/scheduler.h"

/* How near the values need to be that suggest a policy, and how long that may take: any policy will do. */
static const double HINT = 1e-4;
enum { MOST_HINT_SWEEPS = 1000 };

static struct policy_problem problem_of(struct markov *markov, const struct exact_until *until)
{
    return (struct policy_problem){.matrix = &markov->matrix,
                                   .chances = markov->exact->chances,
                                   .row_reward = until->row_reward,
                                   .unknown = until->unknown,
                                   .extreme = until->extreme,
                                   .go_on = markov_may_go_on,
                                   .user = markov};
}

/* A policy that is best or nearly so, by doubles. */
static void guess_policy(struct markov *markov, const struct exact_until *until, const struct state_numbers *numbers,
                         uint32_t *rows)
{
    uint32_t count = markov_count(markov);
    memcpy(rows, markov->matrix.state_row.items, count * sizeof *rows);
    if (markov->chain->kind != CHAIN_MDP)
        return;
    struct bounds bounds = numbers_new_bounds(markov);
    for (uint32_t s = 0; s < count; s++)
        if (!until->unknown[s])
            bounds.lower[s] = bounds.upper[s] = numbers->exact[s] ? rational_to_double(numbers->exact[s]) : INFINITY;
    struct fixpoint problem = {.matrix = &markov->matrix,
                               .unknown = until->unknown,
                               .row_reward = until->row_reward_doubles,
                               .extreme = until->extreme,
                               .limit = INFINITY,
                               .epsilon = HINT,
                               .go_on = markov_may_go_on,
                               .user = markov,
                               .sweeps = &markov->sweeps,
                               .most_sweeps = MOST_HINT_SWEEPS};
    collapse_enclose(&problem, &bounds);
    scheduler_choose(markov_reverse(markov), &problem, bounds.lower, until->through, until->goal, rows);
    free(bounds.lower);
    free(bounds.upper);
}

bool exact_solve(struct markov *markov, const struct exact_until *until, struct state_numbers *numbers)
{
    uint32_t *rows = memory_zeroed((size_t)markov_count(markov) + 1, sizeof *rows);
    struct policy_problem problem = problem_of(markov, until);
    guess_policy(markov, until, numbers, rows);
    bool is_done = policy_solve(&problem, markov_reverse(markov), rows, numbers->exact);
    if (!is_done)
        pctl_fail(&markov->evaluator, "internal error, please report it: the exact equations have no unique solution");
    free(rows);
    return is_done;
}

/* The extreme over the rows of the state, into `best`. False: it is infinite. */
static bool best_row(const struct policy_problem *problem, uint32_t state, struct rational *const *values,
                     struct rational *best, struct rational *worth, struct rational *scratch)
{
    bool is_known = false, is_least = problem->extreme == EXTREME_LEAST;
    for (uint32_t row = problem->matrix->state_row.items[state]; row < problem->matrix->state_row.items[state + 1];
         row++) {
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
static bool step_once(const struct policy_problem *problem, struct state_numbers *numbers, struct state_numbers *next,
                      struct rational *scratch[3])
{
    bool is_changed = false;
    for (uint32_t s = 0; s < numbers->count; s++) {
        if (!problem->unknown[s])
            continue;
        if (best_row(problem, s, numbers->exact, scratch[0], scratch[1], scratch[2])) {
            numbers_set(next, s, 0);
            rational_copy(next->exact[s], scratch[0]);
        } else {
            rational_destroy(next->exact[s]);
            next->exact[s] = NULL;
        }
        struct pctl_number now = numbers_at(next, s), last = numbers_at(numbers, s);
        is_changed |= pctl_number_compare(OP_NE, &now, &last) > 0;
    }
    for (uint32_t s = 0; s < numbers->count; s++)
        if (problem->unknown[s]) {
            struct rational *after = next->exact[s];
            next->exact[s] = numbers->exact[s];
            numbers->exact[s] = after;
        }
    return is_changed;
}

bool exact_steps(struct markov *markov, const struct exact_until *until, uint64_t steps, struct state_numbers *numbers)
{
    struct policy_problem problem = problem_of(markov, until);
    struct rational *scratch[3] = {rational_create(0, 1), rational_create(0, 1), rational_create(0, 1)};
    struct state_numbers *next = numbers_new(markov);
    bool goes_on = true;
    for (uint64_t k = 0; k < steps && goes_on && step_once(&problem, numbers, next, scratch); k++)
        goes_on = markov_may_go_on(markov);
    numbers_free(next);
    for (int i = 0; i < 3; i++)
        rational_destroy(scratch[i]);
    return goes_on;
}

void exact_complement(struct state_numbers *numbers)
{
    struct rational *one = rational_create(1, 1);
    for (uint32_t s = 0; s < numbers->count; s++) {
        rational_negate(numbers->exact[s]);
        rational_add(numbers->exact[s], one);
    }
    rational_destroy(one);
}
