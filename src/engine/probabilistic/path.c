/* The chance of a path formula, between bounds or exactly. */
#include <math.h>
#include <string.h>

#include "engine/probabilistic/exact.h"
#include "engine/probabilistic/formula.h"
#include "engine/probabilistic/witness.h"
#include "numeric/collapse.h"

/* How a path formula is computed. What is small must not be computed as 1 minus something: so the complement of an
 * until is computed as such, with the values 1 - x of all states, unless arithmetic is exact; and so is what is
 * compared with 1. */
struct measure {
    bool is_inverse; /* the values are 1 - those of the until */
    bool is_other;   /* the values are 1 - what is asked for */
    enum extreme extreme;
};

struct chance_of_path {
    struct markov *markov;
    const struct pctl *formula;
    const uint8_t *left, *goal;
    enum extreme extreme; /* of the until */
    struct measure measure;
    struct state_numbers *numbers;
};

static bool has_window(const struct pctl *formula)
{
    return formula->window.lower || formula->window.upper;
}

static struct measure measure_of(const struct markov *markov, const struct pctl *formula,
                                 const struct pctl_until *until)
{
    struct measure measure = {.is_other = !until->is_next && has_window(formula) && pctl_is_qualitative(formula) &&
                                          formula->threshold->value == 1};
    measure.is_inverse = until->is_complement != measure.is_other;
    if (markov->exact)
        measure = (struct measure){.is_other = until->is_complement};
    measure.extreme = markov_extreme(measure.is_inverse != until->is_least);
    return measure;
}

static struct fixpoint problem_of(const struct chance_of_path *path, const uint8_t *unknown)
{
    struct fixpoint problem = markov_fixpoint(path->markov, path->measure.extreme, unknown, path->markov->epsilon);
    problem.limit = 1;
    return problem;
}

/* The chance 1 in the states of the set (NULL: none), and 0 elsewhere; if inverse, the other way round. */
static void set_chances(const struct chance_of_path *path, const uint8_t *set)
{
    for (uint32_t s = 0; s < markov_count(path->markov); s++)
        numbers_set(path->numbers, s, (set && set[s]) != path->measure.is_inverse);
}

/* 0 in the other states; if inverse, 1. */
static void set_zero(const struct chance_of_path *path, const uint8_t *except)
{
    for (uint32_t s = 0; s < markov_count(path->markov); s++)
        if (!except[s])
            numbers_set(path->numbers, s, path->measure.is_inverse);
}

/* Values 0 and 1 where the graph decides, without the window; `unknown` are the others. */
static void begin_by_graph(const struct chance_of_path *path, uint8_t *unknown)
{
    struct markov *markov = path->markov;
    uint8_t *zero = numbers_new_set(markov, false), *one = numbers_new_set(markov, false);
    reverse_chance_zero(markov_reverse(markov), path->left, path->goal, path->extreme, zero);
    reverse_chance_one(markov_reverse(markov), path->left, path->goal, path->extreme, one);
    for (uint32_t s = 0; s < markov_count(markov); s++) {
        unknown[s] = !one[s] && !zero[s];
        if (!unknown[s])
            numbers_set(path->numbers, s, path->measure.is_inverse ? zero[s] : one[s]);
    }
    free(zero);
    free(one);
}

static uint8_t *decide_qualitatively(const struct chance_of_path *path, const uint8_t *unknown)
{
    double limit = path->formula->threshold->value;
    uint8_t *truth = numbers_new_set(path->markov, false);
    for (uint32_t s = 0; s < markov_count(path->markov); s++) {
        struct pctl_number number = numbers_at(path->numbers, s);
        bool is_one = !unknown[s] && (number.is_exact ? rational_sign(number.exact) > 0 : number.lower > 0);
        double chance = unknown[s] ? 0.5 : is_one != path->measure.is_other;
        truth[s] = pctl_compare_bounds(path->formula->op, chance, chance, limit, limit) > 0;
    }
    return truth;
}

