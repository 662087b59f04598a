#include "engine/probabilistic/counterexample.h"

#include <string.h>

#include "engine/probabilistic/until.h"

/* A path of the graph; after its last state it goes on forever, back at `loop` where that is one of its states. */
struct walk {
    VEC(uint32_t) states;
    bool has_loop;
    uint32_t loop;
};

enum { NOT_SEEN = UINT32_MAX };

static void trace_back(const uint32_t *before, uint32_t end, struct walk *walk)
{
    for (uint32_t s = end;; s = before[s]) {
        VEC_PUSH(&walk->states, s);
        if (before[s] == s)
            break;
    }
    for (size_t i = 0, k = walk->states.count - 1; i < k; i++, k--) {
        uint32_t swap = walk->states.items[i];
        walk->states.items[i] = walk->states.items[k];
        walk->states.items[k] = swap;
    }
}

/* A shortest way from one of the initial states in `from` (NULL: any) by states of `through` (NULL: any) to one of `goal`. */
static bool find_way(const struct markov *markov, const uint8_t *from, const uint8_t *through, const uint8_t *goal,
                     struct walk *walk)
{
    const struct matrix *matrix = &markov->matrix;
    uint32_t count = markov_count(markov), end = 0, found = NOT_SEEN;
    uint32_t *before = memory_zeroed((size_t)count + 1, sizeof *before);
    uint32_t *queue = memory_zeroed((size_t)count + 1, sizeof *queue);
    memset(before, 0xff, count * sizeof *before);
    for (uint32_t s = 0; s < markov->initial_count; s++)
        if (!from || from[s]) {
            before[s] = s;
            queue[end++] = s;
        }
    for (uint32_t begin = 0; begin < end && found == NOT_SEEN; begin++) {
        uint32_t state = queue[begin];
        if (goal[state])
            found = state;
        if (goal[state] || (through && !through[state]))
            continue;
        uint64_t last = matrix->row_entry.items[matrix->state_row.items[state + 1]];
        for (uint64_t i = matrix->row_entry.items[matrix->state_row.items[state]]; i < last; i++) {
            uint32_t target = matrix->entries.items[i].target;
            if (before[target] != NOT_SEEN)
                continue;
            before[target] = state;
            queue[end++] = target;
        }
    }
    if (found != NOT_SEEN)
        trace_back(before, found, walk);
    free(before);
    free(queue);
    return found != NOT_SEEN;
}

/* Goes on inside the set, in which every state has a successor, until it meets itself. */
static void go_round(const struct markov *markov, const uint8_t *set, struct walk *walk)
{
    const struct matrix *matrix = &markov->matrix;
    uint32_t *place = memory_zeroed((size_t)markov_count(markov) + 1, sizeof *place); /* plus 1 */
    uint32_t state = VEC_LAST(&walk->states);
    place[state] = (uint32_t)walk->states.count;
    while (!markov->is_deadlock.items[state]) {
        uint64_t i = matrix->row_entry.items[matrix->state_row.items[state]];
        while (!set[matrix->entries.items[i].target])
            i++;
        state = matrix->entries.items[i].target;
        VEC_PUSH(&walk->states, state);
        if (place[state]) {
            walk->has_loop = true;
            walk->loop = place[state] - 1;
            break;
        }
        place[state] = (uint32_t)walk->states.count;
    }
    free(place);
}

static struct trace *lift(struct markov *markov, struct walk *walk)
{
    size_t cells = markov->layout->cell_count;
    int32_t *run = memory_zeroed(walk->states.count * cells + 1, sizeof *run);
    for (size_t i = 0; i < walk->states.count; i++)
        memcpy(run + i * cells, markov_cells(markov, walk->states.items[i]), cells * sizeof *run);
    struct trace *trace = trace_lift(markov->layout, markov->symmetry, run, (uint32_t)walk->states.count,
                                     TRACE_GOAL_STATE, NULL);
    /* Around a loop of orbits the run comes back to the orbit, but perhaps to another state of it. */
    if (trace && walk->has_loop) {
        const int32_t *first = trace->steps[walk->loop].cells, *last = trace->steps[trace->count - 1].cells;
        trace->has_loop = !memcmp(first, last, cells * sizeof *first);
        trace->loop = walk->loop;
    }
    free(run);
    VEC_FREE(&walk->states);
    return trace;
}

