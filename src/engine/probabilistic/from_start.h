/* What is expected of a CTMC within a time, from its initial state only: by the distribution of the states (onward.h)
 * instead of the values of all of them. Of the property itself nothing else is looked at.
 *
 * The sums over the distribution are kept: another property about the same time and the same active states takes them
 * as they are. */
#ifndef NOETHER_ENGINE_PROBABILISTIC_FROM_START_H
#define NOETHER_ENGINE_PROBABILISTIC_FROM_START_H

#include "engine/probabilistic/formula.h"

struct from_start_question {
    const uint8_t *active; /* the states that are left */
    double rate, time;     /* the rate is a little above that of the fastest of these */
    /* By state, between these bounds: what it is worth to be there when the time is over, or (not active) to get there
     * before. NULL: nothing. */
    const struct bounds *values;
    const double *gains; /* what an active state earns for a unit of time; NULL: nothing */
    double most;         /* all that can be gained */
    bool may_be_small;   /* it is enough to know that the value is less than FROM_START_SMALL of that */
};

/* A value of which no more may be known than that it is less than so much of the most: where more would take too long.
 */
#define FROM_START_SMALL 1e-12

/* There is one initial state, it is active, and there is room for the jumps. False: the bounds are not near enough to
 * each other (or a limit is reached). Sets `is_small` of the chain. */
bool from_start_answer(struct markov *markov, const struct from_start_question *question, double *lower, double *upper);

/* The sums that are kept, if any, are those for this question. */
bool from_start_is_kept(const struct markov *markov, const struct from_start_question *question);

/* What is kept. */
struct from_start;
void from_start_free(struct from_start *kept);

#endif
