#include "engine/probabilistic/formula.h"

#include <math.h>
#include <string.h>

#include "engine/probabilistic/exact.h"

void pctl_value_free(struct pctl_value *value)
{
    free(value->truth);
    free(value->bounds.lower);
    free(value->bounds.upper);
    for (uint32_t s = 0; s < value->exact_count; s++)
        rational_destroy(value->exact[s]);
    free(value->exact);
    *value = (struct pctl_value){0};
}

uint8_t *pctl_new_truth(const struct markov *markov)
{
    return memory_zeroed((size_t)markov_count(markov) + 1, 1);
}

struct bounds pctl_new_bounds(const struct markov *markov)
{
    size_t count = (size_t)markov_count(markov) + 1;
    return (struct bounds){memory_zeroed(count, sizeof(double)), memory_zeroed(count, sizeof(double))};
}

void pctl_widen(const struct markov *markov, struct bounds *bounds)
{
    for (uint32_t s = 0; s < markov_count(markov) && markov->slack > 0; s++) {
        double off = fmax(fabs(bounds->lower[s]), fabs(bounds->upper[s])) * markov->slack;
        bounds->lower[s] -= isfinite(off) ? off : 0;
        bounds->upper[s] += isfinite(off) ? off : 0;
    }
}

bool pctl_evaluate_truth(struct markov *markov, const struct pctl *formula, const struct accuracy *accuracy,
                         uint8_t **truth)
{
    struct pctl_value value = {0};
    if (!pctl_evaluate(markov, formula, accuracy, &value))
        return false;
    *truth = value.truth;
    value.truth = NULL; /* there may be bounds beside it */
    pctl_value_free(&value);
    return true;
}

static bool evaluate_leaf(struct markov *markov, const struct pctl *formula, struct pctl_value *value)
{
    bool is_number = formula->kind == PCTL_NUMBER;
    if (is_number)
        value->bounds = pctl_new_bounds(markov);
    else
        value->truth = pctl_new_truth(markov);
    for (uint32_t s = 0; s < markov_count(markov); s++) {
        bool truth = false;
        double number = 0;
        const int32_t *cells = markov_cells(markov, s);
        if (is_number ? !markov_number(markov, formula->number, cells, &number)
                      : !markov_truth(markov, formula->proposition, cells, &truth))
            return false;
        if (is_number) {
            bool is_short = markov_is_short(markov, formula->number, cells, number);
            value->bounds.lower[s] = is_short ? number : nextafter(nextafter(number, -INFINITY), -INFINITY);
            value->bounds.upper[s] = is_short ? number : nextafter(nextafter(number, INFINITY), INFINITY);
        } else
            value->truth[s] = truth;
    }
    return true;
}

static void evaluate_built_in(const struct markov *markov, const struct pctl *formula, struct pctl_value *value)
{
    value->truth = pctl_new_truth(markov);
    for (uint32_t s = 0; s < markov_count(markov); s++)
        value->truth[s] = formula->kind == PCTL_INITIAL ? s < markov->initial_count : markov->is_deadlock.items[s];
}

static bool combine(enum pctl_kind kind, bool left, bool right)
{
    return kind == PCTL_AND ? left && right : kind == PCTL_OR ? left || right : !left || right;
}

/* -1: certainly not, 1: certainly, 0: the intervals do not say. */
static int compare(enum operator op, double low, double high, double other_low, double other_high)
{
    switch (op) {
    case OP_LT:
        return high < other_low ? 1 : low >= other_high ? -1 : 0;
    case OP_LE:
        return high <= other_low ? 1 : low > other_high ? -1 : 0;
    case OP_GT:
        return compare(OP_LT, other_low, other_high, low, high);
    case OP_GE:
        return compare(OP_LE, other_low, other_high, low, high);
    default: {
        bool is_point = low == high && other_low == other_high;
        int equal = high < other_low || low > other_high ? -1 : is_point ? 1 : 0;
        return op == OP_EQ ? equal : -equal;
    }
    }
}

bool pctl_fail_undecided(struct markov *markov, double low, double high)
{
    markov->is_undecided = true;
    return markov_fail(markov, "the value lies between %.17g and %.17g: too near to what it is compared with", low,
                       high);
}

bool pctl_is_beside(const struct markov *markov, const struct pctl *formula, uint32_t state)
{
    return formula == markov->witness.root && state >= markov->initial_count;
}

