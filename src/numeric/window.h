/* Inside numeric/: the states of a chain that matter for a while, and the chain of these alone.
 *
 * What leaves the window is lost. Rates to others are left out of the columns of the generator, so that these have sums
 * of at most 0 instead of 0: what is followed is at most the distribution in each state, no chain of a window makes a
 * difference greater, and all that was ever lost is what is missing of 1 in the end. So a window is never wrong, it may
 * only be too small, and that is seen (the finite state projection of Munsky and Khammash, 2006, theorem 2.2). */
#ifndef NOETHER_NUMERIC_WINDOW_H
#define NOETHER_NUMERIC_WINDOW_H

#include "numeric/matrix.h"
#include "numeric/sources.h"

struct window {
    const struct matrix *matrix; /* one row for each state */
    const double *exit_rate;     /* by state */
    const uint8_t *active;       /* by state: the others are never left. NULL: all are */
    bool (*go_on)(void *user);   /* where it says no, the window is as it may be by then. NULL: it is not asked */
    void *user;
    /* What came out. Places are the states of the window in ascending order. */
    uint32_t count;
    uint32_t *states;       /* by place */
    struct sources sources; /* by place, with rates; not of states that lead to themselves */
    double *exit;           /* by place: the rate at which it is left, for other states and what is outside */
    double fastest;         /* of these */
    /* Inside: what is less is not followed when states are chosen; and by state. */
    double tiny;
    double *guess, *off;
    uint32_t *place, *queue;
};

void window_open(struct window *window);
/* For so long from this distribution on: so many states that about so much of it gets lost, what is outside at once
 * included. */
void window_choose(struct window *window, const double *distribution, double length, double may_lose);
void window_close(struct window *window);
uint64_t window_bytes(const struct matrix *matrix);

#endif
