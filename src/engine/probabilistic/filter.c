/* filter(kind, formula, states): one value made of those in the states. */
#include <math.h>
#include <string.h>

#include "engine/probabilistic/formula.h"

/* A number of states, beyond 2^53 rounded both ways. */
struct amount {
    double least, most;
};

static const double exact_limit = 9007199254740992.0;

static void amount_add(struct amount *amount, double size)
{
    amount->least += size;
    amount->most += size;
    if (amount->most < exact_limit)
        return;
    /* the size itself may have been rounded */
    amount->least = nextafter(nextafter(amount->least, 0), 0);
    amount->most = nextafter(nextafter(amount->most, INFINITY), INFINITY);
}

struct filter_tally {
    double lower, upper;       /* of what the filter asks for */
    uint32_t count, holding;   /* of the states looked at, each of which stands for its orbit */
    struct amount whole, part; /* the same of the states they stand for */
};

static void begin(struct filter_tally *tally, enum pctl_filter filter)
{
    bool is_least = filter == PCTL_FILTER_MIN || filter == PCTL_FILTER_ARGMIN;
    bool is_greatest = filter == PCTL_FILTER_MAX || filter == PCTL_FILTER_ARGMAX;
    *tally = (struct filter_tally){.lower = is_least ? INFINITY : is_greatest ? -INFINITY : 0};
    tally->upper = tally->lower;
}

/* A result that was rounded to the nearest, down or up instead. What is infinite because something was stays so. */
static double towards(double result, bool is_infinite, double direction)
{
    return is_infinite ? result : nextafter(result, direction);
}

/* number * size, rounded down or up. */
static double times(double number, double size, double direction)
{
    return size == 1 || isinf(number) ? number : nextafter(nextafter(number * size, direction), direction);
}

static double plus(double sum, double number, double direction)
{
    return towards(sum + number, isinf(sum) || isinf(number), direction);
}

static void add_number(struct filter_tally *tally, enum pctl_filter filter, double lower, double upper, double size)
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
        tally->lower = plus(tally->lower, times(lower, size, -INFINITY), -INFINITY);
        tally->upper = plus(tally->upper, times(upper, size, INFINITY), INFINITY);
        break;
    default: /* the only one; a range is from the least to the greatest */
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

static bool finish_truth(const struct filter_tally *tally, enum pctl_filter filter)
{
    if (filter == PCTL_FILTER_EXISTS)
        return tally->holding > 0;
    return tally->holding == tally->count;
}

static void fill(const struct markov *markov, const struct pctl *formula, const struct filter_tally *tally,
                 struct pctl_value *value)
{
    if (!formula->is_number) {
        value->truth = pctl_new_truth(markov);
        for (uint32_t s = 0; s < markov_count(markov); s++)
            value->truth[s] = finish_truth(tally, formula->filter);
        return;
    }
    double lower = tally->lower, upper = tally->upper;
    if (formula->filter == PCTL_FILTER_COUNT) {
        lower = tally->part.least;
        upper = tally->part.most;
    }
    if (formula->filter == PCTL_FILTER_AVERAGE) {
        lower = towards(lower / (lower < 0 ? tally->whole.least : tally->whole.most), isinf(lower), -INFINITY);
        upper = towards(upper / (upper < 0 ? tally->whole.most : tally->whole.least), isinf(upper), INFINITY);
    }
    value->bounds = pctl_new_bounds(markov);
    for (uint32_t s = 0; s < markov_count(markov); s++) {
        value->bounds.lower[s] = lower;
        value->bounds.upper[s] = upper;
    }
}

static bool is_before(const struct chain *chain, const int32_t *left, const int32_t *right)
{
    for (uint32_t i = 0; i < chain->order_count; i++)
        if (left[chain->order[i]] != right[chain->order[i]])
            return left[chain->order[i]] < right[chain->order[i]];
    return false;
}