/* Forwards from the initial states. */
static uint8_t *reach_through(const struct markov *markov, const uint8_t *through)
{
    const struct matrix *matrix = &markov->matrix;
    uint8_t *reached = pctl_new_truth(markov);
    VEC(uint32_t) work = {0};
    for (uint32_t s = 0; s < markov->initial_count; s++)
        VEC_PUSH(&work, s);
    while (work.count) {
        uint32_t state = VEC_POP(&work);
        if (reached[state] || !through[state])
            continue;
        reached[state] = 1;
        uint64_t end = matrix->row_entry.items[matrix->state_row.items[state + 1]];
        for (uint64_t i = matrix->row_entry.items[matrix->state_row.items[state]]; i < end; i++)
            VEC_PUSH(&work, matrix->entries.items[i].target);
    }
    VEC_FREE(&work);
    return reached;
}

void pctl_keep_reachable(struct markov *markov, const struct pctl *formula, double limit, uint8_t *unknown,
                         struct bounds *bounds)
{
    if (formula != markov->witness.root)
        return;
    uint8_t *reached = reach_through(markov, unknown);
    for (uint32_t s = 0; s < markov_count(markov); s++)
        if (unknown[s] && !reached[s]) {
            unknown[s] = 0;
            if (bounds->lower) {
                bounds->lower[s] = 0;
                bounds->upper[s] = limit;
            }
        }
    free(reached);
}

static bool compare_numbers(struct markov *markov, const struct pctl *formula, const struct pctl_value *left,
                            const struct pctl_value *right, uint8_t *truth)
{
    for (uint32_t s = 0; s < markov_count(markov); s++) {
        int answer = compare(formula->op, left->bounds.lower[s], left->bounds.upper[s], right->bounds.lower[s],
                             right->bounds.upper[s]);
        if (!answer && !pctl_is_beside(markov, formula, s))
            return pctl_fail_undecided(markov, left->bounds.lower[s], left->bounds.upper[s]);
        truth[s] = answer > 0;
    }
    return true;
}

bool pctl_is_sign(const struct pctl *formula)
{
    return !formula->is_query && !formula->threshold->is_rounded && !rational_sign(formula->threshold->factor);
}

bool pctl_decide_threshold(struct markov *markov, const struct pctl *formula, struct pctl_value *value)
{
    if (formula->is_query)
        return true;
    if (value->exact)
        return exact_decide_threshold(markov, formula, value);
    /* The threshold itself may lie between two doubles. */
    double least = rational_to_double_below(formula->threshold->factor);
    double most = rational_to_double_above(formula->threshold->factor);
    if (formula->threshold->is_rounded) {
        least = nextafter(least, -INFINITY);
        most = nextafter(most, INFINITY);
    }
    value->truth = pctl_new_truth(markov);
    for (uint32_t s = 0; s < markov_count(markov); s++) {
        double low = value->bounds.lower[s], high = value->bounds.upper[s];
        int answer = compare(formula->op, low, high, least, most);
        if (!answer && !pctl_is_beside(markov, formula, s))
            return pctl_fail_undecided(markov, low, high);
        value->truth[s] = answer > 0;
    }
    free(value->bounds.lower);
    free(value->bounds.upper);
    value->bounds = (struct bounds){0};
    return true;
}

enum extreme pctl_formula_extreme(const struct pctl *formula)
{
    return pctl_is_least(formula) ? EXTREME_LEAST : EXTREME_GREATEST;
}

static double arithmetic(enum operator op, double left, double right)
{
    return op == OP_ADD ? left + right : op == OP_SUB ? left - right : op == OP_MUL ? left * right : left / right;
}

/* Of intervals: the extremes are at the ends (a divisor that may be 0 is refused). */
static bool calculate(struct markov *markov, const struct pctl *formula, const struct pctl_value *left,
                      const struct pctl_value *right, struct bounds *bounds)
{
    for (uint32_t s = 0; s < markov_count(markov); s++) {
        double ends[2][2] = {{left->bounds.lower[s], left->bounds.upper[s]},
                             {right->bounds.lower[s], right->bounds.upper[s]}};
        if (formula->op == OP_DIV && ends[1][0] <= 0 && ends[1][1] >= 0)
            return markov_fail(markov, "division by something that may be 0");
        bounds->lower[s] = INFINITY;
        bounds->upper[s] = -INFINITY;
        for (int i = 0; i < 4; i++) {
            double result = arithmetic(formula->op, ends[0][i / 2], ends[1][i % 2]);
            if (isnan(result))
                return markov_fail(markov, "arithmetic with something infinite");
            bool is_endless = isinf(ends[0][i / 2]) || isinf(ends[1][i % 2]); /* the result is not rounded */
            bounds->lower[s] = fmin(bounds->lower[s], is_endless ? result : nextafter(result, -INFINITY));
            bounds->upper[s] = fmax(bounds->upper[s], is_endless ? result : nextafter(result, INFINITY));
        }
    }
    return true;
}

