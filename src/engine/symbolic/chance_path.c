/* The chance of a path formula: where it is 0 or 1 by the graph, elsewhere as numbers, if anybody needs them. */
#include <math.h>

#include "engine/symbolic/chance_numbers.h"

/* --- untils --- */

/* floor(bound), one less when it is strict; nothing is within less than no steps. */
static bool take_window(struct chance *chance, const struct pctl *formula, struct chance_until *until)
{
    const struct pctl_window *window = &formula->window;
    if (!window->lower && !window->upper)
        return true;
    if (chance->chain->kind == CHAIN_CTMC)
        return chance_fail(chance, "a bound on time: %s", chance_elsewhere);
    if (window->lower)
        return chance_fail(chance, "a bound on steps from below: %s", chance_elsewhere);
    double steps = window->upper->value - (window->is_upper_strict ? 1 : 0);
    if (steps < 0 || steps > 1e15)
        return chance_fail(chance, "this bound on steps: %s", chance_elsewhere);
    until->is_bounded = true;
    until->steps = (uint64_t)steps;
    return true;
}

static bool take_next(struct chance *chance, const struct pctl *formula, struct chance_until *until)
{
    until->is_next = until->is_bounded = true;
    until->steps = 1;
    if (formula->window.lower || formula->window.upper)
        return chance_fail(chance, "bounds on X are not supported");
    return chance_evaluate_truth(chance, formula->right, &until->goal);
}

bool chance_make_until(struct chance *chance, const struct pctl *formula, bool numbers, struct chance_until *until)
{
    *until = (struct chance_until){.left = chance->model.reached, .zero = DD_FALSE, .one = DD_FALSE};
    until->is_least = pctl_is_least(formula);
    if (formula->path == PCTL_NEXT)
        return take_next(chance, formula, until);
    if (!numbers && (formula->window.lower || formula->window.upper))
        return chance_fail(chance, "a bound on steps or time: %s", chance_elsewhere);
    if (!take_window(chance, formula, until) || !chance_evaluate_truth(chance, formula->right, &until->goal) ||
        (formula->left && !chance_evaluate_truth(chance, formula->left, &until->left)))
        return false;
    until->is_complement =
        formula->path == PCTL_ALWAYS || formula->path == PCTL_WEAK_UNTIL || formula->path == PCTL_RELEASE;
    if (!until->is_complement)
        return true;
    until->is_least = !until->is_least;
    dd not_goal = chance_complement(chance, until->goal), not_left = chance_complement(chance, until->left);
    if (formula->path == PCTL_WEAK_UNTIL) {
        until->left = chance_keep(chance, dd_and(chance->model.m, until->left, not_goal));
        until->goal = chance_keep(chance, dd_and(chance->model.m, not_left, not_goal));
        return until->goal != DD_NONE && until->left != DD_NONE;
    }
    until->goal = not_goal;
    if (formula->path == PCTL_RELEASE)
        until->left = not_left;
    return not_goal != DD_NONE && not_left != DD_NONE;
}

/* What the graph decides. */
static bool find_known(struct chance *chance, struct chance_until *until)
{
    if (until->is_next)
        return true;
    until->zero = chance_zero(chance, until->left, until->goal, until->is_least);
    until->one = until->is_bounded ? until->goal : chance_one(chance, until->left, until->goal, until->is_least);
    return until->zero != DD_NONE && until->one != DD_NONE;
}

/* --- numbers --- */

static bool measure(struct chance *chance, const struct chance_until *until, dd watched, enum chance_watch watch,
                    struct chance_numbers *numbers)
{
    struct dd_manager *m = chance->model.m;
    struct chance_problem problem = {.one = until->one,
                                     .begin = until->is_next ? until->goal : DD_FALSE,
                                     .watched = watched,
                                     .watch = watch,
                                     .is_least = until->is_least,
                                     .is_complement = until->is_complement,
                                     .is_bounded = until->is_bounded,
                                     .steps = until->steps};
    dd known = dd_or(m, until->zero, until->one);
    problem.unknown = chance_complement(chance, known);
    *numbers = (struct chance_numbers){0};
    /* What is small is not computed as 1 minus something. With a choice and no bound, the least fixed point would be
     * wrong. */
    bool is_direct = until->is_complement && (until->is_bounded || !chance_has_choice(chance));
    if (is_direct) {
        problem.is_complement = false;
        problem.is_least = !until->is_least;
        problem.one = until->zero;
        problem.begin = until->is_bounded ? problem.unknown : DD_FALSE;
    }
    return problem.unknown != DD_NONE && chance_solve(chance, &problem, numbers);
}

