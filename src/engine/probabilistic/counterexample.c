#include "engine/probabilistic/counterexample.h"

#include <string.h>

#include "engine/probabilistic/formula.h"
#include "engine/probabilistic/walk.h"

static struct trace *lift(struct markov *markov, struct markov_walk *walk)
{
    struct trace *trace = walk->states.count ? walk_run(markov, walk) : NULL;
    walk_free(walk);
    return trace;
}

static uint8_t *intersect(const struct markov *markov, const uint8_t *a, bool is_a, const uint8_t *b, bool is_b)
{
    uint8_t *set = numbers_new_set(markov, false);
    for (uint32_t s = 0; s < markov_count(markov); s++)
        set[s] = a[s] == is_a && b[s] == is_b;
    return set;
}

/* --- P --- */

/* On from the last state of the walk, from where left U goal can be missed for good: until it is, or round and round.
 */
static void miss_for_good(struct markov *markov, const struct pctl_until *until, const uint8_t *missed,
                          struct markov_walk *walk)
{
    uint8_t *inside = intersect(markov, missed, true, until->left.bytes, true);
    if (inside[VEC_LAST(&walk->states)]) {
        walk_go_round(markov, inside, walk);
        if (!walk->has_loop && !markov->is_deadlock.items[VEC_LAST(&walk->states)])
            walk_step(markov, missed, walk);
    }
    free(inside);
}

/* A way to the goal, or to where it can be missed for good. */
static bool walk_until(struct markov *markov, const struct pctl_until *until, bool wants_goal, struct markov_walk *walk)
{
    uint8_t *goal = numbers_new_set(markov, false),
            *through = intersect(markov, until->left.bytes, true, until->goal.bytes, false);
    if (wants_goal)
        memcpy(goal, until->goal.bytes, markov_count(markov));
    else
        reverse_chance_zero(markov_reverse(markov), until->left.bytes, until->goal.bytes, EXTREME_LEAST, goal);
    bool is_found = markov_is_within_limits(markov) /* else the goal is worth nothing */ &&
                    walk_find(markov, NULL, through, goal, walk);
    if (is_found && !wants_goal)
        miss_for_good(markov, until, goal, walk);
    free(goal);
    free(through);
    return is_found;
}

static struct trace *show_next(struct markov *markov, const struct pctl *formula, bool comes, const char **reason)
{
    struct markov_walk walk = {0};
    uint8_t *goal = NULL;
    bool is_found = markov_evaluate_set(markov, formula->right, &goal);
    for (uint32_t s = 0; is_found && s < markov_count(markov); s++)
        goal[s] = goal[s] == comes;
    for (uint32_t s = 0; is_found && s < markov->initial_count && !walk.states.count; s++) {
        VEC_PUSH(&walk.states, s);
        if (!walk_step(markov, goal, &walk))
            VEC_CLEAR(&walk.states);
    }
    *reason = comes ? "it has happened" : "it has failed";
    free(goal);
    return lift(markov, &walk);
}

/* Is it enough to see that it can come (or, that it can be missed)? Of an mdp: only if that is what the extreme asks
 * about; of Pmax>=1 no one run shows what all schedulers miss. */
static bool is_shown_by_run(const struct markov *markov, const struct pctl *formula, bool is_true, bool *comes)
{
    double limit = formula->is_query ? 0 : formula->threshold->value;
    if (formula->is_query || !pctl_is_qualitative(formula))
        return false;
    bool misses = limit == 1 && formula->op == (is_true ? OP_LT : OP_GE);
    *comes = limit == 0 && formula->op == (is_true ? OP_GT : OP_LE);
    return (misses || *comes) && (markov->chain->kind != CHAIN_MDP || pctl_is_least(formula) == misses);
}

static struct trace *show_chance(struct markov *markov, const struct pctl *formula, bool is_true, const char **reason)
{
    struct pctl_until until = {0};
    struct markov_walk walk = {0};
    bool comes, has_window = formula->window.upper;
    if (!is_shown_by_run(markov, formula, is_true, &comes) || formula->window.lower || pctl_is_linear(formula))
        return NULL;
    if (formula->path == PCTL_NEXT)
        return show_next(markov, formula, comes, reason);
    bool is_made = pctl_make_until(&markov->evaluator, formula, &until), wants_goal = comes != until.is_complement;
    /* Within a bound: a shortest way to the goal is short enough, if any is. */
    if (is_made && (!has_window || wants_goal))
        walk_until(markov, &until, wants_goal, &walk);
    bool is_event = formula->path == PCTL_EVENTUALLY || formula->path == PCTL_UNTIL;
    *reason = comes ? (is_event ? "it has happened" : "it can go on holding for good")
                    : (is_event ? "it can be missed for good" : "it has failed");
    pctl_until_free(&markov->evaluator, &until);
    return lift(markov, &walk);
}

/* --- E and A --- */