static bool compare_truths(struct markov *markov, const struct pctl *formula, const struct pctl_value *left,
                           const struct pctl_value *right, uint8_t *truth)
{
    for (uint32_t s = 0; s < markov_count(markov); s++)
        truth[s] = (left->truth[s] == right->truth[s]) == (formula->op == OP_EQ);
    return true;
}

static bool evaluate_binary(struct markov *markov, const struct pctl *formula, const struct accuracy *accuracy,
                            struct pctl_value *value)
{
    struct pctl_value left = {0}, right = {0};
    bool is_right = pctl_evaluate(markov, formula->left, accuracy, &left) &&
                    pctl_evaluate(markov, formula->right, accuracy, &right);
    if (is_right && formula->kind == PCTL_ARITHMETIC) {
        value->bounds = pctl_new_bounds(markov);
        is_right = calculate(markov, formula, &left, &right, &value->bounds);
    } else if (is_right) {
        value->truth = pctl_new_truth(markov);
        if (formula->kind == PCTL_COMPARE)
            is_right = (left.truth ? compare_truths : compare_numbers)(markov, formula, &left, &right, value->truth);
        else
            for (uint32_t s = 0; s < markov_count(markov); s++)
                value->truth[s] = combine(formula->kind, left.truth[s], right.truth[s]);
    }
    pctl_value_free(&left);
    pctl_value_free(&right);
    return is_right;
}

static bool evaluate_unary(struct markov *markov, const struct pctl *formula, const struct accuracy *accuracy,
                           struct pctl_value *value)
{
    if (!pctl_evaluate(markov, formula->left, accuracy, value))
        return false;
    for (uint32_t s = 0; s < markov_count(markov); s++) {
        if (value->truth) {
            value->truth[s] = !value->truth[s];
            continue;
        }
        double lower = value->bounds.lower[s];
        value->bounds.lower[s] = -value->bounds.upper[s];
        value->bounds.upper[s] = -lower;
    }
    return true;
}

static bool evaluate_condition(struct markov *markov, const struct pctl *formula, const struct accuracy *accuracy,
                               struct pctl_value *value)
{
    uint8_t *condition = NULL;
    struct pctl_value right = {0};
    bool is_right = pctl_evaluate_truth(markov, formula->condition_formula, accuracy, &condition) &&
                    pctl_evaluate(markov, formula->left, accuracy, value) &&
                    pctl_evaluate(markov, formula->right, accuracy, &right);
    for (uint32_t s = 0; is_right && s < markov_count(markov); s++) {
        if (condition[s])
            continue;
        if (value->truth)
            value->truth[s] = right.truth[s];
        else if (value->exact) {
            struct rational *other = right.exact[s];
            right.exact[s] = value->exact[s];
            value->exact[s] = other;
        } else {
            value->bounds.lower[s] = right.bounds.lower[s];
            value->bounds.upper[s] = right.bounds.upper[s];
        }
    }
    free(condition);
    pctl_value_free(&right);
    return is_right;
}

static bool evaluate_kind(struct markov *markov, const struct pctl *formula, const struct accuracy *accuracy,
                          struct pctl_value *value)
{
    switch (formula->kind) {
    case PCTL_TRUTH:
    case PCTL_NUMBER:
        return evaluate_leaf(markov, formula, value);
    case PCTL_INITIAL:
    case PCTL_DEADLOCK:
        evaluate_built_in(markov, formula, value);
        return true;
    case PCTL_NOT:
    case PCTL_NEGATE:
        return evaluate_unary(markov, formula, accuracy, value);
    case PCTL_COND:
        return evaluate_condition(markov, formula, accuracy, value);
    case PCTL_PROBABILITY:
        return pctl_path_evaluate(markov, formula, accuracy, value);
    case PCTL_REWARD:
        return pctl_reward_evaluate(markov, formula, accuracy, value) && pctl_decide_threshold(markov, formula, value);
    case PCTL_EXISTS:
    case PCTL_FORALL:
        return pctl_branching_evaluate(markov, formula, accuracy, &value->truth);
    case PCTL_FILTER:
        return pctl_filter_evaluate(markov, formula, accuracy, value);
    case PCTL_STEADY:
        return pctl_steady_evaluate(markov, formula, accuracy, value) && pctl_decide_threshold(markov, formula, value);
    default:
        return evaluate_binary(markov, formula, accuracy, value);
    }
}

bool pctl_evaluate(struct markov *markov, const struct pctl *formula, const struct accuracy *accuracy,
                   struct pctl_value *value)
{
    bool is_exact = markov->exact && exact_is_for(formula);
    bool is_done = (is_exact ? exact_evaluate : evaluate_kind)(markov, formula, accuracy, value);
    if (is_done && !stop_is_set(&markov->failure)) /* sets of states are worth nothing where a limit cut them short */
        return true;
    pctl_value_free(value);
    return false;
}