/* What is known all the same. */
static void keep_part(struct chance *chance, const struct pctl *formula, const struct chance_numbers *numbers,
                      enum chance_watch watch)
{
    const struct chance_bounds *bounds = &numbers->watched;
    if (formula != chance->root || !numbers->has_watched)
        return;
    chance->has_partial = true;
    chance->partial_lower = watch == WATCH_GREATEST ? bounds->greatest_lower : bounds->least_lower;
    chance->partial_upper = watch == WATCH_LEAST ? bounds->least_upper : bounds->greatest_upper;
}

static enum chance_watch watch_of(const struct pctl *formula)
{
    if (formula->kind != PCTL_FILTER)
        return WATCH_EACH;
    return formula->filter == PCTL_FILTER_MIN   ? WATCH_LEAST
           : formula->filter == PCTL_FILTER_MAX ? WATCH_GREATEST
                                                : WATCH_EACH;
}

static bool range_by_numbers(struct chance *chance, const struct pctl *formula, const struct chance_value *value,
                             dd states, struct chance_bounds *bounds)
{
    struct chance_numbers numbers;
    bool is_found = measure(chance, &value->until, states, watch_of(formula), &numbers);
    if (is_found && !numbers.is_narrow)
        is_found = chance_fail(chance, "the bounds do not come as near to each other as asked for (--epsilon)");
    if (!is_found)
        keep_part(chance, formula, &numbers, watch_of(formula));
    *bounds = numbers.watched;
    chance_numbers_free(chance, &numbers);
    return is_found;
}

bool chance_range(struct chance *chance, const struct pctl *formula, const struct chance_value *value, dd states,
                  struct chance_bounds *bounds)
{
    struct dd_manager *m = chance->model.m;
    enum chance_watch watch = watch_of(formula);
    chance_bounds_begin(bounds);
    if (value->kind == CHANCE_NUMBER) {
        chance_bounds_add(bounds, value->lower, value->upper, false);
        return true;
    }
    if (value->kind == CHANCE_REWARD)
        return chance_reward_range(chance, value->reward, states, watch, bounds);
    if (dd_is_disjoint(m, states, value->zero) != DD_TRUE)
        chance_bounds_add(bounds, 0, 0, false);
    if (dd_is_disjoint(m, states, value->one) != DD_TRUE)
        chance_bounds_add(bounds, 1, 1, false);
    /* a chance that cannot be beaten decides, whatever else there is */
    bool is_decided = (watch == WATCH_LEAST && bounds->least_upper == 0) ||
                      (watch == WATCH_GREATEST && bounds->greatest_lower == 1) ||
                      (bounds->least_lower == 0 && bounds->greatest_upper == 1);
    if (is_decided || dd_is_subset(m, states, dd_or(m, value->zero, value->one)) == DD_TRUE)
        return true;
    return range_by_numbers(chance, formula, value, states, bounds);
}

/* --- thresholds --- */

static bool satisfies(enum operator op, double value, double limit)
{
    return chance_compare(op, value, value, limit, limit) > 0;
}

static bool fail_undecided(struct chance *chance, const struct chance_bounds *bounds)
{
    return chance_fail(chance, "the value lies between %.17g and %.17g: too near to what it is compared with",
                       bounds->least_lower, bounds->greatest_upper);
}

/* The threshold itself may lie between two doubles. */
static void find_limit(const struct weight *threshold, double *least, double *most)
{
    *least = rational_to_double_below(threshold->factor);
    *most = rational_to_double_above(threshold->factor);
    if (threshold->is_rounded) {
        *least = nextafter(*least, -INFINITY);
        *most = nextafter(*most, INFINITY);
    }
}

