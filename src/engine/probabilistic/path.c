/* The chance of a path formula, between bounds. */
#include <math.h>
#include <string.h>

#include "engine/probabilistic/formula.h"
#include "engine/probabilistic/until.h"
#include "engine/probabilistic/witness.h"
#include "numeric/collapse.h"

static struct fixpoint problem_of(struct markov *markov, enum extreme extreme, const uint8_t *unknown,
                                  const struct accuracy *accuracy)
{
    return (struct fixpoint){.matrix = &markov->matrix, .unknown = unknown, .extreme = extreme, .slack = markov->slack,
                             .threads = markov->threads, .limit = 1,
                             .epsilon = accuracy->epsilon, .go_on = markov_may_go_on, .user = markov,
                             .sweeps = &markov->sweeps};
}

/* Bounds 0 and 1 where the graph decides; `unknown` are the others. */
static void begin_by_graph(struct markov *markov, const struct until *until, struct bounds *bounds, uint8_t *unknown)
{
    uint8_t *zero = pctl_new_truth(markov), *one = pctl_new_truth(markov);
    until_decide(markov, until, zero, one);
    for (uint32_t s = 0; s < markov_count(markov); s++) {
        bounds->lower[s] = bounds->upper[s] = one[s];
        unknown[s] = !one[s] && !zero[s];
    }
    free(zero);
    free(one);
}

static void decide_qualitatively(struct markov *markov, const struct pctl *formula, bool is_complement,
                                 const struct bounds *bounds, const uint8_t *unknown, uint8_t *truth)
{
    double limit = formula->threshold->value;
    for (uint32_t s = 0; s < markov_count(markov); s++) {
        double chance = unknown[s] ? 0.5 : is_complement ? 1 - bounds->lower[s] : bounds->lower[s];
        truth[s] = formula->op == OP_LT   ? chance < limit
                   : formula->op == OP_LE ? chance <= limit
                   : formula->op == OP_GT ? chance > limit
                                          : chance >= limit;
    }
}

/* Where some scheduler never gets anywhere, and so has the chance 0, there is nothing to go round for the least. */
static bool enclose(const struct markov *markov, const struct fixpoint *problem, struct bounds *bounds)
{
    bool may_wait = markov->chain->kind == CHAIN_MDP && problem->extreme == EXTREME_GREATEST;
    return (may_wait ? collapse_enclose : fixpoint_enclose)(problem, bounds);
}

static bool unbounded(struct markov *markov, const struct pctl *formula, const struct until *until,
                      const struct accuracy *accuracy, struct value *value)
{
    uint8_t *unknown = pctl_new_truth(markov);
    value->bounds = pctl_new_bounds(markov);
    begin_by_graph(markov, until, &value->bounds, unknown);
    bool is_done = true;
    if (pctl_is_qualitative(formula)) {
        value->truth = pctl_new_truth(markov);
        decide_qualitatively(markov, formula, until->is_complement, &value->bounds, unknown, value->truth);
    } else {
        struct fixpoint problem = problem_of(markov, until->extreme, unknown, accuracy);
        witness_begin(markov, formula, until->is_complement, &problem);
        is_done = enclose(markov, &problem, &value->bounds);
        witness_schedule(markov, &problem, value->bounds.lower, until->left, until->goal);
    }
    free(unknown);
    return is_done;
}

/* A number of steps: floor(bound), one less (upper) or more (lower) when it is strict. */
static bool steps_of(struct markov *markov, const struct weight *bound, bool is_strict, int strict_shift,
                     uint64_t *steps)
{
    double value = bound->value + (is_strict ? strict_shift : 0);
    *steps = value > 0 ? (uint64_t)value : 0;
    return value <= 1e15 || markov_fail(markov, "more than 10^15 steps");
}

