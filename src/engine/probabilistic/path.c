/* The chance of a path formula, between bounds. */
#include <math.h>
#include <string.h>

#include "engine/probabilistic/exact.h"
#include "engine/probabilistic/until.h"
#include "engine/probabilistic/witness.h"
#include "numeric/collapse.h"

static struct fixpoint problem_of(struct markov *markov, enum extreme extreme, const uint8_t *unknown,
                                  const struct accuracy *accuracy)
{
    struct fixpoint problem = markov_fixpoint(markov, extreme, unknown, accuracy->epsilon);
    problem.limit = 1;
    return problem;
}

/* How a path formula is computed. What is small must not be computed as 1 minus something: so the complement of an
 * until is computed as such, with the values 1 - x of all states, unless arithmetic is exact; and so is what is
 * compared with 1. */
struct measure {
    bool is_inverse; /* the values are 1 - those of the until */
    bool is_other;   /* the values are 1 - what is asked for */
    enum extreme extreme;
};

static struct measure measure_of(const struct markov *markov, const struct pctl *formula, const struct until *until)
{
    bool has_window = formula->window.lower || formula->window.upper;
    struct measure measure = {.is_other = has_window && pctl_is_qualitative(formula) && formula->threshold->value == 1};
    measure.is_inverse = until->is_complement != measure.is_other;
    if (markov->exact)
        measure = (struct measure){.is_other = until->is_complement};
    measure.extreme = measure.is_inverse == (until->extreme == EXTREME_LEAST) ? EXTREME_GREATEST : EXTREME_LEAST;
    return measure;
}

/* Bounds 0 and 1 where the graph decides; `unknown` are the others. */
static void begin_by_graph(struct markov *markov, const struct until *until, const struct measure *measure,
                           struct bounds *bounds, uint8_t *unknown)
{
    uint8_t *zero = pctl_new_truth(markov), *one = pctl_new_truth(markov);
    until_decide(markov, until, zero, one);
    for (uint32_t s = 0; s < markov_count(markov); s++) {
        bounds->lower[s] = bounds->upper[s] = measure->is_inverse ? zero[s] : one[s];
        unknown[s] = !one[s] && !zero[s];
    }
    free(zero);
    free(one);
}

static void decide_qualitatively(struct markov *markov, const struct pctl *formula, bool is_other,
                                 const struct bounds *bounds, const uint8_t *unknown, uint8_t *truth)
{
    double limit = formula->threshold->value;
    for (uint32_t s = 0; s < markov_count(markov); s++) {
        double chance = unknown[s] ? 0.5 : is_other ? 1 - bounds->lower[s] : bounds->lower[s];
        truth[s] = formula->op == OP_LT   ? chance < limit
                   : formula->op == OP_LE ? chance <= limit
                   : formula->op == OP_GT ? chance > limit
                                          : chance >= limit;
    }
}

/* Where some scheduler never gets anywhere, and so has the chance 0, there is nothing to go round for the least. */
static bool enclose(const struct markov *markov, const struct until *until, const struct fixpoint *problem,
                    struct bounds *bounds)
{
    bool may_wait = markov->chain->kind == CHAIN_MDP && until->extreme == EXTREME_GREATEST;
    return (may_wait ? collapse_enclose : fixpoint_enclose)(problem, bounds);
}

static bool unbounded(struct markov *markov, const struct pctl *formula, const struct until *until,
                      const struct measure *measure, const struct accuracy *accuracy, struct pctl_value *value)
{
    uint8_t *unknown = pctl_new_truth(markov);
    value->bounds = pctl_new_bounds(markov);
    begin_by_graph(markov, until, measure, &value->bounds, unknown);
    bool is_done = true;
    if (pctl_is_qualitative(formula)) {
        value->truth = pctl_new_truth(markov);
        decide_qualitatively(markov, formula, measure->is_other, &value->bounds, unknown, value->truth);
        free(unknown);
        return true;
    }
    pctl_keep_reachable(markov, formula, 1, unknown, &value->bounds);
    if (markov->exact) {
        is_done = exact_unbounded(markov, until, &value->bounds, unknown, value);
    } else {
        struct fixpoint problem = problem_of(markov, measure->extreme, unknown, accuracy);
        witness_begin(markov, formula, &problem);
        is_done = enclose(markov, until, &problem, &value->bounds);
        if (!measure->is_inverse) /* the runs of a complement go nowhere in particular */
            witness_schedule(markov, &problem, value->bounds.lower, until->left, until->goal);
    }
    free(unknown);
    return is_done;
}