/* The property itself is asked of the initial states only. */
static bool decide_starts(struct chance *chance, const struct pctl *formula, struct chance_value *value, double least,
                          double most)
{
    struct chance_bounds bounds;
    bool is_lower = formula->op == OP_GE || formula->op == OP_GT;
    if (!chance_range(chance, formula, value, chance->model.starts, &bounds))
        return false;
    int answer = is_lower ? chance_compare(formula->op, bounds.least_lower, bounds.least_upper, least, most)
                          : chance_compare(formula->op, bounds.greatest_lower, bounds.greatest_upper, least, most);
    if (!answer)
        return fail_undecided(chance, &bounds);
    chance->has_extent = true;
    chance->extent_lower = bounds.least_lower;
    chance->extent_upper = bounds.greatest_upper;
    chance->is_extent_range = bounds.least_upper < bounds.greatest_lower;
    return chance_set_truth(value, answer > 0 ? chance->model.starts : DD_FALSE);
}

static bool decide_everywhere(struct chance *chance, const struct pctl *formula, struct chance_value *value,
                              double least, double most)
{
    struct chance_numbers numbers;
    dd holds = DD_NONE, open = DD_NONE;
    bool is_found = measure(chance, &value->until, chance->model.reached, WATCH_EACH, &numbers) &&
                    chance_numbers_compare(chance, &numbers, formula->op, least, most, &holds, &open);
    if (is_found && open != DD_FALSE)
        is_found = fail_undecided(chance, &numbers.watched);
    chance_numbers_free(chance, &numbers);
    return is_found && chance_set_truth(value, holds);
}

/* With a bound on steps, numbers never say that something is 0 or 1 where it is not so from the start. */
static bool find_certain(struct chance *chance, struct chance_value *value)
{
    const struct chance_until *until = &value->until;
    dd positive = chance_within(chance, until, false), sure = chance_within(chance, until, true);
    dd never = positive == DD_NONE ? DD_NONE : chance_complement(chance, positive);
    value->zero = until->is_complement ? sure : never;
    value->one = until->is_complement ? never : sure;
    return sure != DD_NONE && never != DD_NONE;
}

/* A bound of 0 or 1 is the same for all chances in between; another is not, if there are such. */
static bool decide_threshold(struct chance *chance, const struct pctl *formula, struct chance_value *value)
{
    struct dd_manager *m = chance->model.m;
    double limit = formula->threshold->value, least, most;
    bool by_graph = pctl_is_qualitative(formula);
    if (by_graph && value->until.is_bounded && !find_certain(chance, value))
        return false;
    dd between = chance_complement(chance, dd_or(m, value->zero, value->one)), truth = DD_FALSE;
    if (between == DD_NONE)
        return false;
    if (between != DD_FALSE && limit >= 0 && limit <= 1 && !by_graph) {
        find_limit(formula->threshold, &least, &most);
        return (formula == chance->root ? decide_starts : decide_everywhere)(chance, formula, value, least, most);
    }
    truth = satisfies(formula->op, 0, limit) ? dd_or(m, truth, value->zero) : truth;
    truth = satisfies(formula->op, 0.5, limit) ? dd_or(m, truth, between) : truth;
    truth = satisfies(formula->op, 1, limit) ? dd_or(m, truth, value->one) : truth;
    return chance_set_truth(value, chance_keep(chance, truth));
}

bool chance_evaluate_path(struct chance *chance, const struct pctl *formula, struct chance_value *value)
{
    struct chance_until until;
    if (!chance_make_until(chance, formula, true, &until) || !find_known(chance, &until))
        return false;
    *value = (struct chance_value){.kind = CHANCE_SHARE,
                                   .until = until,
                                   .zero = until.is_complement ? until.one : until.zero,
                                   .one = until.is_complement ? until.zero : until.one};
    return formula->is_query || decide_threshold(chance, formula, value);
}

bool chance_evaluate_reward(struct chance *chance, const struct pctl *formula, struct chance_value *value)
{
    double least, most;
    *value = (struct chance_value){.kind = CHANCE_REWARD, .reward = formula};
    if (formula->is_query)
        return true;
    if (formula != chance->root)
        return chance_fail(chance, "a reward that is compared in the middle of a formula: %s", chance_elsewhere);
    find_limit(formula->threshold, &least, &most);
    return decide_starts(chance, formula, value, least, most);
}