/* left U[a,b] goal: b - a steps towards the goal, then a steps through left. */
static bool within_steps(struct markov *markov, const struct until *until, const struct accuracy *accuracy,
                         struct value *value)
{
    const struct pctl_window *window = until->window;
    uint32_t count = markov_count(markov);
    uint64_t from = 0, to = 0;
    if ((window->lower && !steps_of(markov, window->lower, window->is_lower_strict, 1, &from)) ||
        (window->upper && !steps_of(markov, window->upper, window->is_upper_strict, -1, &to)))
        return false;
    uint8_t *unknown = pctl_new_truth(markov);
    struct fixpoint problem = problem_of(markov, until->extreme, unknown, accuracy);
    value->bounds = pctl_new_bounds(markov);
    bool is_empty = window->upper && (to < from || (window->is_upper_strict && window->upper->value <= 0));
    bool is_done = true;
    if (!is_empty && window->upper) {
        for (uint32_t s = 0; s < count; s++) {
            value->bounds.lower[s] = value->bounds.upper[s] = until->goal[s];
            unknown[s] = until->left[s] && !until->goal[s];
        }
        is_done = fixpoint_steps(&problem, to - from, &value->bounds);
    } else if (!is_empty) {
        begin_by_graph(markov, until, &value->bounds, unknown);
        is_done = enclose(markov, &problem, &value->bounds);
    }
    if (is_done && from) {
        /* The last of these steps may lead anywhere, those before it through left only. */
        memcpy(unknown, until->left, count);
        is_done = fixpoint_steps(&problem, 1, &value->bounds);
        for (uint32_t s = 0; s < count; s++)
            if (!unknown[s])
                value->bounds.lower[s] = value->bounds.upper[s] = 0;
        is_done = is_done && fixpoint_steps(&problem, from - 1, &value->bounds);
    }
    free(unknown);
    return is_done;
}

/* left U[a,b] goal in a CTMC: b - a towards the goal (or any time), then the time a through left. */
static bool within_time(struct markov *markov, const struct until *until, const struct accuracy *accuracy,
                        struct value *value)
{
    const struct pctl_window *window = until->window;
    double from = window->lower ? window->lower->value : 0, to = window->upper ? window->upper->value : INFINITY;
    uint32_t count = markov_count(markov);
    uint8_t *active = pctl_new_truth(markov);
    bool is_done = true;
    value->bounds = pctl_new_bounds(markov);
    if (!window->upper) {
        struct fixpoint problem = problem_of(markov, until->extreme, active, accuracy);
        begin_by_graph(markov, until, &value->bounds, active);
        is_done = fixpoint_enclose(&problem, &value->bounds);
    } else if (to >= from) {
        for (uint32_t s = 0; s < count; s++) {
            value->bounds.lower[s] = value->bounds.upper[s] = until->goal[s];
            active[s] = until->left[s] && !until->goal[s];
        }
        is_done = to == from || pctl_transient(markov, active, to - from, accuracy, &value->bounds);
    }
    if (is_done && from > 0) {
        for (uint32_t s = 0; s < count; s++) {
            active[s] = until->left[s];
            if (!active[s])
                value->bounds.lower[s] = value->bounds.upper[s] = 0;
        }
        is_done = pctl_transient(markov, active, from, accuracy, &value->bounds);
    }
    free(active);
    return is_done;
}

static bool next_step(struct markov *markov, const struct pctl *formula, const struct accuracy *accuracy,
                      struct value *value)
{
    uint8_t *goal = NULL, *all = pctl_new_truth(markov);
    bool is_done = !formula->window.lower && !formula->window.upper;
    if (!is_done)
        markov_fail(markov, "bounds on X are not supported");
    is_done = is_done && pctl_evaluate_truth(markov, formula->right, accuracy, &goal);
    if (is_done) {
        memset(all, 1, markov_count(markov));
        value->bounds = pctl_new_bounds(markov);
        for (uint32_t s = 0; s < markov_count(markov); s++)
            value->bounds.lower[s] = value->bounds.upper[s] = goal[s];
        struct fixpoint problem = problem_of(markov, pctl_formula_extreme(formula), all, accuracy);
        is_done = fixpoint_steps(&problem, 1, &value->bounds);
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

static void complement(const struct markov *markov, struct bounds *bounds)
{
    for (uint32_t s = 0; s < markov_count(markov); s++)
        pctl_complement(&bounds->lower[s], &bounds->upper[s]);
}

bool pctl_path_evaluate(struct markov *markov, const struct pctl *formula, const struct accuracy *accuracy,
                   struct value *value)
{
    struct until until;
    if (formula->path == PCTL_NEXT)
        return next_step(markov, formula, accuracy, value) && pctl_decide_threshold(markov, formula, value);
    bool has_window = formula->window.lower || formula->window.upper;
    bool is_timed = has_window && markov->chain->kind == CHAIN_CTMC;
    bool is_done = until_make(markov, formula, accuracy, &until);
    if (is_done && !has_window)
        is_done = unbounded(markov, formula, &until, accuracy, value);
    else if (is_done)
        is_done = (is_timed ? within_time : within_steps)(markov, &until, accuracy, value);
    if (is_done && !value->truth && until.is_complement)
        complement(markov, &value->bounds);
    until_free(&until);
    if (!is_done || value->truth)
        return is_done;
    return pctl_decide_threshold(markov, formula, value);
}
