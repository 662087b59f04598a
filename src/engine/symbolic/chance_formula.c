/* The value of a formula in all reached states at once. */
#include <math.h>

#include "engine/symbolic/chance.h"

static const char *const NUMBERS =
    "that takes numbers, state by state (--engine counter, --engine probabilistic): in sets of states only chances of 0 and 1 "
    "are found";

static bool evaluate_truth(struct chance *chance, const struct pctl *formula, dd *truth)
{
    struct chance_value value;
    if (!chance_evaluate(chance, formula, &value))
        return false;
    *truth = value.truth;
    return true;
}

static bool set_truth(struct chance_value *value, dd truth)
{
    *value = (struct chance_value){.kind = CHANCE_TRUTH, .truth = truth};
    return truth != DD_NONE;
}

static bool evaluate_condition(struct chance *chance, const struct pctl *formula, struct chance_value *value)
{
    struct symbolic_model *model = &chance->model;
    struct formula_sets sets;
    if (!symbolic_formula(model, formula->proposition->formula, false, &sets))
        return chance_fail(chance, "%s", model->stopped_by);
    bool is_wrong = dd_is_disjoint(model->m, model->reached, sets.wrong) != DD_TRUE;
    dd holds = chance_keep(chance, dd_and(model->m, model->reached, sets.holds));
    dd_unref(model->m, sets.holds);
    dd_unref(model->m, sets.wrong);
    if (is_wrong)
        return chance_fail(chance, "a condition of the property has no value in some state (line %u)", formula->span.line);
    return set_truth(value, holds);
}

static bool evaluate_number(struct chance *chance, const struct pctl *formula, struct chance_value *value)
{
    const struct weight *number = formula->number;
    if (number->top || number->bottom)
        return chance_fail(chance, "%s", NUMBERS);
    *value = (struct chance_value){.kind = CHANCE_NUMBER, .lower = number->value, .upper = number->value};
    return true;
}

static bool evaluate_logic(struct chance *chance, const struct pctl *formula, struct chance_value *value)
{
    struct dd_manager *m = chance->model.m;
    dd left, right = DD_FALSE;
    if (!evaluate_truth(chance, formula->left, &left) ||
        (formula->right && !evaluate_truth(chance, formula->right, &right)))
        return false;
    dd result = formula->kind == PCTL_NOT   ? chance_complement(chance, left)
                : formula->kind == PCTL_AND ? dd_and(m, left, right)
                : formula->kind == PCTL_OR  ? dd_or(m, left, right)
                                            : dd_or(m, chance_complement(chance, left), right);
    return set_truth(value, chance_keep(chance, result));
}

/* --- paths --- */

struct until {
    dd left, goal;
    bool is_complement;
};

/* As in engine/probabilistic: everything is an until, or the complement of one. */
static bool make_until(struct chance *chance, const struct pctl *formula, struct until *until)
{
    *until = (struct until){.left = chance->model.reached};
    if (formula->path == PCTL_NEXT)
        return chance_fail(chance, "the next step: %s", NUMBERS);
    if (formula->window.lower || formula->window.upper)
        return chance_fail(chance, "a bound on steps or time: %s", NUMBERS);
    if (!evaluate_truth(chance, formula->right, &until->goal) ||
        (formula->left && !evaluate_truth(chance, formula->left, &until->left)))
        return false;
    until->is_complement = formula->path == PCTL_ALWAYS || formula->path == PCTL_WEAK_UNTIL ||
                           formula->path == PCTL_RELEASE;
    if (!until->is_complement)
        return true;
    dd not_goal = chance_complement(chance, until->goal), not_left = chance_complement(chance, until->left);
    if (formula->path == PCTL_WEAK_UNTIL) {
        until->left = not_goal;
        until->goal = chance_keep(chance, dd_and(chance->model.m, not_left, not_goal));
        return until->goal != DD_NONE;
    }
    until->goal = not_goal;
    if (formula->path == PCTL_RELEASE)
        until->left = not_left;
    return not_goal != DD_NONE && not_left != DD_NONE;
}

static bool satisfies(enum operator op, double value, double limit)
{
    return op == OP_LT ? value < limit : op == OP_LE ? value <= limit : op == OP_GT ? value > limit : value >= limit;
}