/* The first, and the last, number of steps in a window; none when it is empty. */
static bool steps_of(struct markov *markov, const struct pctl_window *window, uint64_t *from, uint64_t *to,
                     bool *is_empty)
{
    double low = window->lower ? window->lower->value + window->is_lower_strict : 0;
    double high = window->upper ? window->upper->value - window->is_upper_strict : low;
    double most = markov->exact ? 1e9 : 1e15;
    if (low > most || high > most)
        return markov_fail(markov, "more than 10^%d steps%s", markov->exact ? 9 : 15,
                           markov->exact ? " are too many for exact arithmetic" : "");
    *from = low > 0 ? (uint64_t)low : 0;
    *to = high > 0 ? (uint64_t)high : 0;
    *is_empty = high < 0 || *to < *from;
    return true;
}

/* x := opt (row * x) in the unknown states, so many times. */
static bool step(struct markov *markov, const struct measure *measure, const uint8_t *unknown, uint64_t steps,
                 const struct accuracy *accuracy, struct pctl_value *value)
{
    struct exact_until until = {.unknown = unknown, .extreme = measure->extreme};
    struct fixpoint problem = problem_of(markov, measure->extreme, unknown, accuracy);
    return value->exact ? exact_steps(markov, &until, steps, value)
                        : fixpoint_steps(&problem, steps, measure->is_inverse, &value->bounds);
}

/* The time was over before the last step: a goal that is reached by then stays reached. */
static void note_early_end(struct markov *markov, const struct pctl *formula, const struct measure *measure,
                           struct pctl_value *value)
{
    if (value->exact || measure->is_other)
        return;
    for (uint32_t s = 0; s < markov_count(markov); s++)
        *(measure->is_inverse ? &value->bounds.lower[s] : &value->bounds.upper[s]) = !measure->is_inverse;
    witness_note(markov, formula, &value->bounds);
}

/* The chance 1 in the states of the set (NULL: none), and 0 elsewhere; if inverse, the other way round. */
static void set_chances(const struct markov *markov, const uint8_t *set, bool is_inverse, struct pctl_value *value)
{
    if (markov->exact)
        exact_new_numbers(markov, value);
    else
        value->bounds = pctl_new_bounds(markov);
    for (uint32_t s = 0; s < markov_count(markov); s++) {
        bool is_one = (set && set[s]) != is_inverse;
        if (markov->exact)
            exact_set_integer(value, s, is_one);
        else
            value->bounds.lower[s] = value->bounds.upper[s] = is_one;
    }
}

/* 0 in the other states; if inverse, 1. */
static void set_zero(const struct markov *markov, const uint8_t *except, bool is_inverse, struct pctl_value *value)
{
    for (uint32_t s = 0; s < markov_count(markov); s++)
        if (!except[s] && value->exact)
            exact_set_integer(value, s, is_inverse);
        else if (!except[s])
            value->bounds.lower[s] = value->bounds.upper[s] = is_inverse;
}

/* Without the window. */
static bool some_time(struct markov *markov, const struct until *until, const struct measure *measure,
                      const struct accuracy *accuracy, struct pctl_value *value)
{
    uint8_t *unknown = pctl_new_truth(markov);
    value->bounds = pctl_new_bounds(markov);
    begin_by_graph(markov, until, measure, &value->bounds, unknown);
    struct fixpoint problem = problem_of(markov, measure->extreme, unknown, accuracy);
    bool is_done = markov->exact ? exact_unbounded(markov, until, &value->bounds, unknown, value)
                                 : enclose(markov, until, &problem, &value->bounds);
    free(unknown);
    return is_done;
}

/* left U[a,b] goal: b - a steps towards the goal, then a steps through left. */
static bool within_steps(struct markov *markov, const struct pctl *formula, const struct until *until,
                         const struct measure *measure, const struct accuracy *accuracy, struct pctl_value *value)
{
    uint64_t from = 0, to = 0;
    bool is_empty = false, is_done = true;
    if (!steps_of(markov, until->window, &from, &to, &is_empty))
        return false;
    uint8_t *unknown = pctl_new_truth(markov);
    if (is_empty || until->window->upper) {
        for (uint32_t s = 0; s < markov_count(markov); s++)
            unknown[s] = !is_empty && until->left[s] && !until->goal[s];
        set_chances(markov, is_empty ? NULL : until->goal, measure->is_inverse, value);
        is_done = step(markov, measure, unknown, is_empty ? 0 : to - from, accuracy, value);
        if (!is_done && !from)
            note_early_end(markov, formula, measure, value);
    } else
        is_done = some_time(markov, until, measure, accuracy, value);
    if (is_done && from && !is_empty) {
        /* The last of these steps may lead anywhere, those before it through left only. */
        memcpy(unknown, until->left, markov_count(markov));
        is_done = step(markov, measure, unknown, 1, accuracy, value);
        if (is_done)
            set_zero(markov, unknown, measure->is_inverse, value);
        is_done = is_done && step(markov, measure, unknown, from - 1, accuracy, value);
    }
    free(unknown);
    return is_done;
}

