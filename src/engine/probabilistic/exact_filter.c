/* filter(kind, formula, states), exactly. */
#include "engine/probabilistic/exact.h"

struct exact_filter_tally {
    struct rational *number; /* what the filter asks for; infinite: NULL */
    bool is_begun;
    double count, holding; /* of states of the model: below EXACT_LIMIT these are exact */
};

static const double EXACT_LIMIT = 9007199254740992.0;

static void keep(struct exact_filter_tally *tally, const struct rational *number)
{
    rational_destroy(tally->number);
    tally->number = number ? rational_create(0, 1) : NULL;
    if (number)
        rational_copy(tally->number, number);
    tally->is_begun = true;
}

/* number * size into `product`; NULL, which is infinite, when number is. */
static const struct rational *times(const struct rational *number, double size, struct rational *product)
{
    if (!number || size == 1)
        return number;
    rational_set_double(product, size);
    rational_multiply(product, number);
    return product;
}

static void add_number(struct exact_filter_tally *tally, enum pctl_filter filter, const struct rational *number)
{
    int order = tally->is_begun ? exact_compare(number, tally->number) : 0;
    switch (filter) {
    case PCTL_FILTER_MIN:
    case PCTL_FILTER_ARGMIN:
        if (!tally->is_begun || order < 0)
            keep(tally, number);
        break;
    case PCTL_FILTER_MAX:
    case PCTL_FILTER_ARGMAX:
        if (!tally->is_begun || order > 0)
            keep(tally, number);
        break;
    case PCTL_FILTER_SUM:
    case PCTL_FILTER_AVERAGE:
        if (!tally->is_begun || !number)
            keep(tally, number);
        else if (tally->number)
            rational_add(tally->number, number);
        break;
    default:
        if (!tally->is_begun)
            keep(tally, number);
    }
}

static bool finish(struct markov *markov, const struct pctl *formula, struct exact_filter_tally *tally)
{
    enum pctl_filter filter = formula->filter;
    bool is_count = filter == PCTL_FILTER_COUNT;
    if (filter == PCTL_FILTER_RANGE)
        return markov_fail(markov, "the filter \"range\" is not supported in exact arithmetic");
    if (tally->count >= EXACT_LIMIT)
        return markov_fail(markov, "there are too many states to count them in exact arithmetic");
    if (!tally->count && !is_count && filter != PCTL_FILTER_SUM)
        return markov_fail(markov, "no state satisfies the filter");
    if (filter == PCTL_FILTER_STATE && tally->count != 1)
        return markov_fail(markov, "the filter \"state\" needs one state, there are %.17g", tally->count);
    if (is_count || (filter == PCTL_FILTER_SUM && !tally->count)) {
        struct rational *count = rational_create((int64_t)tally->holding, 1);
        keep(tally, count);
        rational_destroy(count);
    }
    if (filter == PCTL_FILTER_AVERAGE && tally->number) {
        struct rational *count = rational_create((int64_t)tally->count, 1);
        rational_divide(tally->number, count);
        rational_destroy(count);
    }
    return true;
}

static void attain(struct markov *markov, const struct exact_filter_tally *tally, const struct pctl_value *inner,
                   const uint8_t *states, struct pctl_value *value)
{
    value->truth = pctl_new_truth(markov);
    for (uint32_t s = 0; s < markov_count(markov); s++)
        value->truth[s] = (!states || states[s]) && !exact_compare(inner->exact[s], tally->number);
}

bool exact_filter(struct markov *markov, const struct pctl *formula, const struct accuracy *accuracy,
                  struct pctl_value *value)
{
    struct pctl_value inner = {0};
    uint8_t *states = NULL;
    struct exact_filter_tally tally = {0};
    if (formula->filter == PCTL_FILTER_PRINT || formula->filter == PCTL_FILTER_PRINT_ALL)
        return pctl_evaluate(markov, formula->left, accuracy, value);
    struct rational *product = rational_create(0, 1);
    bool counts = pctl_filter_counts(formula->filter);
    bool is_done = pctl_evaluate(markov, formula->left, accuracy, &inner) &&
                   (!formula->right || pctl_evaluate_truth(markov, formula->right, accuracy, &states));
    if (is_done && formula->filter == PCTL_FILTER_FIRST)
        pctl_keep_first(markov, &states);
    for (uint32_t s = 0; is_done && s < markov_count(markov); s++) {
        if (states && !states[s])
            continue;
        double size = counts ? markov_orbit_size(markov, s) : 1;
        if (inner.truth)
            tally.holding += inner.truth[s] ? size : 0;
        else
            add_number(&tally, formula->filter, times(inner.exact[s], size, product));
        tally.count += size;
    }
    rational_destroy(product);
    is_done = is_done && finish(markov, formula, &tally);
    bool is_extreme = formula->filter == PCTL_FILTER_ARGMIN || formula->filter == PCTL_FILTER_ARGMAX;
    if (is_done && is_extreme)
        attain(markov, &tally, &inner, states, value);
    else if (is_done)
        exact_new_numbers(markov, value);
    for (uint32_t s = 0; is_done && !is_extreme && tally.number && s < markov_count(markov); s++)
        exact_set(value, s, tally.number);
    rational_destroy(tally.number);
    pctl_value_free(&inner);
    free(states);
    return is_done;
}
