/* The value of a formula in every state. */
#ifndef NOETHER_ENGINE_PROBABILISTIC_FORMULA_H
#define NOETHER_ENGINE_PROBABILISTIC_FORMULA_H

#include "engine/probabilistic/markov.h"

/* Truths: one byte a state. Numbers: an interval a state; in exact arithmetic (exact.h) a rational, NULL: infinity. The
 * others are NULL. */
struct pctl_value {
    uint8_t *truth;
    struct bounds bounds;
    struct rational **exact;
    uint32_t exact_count; /* how many there are of these */
};

void pctl_value_free(struct pctl_value *value);
uint8_t *pctl_new_truth(const struct markov *markov);
struct bounds pctl_new_bounds(const struct markov *markov);
/* Allows for numbers of the model that are no doubles. */
void pctl_widen(const struct markov *markov, struct bounds *bounds);

/* How narrow the intervals have to be, relative to the value. */
struct accuracy {
    double epsilon;
};

/* All of these: false when there is none; markov->failure says why. */
bool pctl_evaluate(struct markov *markov, const struct pctl *formula, const struct accuracy *accuracy,
                   struct pctl_value *value);
bool pctl_evaluate_truth(struct markov *markov, const struct pctl *formula, const struct accuracy *accuracy,
                         uint8_t **truth);
/* path.c: the probability of the path; with the threshold, if it has one, decided. */
bool pctl_path_evaluate(struct markov *markov, const struct pctl *formula, const struct accuracy *accuracy,
                        struct pctl_value *value);
/* branching.c: some path, all paths */
bool pctl_branching_evaluate(struct markov *markov, const struct pctl *formula, const struct accuracy *accuracy,
                             uint8_t **truth);
/* The greatest set inside `inside` in which every state has a successor in the set. */
uint8_t *pctl_some_always(struct markov *markov, const uint8_t *inside);
/* reward.c */
bool pctl_reward_evaluate(struct markov *markov, const struct pctl *formula, const struct accuracy *accuracy,
                          struct pctl_value *value);
/* Bounds of a probability become bounds of its complement, rounded outwards. */
void pctl_complement(double *lower, double *upper);
/* Of the property itself only the initial states matter. Is this another one? */
bool pctl_is_beside(const struct markov *markov, const struct pctl *formula, uint32_t state);
/* So, too, of the unknown states those that these lead to through such states; the others are no longer unknown, and
 * are between 0 and the limit (in exact arithmetic they are left out). */
void pctl_keep_reachable(struct markov *markov, const struct pctl *formula, double limit, uint8_t *unknown,
                         struct bounds *bounds);
/* A comparison that the intervals do not settle. False. */
bool pctl_fail_undecided(struct markov *markov, double low, double high);
/* Of a set of states (NULL: all) the first one, as PRISM puts them in order: by the variables as they were declared. */
void pctl_keep_first(struct markov *markov, uint8_t **states);
/* filter.c: the same in every state; argmin and argmax: is it one of those? */
bool pctl_filter_evaluate(struct markov *markov, const struct pctl *formula, const struct accuracy *accuracy,
                          struct pctl_value *value);
/* Replaces the numbers by whether they are within the threshold. False where an interval contains the threshold. */
bool pctl_decide_threshold(struct markov *markov, const struct pctl *formula, struct pctl_value *value);
/* Which extreme over the schedulers the formula is about: P>=p holds when the minimal probability does. */
enum extreme pctl_formula_extreme(const struct pctl *formula);

/* transient.c: of a CTMC. What is expected of the values after the time, when the states that are not active keep
 * theirs; and what is earned within the time at these rates. `is_sign`: whether it is 0 is all that matters, and what
 * is certainly not 0 has a lower bound above it. False: a limit; the bounds are bounds all the same. */
bool pctl_transient(struct markov *markov, const uint8_t *active, double time, bool is_sign, struct bounds *bounds);
bool pctl_accumulate(struct markov *markov, const double *rates, double time, bool is_sign, struct bounds *bounds);
/* Is it compared with 0, and are all its values at least that? */
bool pctl_is_sign(const struct pctl *formula);
/* longrun.c. S: the share of the time; the mean gain of a chain for each unit of time; and of an mdp, for each step. */
bool pctl_steady_evaluate(struct markov *markov, const struct pctl *formula, const struct accuracy *accuracy,
                          struct pctl_value *value);
bool pctl_long_run(struct markov *markov, const double *gain, const struct accuracy *accuracy, struct bounds *bounds);
bool pctl_average(struct markov *markov, enum extreme extreme, const double *row_reward,
                  const struct accuracy *accuracy, struct pctl_value *value);
/* Fairness (--fair) is refused. */
bool pctl_long_run_is_fair(struct markov *markov);

#endif
