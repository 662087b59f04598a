/* The carrier of explicit chains: a byte for each state, or a number. */
#include <math.h>
#include <string.h>

#include "engine/probabilistic/exact.h"
#include "engine/probabilistic/formula.h"

/* --- sets --- */

static union pctl_set set_of(uint8_t *bytes)
{
    return (union pctl_set){.bytes = bytes};
}

static bool condition(void *self, const struct pctl *formula, union pctl_set *set)
{
    struct markov *markov = self;
    *set = set_of(numbers_new_set(markov, false));
    for (uint32_t s = 0; s < markov_count(markov); s++) {
        bool truth = false;
        if (!markov_truth(markov, formula->proposition, markov_cells(markov, s), &truth))
            return false;
        set->bytes[s] = truth;
    }
    return true;
}

static union pctl_set known(void *self, enum pctl_kind kind)
{
    struct markov *markov = self;
    uint8_t *set = numbers_new_set(markov, kind == PCTL_TRUTH);
    if (kind == PCTL_INITIAL)
        memset(set, 1, markov->initial_count);
    else if (kind == PCTL_DEADLOCK)
        memcpy(set, markov->is_deadlock.items, markov_count(markov));
    return set_of(set);
}

static union pctl_set copy(void *self, union pctl_set set)
{
    uint8_t *copy = numbers_new_set(self, false);
    memcpy(copy, set.bytes, markov_count(self));
    return set_of(copy);
}

static bool is_in(enum pctl_join how, bool a, bool b)
{
    return how == PCTL_INTERSECTION ? a && b : how == PCTL_UNION ? a || b : how == PCTL_DIFFERENCE ? a && !b : a != b;
}

static union pctl_set join(void *self, enum pctl_join how, union pctl_set a, union pctl_set b)
{
    for (uint32_t s = 0, count = markov_count(self); s < count; s++)
        a.bytes[s] = is_in(how, a.bytes[s], b.bytes[s]);
    free(b.bytes);
    return a;
}

static bool is_empty(void *self, union pctl_set set)
{
    return !memchr(set.bytes, 1, markov_count(self));
}

static void free_set(void *self, union pctl_set set)
{
    (void)self;
    free(set.bytes);
}

static union pctl_set before(void *self, union pctl_set set)
{
    markov_is_within_limits(self); /* there may be many such steps; the failure tells */
    return set_of(markov_some_next(self, set.bytes));
}

static union pctl_set reach(void *self, union pctl_set through, union pctl_set goal)
{
    return set_of(markov_some_until(self, through.bytes, goal.bytes));
}

static union pctl_set stay(void *self, union pctl_set inside)
{
    return set_of(markov_some_always(self, inside.bytes));
}

/* --- numbers --- */

static void free_numbers(void *self, void *numbers)
{
    (void)self;
    numbers_free(numbers);
}

/* Of the model, in the state. */
static bool find_number(struct markov *markov, const struct weight *weight, const int32_t *cells,
                        struct pctl_number *number)
{
    double near = 0;
    if (markov->exact) {
        *number = pctl_fraction(rational_create(0, 1));
        return exact_number(markov, weight, cells, number->exact);
    }
    if (!markov_number(markov, weight, cells, &near))
        return false;
    bool is_short = markov_is_short(markov, weight, cells, near);
    *number = pctl_interval(is_short ? near : nextafter(nextafter(near, -INFINITY), -INFINITY),
                            is_short ? near : nextafter(nextafter(near, INFINITY), INFINITY));
    return true;
}

static bool number(void *self, const struct pctl *formula, struct pctl_value *value)
{
    struct markov *markov = self;
    struct state_numbers *numbers = numbers_begin(markov, value);
    bool is_done = true;
    for (uint32_t s = 0; s < markov_count(markov) && is_done; s++) {
        struct pctl_number found = numbers_at(numbers, s);
        is_done = find_number(markov, formula->number, markov_cells(markov, s), &found);
        numbers_put(numbers, s, found);
    }
    return is_done;
}

