/* The row of each state that a scheduler with the optimal value takes. */
#ifndef NOETHER_NUMERIC_SCHEDULER_H
#define NOETHER_NUMERIC_SCHEDULER_H

#include "numeric/fixpoint.h"

/* `values` are (near) the extreme values of the problem, also of the states that are not unknown. Of rows that are as
 * good as each other, one is taken that gets nearer to the goal by states of `through`: a scheduler that only stays
 * where the value is high is worth nothing. `rows` gets one row for each state. */
void scheduler_choose(const struct reverse *reverse, const struct fixpoint *problem, const double *values,
                      const uint8_t *through, const uint8_t *goal, uint32_t *rows);

#endif
