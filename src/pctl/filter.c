/* filter(kind, formula, states): one value made of those in the states. */
#include "pctl/evaluate.h"

static bool is_about_truths(enum pctl_filter filter)
{
    return filter == PCTL_FILTER_FORALL || filter == PCTL_FILTER_EXISTS;
}

/* Is there a state in which it holds, or does not? Takes both. */
static union pctl_set quantify(struct pctl_evaluator *evaluator, enum pctl_filter filter, union pctl_set truth,
                               union pctl_set states)
{
    const struct pctl_carrier *carrier = evaluator->carrier;
    void *self = evaluator->self;
    bool is_some = filter == PCTL_FILTER_EXISTS;
    union pctl_set found = carrier->join(self, is_some ? PCTL_INTERSECTION : PCTL_DIFFERENCE, states, truth);
    bool is_true = carrier->is_empty(self, found) != is_some;
    carrier->free_set(self, found);
    union pctl_set all = carrier->known(self, PCTL_TRUTH);
    return is_true ? all : pctl_set_complement(evaluator, all);
}

bool pctl_evaluate_filter(struct pctl_evaluator *evaluator, const struct pctl *formula, struct pctl_value *value)
{
    const struct pctl_carrier *carrier = evaluator->carrier;
    struct pctl_value inner = {0};
    union pctl_set states = {0};
    if (formula->filter == PCTL_FILTER_PRINT ||
        formula->filter == PCTL_FILTER_PRINT_ALL) /* the states are for the eye */
        return pctl_evaluate(evaluator, formula->left, value);
    if (!pctl_evaluate(evaluator, formula->left, &inner))
        return false;
    bool is_done = !formula->right || pctl_evaluate_truth(evaluator, formula->right, &states);
    if (is_done && !formula->right)
        states = carrier->known(evaluator->self, PCTL_TRUTH);
    if (is_done && is_about_truths(formula->filter)) {
        value->truth = quantify(evaluator, formula->filter, inner.truth, states);
        return true;
    }
    is_done = is_done && carrier->fold(evaluator->self, formula, &inner, states, value);
    carrier->free_set(evaluator->self, states);
    pctl_value_free(evaluator, &inner);
    return is_done;
}
