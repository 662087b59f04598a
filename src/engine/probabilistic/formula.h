/* The operators of formulas on a chain: what the carrier of the evaluator (pctl/evaluate.h) is made of.
 *
 * All that return bool: false when there is no value; markov->evaluator.failure says why. */
#ifndef NOETHER_ENGINE_PROBABILISTIC_FORMULA_H
#define NOETHER_ENGINE_PROBABILISTIC_FORMULA_H

#include "engine/probabilistic/numbers.h"

/* carrier.c. Once, before anything else. */
void markov_open_evaluator(struct markov *markov);
/* With intervals or fractions, as the chain has them. */
bool markov_evaluate(struct markov *markov, const struct pctl *formula, struct pctl_value *value);
bool markov_evaluate_set(struct markov *markov, const struct pctl *formula, uint8_t **set);

/* Operators, as the carrier has them: path.c, reward.c, filter.c. */
bool markov_until(void *self, const struct pctl *formula, const struct pctl_until *until, struct pctl_value *value);
bool markov_mean(void *self, const struct pctl *formula, union pctl_set set, struct pctl_value *value);
bool markov_fold(void *self, const struct pctl *formula, const struct pctl_value *inner, union pctl_set states,
                 struct pctl_value *value);

/* linear.c */
bool markov_linear(void *self, const struct pctl *formula, struct pctl_linear *linear, struct pctl_value *value);

/* sets.c. The greatest set inside `inside` in which every state has a successor in the set; from where some path leads
 * through `through` to the goal; and some step. */
uint8_t *markov_some_always(struct markov *markov, const uint8_t *inside);
uint8_t *markov_some_until(struct markov *markov, const uint8_t *through, const uint8_t *goal);
uint8_t *markov_some_next(struct markov *markov, const uint8_t *goal);
/* Of the property itself only the initial states matter. Is this another one? */
bool markov_is_beside(const struct markov *markov, const struct pctl *formula, uint32_t state);
/* So, too, of the unknown states those that these lead to through such states; the others are no longer unknown, and
 * are between 0 and the limit (in exact arithmetic 0: nobody looks at them). */
void markov_keep_reachable(struct markov *markov, const struct pctl *formula, double limit, uint8_t *unknown,
                           struct state_numbers *numbers);
/* Which extreme over the schedulers the formula is about: P>=p holds when the minimal probability does. */
enum extreme markov_extreme(bool is_least);

/* reward.c: what a step by each row earns. In a CTMC a state's reward is per unit of time. */
struct markov_earnings {
    double *near;
    struct rational **exact; /* NULL: numbers are only near */
    uint32_t count;
};
/* Is what the structure earns, by visit and by time, neither too small nor too large for doubles? False: a failure. */
bool earnings_check(struct markov *markov, uint32_t structure);
struct markov_earnings earnings_by_row(const struct markov *markov, uint32_t structure);
void earnings_free(struct markov_earnings *earnings);
/* What is earned until the goal is reached: infinite where that is not certain. */
bool markov_reward_until(struct markov *markov, const struct pctl *formula, const struct markov_earnings *earnings,
                         const uint8_t *goal, struct state_numbers *numbers);

/* transient.c: of a CTMC. What is expected of the values after the time, when the states that are not active keep
 * theirs; and what is earned within the time at these rates. False: a limit; the bounds are bounds all the same. */
enum transient_scope {
    TRANSIENT_ALL,
    TRANSIENT_SIGN,  /* whether it is 0 is all that matters: what is certainly not 0 has a lower bound above it */
    TRANSIENT_START, /* only the initial states matter: the others have bounds that are far from each other */
};
/* Of the last time that passes for the formula. */
enum transient_scope transient_scope(const struct markov *markov, const struct pctl *formula);
bool transient_mean(struct markov *markov, const uint8_t *active, double time, enum transient_scope scope,
                    struct bounds *bounds);
bool transient_sum(struct markov *markov, const double *rates, double time, enum transient_scope scope,
                   struct bounds *bounds);
/* Is it compared with 0, and are all its values at least that? */
bool markov_is_sign(const struct pctl *formula);
/* longrun.c. S: the share of the time in the set; the mean gain of a chain for each unit of time; and of an mdp, for
 * each step. */
bool markov_share(struct markov *markov, const struct pctl *formula, const uint8_t *set, struct state_numbers *numbers);
/* Of a chain: when it is stopped, the bounds are still bounds. */
bool markov_gain(struct markov *markov, const double *gain, struct bounds *bounds);
bool markov_average(struct markov *markov, enum extreme extreme, const double *row_reward, struct bounds *bounds);

/* print.c: filter(print, ...) and filter(printall, ...), where the formula is one: the values of its states. */
void print_states(struct markov *markov, const struct pctl *formula, const struct pctl_value *value,
                  struct quantity *quantity);

#endif