/* left U[a,b] goal in a CTMC: b - a towards the goal (or any time), then the time a through left. */
static bool within_time(struct markov *markov, const struct pctl *formula, const struct until *until,
                        const struct measure *measure, const struct accuracy *accuracy, struct pctl_value *value)
{
    const struct pctl_window *window = until->window;
    double from = window->lower ? window->lower->value : 0, to = window->upper ? window->upper->value : INFINITY;
    bool is_done = true, is_sign = measure->is_other || pctl_is_sign(formula);
    if (markov->exact)
        return markov_fail(markov, "the probability within a time bound is not rational: there is no exact value");
    if (to < from) {
        set_chances(markov, NULL, measure->is_inverse, value);
        return true;
    }
    uint8_t *active = pctl_new_truth(markov);
    if (!window->upper) {
        is_done = some_time(markov, until, measure, accuracy, value);
    } else {
        set_chances(markov, until->goal, measure->is_inverse, value);
        for (uint32_t s = 0; s < markov_count(markov); s++)
            active[s] = until->left[s] && !until->goal[s];
        is_done = to == from || pctl_transient(markov, active, to - from, is_sign, &value->bounds);
        if (!is_done && from == 0)
            witness_note(markov, formula, &value->bounds);
    }
    if (is_done && from > 0) {
        memcpy(active, until->left, markov_count(markov));
        set_zero(markov, active, measure->is_inverse, value);
        is_done = pctl_transient(markov, active, from, is_sign, &value->bounds);
        if (!is_done)
            witness_note(markov, formula, &value->bounds);
    }
    free(active);
    return is_done;
}

static bool next_step(struct markov *markov, const struct pctl *formula, const struct accuracy *accuracy,
                      struct pctl_value *value)
{
    if (formula->window.lower || formula->window.upper)
        return markov_fail(markov, "bounds on X are not supported");
    uint8_t *goal = NULL, *all = pctl_new_truth(markov);
    bool is_done = pctl_evaluate_truth(markov, formula->right, accuracy, &goal);
    if (is_done) {
        memset(all, 1, markov_count(markov));
        set_chances(markov, goal, false, value);
        is_done = step(markov, &(struct measure){.extreme = pctl_formula_extreme(formula)}, all, 1, accuracy, value);
    }
    free(goal);
    free(all);
    return is_done;
}

void pctl_complement(double *lower, double *upper)
{
    double least = *lower, most = *upper;
    bool is_plain = (least == 0 || least == 1) && (most == 0 || most == 1);
    *lower = is_plain || most == 1 ? 1 - most : nextafter(1 - most, 0);
    *upper = is_plain || least == 0 ? 1 - least : nextafter(1 - least, 1);
}

/* What is compared with 1 has been computed as what is missing from it, to compare that with 0. */
static bool decide_missing(struct markov *markov, const struct pctl *formula, struct pctl_value *value)
{
    bool is_upper = formula->op == OP_LT || formula->op == OP_LE; /* x < 1 when 1 - x > 0 */
    bool is_strict = formula->op == OP_LT || formula->op == OP_GT;
    value->truth = pctl_new_truth(markov);
    for (uint32_t s = 0; s < markov_count(markov); s++) {
        double lower = value->bounds.lower[s], upper = value->bounds.upper[s];
        bool holds = is_upper ? (is_strict ? lower > 0 : true) : !is_strict && upper == 0;
        bool fails = is_upper ? is_strict && upper == 0 : is_strict || lower > 0;
        if (!holds && !fails && !pctl_is_beside(markov, formula, s)) {
            pctl_complement(&lower, &upper);
            return pctl_fail_undecided(markov, lower, upper);
        }
        value->truth[s] = holds;
    }
    free(value->bounds.lower);
    free(value->bounds.upper);
    value->bounds = (struct bounds){0};
    return true;
}

static bool finish(struct markov *markov, const struct pctl *formula, const struct measure *measure,
                   struct pctl_value *value)
{
    if (value->truth)
        return true;
    if (measure->is_other && !value->exact)
        return decide_missing(markov, formula, value);
    if (measure->is_other)
        exact_complement(value);
    return pctl_decide_threshold(markov, formula, value);
}

bool pctl_path_evaluate(struct markov *markov, const struct pctl *formula, const struct accuracy *accuracy,
                        struct pctl_value *value)
{
    struct until until;
    if (formula->path == PCTL_NEXT)
        return next_step(markov, formula, accuracy, value) && pctl_decide_threshold(markov, formula, value);
    bool has_window = formula->window.lower || formula->window.upper;
    bool is_timed = has_window && markov->chain->kind == CHAIN_CTMC;
    bool is_done = until_make(markov, formula, accuracy, &until);
    struct measure measure = measure_of(markov, formula, &until);
    if (is_done && !has_window)
        is_done = unbounded(markov, formula, &until, &measure, accuracy, value);
    else if (is_done)
        is_done = is_timed ? within_time(markov, formula, &until, &measure, accuracy, value)
                           : within_steps(markov, formula, &until, &measure, accuracy, value);
    until_free(&until);
    return is_done && finish(markov, formula, &measure, value);
}
