/* filter(kind, formula, states) over the states of a chain: one value made of theirs. */
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
    enum pctl_filter filter;
    struct pctl_number number; /* what the filter asks for */
    uint32_t count, holding;   /* of the states looked at, each of which stands for its orbit */
    struct amount whole, part; /* the same of the states they stand for */
};

static void add_number(struct filter_tally *tally, const struct pctl_number *number, double size)
{
    enum pctl_filter filter = tally->filter;
    if (filter == PCTL_FILTER_SUM || filter == PCTL_FILTER_AVERAGE)
        pctl_number_add_times(&tally->number, number, size);
    else if (!tally->count) {
        pctl_number_free(&tally->number);
        tally->number = pctl_number_copy(number);
    } else if (filter == PCTL_FILTER_MIN || filter == PCTL_FILTER_ARGMIN)
        pctl_number_take(&tally->number, number, true);
    else if (filter == PCTL_FILTER_MAX || filter == PCTL_FILTER_ARGMAX)
        pctl_number_take(&tally->number, number, false);
    else if (filter == PCTL_FILTER_RANGE) { /* from the least to the greatest; never of fractions */
        tally->number.lower = fmin(tally->number.lower, number->lower);
        tally->number.upper = fmax(tally->number.upper, number->upper);
    }
}

static void add_state(struct filter_tally *tally, const struct pctl_value *inner, uint32_t state, double size)
{
    if (inner->is_number) {
        struct pctl_number number = numbers_at(inner->numbers, state);
        add_number(tally, &number, size);
    } else if (inner->truth.bytes[state]) {
        tally->holding++;
        amount_add(&tally->part, size);
    }
    tally->count++;
    amount_add(&tally->whole, size);
}

static bool check(struct markov *markov, const struct filter_tally *tally)
{
    enum pctl_filter filter = tally->filter;
    if (markov->exact && tally->whole.most >= exact_limit)
        return pctl_fail(&markov->evaluator, "there are too many states to count them in exact arithmetic");
    if (!tally->count && filter != PCTL_FILTER_COUNT && filter != PCTL_FILTER_SUM)
        return pctl_fail(&markov->evaluator, "no state satisfies the filter");
    if (filter == PCTL_FILTER_STATE && tally->whole.most != 1)
        return pctl_fail(&markov->evaluator, "the filter \"state\" needs one state, there are %.17g",
                         tally->whole.most);
    return true;
}

/* The same in every state. */
static void fill(const struct markov *markov, struct filter_tally *tally, struct pctl_value *value)
{
    struct state_numbers *numbers = numbers_begin(markov, value);
    if (tally->filter == PCTL_FILTER_COUNT) {
        tally->number.lower = tally->part.least;
        tally->number.upper = tally->part.most;
        if (markov->exact)
            rational_set(tally->number.exact, (int64_t)tally->part.most);
    } else if (tally->filter == PCTL_FILTER_AVERAGE)
        pctl_number_share(&tally->number, tally->whole.least, tally->whole.most);
    for (uint32_t s = 0; s < markov_count(markov); s++)
        numbers_put(numbers, s, pctl_number_copy(&tally->number));
}

static bool is_before(const struct chain *chain, const int32_t *left, const int32_t *right)
{
    for (uint32_t i = 0; i < chain->order_count; i++)
        if (left[chain->order[i]] != right[chain->order[i]])
            return left[chain->order[i]] < right[chain->order[i]];
    return false;
}

/* Of the states the first one, as PRISM puts them in order: by the variables as they were declared. */
static void keep_first(struct markov *markov, uint8_t *states)
{
    size_t size = markov->layout->cell_count * sizeof(int32_t);
    int32_t *best = memory_zeroed(1, size + 1);
    uint32_t first = UINT32_MAX;
    for (uint32_t s = 0; s < markov_count(markov); s++) {
        if (!states[s])
            continue;
        const int32_t *cells = markov_cells(markov, s);
        if (first != UINT32_MAX && !is_before(markov->chain, cells, best))
            continue;
        memcpy(best, cells, size);
        first = s;
    }
    memset(states, 0, markov_count(markov));
    if (first != UINT32_MAX)
        states[first] = 1;
    free(best);
}

/* Where the extreme is attained. It is certain when only one state can attain it, or when all that can are certain. */
static bool attain(struct markov *markov, const struct filter_tally *tally, const struct state_numbers *inner,
                   const uint8_t *states, uint8_t *truth)
{
    uint32_t candidates = 0, points = 0;
    for (uint32_t s = 0; s < markov_count(markov); s++) {
        struct pctl_number number = numbers_at(inner, s);
        truth[s] = states[s] && pctl_number_compare(OP_EQ, &number, &tally->number) >= 0;
        candidates += truth[s];
        points += truth[s] && number.lower == number.upper;
    }
    return candidates <= 1 || points == candidates ||
           pctl_fail_undecided(&markov->evaluator, tally->number.lower, tally->number.upper);
}

bool markov_fold(void *self, const struct pctl *formula, const struct pctl_value *inner, union pctl_set states,
                 struct pctl_value *value)
{
    struct markov *markov = self;
    struct filter_tally tally = {.filter = formula->filter};
    bool is_extreme = formula->filter == PCTL_FILTER_ARGMIN || formula->filter == PCTL_FILTER_ARGMAX;
    if (markov->exact)
        tally.number = pctl_fraction(rational_create(0, 1));
    if (formula->filter == PCTL_FILTER_FIRST)
        keep_first(markov, states.bytes);
    for (uint32_t s = 0; s < markov_count(markov); s++)
        if (states.bytes[s])
            add_state(&tally, inner, s, pctl_filter_counts(formula->filter) ? markov_orbit_size(markov, s) : 1);
    bool is_done = check(markov, &tally);
    if (is_done && formula->is_number)
        fill(markov, &tally, value);
    else if (is_done)
        value->truth.bytes = numbers_new_set(markov, !is_extreme && tally.holding == tally.count);
    if (is_done && is_extreme)
        is_done = attain(markov, &tally, inner->numbers, states.bytes, value->truth.bytes);
    pctl_number_free(&tally.number);
    return is_done;
}