/* A path without the until: out of left before the goal, or for ever without it. */
static void walk_without(struct markov *markov, const struct pctl_until *until, struct markov_walk *walk)
{
    uint8_t *inside = intersect(markov, until->goal.bytes, false, until->goal.bytes, false);
    uint8_t *out = intersect(markov, inside, true, until->left.bytes, false), *always = NULL;
    if (!walk_find(markov, NULL, inside, out, walk)) {
        always = markov_some_always(markov, inside);
        if (walk_find(markov, always, NULL, always, walk))
            walk_go_round(markov, always, walk);
    }
    free(inside);
    free(out);
    free(always);
}

static const char *reason_of(const struct pctl *formula, bool has_loop)
{
    if (formula->kind == PCTL_EXISTS)
        return has_loop ? "it can go on like that for ever" : "there is such a path";
    return formula->path == PCTL_ALWAYS                                      ? "what must hold always does not"
           : formula->path == PCTL_NEXT                                      ? "what must hold next does not"
           : has_loop                                                        ? "it never comes to what must come"
           : formula->path == PCTL_EVENTUALLY || formula->path == PCTL_UNTIL ? "it can no longer come as it must"
                                                                             : "what must hold until then does not";
}

/* The path that is claimed to be there: by E itself, by A that is false. */
static struct trace *show_path(struct markov *markov, const struct pctl *formula, const char **reason)
{
    struct pctl_until until;
    struct markov_walk walk = {0};
    bool is_all = formula->kind == PCTL_FORALL;
    if (formula->path == PCTL_NEXT) {
        struct trace *trace = show_next(markov, formula, !is_all, reason);
        *reason = reason_of(formula, false);
        return trace;
    }
    bool has_bound = formula->window.upper;
    if (formula->window.lower || pctl_is_linear(formula))
        return NULL;
    bool is_known = pctl_make_until(&markov->evaluator, formula, &until);
    if (is_known && until.is_complement == is_all) /* a shortest way is short enough for a bound, if any is */
        walk_find(markov, NULL, until.left.bytes, until.goal.bytes, &walk);
    else if (is_known && !has_bound)
        walk_without(markov, &until, &walk);
    *reason = reason_of(formula, walk.has_loop);
    pctl_until_free(&markov->evaluator, &until);
    return lift(markov, &walk);
}

/* --- what is made of these --- */

/* filter(forall, ...): the way to a state in which it does not hold; filter(exists, ...): in which it does. */
static struct trace *show_state(struct markov *markov, const struct pctl *formula, bool is_true, const char **reason)
{
    uint8_t *truth = NULL, *states = NULL;
    struct markov_walk walk = {0};
    bool is_known = formula->filter == (is_true ? PCTL_FILTER_EXISTS : PCTL_FILTER_FORALL) &&
                    markov_evaluate_set(markov, formula->left, &truth) &&
                    (!formula->right || markov_evaluate_set(markov, formula->right, &states));
    if (is_known) {
        for (uint32_t s = 0; s < markov_count(markov); s++)
            truth[s] = truth[s] == is_true && (!states || states[s]);
        walk_find(markov, NULL, NULL, truth, &walk);
        *reason = is_true ? "it holds in this state" : "what must hold in every state does not";
    }
    free(truth);
    free(states);
    return lift(markov, &walk);
}

/* In some initial state. */
static bool is_so(struct markov *markov, const struct pctl *formula, bool is_true)
{
    uint8_t *truth = NULL;
    bool is_found = false;
    if (!markov_evaluate_set(markov, formula, &truth))
        return false;
    for (uint32_t s = 0; s < markov->initial_count; s++)
        is_found |= truth[s] == is_true;
    free(truth);
    return is_found;
}

/* One of two is enough: the first that is so, and that a run shows. */
static struct trace *show_either(struct markov *markov, const struct pctl *left, bool is_left, const struct pctl *right,
                                 bool is_right, const char **reason)
{
    struct trace *trace = is_so(markov, left, is_left) ? counterexample_find(markov, left, is_left, reason) : NULL;
    if (trace || !is_so(markov, right, is_right))
        return trace;
    *reason = NULL;
    return counterexample_find(markov, right, is_right, reason);
}

struct trace *counterexample_find(struct markov *markov, const struct pctl *formula, bool is_true, const char **reason)
{
    switch (formula->kind) {
    case PCTL_NOT:
        return counterexample_find(markov, formula->left, !is_true, reason);
    case PCTL_AND:
        return is_true ? NULL : show_either(markov, formula->left, false, formula->right, false, reason);
    case PCTL_OR:
        return is_true ? show_either(markov, formula->left, true, formula->right, true, reason) : NULL;
    case PCTL_IMPLIES:
        if (markov->initial_count > 1 && !is_true)
            return NULL; /* the run might begin where it is true */
        return is_true ? show_either(markov, formula->left, false, formula->right, true, reason)
                       : counterexample_find(markov, formula->right, false, reason);
    case PCTL_PROBABILITY:
        return show_chance(markov, formula, is_true, reason);
    case PCTL_EXISTS:
        return is_true ? show_path(markov, formula, reason) : NULL;
    case PCTL_FORALL:
        return is_true ? NULL : show_path(markov, formula, reason);
    case PCTL_FILTER:
        return show_state(markov, formula, is_true, reason);
    default:
        return NULL;
    }
}
