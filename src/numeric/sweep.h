/* Inside numeric/: the values of states from those of the states that follow, in the rounding mode that is set.
 *
 * Large sets are done in parts, by several threads: each part looks at its own new values and at the old ones of the
 * others, so that the numbers are the same for any number of threads. */
#ifndef NOETHER_NUMERIC_SWEEP_H
#define NOETHER_NUMERIC_SWEEP_H

#include "numeric/fixpoint.h"

struct sweep {
    const struct fixpoint *problem;
    const uint32_t *states; /* in the order of their numbers where they are many */
    uint32_t count;
    double scale; /* allows for what the entries are off */
    /* A row is taken until it leads to another state. The fixed point is the same, and a state that nearly always stays
     * is no longer a hindrance. Not where steps are counted. */
    bool is_solved;
    double *next; /* by state */
};

bool sweep_is_large(uint32_t count);
/* One sweep upwards: values only grow. Returns the greatest relative change. Of a large set `next` must be the same as
 * x before, and is so afterwards. */
double sweep_up(const struct sweep *sweep, double *x);
/* One sweep that takes values as they come, each from those that are there by then. Has none grown? Then every value is
 * at least what the others give: they have only become smaller since. Of a large set as for sweep_up. */
bool sweep_over(const struct sweep *sweep, double *x);
/* One step of all states at once from x to sweep->next. Is next <= x everywhere? */
bool sweep_step(const struct sweep *sweep, const double *x);
/* Copies what was computed to x. Is anything else than before? */
bool sweep_copy(const struct sweep *sweep, double *x);

/* The value of a row that never leaves its state: probability 0; an infinite reward, or 0 if the maximum is
 * asked for and the row has no reward. */
double sweep_value_of_staying(const struct fixpoint *problem, uint32_t row);

static inline bool sweep_is_better(const struct fixpoint *problem, double value, double than)
{
    return problem->extreme == EXTREME_LEAST ? value < than : value > than;
}

#endif
