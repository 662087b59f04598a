/* Exact arithmetic: the probabilities, rates and rewards of the Markov chain as rationals, and the values of formulas
 * made of them.
 *
 * The matrix stays the graph. Where a number of the model is itself not exact (a logarithm, a root), or only the limit
 * of an iteration or a power of e would do, there is no exact value, and the reason is given. */
#ifndef NOETHER_ENGINE_PROBABILISTIC_EXACT_H
#define NOETHER_ENGINE_PROBABILISTIC_EXACT_H

#include "engine/probabilistic/numbers.h"
#include "numeric/policy.h"

struct exact_chain {
    const struct rational **chances;                      /* by entry of the matrix */
    const struct rational **exit_rates;                   /* by state; CTMC */
    const struct rational ***state_reward, ***row_reward; /* by structure, then by state or row */
    VEC(struct rational *) owned;                         /* of all these, what is not the model's */
};

/* Explores the states of the matrix once more. False: markov->evaluator.failure says why. */
bool exact_chain_build(struct markov *markov);
void exact_chain_destroy(struct exact_chain *exact);

/* A weight in a state; a constant needs none. */
bool exact_number(struct markov *markov, const struct weight *weight, const int32_t *cells, struct rational *number);
/* exact_longrun.c. What a step by each row earns; the caller frees it. */
struct rational **exact_rewards_by_row(const struct markov *markov, uint32_t structure);
void exact_free_numbers(struct rational **numbers, uint32_t count);
/* In the long run, of a step or a unit of time: what is earned; and the share of the states. */
bool exact_average(struct markov *markov, enum extreme extreme, struct rational **rewards, struct rational **averages);
bool exact_share(struct markov *markov, enum extreme extreme, const uint8_t *set, struct rational **shares);

/* The extreme values of the unknown states; those of the others are in `numbers`. `through`, `goal`: of which states
 * the first policy is to make progress to which. */
struct exact_until {
    const struct rational *const *row_reward; /* NULL: none */
    const double *row_reward_doubles;
    const uint8_t *unknown, *through, *goal;
    enum extreme extreme;
};
bool exact_solve(struct markov *markov, const struct exact_until *until, struct state_numbers *numbers);
void exact_complement(struct state_numbers *numbers);
/* x := opt (reward + row * x) in the unknown states, repeated. */
bool exact_steps(struct markov *markov, const struct exact_until *until, uint64_t steps, struct state_numbers *numbers);

#endif
