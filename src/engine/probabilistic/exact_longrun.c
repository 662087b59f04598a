/* Rewards by row, and the long run, exactly. */
#include "engine/probabilistic/exact.h"
#include "numeric/average.h"

static struct rational **new_numbers(uint32_t count)
{
    struct rational **numbers = memory_zeroed((size_t)count + 1, sizeof *numbers);
    for (uint32_t i = 0; i < count; i++)
        numbers[i] = rational_create(0, 1);
    return numbers;
}

void exact_free_numbers(struct rational **numbers, uint32_t count)
{
    for (uint32_t i = 0; numbers && i < count; i++)
        rational_destroy(numbers[i]);
    free(numbers);
}

struct rational **exact_rewards_by_row(const struct markov *markov, uint32_t structure)
{
    const struct exact_chain *exact = markov->exact;
    const struct matrix *matrix = &markov->matrix;
    struct rational **rewards = new_numbers(matrix_rows(matrix));
    for (uint32_t s = 0; s < markov_count(markov); s++) {
        bool is_timed = markov->chain->kind == CHAIN_CTMC && !markov->is_deadlock.items[s];
        for (uint32_t r = matrix->state_row.items[s]; r < matrix->state_row.items[s + 1]; r++) {
            rational_copy(rewards[r], exact->state_reward[structure][s]);
            if (is_timed)
                rational_divide(rewards[r], exact->exit_rates[s]);
            rational_add(rewards[r], exact->row_reward[structure][r]);
        }
    }
    return rewards;
}

/* How long a visit takes: a step, or the mean time until a jump. */
static struct rational **times_by_row(const struct markov *markov)
{
    const struct matrix *matrix = &markov->matrix;
    struct rational **times = new_numbers(matrix_rows(matrix));
    for (uint32_t s = 0; s < markov_count(markov); s++)
        for (uint32_t r = matrix->state_row.items[s]; r < matrix->state_row.items[s + 1]; r++) {
            rational_set(times[r], 1);
            if (markov->chain->kind == CHAIN_CTMC && !markov->is_deadlock.items[s])
                rational_divide(times[r], markov->exact->exit_rates[s]);
        }
    return times;
}

bool exact_average(struct markov *markov, enum extreme extreme, struct rational **rewards, struct rational **averages)
{
    struct rational **times = times_by_row(markov);
    struct policy_problem problem = {.matrix = &markov->matrix,
                                     .chances = markov->exact->chances,
                                     .row_reward = (const struct rational *const *)rewards,
                                     .extreme = extreme,
                                     .go_on = markov_may_go_on,
                                     .user = markov};
    bool is_done = average_solve(&problem, (const struct rational *const *)times, averages);
    exact_free_numbers(times, matrix_rows(&markov->matrix));
    return is_done;
}

bool exact_share(struct markov *markov, enum extreme extreme, const uint8_t *set, struct rational **shares)
{
    const struct matrix *matrix = &markov->matrix;
    struct rational **rewards = times_by_row(markov);
    for (uint32_t s = 0; s < markov_count(markov); s++)
        for (uint32_t r = matrix->state_row.items[s]; r < matrix->state_row.items[s + 1] && !set[s]; r++)
            rational_set(rewards[r], 0);
    bool is_done = exact_average(markov, extreme, rewards, shares);
    exact_free_numbers(rewards, matrix_rows(matrix));
    return is_done;
}
