/* Exact arithmetic: the probabilities, rates and rewards of the Markov chain as rationals, and the values of formulas
 * made of them.
 *
 * The matrix stays the graph. Where a number of the model is itself not exact (a logarithm, a root), or only the limit
 * of an iteration or a power of e would do, there is no exact value, and the reason is given. */
#ifndef NOETHER_ENGINE_PROBABILISTIC_EXACT_H
#define NOETHER_ENGINE_PROBABILISTIC_EXACT_H

#include "engine/probabilistic/until.h"
#include "numeric/policy.h"

struct exact_chain {
    const struct rational **chances;                      /* by entry of the matrix */
    const struct rational **exit_rates;                   /* by state; CTMC */
    const struct rational ***state_reward, ***row_reward; /* by structure, then by state or row */
    VEC(struct rational *) owned;                         /* of all these, what is not the model's */
};

/* Explores the states of the matrix once more. False: markov->failure says why. */
bool exact_chain_build(struct markov *markov);
void exact_chain_destroy(struct exact_chain *exact);
/* A new number that the chain owns. */
struct rational *exact_chain_own(struct exact_chain *exact);

/* Is a formula one that computes with the numbers of others? */
bool exact_is_for(const struct pctl *formula);
bool exact_evaluate(struct markov *markov, const struct pctl *formula, const struct accuracy *accuracy,
                    struct pctl_value *value);

/* A weight in a state. */
bool exact_number(struct markov *markov, const struct weight *weight, const int32_t *cells, struct rational *number);
/* A constant, such as a threshold or a number of steps. */
bool exact_constant(struct markov *markov, const struct weight *weight, struct rational *number);
/* A number for every state, infinite at first. */
void exact_new_numbers(const struct markov *markov, struct pctl_value *value);
/* Sets a state's number, which is created if need be. */
void exact_set(struct pctl_value *value, uint32_t state, const struct rational *number);
void exact_set_integer(struct pctl_value *value, uint32_t state, int64_t number);
/* -1, 0, 1: NULL is infinite. */
int exact_compare(const struct rational *a, const struct rational *b);

/* Replaces the numbers by whether they are within the threshold. */
bool exact_decide_threshold(struct markov *markov, const struct pctl *formula, struct pctl_value *value);

/* exact_longrun.c. What a step by each row earns; the caller frees it. */
struct rational **exact_rewards_by_row(const struct markov *markov, uint32_t structure);
void exact_free_numbers(struct rational **numbers, uint32_t count);
/* In the long run, of a step or a unit of time: what is earned; and the share of the states. */
bool exact_average(struct markov *markov, enum extreme extreme, struct rational **rewards, struct pctl_value *value);
bool exact_share(struct markov *markov, enum extreme extreme, const uint8_t *truth, struct pctl_value *value);

/* exact_filter.c */
bool exact_filter(struct markov *markov, const struct pctl *formula, const struct accuracy *accuracy,
                  struct pctl_value *value);

/* The extreme values of the unknown states; those of the others are in `value`. `through`, `goal`: of which states the
 * first policy is to make progress to which. */
struct exact_until {
    const struct rational *const *row_reward; /* NULL: none */
    const double *row_reward_doubles;
    const uint8_t *unknown, *through, *goal;
    enum extreme extreme;
};
bool exact_solve(struct markov *markov, const struct exact_until *until, struct pctl_value *value);
/* Of the until; what the graph has decided of the others is in the bounds, which are freed. */
bool exact_unbounded(struct markov *markov, const struct until *until, struct bounds *decided, const uint8_t *unknown,
                     struct pctl_value *value);
void exact_complement(struct pctl_value *value);
/* x := opt (reward + row * x) in the unknown states, repeated. */
bool exact_steps(struct markov *markov, const struct exact_until *until, uint64_t steps, struct pctl_value *value);

#endif
