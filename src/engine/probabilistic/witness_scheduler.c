#include <string.h>

#include "engine/probabilistic/outcomes.h"
#include "engine/probabilistic/witness.h"

enum { STATES_BETWEEN_LOOKS = 1024 };

/* The choice of a row is the one in its place among those that are possible in the state. */
static const struct outcome_of_state *outcome_of_row(const struct outcomes *outcomes, uint32_t place)
{
    for (uint32_t i = 0; i < outcomes->count; i++) {
        bool is_next = i && !outcomes_are_together(&outcomes->items[i], &outcomes->items[i - 1]);
        place -= is_next;
        if (!place)
            return &outcomes->items[i];
    }
    return NULL;
}

static void add_choice(struct outcomes *outcomes, uint32_t state, struct quantity *quantity)
{
    const struct markov *markov = outcomes->markov;
    const struct chain *chain = markov->chain;
    const int32_t *cells = outcomes_gather(outcomes, state);
    const struct outcome_of_state *found =
        cells ? outcome_of_row(outcomes, markov->witness.rows[state] - markov->matrix.state_row.items[state]) : NULL;
    if (!found)
        return; /* nothing is possible: there is nothing to choose */
    size_t size = markov->layout->cell_count * sizeof *cells;
    const struct choice *taken = &chain->choices[found->choice];
    struct scheduled_choice choice = {memory_alloc(size + 1), taken->action,
                                      markov->layout->system->rules.items[taken->first_rule]};
    memcpy(choice.cells, cells, size);
    VEC_PUSH(&quantity->scheduler, choice);
}

void witness_scheduler(struct markov *markov, struct quantity *quantity)
{
    const struct witness *witness = &markov->witness;
    const struct matrix *matrix = &markov->matrix;
    size_t count = markov_count(markov);
    uint8_t *is_met = memory_zeroed(count + 1, 1);
    uint32_t *queue = memory_zeroed(count + 1, sizeof *queue), end = 1;
    struct outcomes *outcomes = outcomes_create(markov);
    is_met[0] = 1;
    quantity->layout = markov->layout;
    bool goes_on = true;
    for (uint32_t begin = 0; begin < end && goes_on; begin++) {
        uint32_t state = queue[begin], row = witness->rows[state];
        goes_on = begin % STATES_BETWEEN_LOOKS || markov_may_go_on(markov);
        if (witness->goal[state] || !witness->through[state])
            continue;
        add_choice(outcomes, state, quantity);
        for (uint64_t i = matrix->row_entry.items[row]; i < matrix->row_entry.items[row + 1]; i++) {
            uint32_t target = matrix->entries.items[i].target;
            if (is_met[target])
                continue;
            is_met[target] = 1;
            queue[end++] = target;
        }
    }
    if (!goes_on) /* a part of a scheduler is none; the value is known all the same */
        quantity_drop_scheduler(quantity);
    outcomes_destroy(outcomes);
    free(queue);
    free(is_met);
}