/* A bound of 0 or 1 is the same for all chances in between; another is not, if there are such. */
static bool decide_threshold(struct chance *chance, const struct pctl *formula, struct chance_value *value)
{
    struct dd_manager *m = chance->model.m;
    double limit = formula->threshold->value;
    dd between = chance_complement(chance, dd_or(m, value->zero, value->one)), truth = DD_FALSE;
    if (between != DD_FALSE && limit >= 0 && limit <= 1 && !pctl_is_qualitative(formula))
        return chance_fail(chance, "%s", NUMBERS);
    truth = satisfies(formula->op, 0, limit) ? dd_or(m, truth, value->zero) : truth;
    truth = satisfies(formula->op, 0.5, limit) ? dd_or(m, truth, between) : truth;
    truth = satisfies(formula->op, 1, limit) ? dd_or(m, truth, value->one) : truth;
    return set_truth(value, chance_keep(chance, truth));
}

static bool evaluate_chance(struct chance *chance, const struct pctl *formula, struct chance_value *value)
{
    struct until until;
    if (!make_until(chance, formula, &until))
        return false;
    bool least = pctl_is_least(formula) != until.is_complement;
    dd zero = chance_zero(chance, until.left, until.goal, least);
    dd one = chance_one(chance, until.left, until.goal, least);
    if (zero == DD_NONE || one == DD_NONE)
        return false;
    *value = (struct chance_value){.kind = CHANCE_SHARE, .zero = until.is_complement ? one : zero,
                                   .one = until.is_complement ? zero : one};
    return formula->is_query || decide_threshold(chance, formula, value);
}

/* Some path; all paths are those of which none does not. */
static bool evaluate_paths(struct chance *chance, const struct pctl *formula, struct chance_value *value)
{
    bool is_all = formula->kind == PCTL_FORALL;
    struct until until;
    if (formula->path == PCTL_NEXT) {
        dd goal;
        if (!evaluate_truth(chance, formula->right, &goal))
            return false;
        goal = is_all ? chance_complement(chance, goal) : goal;
        goal = chance_before(chance, goal);
        return set_truth(value, is_all ? chance_complement(chance, goal) : goal);
    }
    if (!make_until(chance, formula, &until))
        return false;
    /* some path with the until, or, of its complement, all paths without it */
    if (until.is_complement == is_all) {
        dd found = chance_reach(chance, until.left, until.goal, NULL);
        return set_truth(value, is_all ? chance_complement(chance, found) : found);
    }
    /* some path without it: forever in "not goal", or out of "left" before the goal */
    dd not_goal = chance_complement(chance, until.goal);
    dd end = chance_keep(chance, dd_difference(chance->model.m, not_goal, until.left));
    dd forever = chance_forever(chance, not_goal);
    if (end == DD_NONE || forever == DD_NONE)
        return false;
    end = chance_keep(chance, dd_or(chance->model.m, end, forever));
    dd without = chance_reach(chance, not_goal, end, NULL);
    return set_truth(value, until.is_complement ? without : chance_complement(chance, without));
}

/* --- filters --- */

bool chance_range(struct chance *chance, const struct chance_value *value, dd states, double *lower, double *upper)
{
    struct dd_manager *m = chance->model.m;
    if (value->kind == CHANCE_NUMBER) {
        *lower = value->lower;
        *upper = value->upper;
        return true;
    }
    bool has_zero = dd_is_disjoint(m, states, value->zero) != DD_TRUE;
    bool has_one = dd_is_disjoint(m, states, value->one) != DD_TRUE;
    bool has_between = dd_is_subset(m, states, dd_or(m, value->zero, value->one)) != DD_TRUE;
    *lower = has_zero || has_between ? 0 : 1;
    *upper = has_one || has_between ? 1 : 0;
    return !has_between || (has_zero && has_one);
}