/* Where some scheduler never gets anywhere, and so has the chance 0, there is nothing to go round for the least. */
static bool enclose(const struct chance_of_path *path, const struct fixpoint *problem)
{
    bool may_wait = path->markov->chain->kind == CHAIN_MDP && path->extreme == EXTREME_GREATEST;
    return (may_wait ? collapse_enclose : fixpoint_enclose)(problem, &path->numbers->bounds);
}

/* `witness`: it is to show the values. */
static bool solve(const struct chance_of_path *path, const uint8_t *unknown, bool witness)
{
    struct markov *markov = path->markov;
    if (markov->exact) {
        struct exact_until problem = {
            .unknown = unknown, .through = path->left, .goal = path->goal, .extreme = path->extreme};
        return exact_solve(markov, &problem, path->numbers);
    }
    struct fixpoint problem = problem_of(path, unknown);
    if (witness)
        witness_begin(markov, path->formula, &problem);
    bool is_done = enclose(path, &problem);
    if (witness && !path->measure.is_inverse) /* the runs of a complement go nowhere in particular */
        witness_schedule(markov, &problem, path->numbers->bounds.lower, path->left, path->goal);
    return is_done;
}

static bool unbounded(const struct chance_of_path *path, uint8_t **truth)
{
    uint8_t *unknown = numbers_new_set(path->markov, false);
    bool is_done = true;
    begin_by_graph(path, unknown);
    if (pctl_is_qualitative(path->formula))
        *truth = decide_qualitatively(path, unknown);
    else {
        markov_keep_reachable(path->markov, path->formula, 1, unknown, path->numbers);
        is_done = solve(path, unknown, true);
    }
    free(unknown);
    return is_done;
}

/* Without the window. */
static bool some_time(const struct chance_of_path *path)
{
    uint8_t *unknown = numbers_new_set(path->markov, false);
    begin_by_graph(path, unknown);
    bool is_done = solve(path, unknown, false);
    free(unknown);
    return is_done;
}

/* --- steps --- */

/* x := opt (row * x) in the unknown states, so many times. */
static bool step(const struct chance_of_path *path, const uint8_t *unknown, uint64_t steps)
{
    struct exact_until until = {.unknown = unknown, .extreme = path->measure.extreme};
    struct fixpoint problem = problem_of(path, unknown);
    if (path->numbers->exact)
        return exact_steps(path->markov, &until, steps, path->numbers);
    return markov_take_steps(path->markov, &problem, steps, path->measure.is_inverse, &path->numbers->bounds);
}

/* The time was over before the last step: a goal that is reached by then stays reached. */
static void note_early_end(const struct chance_of_path *path)
{
    const struct measure *measure = &path->measure;
    struct bounds *bounds = &path->numbers->bounds;
    if (path->numbers->exact || measure->is_other)
        return;
    for (uint32_t s = 0; s < markov_count(path->markov); s++)
        *(measure->is_inverse ? &bounds->lower[s] : &bounds->upper[s]) = !measure->is_inverse;
    witness_note(path->markov, path->formula, bounds);
}

/* From left on to the goal. */
static uint8_t *find_active(const struct chance_of_path *path)
{
    uint8_t *active = numbers_new_set(path->markov, false);
    for (uint32_t s = 0; s < markov_count(path->markov); s++)
        active[s] = path->left[s] && !path->goal[s];
    return active;
}

/* left U[a,b] goal: b - a steps towards the goal, then a steps through left. */
static bool within_steps(const struct chance_of_path *path)
{
    const struct pctl_window *window = &path->formula->window;
    uint64_t from, to;
    bool is_done;
    if (!pctl_steps(window, &from, &to)) {
        set_chances(path, NULL);
        return true;
    }
    if (window->upper) {
        uint8_t *active = find_active(path);
        set_chances(path, path->goal);
        is_done = step(path, active, to - from);
        if (!is_done && !from)
            note_early_end(path);
        free(active);
    } else
        is_done = some_time(path);
    if (!is_done || !from)
        return is_done;
    /* The last of these steps may lead anywhere, those before it through left only. */
    if (!step(path, path->left, 1))
        return false;
    set_zero(path, path->left);
    return step(path, path->left, from - 1);
}

