/* The value of a formula in all reached states at once. */
#include <math.h>

#include "engine/symbolic/chance_numbers.h"

bool chance_evaluate_truth(struct chance *chance, const struct pctl *formula, dd *truth)
{
    struct chance_value value;
    if (!chance_evaluate(chance, formula, &value))
        return false;
    *truth = value.truth;
    return true;
}

bool chance_set_truth(struct chance_value *value, dd truth)
{
    *value = (struct chance_value){.kind = CHANCE_TRUTH, .truth = truth};
    return truth != DD_NONE;
}

static bool evaluate_condition(struct chance *chance, const struct pctl *formula, struct chance_value *value)
{
    struct symbolic_model *model = &chance->model;
    struct formula_sets sets;
    if (!symbolic_formula(model, formula->proposition->formula, false, &sets))
        return chance_stop(chance);
    bool is_wrong = dd_is_disjoint(model->m, model->reached, sets.wrong) != DD_TRUE;
    dd holds = chance_keep(chance, dd_and(model->m, model->reached, sets.holds));
    dd_unref(model->m, sets.holds);
    dd_unref(model->m, sets.wrong);
    if (is_wrong)
        return chance_fail_at(chance, formula->span.line, "a condition of the property has no value in some state");
    return chance_set_truth(value, holds);
}

static bool evaluate_number(struct chance *chance, const struct pctl *formula, struct chance_value *value)
{
    const struct weight *number = formula->number;
    if (number->top || number->bottom)
        return chance_fail(chance, "%s", chance_elsewhere);
    *value = (struct chance_value){.kind = CHANCE_NUMBER};
    chance_multiply(number, 1, &value->lower, &value->upper);
    return true;
}

static bool evaluate_logic(struct chance *chance, const struct pctl *formula, struct chance_value *value)
{
    struct dd_manager *m = chance->model.m;
    dd left, right = DD_FALSE;
    if (!chance_evaluate_truth(chance, formula->left, &left) ||
        (formula->right && !chance_evaluate_truth(chance, formula->right, &right)))
        return false;
    dd result = formula->kind == PCTL_NOT   ? chance_complement(chance, left)
                : formula->kind == PCTL_AND ? dd_and(m, left, right)
                : formula->kind == PCTL_OR  ? dd_or(m, left, right)
                                            : dd_or(m, chance_complement(chance, left), right);
    return chance_set_truth(value, chance_keep(chance, result));
}

/* --- paths --- */

/* Some path; all paths are those of which none does not. */
static bool evaluate_paths(struct chance *chance, const struct pctl *formula, struct chance_value *value)
{
    bool is_all = formula->kind == PCTL_FORALL;
    struct chance_until until;
    if (formula->path == PCTL_NEXT) {
        dd goal;
        if (!chance_evaluate_truth(chance, formula->right, &goal))
            return false;
        goal = is_all ? chance_complement(chance, goal) : goal;
        goal = chance_before(chance, goal);
        return chance_set_truth(value, is_all ? chance_complement(chance, goal) : goal);
    }
    if (!chance_make_until(chance, formula, false, &until))
        return false;
    /* some path with the until, or, of its complement, all paths without it */
    if (until.is_complement == is_all) {
        dd found = chance_reach(chance, until.left, until.goal, NULL);
        return chance_set_truth(value, is_all ? chance_complement(chance, found) : found);
    }
    /* some path without it: forever in "not goal", or out of "left" before the goal */
    dd not_goal = chance_complement(chance, until.goal);
    dd end = chance_keep(chance, dd_difference(chance->model.m, not_goal, until.left));
    dd forever = chance_forever(chance, not_goal);
    if (end == DD_NONE || forever == DD_NONE)
        return false;
    end = chance_keep(chance, dd_or(chance->model.m, end, forever));
    dd without = chance_reach(chance, not_goal, end, NULL);
    return chance_set_truth(value, until.is_complement ? without : chance_complement(chance, without));
}

/* --- filters --- */