/* P>=1 is violated where the goal can be missed for good; P<=0 where it can be reached. */
static struct trace *show_chance(struct markov *markov, const struct pctl *formula, const struct accuracy *accuracy,
                                 const char **reason)
{
    struct until until = {0};
    struct walk walk = {0};
    double limit = formula->threshold->value;
    bool has_window = formula->window.lower || formula->window.upper;
    bool is_sure = formula->op == OP_GE && limit == 1, is_never = formula->op == OP_LE && limit == 0;
    if (formula->path == PCTL_NEXT || has_window || (!is_sure && !is_never) || !pctl_is_qualitative(formula) ||
        pctl_is_least(formula) != is_sure) /* of Pmax>=1 no one run shows what all schedulers miss */
        return NULL;
    if (!until_make(markov, formula, accuracy, &until)) {
        until_free(&until);
        return NULL;
    }
    bool wants_goal = is_never != until.is_complement;
    uint8_t *goal = pctl_new_truth(markov);
    if (wants_goal)
        memcpy(goal, until.goal, markov_count(markov));
    else
        reverse_chance_zero(markov_reverse(markov), until.left, until.goal, EXTREME_LEAST, goal);
    for (uint32_t s = 0; s < markov_count(markov); s++)
        until.left[s] = until.left[s] && !until.goal[s];
    bool is_found = find_way(markov, NULL, until.left, goal, &walk);
    bool comes = formula->path == PCTL_EVENTUALLY || formula->path == PCTL_UNTIL;
    *reason = is_sure ? (comes ? "it can be missed for good" : "it has failed")
                      : (comes ? "it has happened" : "it can go on holding for good");
    until_free(&until);
    free(goal);
    return is_found ? lift(markov, &walk) : NULL;
}

static struct trace *show_all_paths(struct markov *markov, const struct pctl *formula, const struct accuracy *accuracy,
                                    const char **reason)
{
    uint8_t *left = NULL, *right = NULL;
    struct walk walk = {0};
    bool is_always = formula->path == PCTL_ALWAYS, is_found = false;
    if ((!is_always && formula->path != PCTL_EVENTUALLY) || formula->window.lower || formula->window.upper ||
        !pctl_evaluate_truth(markov, formula->right, accuracy, &right))
        return NULL;
    for (uint32_t s = 0; s < markov_count(markov); s++)
        right[s] = !right[s];
    if (is_always) {
        is_found = find_way(markov, NULL, NULL, right, &walk);
        *reason = "what must hold always does not";
    } else {
        left = pctl_some_always(markov, right);
        is_found = find_way(markov, left, NULL, left, &walk);
        if (is_found)
            go_round(markov, left, &walk);
        *reason = "it never comes to what must come";
    }
    free(left);
    free(right);
    return is_found ? lift(markov, &walk) : NULL;
}

/* filter(forall, ...): the way to a state in which it does not hold. */
static struct trace *show_state(struct markov *markov, const struct pctl *formula, const struct accuracy *accuracy,
                                const char **reason)
{
    uint8_t *truth = NULL, *states = NULL;
    struct walk walk = {0};
    bool is_found = formula->filter == PCTL_FILTER_FORALL && pctl_evaluate_truth(markov, formula->left, accuracy, &truth) &&
                    (!formula->right || pctl_evaluate_truth(markov, formula->right, accuracy, &states));
    if (is_found) {
        for (uint32_t s = 0; s < markov_count(markov); s++)
            truth[s] = !truth[s] && (!states || states[s]);
        is_found = find_way(markov, NULL, NULL, truth, &walk);
        *reason = "what must hold in every state does not";
    }
    free(truth);
    free(states);
    return is_found ? lift(markov, &walk) : NULL;
}

static bool is_false(struct markov *markov, const struct pctl *formula, const struct accuracy *accuracy)
{
    uint8_t *truth = NULL;
    bool is_true = true;
    if (!pctl_evaluate_truth(markov, formula, accuracy, &truth))
        return false;
    for (uint32_t s = 0; s < markov->initial_count; s++)
        is_true &= truth[s];
    free(truth);
    return !is_true;
}

struct trace *counterexample_find(struct markov *markov, const struct pctl *formula, const struct accuracy *accuracy,
                                  const char **reason)
{
    switch (formula->kind) {
    case PCTL_AND:
        return counterexample_find(markov, is_false(markov, formula->left, accuracy) ? formula->left : formula->right,
                                   accuracy, reason);
    case PCTL_PROBABILITY:
        return show_chance(markov, formula, accuracy, reason);
    case PCTL_FORALL:
        return show_all_paths(markov, formula, accuracy, reason);
    case PCTL_FILTER:
        return show_state(markov, formula, accuracy, reason);
    default:
        return NULL;
    }
}
