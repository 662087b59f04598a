/* The numbers of the chain as rationals. */
#include "engine/probabilistic/exact.h"
#include "engine/probabilistic/outcomes.h"

/* A new number that the chain owns. */
static struct rational *exact_chain_own(struct exact_chain *exact)
{
    VEC_PUSH(&exact->owned, rational_create(0, 1));
    return VEC_LAST(&exact->owned);
}

bool exact_number(struct markov *markov, const struct weight *weight, const int32_t *cells, struct rational *number)
{
    int64_t top, bottom;
    if (weight->is_rounded)
        return pctl_fail(&markov->evaluator,
                         "a number of the model is not rational (a root or a logarithm): there is no exact value");
    if (!markov_parts(markov, weight, cells, &top, &bottom))
        return false;
    struct rational *share =
        rational_create(bottom < 0 ? -top : top, bottom < 0 ? (uint64_t)-bottom : (uint64_t)bottom);
    rational_copy(number, weight->factor);
    rational_multiply(number, share);
    rational_destroy(share);
    return true;
}

enum { BYTES_OF_NUMBER = 96 }; /* with a word above and below the line, and what malloc adds */

struct markov_building {
    struct markov *markov;
    const struct weight **weights; /* room for those of an outcome */
    struct exact_chain *exact;
    struct outcomes *outcomes;
    const int32_t *cells;
    struct rational *number, *factor, *sum;
};

/* Adds what a structure gives for a choice in the state (or, NULL, for being in it) to `sum`. */
static bool add_rewards(struct markov_building *building, const struct reward_structure *structure,
                        const struct choice *choice, struct rational *sum)
{
    struct markov *markov = building->markov;
    for (uint32_t i = 0; i < structure->count; i++) {
        const struct reward *item = &structure->items[i];
        bool is_true;
        if (item->is_transition != (choice != NULL) || (choice && !chain_is_same_action(item->action, choice->action)))
            continue;
        if (!markov_truth(markov, item->guard, building->cells, &is_true))
            return false;
        if (!is_true)
            continue;
        if (!exact_number(markov, item->value, building->cells, building->number))
            return false;
        rational_add(sum, building->number);
    }
    return true;
}

/* Its weight into building->number. */
static bool weigh(struct markov_building *building, const struct outcome_of_state *outcome)
{
    uint32_t count = chain_weights(outcome->rule, outcome->instance, building->weights);
    if (!exact_number(building->markov, building->weights[0], building->cells, building->number))
        return false;
    for (uint32_t i = 1; i < count; i++) {
        if (!exact_number(building->markov, building->weights[i], building->cells, building->factor))
            return false;
        rational_multiply(building->number, building->factor);
    }
    return true;
}

/* The sum of the weights of outcomes from .. to - 1 into `sum`. */
static bool add_weights(struct markov_building *building, uint32_t from, uint32_t to, struct rational *sum)
{
    rational_set(sum, 0);
    for (uint32_t i = from; i < to; i++) {
        if (!weigh(building, &building->outcomes->items[i]))
            return false;
        rational_add(sum, building->number);
    }
    return true;
}

static uint32_t end_of_choice(const struct outcomes *outcomes, uint32_t from)
{
    uint32_t to = from;
    while (to < outcomes->count && outcomes_are_together(&outcomes->items[to], &outcomes->items[from]))
        to++;
    return to;
}

/* The entries of a row, and its rewards, from the choices of outcomes from .. to - 1, divided by `total`. */
static bool fill_row(struct markov_building *building, uint32_t row, uint32_t from, uint32_t to,
                     const struct rational *total)
{
    struct markov *markov = building->markov;
    const struct matrix *matrix = &markov->matrix;
    const struct chain *chain = markov->chain;
    for (uint64_t e = matrix->row_entry.items[row]; e < matrix->row_entry.items[row + 1]; e++) {
        struct rational *chance = exact_chain_own(building->exact);
        for (uint32_t i = from; i < to; i++) {
            const struct outcome_of_state *outcome = &building->outcomes->items[i];
            if (outcome->target != matrix->entries.items[e].target)
                continue;
            if (!weigh(building, outcome))
                return false;
            rational_add(chance, building->number);
        }
        rational_divide(chance, total);
        building->exact->chances[e] = chance;
    }
    for (uint32_t k = 0; k < chain->reward_count; k++) {
        struct rational *reward = exact_chain_own(building->exact), *one = rational_create(0, 1);
        bool is_right = true;
        for (uint32_t i = from; i < to && is_right;) {
            uint32_t end = end_of_choice(building->outcomes, i);
            rational_set(one, 0);
            is_right =
                add_rewards(building, &chain->rewards[k], &chain->choices[building->outcomes->items[i].choice], one) &&
                add_weights(building, i, end, building->sum);
            rational_multiply(one, building->sum);
            rational_divide(one, total);
            rational_add(reward, one);
            i = end;
        }
        rational_destroy(one);
        building->exact->row_reward[k][row] = reward;
        if (!is_right)
            return false;
    }
    return true;
}

