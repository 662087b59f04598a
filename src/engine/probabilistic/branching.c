/* E and A: is there a path, are all paths so? Chances do not matter, only the graph. All operators come from two:
 * E[a U b], and E[G a]:
 *   E[a W b] = E[a U b] | E[G a]     E[a R b] = E[b U (a & b)] | E[G b]
 *   A[F b] = !E[G !b]                A[a U b] = !(E[!b U (!a & !b)] | E[G !b]), and so on. */
#include <string.h>

#include "engine/probabilistic/formula.h"

struct markov_operands {
    uint8_t *left, *right;
};

static uint8_t *some_until(struct markov *markov, const uint8_t *left, const uint8_t *goal)
{
    uint8_t *set = pctl_new_truth(markov);
    reverse_chance_zero(markov_reverse(markov), left, goal, EXTREME_GREATEST, set);
    for (uint32_t s = 0; s < markov_count(markov); s++)
        set[s] = !set[s];
    return set;
}

static bool has_successor_in(const struct matrix *matrix, uint32_t state, const uint8_t *set)
{
    uint64_t end = matrix->row_entry.items[matrix->state_row.items[state + 1]];
    for (uint64_t i = matrix->row_entry.items[matrix->state_row.items[state]]; i < end; i++)
        if (set[matrix->entries.items[i].target])
            return true;
    return false;
}

/* The greatest set inside `inside` in which every state has a successor in the set. */
uint8_t *pctl_some_always(struct markov *markov, const uint8_t *inside)
{
    const struct reverse *reverse = markov_reverse(markov);
    uint32_t count = markov_count(markov);
    uint8_t *set = pctl_new_truth(markov);
    VEC(uint32_t) work = {0};
    memcpy(set, inside, count);
    for (uint32_t s = 0; s < count; s++)
        VEC_PUSH(&work, s);
    while (work.count) {
        uint32_t state = VEC_POP(&work);
        if (!set[state] || has_successor_in(&markov->matrix, state, set))
            continue;
        set[state] = 0;
        for (uint64_t i = reverse->first[state]; i < reverse->first[state + 1]; i++)
            VEC_PUSH(&work, reverse->row_state[reverse->rows[i]]);
    }
    VEC_FREE(&work);
    return set;
}

static uint8_t *both(const struct markov *markov, const uint8_t *a, const uint8_t *b)
{
    uint8_t *set = pctl_new_truth(markov);
    for (uint32_t s = 0; s < markov_count(markov); s++)
        set[s] = a[s] && b[s];
    return set;
}

static uint8_t *either(const struct markov *markov, uint8_t *a, uint8_t *b)
{
    for (uint32_t s = 0; s < markov_count(markov); s++)
        a[s] |= b[s];
    free(b);
    return a;
}

static uint8_t *some_next(const struct markov *markov, const uint8_t *goal)
{
    uint8_t *set = pctl_new_truth(markov);
    for (uint32_t s = 0; s < markov_count(markov); s++)
        set[s] = has_successor_in(&markov->matrix, s, goal);
    return set;
}

static uint8_t *some_path(struct markov *markov, enum pctl_path path, const struct markov_operands *operands)
{
    uint8_t *set, *goal;
    switch (path) {
    case PCTL_NEXT:
        return some_next(markov, operands->right);
    case PCTL_ALWAYS:
        return pctl_some_always(markov, operands->right);
    case PCTL_WEAK_UNTIL:
        set = some_until(markov, operands->left, operands->right);
        return either(markov, set, pctl_some_always(markov, operands->left));
    case PCTL_RELEASE:
        goal = both(markov, operands->left, operands->right);
        set = some_until(markov, operands->right, goal);
        free(goal);
        return either(markov, set, pctl_some_always(markov, operands->right));
    default:
        return some_until(markov, operands->left, operands->right);
    }
}

/* All paths are so when none is otherwise: the operator that says "otherwise", with the operands negated. */
static enum pctl_path opposite(enum pctl_path path)
{
    static const enum pctl_path opposites[] = {[PCTL_NEXT] = PCTL_NEXT,
                                               [PCTL_EVENTUALLY] = PCTL_ALWAYS,
                                               [PCTL_ALWAYS] = PCTL_EVENTUALLY,
                                               [PCTL_UNTIL] = PCTL_RELEASE,
                                               [PCTL_RELEASE] = PCTL_UNTIL};
    return opposites[path];
}

static void negate(const struct markov *markov, uint8_t *set)
{
    for (uint32_t s = 0; s < markov_count(markov); s++)
        set[s] = !set[s];
}

/* a W b = b R (a | b) */
static enum pctl_path without_weak_until(const struct markov *markov, enum pctl_path path,
                                         struct markov_operands *operands)
{
    if (path != PCTL_WEAK_UNTIL)
        return path;
    for (uint32_t s = 0; s < markov_count(markov); s++) {
        uint8_t left = operands->left[s];
        operands->left[s] = operands->right[s];
        operands->right[s] |= left;
    }
    return PCTL_RELEASE;
}

bool pctl_branching_evaluate(struct markov *markov, const struct pctl *formula, const struct accuracy *accuracy,
                             uint8_t **truth)
{
    struct markov_operands operands = {0};
    if (formula->window.lower || formula->window.upper)
        return markov_fail(markov, "bounds under E and A are not supported");
    if (markov->options->is_fair && markov->chain->kind == CHAIN_MDP)
        return markov_fail(markov, "E and A are not supported under fairness (--fair)");
    bool is_done = pctl_evaluate_truth(markov, formula->right, accuracy, &operands.right);
    if (is_done && formula->left)
        is_done = pctl_evaluate_truth(markov, formula->left, accuracy, &operands.left);
    else if (is_done) {
        operands.left = pctl_new_truth(markov);
        memset(operands.left, 1, markov_count(markov));
    }
    if (is_done && formula->kind == PCTL_EXISTS)
        *truth = some_path(markov, formula->path, &operands);
    else if (is_done) {
        enum pctl_path path = without_weak_until(markov, formula->path, &operands);
        bool has_left = path == PCTL_UNTIL || path == PCTL_RELEASE;
        negate(markov, operands.right);
        if (has_left)
            negate(markov, operands.left);
        *truth = some_path(markov, opposite(path), &operands);
        negate(markov, *truth);
    }
    free(operands.left);
    free(operands.right);
    return is_done;
}
