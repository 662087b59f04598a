#include "engine/probabilistic/until.h"

#include <string.h>

static void negate(const struct markov *markov, uint8_t *truth)
{
    for (uint32_t s = 0; s < markov_count(markov); s++)
        truth[s] = !truth[s];
}

static void become_complement(const struct markov *markov, const struct pctl *formula, struct until *until)
{
    until->is_complement = true;
    until->extreme = until->extreme == EXTREME_LEAST ? EXTREME_GREATEST : EXTREME_LEAST;
    negate(markov, until->goal);
    if (formula->path == PCTL_RELEASE)
        negate(markov, until->left);
    if (formula->path != PCTL_WEAK_UNTIL)
        return;
    /* goal is !b now; the new goal is !a & !b, the new left a & !b */
    for (uint32_t s = 0; s < markov_count(markov); s++) {
        bool left = until->left[s], right = !until->goal[s];
        until->left[s] = left && !right;
        until->goal[s] = !left && !right;
    }
}

/* A fair scheduler that can reach the goal again and again does so: the only way to miss it is to get where it cannot
 * be reached at all. So the least chance is the complement of the greatest chance to get there (Baier and Kwiatkowska
 * 1998). */
static void become_fair(struct markov *markov, struct until *until)
{
    uint8_t *lost = pctl_new_truth(markov);
    reverse_chance_zero(markov_reverse(markov), until->left, until->goal, EXTREME_GREATEST, lost);
    for (uint32_t s = 0; s < markov_count(markov); s++)
        until->left[s] = !until->goal[s] && !lost[s];
    free(until->goal);
    until->goal = lost;
    until->extreme = EXTREME_GREATEST;
    until->is_complement = !until->is_complement;
}

bool until_make(struct markov *markov, const struct pctl *formula, const struct accuracy *accuracy, struct until *until)
{
    *until = (struct until){.extreme = pctl_formula_extreme(formula), .window = &formula->window};
    if (!pctl_evaluate_truth(markov, formula->right, accuracy, &until->goal))
        return false;
    if (formula->left) {
        if (!pctl_evaluate_truth(markov, formula->left, accuracy, &until->left))
            return false;
    } else {
        until->left = pctl_new_truth(markov);
        memset(until->left, 1, markov_count(markov));
    }
    bool is_complement =
        formula->path == PCTL_ALWAYS || formula->path == PCTL_WEAK_UNTIL || formula->path == PCTL_RELEASE;
    if (is_complement)
        become_complement(markov, formula, until);
    bool is_felt = markov->options->is_fair && markov->chain->kind == CHAIN_MDP && until->extreme == EXTREME_LEAST;
    if (!is_felt || formula->window.upper) /* up to some step any scheduler may still turn out to be fair */
        return true;
    if (formula->window.lower)
        return markov_fail(markov, "a bound from below alone is not supported under fairness (--fair)");
    become_fair(markov, until);
    return true;
}

void until_free(struct until *until)
{
    free(until->left);
    free(until->goal);
    *until = (struct until){0};
}

void until_decide(struct markov *markov, const struct until *until, uint8_t *zero, uint8_t *one)
{
    reverse_chance_zero(markov_reverse(markov), until->left, until->goal, until->extreme, zero);
    reverse_chance_one(markov_reverse(markov), until->left, until->goal, until->extreme, one);
}
