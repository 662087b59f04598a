/* The check of a certificate about probabilities and expected rewards, by one exact sweep with the evaluator only.
 *
 * The certificate has a set R of states and, for each *measure* (a property), a lower and an upper bound and a rank for
 * each of them. It is accepted if
 *   1. every start state is in R, and every successor, of positive probability, of a state in R is in R;
 *   2. at the goal the value is within the bounds; where the way to it has ended, 0 is;
 *   3. in every other state, lower <= F(lower) and F(upper) <= upper, where F is the least or the greatest over the
 *      rows of what a step earns and the expected value of what follows;
 *   4. of a probability, where lower > 0, and of a reward, where upper is finite, a row that confirms that bound leads
 *      to a lower rank with positive probability: every row where F takes the worst case (least probability, greatest
 *      reward), else one that confirms it.
 * Then the value of every state is between its bounds. Probability: F(upper) <= upper is enough for the least fixed
 * point. Let d = lower - value under a scheduler that takes rows that confirm; where d is greatest and positive, all
 * successors have the same d, and are no goals: the state of least rank among them contradicts 4. Reward: by 4 the goal
 * is reached with probability 1 from where upper is finite, whence value <= upper; lower is finite, so that what is
 * left of it after n steps vanishes with the probability to be under way, unless that does not vanish and the value is
 * infinite. */
#ifndef NOETHER_VERIFY_MEASURE_H
#define NOETHER_VERIFY_MEASURE_H

#include "verify/check.h"

/* NULL: a certificate may be about the property; else why not. */
const char *measure_refusal(const struct system *system, const struct property *property);
/* `claims`: a line for each property, of what is now known. As verify_certificate. */
void verify_measures(struct certificate *certificate, const struct layout *layout, const struct verify_options *options,
                     struct verify_answer *answer, struct text *claims);

#endif