void pctl_keep_first(struct markov *markov, uint8_t **states)
{
    size_t size = markov->layout->cell_count * sizeof(int32_t);
    int32_t *best = memory_zeroed(1, size + 1);
    uint8_t *kept = pctl_new_truth(markov);
    uint32_t first = UINT32_MAX;
    for (uint32_t s = 0; s < markov_count(markov); s++) {
        if (*states && !(*states)[s])
            continue;
        const int32_t *cells = markov_cells(markov, s);
        if (first != UINT32_MAX && !is_before(markov->chain, cells, best))
            continue;
        memcpy(best, cells, size);
        first = s;
    }
    if (first != UINT32_MAX)
        kept[first] = 1;
    free(best);
    free(*states);
    *states = kept;
}

/* Where the extreme is attained. It is certain when only one state can attain it, or when all that can are certain. */
static bool attain(struct markov *markov, const struct filter_tally *tally, const struct bounds *bounds,
                   const uint8_t *states, struct pctl_value *value)
{
    uint32_t candidates = 0, points = 0;
    value->truth = pctl_new_truth(markov);
    for (uint32_t s = 0; s < markov_count(markov); s++) {
        double lower = bounds->lower[s], upper = bounds->upper[s];
        value->truth[s] = (!states || states[s]) && lower <= tally->upper && upper >= tally->lower;
        candidates += value->truth[s];
        points += value->truth[s] && lower == upper;
    }
    return candidates <= 1 || points == candidates || pctl_fail_undecided(markov, tally->lower, tally->upper);
}

static bool is_extreme(enum pctl_filter filter)
{
    return filter == PCTL_FILTER_ARGMIN || filter == PCTL_FILTER_ARGMAX;
}

static bool shows_all(enum pctl_filter filter)
{
    return filter == PCTL_FILTER_PRINT || filter == PCTL_FILTER_PRINT_ALL;
}

bool pctl_filter_evaluate(struct markov *markov, const struct pctl *formula, const struct accuracy *accuracy,
                          struct pctl_value *value)
{
    struct pctl_value inner = {0};
    uint8_t *states = NULL;
    struct filter_tally tally;
    if (shows_all(formula->filter)) /* the states are for the eye */
        return pctl_evaluate(markov, formula->left, accuracy, value);
    bool is_done = pctl_evaluate(markov, formula->left, accuracy, &inner) &&
                   (!formula->right || pctl_evaluate_truth(markov, formula->right, accuracy, &states));
    bool counts = pctl_filter_counts(formula->filter);
    if (is_done && formula->filter == PCTL_FILTER_FIRST)
        pctl_keep_first(markov, &states);
    begin(&tally, formula->filter);
    for (uint32_t s = 0; is_done && s < markov_count(markov); s++) {
        if (states && !states[s])
            continue;
        double size = counts ? markov_orbit_size(markov, s) : 1;
        if (inner.truth && inner.truth[s]) {
            tally.holding++;
            amount_add(&tally.part, size);
        }
        if (!inner.truth)
            add_number(&tally, formula->filter, inner.bounds.lower[s], inner.bounds.upper[s], size);
        tally.count++;
        amount_add(&tally.whole, size);
    }
    bool needs_state = formula->filter != PCTL_FILTER_FORALL && formula->filter != PCTL_FILTER_EXISTS &&
                       formula->filter != PCTL_FILTER_COUNT && formula->filter != PCTL_FILTER_SUM;
    if (is_done && needs_state && !tally.count)
        is_done = markov_fail(markov, "no state satisfies the filter");
    if (is_done && formula->filter == PCTL_FILTER_STATE && tally.whole.most != 1)
        is_done = markov_fail(markov, "the filter \"state\" needs one state, there are %.17g", tally.whole.most);
    if (is_done && is_extreme(formula->filter))
        is_done = attain(markov, &tally, &inner.bounds, states, value);
    else if (is_done)
        fill(markov, formula, &tally, value);
    pctl_value_free(&inner);
    free(states);
    return is_done;
}