static const char *calculate_once(const struct pctl *formula, struct pctl_number *left, const struct pctl_number *right,
                                  bool *is_open)
{
    return formula->kind == PCTL_CALL ? pctl_number_apply(formula->function, formula->is_whole, left, right, is_open)
           : formula->kind == PCTL_NEGATE ? pctl_number_negate(left)
                                          : pctl_number_calculate(formula->op, left, right);
}

static bool calculate(void *self, const struct pctl *formula, void *left, const void *right)
{
    struct markov *markov = self;
    const char *problem = NULL;
    bool is_open = false;
    for (uint32_t s = 0; s < markov_count(markov) && !problem; s++) {
        struct pctl_number a = numbers_at(left, s), b = numbers_at(right ? right : left, s);
        problem = calculate_once(formula, &a, &b, &is_open);
        numbers_put(left, s, a);
        if (problem && markov_is_beside(markov, formula, s))
            problem = NULL;
    }
    if (problem && is_open)
        return pctl_fail_unsettled(&markov->evaluator, problem);
    return !problem || pctl_fail(&markov->evaluator, "%s", problem);
}

static void choose(void *self, union pctl_set condition, void *numbers, void *other)
{
    for (uint32_t s = 0, count = markov_count(self); s < count; s++)
        if (!condition.bytes[s]) {
            struct pctl_number number = numbers_at(numbers, s);
            numbers_put(numbers, s, numbers_at(other, s));
            numbers_put(other, s, number);
        }
}

static bool compare(void *self, const struct pctl *formula, const void *left, const void *right, union pctl_set *set)
{
    struct markov *markov = self;
    struct pctl_number limit = {0};
    bool is_done = true;
    *set = set_of(numbers_new_set(markov, false));
    if (!right && markov->exact) {
        limit = pctl_fraction(rational_create(0, 1));
        is_done = exact_number(markov, formula->threshold, NULL, limit.exact);
    } else if (!right)
        limit = pctl_limit(formula->threshold);
    for (uint32_t s = 0; s < markov_count(markov) && is_done; s++) {
        struct pctl_number a = numbers_at(left, s), b = right ? numbers_at(right, s) : limit;
        int answer = pctl_number_compare(formula->op, &a, &b);
        set->bytes[s] = answer > 0;
        is_done =
            answer || markov_is_beside(markov, formula, s) || pctl_fail_undecided(&markov->evaluator, a.lower, a.upper);
    }
    pctl_number_free(&limit);
    return is_done;
}

static const struct pctl_carrier explicit_carrier = {
    .condition = condition,
    .known = known,
    .copy = copy,
    .join = join,
    .is_empty = is_empty,
    .free_set = free_set,
    .before = before,
    .reach = reach,
    .stay = stay,
    .number = number,
    .free_numbers = free_numbers,
    .calculate = calculate,
    .choose = choose,
    .compare = compare,
    .until = markov_until,
    .mean = markov_mean,
    .linear = markov_linear,
    .fold = markov_fold,
};

void markov_open_evaluator(struct markov *markov)
{
    markov->evaluator =
        (struct pctl_evaluator){.carrier = &explicit_carrier,
                                .self = markov,
                                .chain = markov->chain,
                                .absolute = markov->options->epsilon_absolute,
                                .is_fair = markov->options->is_fair && markov->chain->kind == CHAIN_MDP};
}

bool markov_evaluate(struct markov *markov, const struct pctl *formula, struct pctl_value *value)
{
    markov->evaluator.arithmetic = markov->exact ? PCTL_FRACTIONS : PCTL_INTERVALS;
    return pctl_evaluate(&markov->evaluator, formula, value);
}

bool markov_evaluate_set(struct markov *markov, const struct pctl *formula, uint8_t **set)
{
    struct pctl_value value = {0};
    bool is_done = markov_evaluate(markov, formula, &value);
    *set = value.truth.bytes;
    return is_done;
}