static bool evaluate_extreme(struct chance *chance, const struct pctl *formula, const struct chance_value *inner, dd states,
                             struct chance_value *value)
{
    struct dd_manager *m = chance->model.m;
    bool is_min = formula->filter == PCTL_FILTER_MIN;
    double lower, upper;
    if (states == DD_FALSE)
        return chance_fail(chance, "the filter is about no state");
    /* a chance that cannot be beaten decides, whatever else there is */
    bool is_reached = inner->kind == CHANCE_SHARE && dd_is_disjoint(m, states, is_min ? inner->zero : inner->one) != DD_TRUE;
    if (is_reached)
        lower = upper = is_min ? 0 : 1;
    else if (!chance_range(chance, inner, states, &lower, &upper))
        return chance_fail(chance, "%s", NUMBERS);
    double found = is_min ? lower : upper;
    *value = (struct chance_value){.kind = CHANCE_NUMBER, .lower = found, .upper = found};
    return true;
}

static bool evaluate_quantified(struct chance *chance, const struct pctl *formula, const struct chance_value *inner,
                                dd states, struct chance_value *value)
{
    struct dd_manager *m = chance->model.m;
    bool is_true = formula->filter == PCTL_FILTER_EXISTS ? dd_is_disjoint(m, states, inner->truth) != DD_TRUE
                                                         : dd_is_subset(m, states, inner->truth) == DD_TRUE;
    return set_truth(value, is_true ? chance->model.reached : DD_FALSE);
}

static bool evaluate_filter(struct chance *chance, const struct pctl *formula, struct chance_value *value)
{
    struct chance_value inner;
    dd states = chance->model.reached;
    if (!chance_evaluate(chance, formula->left, &inner) ||
        (formula->right && !evaluate_truth(chance, formula->right, &states)))
        return false;
    switch (formula->filter) {
    case PCTL_FILTER_MIN:
    case PCTL_FILTER_MAX:
        return evaluate_extreme(chance, formula, &inner, states, value);
    case PCTL_FILTER_FORALL:
    case PCTL_FILTER_EXISTS:
        return evaluate_quantified(chance, formula, &inner, states, value);
    default:
        return chance_fail(chance, "this filter: %s", NUMBERS);
    }
}

/* --- numbers that are the same everywhere --- */

static bool evaluate_comparison(struct chance *chance, const struct pctl *formula, struct chance_value *value)
{
    struct chance_value left, right;
    if (!chance_evaluate(chance, formula->left, &left) || !chance_evaluate(chance, formula->right, &right))
        return false;
    if (left.kind == CHANCE_TRUTH && right.kind == CHANCE_TRUTH) {
        dd differs = dd_xor(chance->model.m, left.truth, right.truth);
        differs = chance_keep(chance, dd_and(chance->model.m, differs, chance->model.reached));
        return set_truth(value, formula->op == OP_NE ? differs : chance_complement(chance, differs));
    }
    bool is_plain = left.kind == CHANCE_NUMBER && right.kind == CHANCE_NUMBER && left.lower == left.upper &&
                    right.lower == right.upper;
    if (!is_plain)
        return chance_fail(chance, "%s", NUMBERS);
    bool holds = formula->op == OP_EQ   ? left.lower == right.lower
                 : formula->op == OP_NE ? left.lower != right.lower
                                        : satisfies(formula->op, left.lower, right.lower);
    return set_truth(value, holds ? chance->model.reached : DD_FALSE);
}

bool chance_evaluate(struct chance *chance, const struct pctl *formula, struct chance_value *value)
{
    switch (formula->kind) {
    case PCTL_TRUTH:
        return evaluate_condition(chance, formula, value);
    case PCTL_NUMBER:
        return evaluate_number(chance, formula, value);
    case PCTL_INITIAL:
        return set_truth(value, chance->model.starts);
    case PCTL_DEADLOCK:
        return set_truth(value, chance->dead);
    case PCTL_NOT:
    case PCTL_AND:
    case PCTL_OR:
    case PCTL_IMPLIES:
        return evaluate_logic(chance, formula, value);
    case PCTL_COMPARE:
        return evaluate_comparison(chance, formula, value);
    case PCTL_PROBABILITY:
        return evaluate_chance(chance, formula, value);
    case PCTL_EXISTS:
    case PCTL_FORALL:
        return evaluate_paths(chance, formula, value);
    case PCTL_FILTER:
        return evaluate_filter(chance, formula, value);
    case PCTL_REWARD:
        return chance_fail(chance, "a reward: %s", NUMBERS);
    case PCTL_STEADY:
        return chance_fail(chance, "the long run: %s", NUMBERS);
    default:
        return chance_fail(chance, "%s", NUMBERS);
    }
}
