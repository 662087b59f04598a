/* filter(kind, formula, states): one value made of those in the states. */
#include <math.h>

#include "engine/probabilistic/formula.h"

struct tally {
    double lower, upper; /* of what the filter asks for */
    uint32_t count, holding;
};

static void begin(struct tally *tally, enum pctl_filter filter)
{
    bool is_least = filter == PCTL_FILTER_MIN || filter == PCTL_FILTER_ARGMIN;
    bool is_greatest = filter == PCTL_FILTER_MAX || filter == PCTL_FILTER_ARGMAX;
    *tally = (struct tally){is_least ? INFINITY : is_greatest ? -INFINITY : 0,
                            is_least ? INFINITY : is_greatest ? -INFINITY : 0, 0, 0};
}

static void add_number(struct tally *tally, enum pctl_filter filter, double lower, double upper)
{
    switch (filter) {
    case PCTL_FILTER_MIN:
    case PCTL_FILTER_ARGMIN:
        tally->lower = fmin(tally->lower, lower);
        tally->upper = fmin(tally->upper, upper);
        break;
    case PCTL_FILTER_MAX:
    case PCTL_FILTER_ARGMAX:
        tally->lower = fmax(tally->lower, lower);
        tally->upper = fmax(tally->upper, upper);
        break;
    case PCTL_FILTER_SUM:
    case PCTL_FILTER_AVERAGE:
        tally->lower = nextafter(tally->lower + lower, -INFINITY);
        tally->upper = nextafter(tally->upper + upper, INFINITY);
        break;
    default: /* the first one; a range is from the least to the greatest */
        if (!tally->count || filter != PCTL_FILTER_RANGE) {
            if (!tally->count) {
                tally->lower = lower;
                tally->upper = upper;
            }
            break;
        }
        tally->lower = fmin(tally->lower, lower);
        tally->upper = fmax(tally->upper, upper);
    }
}

static bool finish_truth(const struct tally *tally, enum pctl_filter filter)
{
    if (filter == PCTL_FILTER_EXISTS)
        return tally->holding > 0;
    return tally->holding == tally->count;
}

static void fill(const struct markov *markov, const struct pctl *formula, const struct tally *tally,
                 struct value *value)
{
    if (!formula->is_number) {
        value->truth = pctl_new_truth(markov);
        for (uint32_t s = 0; s < markov_count(markov); s++)
            value->truth[s] = finish_truth(tally, formula->filter);
        return;
    }
    double lower = tally->lower, upper = tally->upper;
    if (formula->filter == PCTL_FILTER_COUNT)
        lower = upper = tally->holding;
    if (formula->filter == PCTL_FILTER_AVERAGE) {
        lower = nextafter(lower / tally->count, -INFINITY);
        upper = nextafter(upper / tally->count, INFINITY);
    }
    value->bounds = pctl_new_bounds(markov);
    for (uint32_t s = 0; s < markov_count(markov); s++) {
        value->bounds.lower[s] = lower;
        value->bounds.upper[s] = upper;
    }
}

bool pctl_filter_evaluate(struct markov *markov, const struct pctl *formula, const struct accuracy *accuracy,
                     struct value *value)
{
    struct value inner = {0};
    uint8_t *states = NULL;
    struct tally tally;
    bool is_done = pctl_evaluate(markov, formula->left, accuracy, &inner) &&
                   (!formula->right || pctl_evaluate_truth(markov, formula->right, accuracy, &states));
    begin(&tally, formula->filter);
    for (uint32_t s = 0; is_done && s < markov_count(markov); s++) {
        if (states && !states[s])
            continue;
        if (inner.truth)
            tally.holding += inner.truth[s];
        else
            add_number(&tally, formula->filter, inner.bounds.lower[s], inner.bounds.upper[s]);
        tally.count++;
    }
    bool needs_state = formula->filter != PCTL_FILTER_FORALL && formula->filter != PCTL_FILTER_EXISTS &&
                       formula->filter != PCTL_FILTER_COUNT && formula->filter != PCTL_FILTER_SUM;
    if (is_done && needs_state && !tally.count)
        is_done = markov_fail(markov, "no state satisfies the filter");
    if (is_done && formula->filter == PCTL_FILTER_STATE && tally.count != 1)
        is_done = markov_fail(markov, "the filter \"state\" needs one state, there are %u", tally.count);
    if (is_done)
        fill(markov, formula, &tally, value);
    pctl_value_free(&inner);
    free(states);
    return is_done;
}