static bool next_step(const struct chance_of_path *path)
{
    uint8_t *all = numbers_new_set(path->markov, true);
    set_chances(path, path->goal);
    bool is_done = step(path, all, 1);
    free(all);
    return is_done;
}

/* --- time --- */

static bool pass_time(const struct chance_of_path *path, const uint8_t *active, double time, bool is_last)
{
    enum transient_scope scope = transient_scope(path->markov, path->formula);
    if (path->measure.is_other)
        scope = TRANSIENT_SIGN;
    else if (!is_last && scope == TRANSIENT_START)
        scope = TRANSIENT_ALL;
    bool is_done = transient_mean(path->markov, active, time, scope, &path->numbers->bounds);
    if (!is_done && is_last)
        witness_note(path->markov, path->formula, &path->numbers->bounds);
    return is_done;
}

/* left U[a,b] goal in a CTMC: b - a towards the goal (or any time), then the time a through left. */
static bool within_time(const struct chance_of_path *path)
{
    const struct pctl_window *window = &path->formula->window;
    double from = window->lower ? window->lower->value : 0, to = window->upper ? window->upper->value : INFINITY;
    bool is_done = true;
    if (to < from) {
        set_chances(path, NULL);
        return true;
    }
    if (!window->upper)
        is_done = some_time(path);
    else {
        uint8_t *active = find_active(path);
        set_chances(path, path->goal);
        is_done = to == from || pass_time(path, active, to - from, from == 0);
        free(active);
    }
    if (!is_done || from <= 0)
        return is_done;
    set_zero(path, path->left);
    return pass_time(path, path->left, from, true);
}

/* --- the value --- */

/* What is compared with 1 has been computed as what is missing from it, to compare that with 0. */
static bool decide_missing(const struct chance_of_path *path, uint8_t *truth)
{
    enum operator op = path->formula->op;
    bool is_upper = op == OP_LT || op == OP_LE; /* x < 1 when 1 - x > 0 */
    bool is_strict = op == OP_LT || op == OP_GT;
    for (uint32_t s = 0; s < markov_count(path->markov); s++) {
        double lower = path->numbers->bounds.lower[s], upper = path->numbers->bounds.upper[s];
        bool holds = is_upper ? (is_strict ? lower > 0 : true) : !is_strict && upper == 0;
        bool fails = is_upper ? is_strict && upper == 0 : is_strict || lower > 0;
        if (!holds && !fails && !markov_is_beside(path->markov, path->formula, s)) {
            pctl_complement(&lower, &upper);
            return pctl_fail_undecided(&path->markov->evaluator, lower, upper);
        }
        truth[s] = holds;
    }
    return true;
}

static bool evaluate(const struct chance_of_path *path, bool is_next, uint8_t **truth)
{
    if (is_next)
        return next_step(path);
    if (!has_window(path->formula))
        return unbounded(path, truth);
    return path->markov->chain->kind == CHAIN_CTMC ? within_time(path) : within_steps(path);
}

bool markov_until(void *self, const struct pctl *formula, const struct pctl_until *until, struct pctl_value *value)
{
    struct markov *markov = self;
    struct chance_of_path path = {markov,
                                  formula,
                                  until->left.bytes,
                                  until->goal.bytes,
                                  markov_extreme(until->is_least),
                                  measure_of(markov, formula, until),
                                  numbers_begin(markov, value)};
    uint8_t *truth = NULL;
    bool is_done = evaluate(&path, until->is_next, &truth);
    if (is_done && !truth && path.measure.is_other && markov->exact)
        exact_complement(path.numbers);
    else if (is_done && !truth && path.measure.is_other) {
        truth = numbers_new_set(markov, false);
        is_done = decide_missing(&path, truth);
    }
    if (truth)
        pctl_value_set_truth(&markov->evaluator, value, (union pctl_set){.bytes = truth});
    return is_done;
}