static bool evaluate_extreme(struct chance *chance, const struct pctl *formula, const struct chance_value *inner,
                             dd states, struct chance_value *value)
{
    bool is_min = formula->filter == PCTL_FILTER_MIN;
    struct chance_bounds bounds;
    if (states == DD_FALSE)
        return chance_fail(chance, "the filter is about no state");
    if (!chance_range(chance, formula, inner, states, &bounds))
        return false;
    *value = (struct chance_value){.kind = CHANCE_NUMBER,
                                   .lower = is_min ? bounds.least_lower : bounds.greatest_lower,
                                   .upper = is_min ? bounds.least_upper : bounds.greatest_upper};
    return true;
}

static bool evaluate_quantified(struct chance *chance, const struct pctl *formula, const struct chance_value *inner,
                                dd states, struct chance_value *value)
{
    struct dd_manager *m = chance->model.m;
    bool is_true = formula->filter == PCTL_FILTER_EXISTS ? dd_is_disjoint(m, states, inner->truth) != DD_TRUE
                                                         : dd_is_subset(m, states, inner->truth) == DD_TRUE;
    return chance_set_truth(value, is_true ? chance->model.reached : DD_FALSE);
}

static bool evaluate_filter(struct chance *chance, const struct pctl *formula, struct chance_value *value)
{
    struct chance_value inner;
    dd states = chance->model.reached;
    if (!chance_evaluate(chance, formula->left, &inner) ||
        (formula->right && !chance_evaluate_truth(chance, formula->right, &states)))
        return false;
    switch (formula->filter) {
    case PCTL_FILTER_MIN:
    case PCTL_FILTER_MAX:
        return evaluate_extreme(chance, formula, &inner, states, value);
    case PCTL_FILTER_FORALL:
    case PCTL_FILTER_EXISTS:
        return evaluate_quantified(chance, formula, &inner, states, value);
    default:
        return chance_fail(chance, "this filter: %s", chance_elsewhere);
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
        return chance_set_truth(value, formula->op == OP_NE ? differs : chance_complement(chance, differs));
    }
    if (left.kind != CHANCE_NUMBER || right.kind != CHANCE_NUMBER)
        return chance_fail(chance, "%s", chance_elsewhere);
    bool is_equality = formula->op == OP_EQ || formula->op == OP_NE;
    bool is_plain = left.lower == left.upper && right.lower == right.upper;
    bool is_apart = left.upper < right.lower || left.lower > right.upper;
    int answer = !is_equality ? chance_compare(formula->op, left.lower, left.upper, right.lower, right.upper)
                 : is_apart   ? (formula->op == OP_NE ? 1 : -1)
                 : is_plain   ? (formula->op == OP_EQ ? 1 : -1)
                              : 0;
    if (!answer)
        return chance_fail(chance, "the value lies between %.17g and %.17g: too near to what it is compared with",
                           left.lower, left.upper);
    return chance_set_truth(value, answer > 0 ? chance->model.reached : DD_FALSE);
}

bool chance_evaluate(struct chance *chance, const struct pctl *formula, struct chance_value *value)
{
    switch (formula->kind) {
    case PCTL_TRUTH:
        return evaluate_condition(chance, formula, value);
    case PCTL_NUMBER:
        return evaluate_number(chance, formula, value);
    case PCTL_INITIAL:
        return chance_set_truth(value, chance->model.starts);
    case PCTL_DEADLOCK:
        return chance_set_truth(value, chance->dead);
    case PCTL_NOT:
    case PCTL_AND:
    case PCTL_OR:
    case PCTL_IMPLIES:
        return evaluate_logic(chance, formula, value);
    case PCTL_COMPARE:
        return evaluate_comparison(chance, formula, value);
    case PCTL_PROBABILITY:
        return chance_evaluate_path(chance, formula, value);
    case PCTL_EXISTS:
    case PCTL_FORALL:
        return evaluate_paths(chance, formula, value);
    case PCTL_FILTER:
        return evaluate_filter(chance, formula, value);
    case PCTL_REWARD:
        return chance_evaluate_reward(chance, formula, value);
    case PCTL_STEADY:
        return chance_fail(chance, "the long run: %s", chance_elsewhere);
    default:
        return chance_fail(chance, "%s", chance_elsewhere);
    }
}
