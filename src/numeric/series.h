/* The sum of weight(k) * x(k) over k, where x(k + 1) is what is expected of x(k) after a jump, no number is below 0,
 * and the weights are Poisson probabilities, or their tails.
 *
 * It ends early in two cases. A jump no longer changes anything: then x stays. Or a jump changes all places by nearly
 * the same factor: if a * x(k) <= x(k + 1) <= b * x(k) in every place, so it is after any further jump, since
 * the entries of the matrix are not below 0, and the rest of the sum is between x(k) times two numbers. Rare failures
 * within a long time come to that soon: it takes as long as the chain needs to forget where it began. */
#ifndef NOETHER_NUMERIC_SERIES_H
#define NOETHER_NUMERIC_SERIES_H

#include "numeric/jumps.h"
#include "numeric/poisson.h"

struct series {
    const struct jumps *jumps;
    const struct poisson *poisson;
    bool is_tail;   /* the weight of k is the probability of more than k jumps */
    double total;   /* of all weights */
    double epsilon; /* how wide the rest may be, relative to the whole sum of the place */
    uint32_t threads;
    uint64_t most_steps; /* it gives up after so many; 0: never */
    bool (*go_on)(void *user);
    void *user;
    /* By place: x, room for the next x, and the sums, which are 0 before. The series owns them. */
    double *now, *next, *sums;
    /* What came out. */
    uint64_t steps;
    double left;     /* the weight of what was not added */
    double missing;  /* of it: what the weights lack, all of them together */
    bool is_settled; /* x no longer changed */
    bool is_regular; /* all changed by nearly the same factor; the sums are from below */
    double spread;   /* then a sum may be greater by so much times `now` of its place */
};

/* Below, `now` counts as 0: a sum may be off by what that is, times the weights. */
#define SERIES_TINY 0x1p-900

/* With x all 0. */
void series_open(struct series *series);
/* False: go_on said no, or most_steps were not enough; `left` is not negligible. */
bool series_sum(struct series *series);
void series_close(struct series *series);

#endif
