#include "ir/pctl.h"

bool pctl_is_least(const struct pctl *formula)
{
    if (formula->extreme != PCTL_ANY)
        return formula->extreme == PCTL_LEAST;
    return !formula->is_query && (formula->op == OP_GE || formula->op == OP_GT);
}

bool pctl_is_qualitative(const struct pctl *formula)
{
    int64_t limit;
    return !formula->is_query && !formula->threshold->is_rounded &&
           rational_fits_i64(formula->threshold->factor, &limit) && (limit == 0 || limit == 1);
}

bool pctl_steps(const struct pctl_window *window, uint64_t *from, uint64_t *to)
{
    double low = window->lower ? window->lower->value + window->is_lower_strict : 0;
    double high = window->upper ? window->upper->value - window->is_upper_strict : low;
    *from = low > 0 ? (uint64_t)low : 0;
    *to = high > 0 ? (uint64_t)high : 0;
    return high >= 0 && *to >= *from;
}

bool pctl_shows_states(const struct pctl *formula)
{
    if (!formula)
        return false;
    bool is_filter = formula->kind == PCTL_FILTER;
    bool shows = is_filter && (formula->filter == PCTL_FILTER_FIRST || formula->filter == PCTL_FILTER_PRINT ||
                               formula->filter == PCTL_FILTER_PRINT_ALL);
    return shows || pctl_shows_states(formula->condition_formula) || pctl_shows_states(formula->left) ||
           pctl_shows_states(formula->right);
}

bool pctl_filter_counts(enum pctl_filter filter)
{
    return filter == PCTL_FILTER_COUNT || filter == PCTL_FILTER_SUM || filter == PCTL_FILTER_AVERAGE ||
           filter == PCTL_FILTER_STATE;
}

bool pctl_needs_starts(const struct pctl *formula)
{
    if (!formula)
        return false;
    bool needs = formula->kind == PCTL_INITIAL || (formula->kind == PCTL_FILTER && pctl_filter_counts(formula->filter));
    return needs || pctl_needs_starts(formula->condition_formula) || pctl_needs_starts(formula->left) ||
           pctl_needs_starts(formula->right);
}

bool pctl_is_linear(const struct pctl *formula)
{
    bool has_path = formula->kind == PCTL_PROBABILITY || formula->kind == PCTL_EXISTS || formula->kind == PCTL_FORALL;
    return (has_path && formula->path == PCTL_LINEAR) || (formula->kind == PCTL_REWARD && formula->goal == PCTL_COSAFE);
}

bool pctl_is_atom(const struct pctl *formula)
{
    switch (formula->kind) {
    case PCTL_TEMPORAL:
        return false;
    case PCTL_NOT:
        return pctl_is_atom(formula->left);
    case PCTL_AND:
    case PCTL_OR:
    case PCTL_IMPLIES:
    case PCTL_COMPARE:
        return pctl_is_atom(formula->left) && pctl_is_atom(formula->right);
    case PCTL_COND:
        return pctl_is_atom(formula->condition_formula) && pctl_is_atom(formula->left) && pctl_is_atom(formula->right);
    default:
        return true;
    }
}
