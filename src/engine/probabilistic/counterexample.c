#include "engine/probabilistic/counterexample.h"

#include <string.h>

#include "engine/probabilistic/until.h"
#include "engine/probabilistic/walk.h"

static struct trace *lift(struct markov *markov, struct markov_walk *walk)
{
    struct trace *trace = walk->states.count ? walk_run(markov, walk) : NULL;
    walk_free(walk);
    return trace;
}

static uint8_t *intersect(const struct markov *markov, const uint8_t *a, bool is_a, const uint8_t *b, bool is_b)
{
    uint8_t *set = pctl_new_truth(markov);
    for (uint32_t s = 0; s < markov_count(markov); s++)
        set[s] = a[s] == is_a && b[s] == is_b;
    return set;
}

/* --- P --- */

/* On from the last state of the walk, from where left U goal can be missed for good: until it is, or round and round.
 */
static void miss_for_good(struct markov *markov, const struct until *until, const uint8_t *missed,
                          struct markov_walk *walk)
{
    uint8_t *inside = intersect(markov, missed, true, until->left, true);
    if (inside[VEC_LAST(&walk->states)]) {
        walk_go_round(markov, inside, walk);
        if (!walk->has_loop && !markov->is_deadlock.items[VEC_LAST(&walk->states)])
            walk_step(markov, missed, walk);
    }
    free(inside);
}

/* A way to the goal, or to where it can be missed for good. */
static bool walk_until(struct markov *markov, const struct until *until, bool wants_goal, struct markov_walk *walk)
{
    uint8_t *goal = pctl_new_truth(markov), *through = intersect(markov, until->left, true, until->goal, false);
    if (wants_goal)
        memcpy(goal, until->goal, markov_count(markov));
    else
        reverse_chance_zero(markov_reverse(markov), until->left, until->goal, EXTREME_LEAST, goal);
    bool is_found = walk_find(markov, NULL, through, goal, walk);
    if (is_found && !wants_goal)
        miss_for_good(markov, until, goal, walk);
    free(goal);
    free(through);
    return is_found;
}

