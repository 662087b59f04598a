/* Formulas that compute with numbers, exactly. */
#include "engine/probabilistic/exact.h"

bool exact_is_for(const struct pctl *formula)
{
    switch (formula->kind) {
    case PCTL_NUMBER:
    case PCTL_ARITHMETIC:
    case PCTL_NEGATE:
        return true;
    case PCTL_COMPARE:
        return formula->left->is_number;
    case PCTL_FILTER:
        return formula->is_number || formula->left->is_number;
    default:
        return false;
    }
}

void exact_new_numbers(const struct markov *markov, struct pctl_value *value)
{
    value->exact_count = markov_count(markov);
    value->exact = memory_zeroed((size_t)value->exact_count + 1, sizeof *value->exact);
}

void exact_set(struct pctl_value *value, uint32_t state, const struct rational *number)
{
    if (!value->exact[state])
        value->exact[state] = rational_create(0, 1);
    rational_copy(value->exact[state], number);
}

void exact_set_integer(struct pctl_value *value, uint32_t state, int64_t number)
{
    if (!value->exact[state])
        value->exact[state] = rational_create(0, 1);
    rational_set(value->exact[state], number);
}

int exact_compare(const struct rational *a, const struct rational *b)
{
    return a && b ? rational_compare(a, b) : !a - !b;
}

static bool holds(enum operator op, int order)
{
    switch (op) {
    case OP_LT:
        return order < 0;
    case OP_LE:
        return order <= 0;
    case OP_GT:
        return order > 0;
    case OP_GE:
        return order >= 0;
    case OP_EQ:
        return order == 0;
    default:
        return order != 0;
    }
}

static bool evaluate_leaf(struct markov *markov, const struct pctl *formula, struct pctl_value *value)
{
    struct rational *number = rational_create(0, 1);
    bool is_right = true;
    exact_new_numbers(markov, value);
    for (uint32_t s = 0; s < markov_count(markov) && is_right; s++) {
        is_right = exact_number(markov, formula->number, markov_cells(markov, s), number);
        if (is_right)
            exact_set(value, s, number);
    }
    rational_destroy(number);
    return is_right;
}

/* left op right into left. What is infinite stays so when something is added. */
static bool calculate(struct markov *markov, enum operator op, struct rational **left, const struct rational *right)
{
    if (op == OP_ADD && (!*left || !right)) {
        rational_destroy(*left);
        *left = NULL;
        return true;
    }
    if (!*left || !right)
        return markov_fail(markov, "arithmetic with something infinite");
    if (op == OP_DIV && !rational_sign(right))
        return markov_fail(markov, "division by 0");
    (op == OP_ADD   ? rational_add
     : op == OP_SUB ? rational_subtract
     : op == OP_MUL ? rational_multiply
                    : rational_divide)(*left, right);
    return true;
}

static bool evaluate_binary(struct markov *markov, const struct pctl *formula, const struct accuracy *accuracy,
                            struct pctl_value *value)
{
    struct pctl_value right = {0};
    bool is_right = pctl_evaluate(markov, formula->left, accuracy, value) &&
                    pctl_evaluate(markov, formula->right, accuracy, &right);
    bool compares = formula->kind == PCTL_COMPARE;
    uint8_t *truth = compares ? pctl_new_truth(markov) : NULL;
    for (uint32_t s = 0; s < markov_count(markov) && is_right; s++)
        if (compares)
            truth[s] = holds(formula->op, exact_compare(value->exact[s], right.exact[s]));
        else
            is_right = calculate(markov, formula->op, &value->exact[s], right.exact[s]);
    if (compares) {
        pctl_value_free(value);
        value->truth = truth;
    }
    pctl_value_free(&right);
    return is_right;
}

static bool evaluate_negation(struct markov *markov, const struct pctl *formula, const struct accuracy *accuracy,
                              struct pctl_value *value)
{
    bool is_right = pctl_evaluate(markov, formula->left, accuracy, value);
    for (uint32_t s = 0; s < markov_count(markov) && is_right; s++) {
        if (!value->exact[s])
            return markov_fail(markov, "arithmetic with something infinite");
        rational_negate(value->exact[s]);
    }
    return is_right;
}

bool exact_decide_threshold(struct markov *markov, const struct pctl *formula, struct pctl_value *value)
{
    struct rational *limit = rational_create(0, 1);
    bool is_right = exact_constant(markov, formula->threshold, limit);
    uint8_t *truth = pctl_new_truth(markov);
    for (uint32_t s = 0; s < markov_count(markov) && is_right; s++)
        truth[s] = holds(formula->op, exact_compare(value->exact[s], limit));
    pctl_value_free(value);
    value->truth = truth;
    rational_destroy(limit);
    return is_right;
}

bool exact_evaluate(struct markov *markov, const struct pctl *formula, const struct accuracy *accuracy,
                    struct pctl_value *value)
{
    switch (formula->kind) {
    case PCTL_NUMBER:
        return evaluate_leaf(markov, formula, value);
    case PCTL_NEGATE:
        return evaluate_negation(markov, formula, accuracy, value);
    case PCTL_FILTER:
        return exact_filter(markov, formula, accuracy, value);
    default:
        return evaluate_binary(markov, formula, accuracy, value);
    }
}