/* Chances that add up to 1 only nearly are good enough for bounds, but not here. */
static bool check_choice(struct markov_building *building, uint32_t from, uint32_t to)
{
    struct markov *markov = building->markov;
    const struct choice *choice = &markov->chain->choices[building->outcomes->items[from].choice];
    if (!add_weights(building, from, to, building->sum))
        return false;
    rational_set(building->number, 1);
    if (!rational_compare(building->sum, building->number))
        return true;
    char *digits = rational_digits(building->sum);
    pctl_fail_at(&markov->evaluator, choice->span.line,
                 "the probabilities add up to %s, not to 1: there is no exact value", digits);
    free(digits);
    return false;
}

static bool fill_rows(struct markov_building *building, uint32_t state)
{
    struct markov *markov = building->markov;
    uint32_t row = markov->matrix.state_row.items[state], count = building->outcomes->count, choices = 0;
    struct rational *total = exact_chain_own(building->exact);
    rational_set(total, 1);
    for (uint32_t from = 0; from < count && markov->chain->kind != CHAIN_CTMC; choices++) {
        uint32_t to = end_of_choice(building->outcomes, from);
        if (!check_choice(building, from, to) ||
            (markov->chain->kind == CHAIN_MDP && !fill_row(building, row++, from, to, total)))
            return false;
        from = to;
    }
    if (!count) {
        struct rational *stay = exact_chain_own(building->exact);
        rational_set(stay, 1);
        building->exact->chances[markov->matrix.row_entry.items[row]] = stay;
        for (uint32_t k = 0; k < markov->chain->reward_count; k++)
            building->exact->row_reward[k][row] = exact_chain_own(building->exact);
        rational_set(total, 0);
        building->exact->exit_rates[state] = total;
        return true;
    }
    if (markov->chain->kind == CHAIN_MDP)
        return true;
    if (markov->chain->kind == CHAIN_DTMC)
        rational_set(total, choices);
    else if (!add_weights(building, 0, count, total))
        return false;
    building->exact->exit_rates[state] = total;
    return fill_row(building, row, 0, count, total);
}

static bool fill_state(struct markov_building *building, uint32_t state)
{
    struct markov *markov = building->markov;
    building->cells = outcomes_gather(building->outcomes, state);
    if (!building->cells || !fill_rows(building, state))
        return false;
    for (uint32_t k = 0; k < markov->chain->reward_count; k++) {
        struct rational *reward = exact_chain_own(building->exact);
        if (!add_rewards(building, &markov->chain->rewards[k], NULL, reward))
            return false;
        building->exact->state_reward[k][state] = reward;
    }
    return true;
}

bool exact_chain_build(struct markov *markov)
{
    uint32_t states = markov_count(markov), structures = markov->chain->reward_count;
    struct exact_chain *exact = markov->exact = memory_zeroed(1, sizeof *exact);
    exact->chances = memory_zeroed(markov->matrix.entries.count + 1, sizeof *exact->chances);
    exact->exit_rates = memory_zeroed((size_t)states + 1, sizeof *exact->exit_rates);
    exact->state_reward = memory_zeroed((size_t)structures + 1, sizeof *exact->state_reward);
    exact->row_reward = memory_zeroed((size_t)structures + 1, sizeof *exact->row_reward);
    for (uint32_t k = 0; k < structures; k++) {
        exact->state_reward[k] = memory_zeroed((size_t)states + 1, sizeof **exact->state_reward);
        exact->row_reward[k] = memory_zeroed((size_t)matrix_rows(&markov->matrix) + 1, sizeof **exact->row_reward);
    }
    struct markov_building building = {.markov = markov,
                                       .exact = exact,
                                       .outcomes = outcomes_create(markov),
                                       .number = rational_create(0, 1),
                                       .factor = rational_create(0, 1),
                                       .sum = rational_create(0, 1)};
    building.weights = memory_alloc(chain_most_weights(markov->layout->system) * sizeof *building.weights);
    bool is_built = true;
    for (uint32_t s = 0; s < states && is_built; s++)
        is_built =
            (s % 1024 || (markov_may_go_on(markov) && markov_fits(markov, exact->owned.count * BYTES_OF_NUMBER))) &&
            fill_state(&building, s);
    outcomes_destroy(building.outcomes);
    free(building.weights);
    rational_destroy(building.number);
    rational_destroy(building.factor);
    rational_destroy(building.sum);
    return is_built;
}

void exact_chain_destroy(struct exact_chain *exact)
{
    if (!exact)
        return;
    for (size_t i = 0; i < exact->owned.count; i++)
        rational_destroy(exact->owned.items[i]);
    VEC_FREE(&exact->owned);
    for (uint32_t k = 0; exact->state_reward[k]; k++) {
        free(exact->state_reward[k]);
        free(exact->row_reward[k]);
    }
    free(exact->state_reward);
    free(exact->row_reward);
    free(exact->chances);
    free(exact->exit_rates);
    free(exact);
}