static struct trace *show_next(struct markov *markov, const struct pctl *formula, bool comes,
                               const struct accuracy *accuracy, const char **reason)
{
    struct markov_walk walk = {0};
    uint8_t *goal = NULL;
    bool is_found = pctl_evaluate_truth(markov, formula->right, accuracy, &goal);
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

static struct trace *show_chance(struct markov *markov, const struct pctl *formula, bool is_true,
                                 const struct accuracy *accuracy, const char **reason)
{
    struct until until = {0};
    struct markov_walk walk = {0};
    bool comes, has_window = formula->window.upper;
    if (!is_shown_by_run(markov, formula, is_true, &comes) || formula->window.lower)
        return NULL;
    if (formula->path == PCTL_NEXT)
        return show_next(markov, formula, comes, accuracy, reason);
    bool is_made = until_make(markov, formula, accuracy, &until), wants_goal = comes != until.is_complement;
    /* Within a bound: a shortest way to the goal is short enough, if any is. */
    if (is_made && (!has_window || wants_goal))
        walk_until(markov, &until, wants_goal, &walk);
    bool is_event = formula->path == PCTL_EVENTUALLY || formula->path == PCTL_UNTIL;
    *reason = comes ? (is_event ? "it has happened" : "it can go on holding for good")
                    : (is_event ? "it can be missed for good" : "it has failed");
    until_free(&until);
    return lift(markov, &walk);
}

/* --- E and A --- */

/* The operands of the path that is claimed to be there. */
struct claim {
    uint8_t *left, *goal;
};

static void claim_free(struct claim *claim)
{
    free(claim->left);
    free(claim->goal);
}

static void negate(const struct markov *markov, uint8_t *set)
{
    for (uint32_t s = 0; set && s < markov_count(markov); s++)
        set[s] = !set[s];
}

/* left R right = right U (left & right), or right for ever; left W right = left U right, or left for ever. */
static void claim_release(const struct markov *markov, struct claim *claim)
{
    uint8_t *goal = intersect(markov, claim->left, true, claim->goal, true), *left = claim->goal;
    free(claim->left);
    claim->left = left;
    claim->goal = goal;
}

/* The path that is claimed: of E itself, of A that is false the opposite (branching.c). */
static enum pctl_path claim_path(const struct markov *markov, const struct pctl *formula, struct claim *claim)
{
    bool is_all = formula->kind == PCTL_FORALL;
    if (!is_all)
        return formula->path;
    negate(markov, claim->goal);
    negate(markov, claim->left);
    switch (formula->path) {
    case PCTL_EVENTUALLY:
        return PCTL_ALWAYS;
    case PCTL_ALWAYS:
        return PCTL_EVENTUALLY;
    case PCTL_UNTIL:
        return PCTL_RELEASE;
    case PCTL_RELEASE:
        return PCTL_UNTIL;
    case PCTL_WEAK_UNTIL: { /* !b U (!a & !b) */
        uint8_t *goal = intersect(markov, claim->left, true, claim->goal, true);
        free(claim->left);
        claim->left = claim->goal;
        claim->goal = goal;
        return PCTL_UNTIL;
    }
    default:
        return PCTL_NEXT;
    }
}

static bool walk_claim(struct markov *markov, enum pctl_path path, struct claim *claim, struct markov_walk *walk)
{
    uint8_t *always = NULL;
    bool is_found = false;
    if (path == PCTL_RELEASE)
        claim_release(markov, claim);
    if (path != PCTL_ALWAYS)
        is_found = walk_find(markov, NULL, claim->left, claim->goal, walk);
    if (!is_found && path != PCTL_EVENTUALLY && path != PCTL_UNTIL) {
        always = pctl_some_always(markov, path == PCTL_ALWAYS ? claim->goal : claim->left);
        is_found = walk_find(markov, always, NULL, always, walk);
        if (is_found)
            walk_go_round(markov, always, walk);
    }
    free(always);
    return is_found;
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

static struct trace *show_path(struct markov *markov, const struct pctl *formula, const struct accuracy *accuracy,
                               const char **reason)
{
    struct claim claim = {0};
    struct markov_walk walk = {0};
    if (formula->window.lower || formula->window.upper)
        return NULL;
    if (formula->path == PCTL_NEXT) {
        struct trace *trace = show_next(markov, formula, formula->kind == PCTL_EXISTS, accuracy, reason);
        *reason = reason_of(formula, false);
        return trace;
    }
    bool is_known = pctl_evaluate_truth(markov, formula->right, accuracy, &claim.goal) &&
                    (!formula->left || pctl_evaluate_truth(markov, formula->left, accuracy, &claim.left));
    if (is_known) {
        enum pctl_path path = claim_path(markov, formula, &claim);
        walk_claim(markov, path, &claim, &walk);
        *reason = reason_of(formula, walk.has_loop);
    }
    claim_free(&claim);
    return lift(markov, &walk);
}

/* --- what is made of these --- */

/* filter(forall, ...): the way to a state in which it does not hold; filter(exists, ...): in which it does. */
static struct trace *show_state(struct markov *markov, const struct pctl *formula, bool is_true,
                                const struct accuracy *accuracy, const char **reason)
{
    uint8_t *truth = NULL, *states = NULL;
    struct markov_walk walk = {0};
    bool is_known = formula->filter == (is_true ? PCTL_FILTER_EXISTS : PCTL_FILTER_FORALL) &&
                    pctl_evaluate_truth(markov, formula->left, accuracy, &truth) &&
                    (!formula->right || pctl_evaluate_truth(markov, formula->right, accuracy, &states));
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
static bool is_so(struct markov *markov, const struct pctl *formula, bool is_true, const struct accuracy *accuracy)
{
    uint8_t *truth = NULL;
    bool is_found = false;
    if (!pctl_evaluate_truth(markov, formula, accuracy, &truth))
        return false;
    for (uint32_t s = 0; s < markov->initial_count; s++)
        is_found |= truth[s] == is_true;
    free(truth);
    return is_found;
}

/* One of two is enough: the first that is so, and that a run shows. */
static struct trace *show_either(struct markov *markov, const struct pctl *left, bool is_left, const struct pctl *right,
                                 bool is_right, const struct accuracy *accuracy, const char **reason)
{
    struct trace *trace =
        is_so(markov, left, is_left, accuracy) ? counterexample_find(markov, left, is_left, accuracy, reason) : NULL;
    if (trace || !is_so(markov, right, is_right, accuracy))
        return trace;
    *reason = NULL;
    return counterexample_find(markov, right, is_right, accuracy, reason);
}

struct trace *counterexample_find(struct markov *markov, const struct pctl *formula, bool is_true,
                                  const struct accuracy *accuracy, const char **reason)
{
    switch (formula->kind) {
    case PCTL_NOT:
        return counterexample_find(markov, formula->left, !is_true, accuracy, reason);
    case PCTL_AND:
        return is_true ? NULL : show_either(markov, formula->left, false, formula->right, false, accuracy, reason);
    case PCTL_OR:
        return is_true ? show_either(markov, formula->left, true, formula->right, true, accuracy, reason) : NULL;
    case PCTL_IMPLIES:
        if (markov->initial_count > 1 && !is_true)
            return NULL; /* the run might begin where it is true */
        return is_true ? show_either(markov, formula->left, false, formula->right, true, accuracy, reason)
                       : counterexample_find(markov, formula->right, false, accuracy, reason);
    case PCTL_PROBABILITY:
        return show_chance(markov, formula, is_true, accuracy, reason);
    case PCTL_EXISTS:
        return is_true ? show_path(markov, formula, accuracy, reason) : NULL;
    case PCTL_FORALL:
        return is_true ? NULL : show_path(markov, formula, accuracy, reason);
    case PCTL_FILTER:
        return show_state(markov, formula, is_true, accuracy, reason);
    default:
        return NULL;
    }
}
