#include "pctl/evaluate.h"

#include "pctl/linear.h"
#include "pctl/refusal.h"

void pctl_value_free(struct pctl_evaluator *evaluator, struct pctl_value *value)
{
    if (value->is_number)
        evaluator->carrier->free_numbers(evaluator->self, value->numbers);
    else
        evaluator->carrier->free_set(evaluator->self, value->truth);
    *value = (struct pctl_value){0};
}

void pctl_value_set_truth(struct pctl_evaluator *evaluator, struct pctl_value *value, union pctl_set truth)
{
    pctl_value_free(evaluator, value);
    value->truth = truth;
}

union pctl_set pctl_set_complement(struct pctl_evaluator *evaluator, union pctl_set set)
{
    union pctl_set all = evaluator->carrier->known(evaluator->self, PCTL_TRUTH);
    return evaluator->carrier->join(evaluator->self, PCTL_DIFFERENCE, all, set);
}

bool pctl_fail(struct pctl_evaluator *evaluator, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    stop_once(&evaluator->failure, stop_vbecause(STOP_UNDECIDED, format, arguments));
    va_end(arguments);
    return false;
}

bool pctl_fail_at(struct pctl_evaluator *evaluator, uint32_t line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    struct stop stop = stop_vbecause(STOP_FAULT, format, arguments);
    va_end(arguments);
    stop.line = line;
    stop_once(&evaluator->failure, stop);
    return false;
}

bool pctl_fail_undecided(struct pctl_evaluator *evaluator, double low, double high)
{
    evaluator->is_undecided = true;
    return pctl_fail(evaluator, "the value lies between %.17g and %.17g: too near to what it is compared with", low,
                     high);
}

bool pctl_fail_unsettled(struct pctl_evaluator *evaluator, const char *problem)
{
    evaluator->is_undecided = true;
    return pctl_fail(evaluator, "%s", problem);
}

bool pctl_fail_wide(struct pctl_evaluator *evaluator)
{
    return pctl_fail(evaluator,
                     "the bounds do not come as near to each other as asked for (--epsilon, --epsilon-absolute)");
}

bool pctl_evaluate_truth(struct pctl_evaluator *evaluator, const struct pctl *formula, union pctl_set *truth)
{
    struct pctl_value value = {0};
    bool is_done = pctl_evaluate(evaluator, formula, &value);
    *truth = value.truth;
    return is_done;
}

static bool evaluate_unary(struct pctl_evaluator *evaluator, const struct pctl *formula, struct pctl_value *value)
{
    if (!pctl_evaluate(evaluator, formula->left, value))
        return false;
    if (value->is_number)
        return evaluator->carrier->calculate(evaluator->self, formula, value->numbers, NULL);
    value->truth = pctl_set_complement(evaluator, value->truth);
    return true;
}

/* a | b, a & b, a = b, and so on; takes both. */
static union pctl_set combine(struct pctl_evaluator *evaluator, const struct pctl *formula, union pctl_set left,
                              union pctl_set right)
{
    enum pctl_join how = formula->kind == PCTL_COMPARE ? PCTL_EITHER
                         : formula->kind == PCTL_AND   ? PCTL_INTERSECTION
                         : formula->kind == PCTL_OR    ? PCTL_UNION
                                                       : PCTL_DIFFERENCE; /* a => b = !(a & !b) */
    union pctl_set set = evaluator->carrier->join(evaluator->self, how, left, right);
    bool is_inverse = how == PCTL_EITHER ? formula->op == OP_EQ : how == PCTL_DIFFERENCE;
    return is_inverse ? pctl_set_complement(evaluator, set) : set;
}

/* Numbers become truths; right is NULL: the threshold. */
static bool compare(struct pctl_evaluator *evaluator, const struct pctl *formula, struct pctl_value *value,
                    const void *right)
{
    union pctl_set truth = {0};
    bool is_done = evaluator->carrier->compare(evaluator->self, formula, value->numbers, right, &truth);
    pctl_value_set_truth(evaluator, value, truth);
    return is_done;
}

static bool evaluate_binary(struct pctl_evaluator *evaluator, const struct pctl *formula, struct pctl_value *value)
{
    struct pctl_value right = {0};
    bool is_done = pctl_evaluate(evaluator, formula->left, value) && pctl_evaluate(evaluator, formula->right, &right);
    if (is_done && !value->is_number) {
        value->truth = combine(evaluator, formula, value->truth, right.truth);
        return true;
    }
    if (is_done && (formula->kind == PCTL_ARITHMETIC || formula->kind == PCTL_CALL))
        is_done = evaluator->carrier->calculate(evaluator->self, formula, value->numbers, right.numbers);
    else if (is_done)
        is_done = compare(evaluator, formula, value, right.numbers);
    pctl_value_free(evaluator, &right);
    return is_done;
}

