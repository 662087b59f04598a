/* Where a chain is, from one state on: the distribution x(k) after k jumps, and the sums of x(k) over k with Poisson
 * weights and with their tails.
 *
 * A series (series.h) has the values of all states; this has what the value of one state is made of, whatever is asked
 * of it, and it only looks at states that matter by then. What would reach others with less than `tiny` is left out,
 * and counted (Mateescu, Wolf, Didier and Henzinger, "Fast adaptive uniformisation of the chemical master equation",
 * 2010).
 *
 * Where most states matter, lists only take time: with the jumps backwards each place gathers what it gets, and nothing
 * is left out.
 *
 * It ends early where x only shrinks. Let x(k + 1) = r * x(k) + e with r <= 1. A jump makes no distribution greater, so
 * x(k + j) is r^j * x(k) but for at most j * |e| in all states together. */
#ifndef NOETHER_NUMERIC_ONWARD_H
#define NOETHER_NUMERIC_ONWARD_H

#include "numeric/jumps.h"
#include "numeric/poisson.h"

struct onward {
    const struct jumps *jumps;
    bool is_reverse; /* the jumps are those backwards: all places are followed */
    uint32_t threads;
    const struct poisson *poisson;
    const uint8_t *ends; /* by place: what gets there is no longer followed. The first place is none of these */
    uint32_t start;      /* the first place */
    double tiny;
    uint32_t most_places;    /* it gives up where more of them matter: they are a crowd */
    uint32_t most_early;     /* in the first few of the jumps, fewer: then they will be one; 0: no fewer */
    double most_work;        /* or where it has jumped from more, all in all; 0: any number; */
    double most_work_in_all; /* and will have jumped from more if it goes on like this */
    /* What is asked for, by place: the sum of weights * x * values + tails * x * flows. It ends early when that is off
     * by epsilon of itself at most, or by `enough`. It gives up when that will not come about: what was left out could
     * be worth more, which is `most` times as much. */
    const double *values, *flows;
    double epsilon, enough, most;
    bool is_patient;    /* it does not give up for what was left out: the sum may come about late */
    bool is_small_only; /* nothing but `enough` will do: rounding is too much of the sum */
    bool (*go_on)(void *user);
    void *user;
    /* What came out, by place: the sums of weight(k) * x(k) and of tail(k) * x(k). The struct owns them. */
    double *at_end, *on_the_way;
    double lost;                 /* what was left out of x */
    double end_error, way_error; /* by how much all sums together are off since it ended early */
    uint64_t steps;
    bool is_crowded, is_lossy; /* why it gave up: too many places, or what was left out */
};

/* By how much of itself a sum may be off for each jump that the weights go to, beside what the probabilities are off:
 * `most_sources` is how many places lead to one, at most. */
double onward_error_of_jump(uint32_t most_sources);

/* False: it gave up, or go_on said no, and the sums are worth nothing. */
bool onward_run(struct onward *onward);
void onward_free(struct onward *onward);

#endif
