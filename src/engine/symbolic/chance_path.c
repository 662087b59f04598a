/* The chance of a path formula: where it is 0 or 1 by the graph, elsewhere as numbers, if anybody needs them. */
#include "engine/symbolic/chance_numbers.h"

/* --- untils --- */

/* With a bound on steps: floor(bound), one less when it is strict. */
static struct chance_until until_of(const struct pctl_until *made)
{
    const struct pctl_window *window = made->window;
    bool has_bound = !made->is_next && window->upper;
    return (struct chance_until){.left = made->left.diagram,
                                 .goal = made->goal.diagram,
                                 .is_complement = made->is_complement,
                                 .is_least = made->is_least,
                                 .is_next = made->is_next,
                                 .is_bounded = made->is_next || has_bound,
                                 .steps = has_bound ? (uint64_t)(window->upper->value - window->is_upper_strict) : 1,
                                 .zero = DD_FALSE,
                                 .one = DD_FALSE};
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
    if (formula != chance->evaluator.root || !numbers->has_watched)
        return;
    chance->has_partial = true;
    chance->partial = pctl_interval(watch == WATCH_GREATEST ? bounds->greatest_lower : bounds->least_lower,
                                    watch == WATCH_LEAST ? bounds->least_upper : bounds->greatest_upper);
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
        is_found = pctl_fail_wide(&chance->evaluator);
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
        chance_bounds_add(bounds, value->number.lower, value->number.upper, false);
        return true;
    }
    if (value->kind == CHANCE_REWARD)
        return chance_reward_range(chance, value, states, watch, bounds);
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
    return pctl_compare_bounds(op, value, value, limit, limit) > 0;
}

static bool fail_undecided(struct chance *chance, const struct chance_bounds *bounds)
{
    return pctl_fail_undecided(&chance->evaluator, bounds->least_lower, bounds->greatest_upper);
}

/* The property itself is asked of the initial states only. */
static bool decide_starts(struct chance *chance, const struct pctl *formula, const struct chance_value *value,
                          dd *truth)
{
    struct chance_bounds bounds;
    struct pctl_number limit = pctl_limit(formula->threshold);
    bool is_lower = formula->op == OP_GE || formula->op == OP_GT;
    if (!chance_range(chance, formula, value, chance->model.starts, &bounds))
        return false;
    struct pctl_number extreme = is_lower ? pctl_interval(bounds.least_lower, bounds.least_upper)
                                          : pctl_interval(bounds.greatest_lower, bounds.greatest_upper);
    int answer = pctl_number_compare(formula->op, &extreme, &limit);
    if (!answer)
        return fail_undecided(chance, &bounds);
    chance->has_extent = true;
    chance->extent = (struct pctl_extent){.lower = bounds.least_lower,
                                          .upper = bounds.greatest_upper,
                                          .is_range = bounds.least_upper < bounds.greatest_lower};
    *truth = answer > 0 ? chance->model.starts : DD_FALSE;
    return true;
}

static bool decide_everywhere(struct chance *chance, const struct pctl *formula, const struct chance_value *value,
                              dd *truth)
{
    struct chance_numbers numbers;
    struct pctl_number limit = pctl_limit(formula->threshold);
    dd open = DD_NONE;
    bool is_found = measure(chance, &value->until, chance->model.reached, WATCH_EACH, &numbers) &&
                    chance_numbers_compare(chance, &numbers, formula->op, &limit, truth, &open);
    if (is_found && open != DD_FALSE)
        is_found = fail_undecided(chance, &numbers.watched);
    chance_numbers_free(chance, &numbers);
    return is_found;
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
bool chance_decide(struct chance *chance, const struct pctl *formula, const struct chance_value *numbers, dd *truth)
{
    struct dd_manager *m = chance->model.m;
    struct chance_value value = *numbers;
    double limit = formula->threshold->value;
    bool by_graph = pctl_is_qualitative(formula);
    if (value.kind == CHANCE_REWARD)
        return decide_starts(chance, formula, &value, truth);
    if (by_graph && value.until.is_bounded && !find_certain(chance, &value))
        return false;
    dd between = chance_complement(chance, dd_or(m, value.zero, value.one)), found = DD_FALSE;
    if (between == DD_NONE)
        return false;
    if (between != DD_FALSE && limit >= 0 && limit <= 1 && !by_graph)
        return (formula == chance->evaluator.root ? decide_starts : decide_everywhere)(chance, formula, &value, truth);
    found = satisfies(formula->op, 0, limit) ? dd_or(m, found, value.zero) : found;
    found = satisfies(formula->op, 0.5, limit) ? dd_or(m, found, between) : found;
    found = satisfies(formula->op, 1, limit) ? dd_or(m, found, value.one) : found;
    *truth = chance_keep(chance, found);
    return *truth != DD_NONE;
}

bool chance_measure_path(struct chance *chance, const struct pctl_until *made, struct chance_value *value)
{
    struct chance_until until = until_of(made);
    bool is_known = find_known(chance, &until);
    *value = (struct chance_value){.kind = CHANCE_SHARE,
                                   .until = until,
                                   .zero = until.is_complement ? until.one : until.zero,
                                   .one = until.is_complement ? until.zero : until.one};
    return is_known;
}