/* c ? a : b; of truths it is (c & a) | (b & !c). */
static bool evaluate_condition(struct pctl_evaluator *evaluator, const struct pctl *formula, struct pctl_value *value)
{
    const struct pctl_carrier *carrier = evaluator->carrier;
    void *self = evaluator->self;
    struct pctl_value other = {0};
    union pctl_set condition;
    if (!pctl_evaluate_truth(evaluator, formula->condition_formula, &condition))
        return false;
    bool is_done = pctl_evaluate(evaluator, formula->left, value) && pctl_evaluate(evaluator, formula->right, &other);
    if (is_done && !value->is_number) {
        union pctl_set then = carrier->join(self, PCTL_INTERSECTION, value->truth, carrier->copy(self, condition));
        value->truth =
            carrier->join(self, PCTL_UNION, then, carrier->join(self, PCTL_DIFFERENCE, other.truth, condition));
        return true;
    }
    if (is_done)
        carrier->choose(self, condition, value->numbers, other.numbers);
    carrier->free_set(self, condition);
    pctl_value_free(evaluator, &other);
    return is_done;
}

static bool evaluate_path(struct pctl_evaluator *evaluator, const struct pctl *formula, struct pctl_value *value)
{
    struct pctl_until until;
    bool is_done = pctl_make_until(evaluator, formula, &until) &&
                   evaluator->carrier->until(evaluator->self, formula, &until, value);
    pctl_until_free(evaluator, &until);
    return is_done;
}

/* R and S. */
static bool evaluate_mean(struct pctl_evaluator *evaluator, const struct pctl *formula, struct pctl_value *value)
{
    const struct pctl *operand = formula->kind == PCTL_STEADY ? formula->left : formula->right;
    union pctl_set set = {0};
    if (operand && !pctl_evaluate_truth(evaluator, operand, &set))
        return false;
    bool is_done = evaluator->carrier->mean(evaluator->self, formula, set, value);
    evaluator->carrier->free_set(evaluator->self, set);
    return is_done;
}

static bool evaluate_linear(struct pctl_evaluator *evaluator, const struct pctl *formula, struct pctl_value *value)
{
    struct pctl_linear linear;
    bool is_done = pctl_make_linear(evaluator, formula, pctl_turns_linear(formula), &linear) &&
                   evaluator->carrier->linear(evaluator->self, formula, &linear, value);
    pctl_linear_free(evaluator, &linear);
    return is_done;
}

static bool evaluate_operator(struct pctl_evaluator *evaluator, const struct pctl *formula, struct pctl_value *value)
{
    bool is_path = formula->kind == PCTL_PROBABILITY;
    bool is_linear = pctl_is_linear(formula);
    return (is_linear ? evaluate_linear
            : is_path ? evaluate_path
                      : evaluate_mean)(evaluator, formula, value) &&
           (formula->is_query || !value->is_number || compare(evaluator, formula, value, NULL));
}

static bool evaluate_kind(struct pctl_evaluator *evaluator, const struct pctl *formula, struct pctl_value *value)
{
    switch (formula->kind) {
    case PCTL_TRUTH:
        return evaluator->carrier->condition(evaluator->self, formula, &value->truth);
    case PCTL_NUMBER:
        return evaluator->carrier->number(evaluator->self, formula, value);
    case PCTL_INITIAL:
    case PCTL_DEADLOCK:
        value->truth = evaluator->carrier->known(evaluator->self, formula->kind);
        return true;
    case PCTL_CALL:
        return (formula->right ? evaluate_binary : evaluate_unary)(evaluator, formula, value);
    case PCTL_NOT:
    case PCTL_NEGATE:
        return evaluate_unary(evaluator, formula, value);
    case PCTL_COND:
        return evaluate_condition(evaluator, formula, value);
    case PCTL_PROBABILITY:
    case PCTL_STEADY:
    case PCTL_REWARD:
        return evaluate_operator(evaluator, formula, value);
    case PCTL_EXISTS:
    case PCTL_FORALL:
        return (pctl_is_linear(formula) ? evaluate_linear : pctl_evaluate_branching)(evaluator, formula, value);
    case PCTL_FILTER:
        return pctl_evaluate_filter(evaluator, formula, value);
    default:
        return evaluate_binary(evaluator, formula, value);
    }
}

bool pctl_evaluate(struct pctl_evaluator *evaluator, const struct pctl *formula, struct pctl_value *value)
{
    bool is_done = !pctl_refuse(evaluator, formula) && evaluate_kind(evaluator, formula, value);
    if (is_done && !stop_is_set(&evaluator->failure)) /* sets are worth nothing where a limit cut them short */
        return true;
    pctl_value_free(evaluator, value);
    return false;
}
