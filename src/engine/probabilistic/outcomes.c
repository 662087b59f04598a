#include "engine/probabilistic/outcomes.h"

#include <stdlib.h>
#include <string.h>

struct outcomes *outcomes_create(struct markov *markov)
{
    const struct layout *layout = markov->layout;
    struct outcomes *outcomes = memory_zeroed(1, sizeof *outcomes);
    outcomes->markov = markov;
    outcomes->stepper = stepper_create_evaluator(layout->system, layout);
    outcomes->weigher = weigher_create(markov);
    outcomes->source = memory_zeroed(layout->cell_count + 1, sizeof *outcomes->source);
    return outcomes;
}

void outcomes_destroy(struct outcomes *outcomes)
{
    stepper_destroy(outcomes->stepper);
    weigher_destroy(outcomes->weigher);
    free(outcomes->source);
    free(outcomes->items);
    free(outcomes);
}

bool outcomes_number(struct outcomes *outcomes, const int32_t *cells, uint32_t *number)
{
    return explore_find(outcomes->markov->explore, cells, number) == STORE_FOUND;
}

static int by_choice(const void *a, const void *b)
{
    const struct outcome_of_state *x = a, *y = b;
    if (x->choice != y->choice)
        return x->choice < y->choice ? -1 : 1;
    if (x->way != y->way)
        return x->way < y->way ? -1 : 1;
    if (x->target != y->target)
        return x->target < y->target ? -1 : 1;
    if (x->rule != y->rule)
        return x->rule->id < y->rule->id ? -1 : 1;
    return (x->instance > y->instance) - (x->instance < y->instance);
}

bool outcomes_are_together(const struct outcome_of_state *a, const struct outcome_of_state *b)
{
    return a->choice == b->choice && a->way == b->way;
}

static bool add_outcome(struct outcomes *outcomes, const struct step *step)
{
    struct markov *markov = outcomes->markov;
    struct outcome_of_state item = {.choice = chain_choice(markov->chain, step->rule),
                                    .rule = step->rule,
                                    .way = chain_way(step->rule, step->instance),
                                    .instance = step->instance};
    double weight;
    if (!weigher_weigh(outcomes->weigher, step->rule, step->instance, &weight))
        return false;
    if (weight == 0)
        return true;
    if (!outcomes_number(outcomes, step->cells, &item.target))
        return pctl_fail(&markov->evaluator, "internal error, please report it: a successor is not among the states");
    if (outcomes->count == outcomes->capacity) {
        outcomes->capacity = 2 * outcomes->capacity + 16;
        outcomes->items = memory_resize(outcomes->items, outcomes->capacity * sizeof *outcomes->items);
    }
    outcomes->items[outcomes->count++] = item;
    return true;
}

const int32_t *outcomes_gather(struct outcomes *outcomes, uint32_t state)
{
    struct markov *markov = outcomes->markov;
    struct step step;
    enum step_outcome outcome;
    outcomes->count = 0;
    memcpy(outcomes->source, markov_cells(markov, state), markov->layout->cell_count * sizeof *outcomes->source);
    weigher_load(outcomes->weigher, outcomes->source);
    stepper_begin_successors(outcomes->stepper, outcomes->source);
    while ((outcome = stepper_next(outcomes->stepper, &step)) != STEP_END) {
        if (outcome == STEP_STATE && !add_outcome(outcomes, &step))
            return NULL;
        if (watch_is_up() && !markov_may_go_on(markov)) /* a joint may have any number of instances */
            return NULL;
    }
    if (outcomes->count)
        qsort(outcomes->items, outcomes->count, sizeof *outcomes->items, by_choice);
    return outcomes->source;
}
