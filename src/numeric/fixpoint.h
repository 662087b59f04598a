/* Least fixed points x = opt over the rows of a state (reward + row * x), enclosed from both sides.
 *
 * Reachability probabilities and expected rewards until a goal are such fixed points. The enclosure is guaranteed:
 * lower bounds are iterated from 0 and rounded down; upper bounds are guessed and then verified, rounded up: every u
 * that satisfies F(u) <= u is above the least fixed point (optimistic value iteration, Hartmanns and Kaminski 2020). It
 * is done component by component, each after the components that it can reach. */
#ifndef NOETHER_NUMERIC_FIXPOINT_H
#define NOETHER_NUMERIC_FIXPOINT_H

#include "numeric/reverse.h"

struct bounds {
    double *lower, *upper; /* by state */
};

struct fixpoint {
    const struct matrix *matrix;
    const uint8_t *unknown;   /* one byte a state; the bounds of all others are known */
    const double *row_reward; /* by row, not negative; NULL: none */
    enum extreme extreme;
    double slack;              /* by how much of itself an entry or a reward may be off the true one */
    double limit;              /* no value is above it: 1 for probabilities, INFINITY */
    double epsilon;            /* how far apart the bounds of a component may be, relative to the value */
    bool (*go_on)(void *user); /* asked now and then; NULL: always */
    void *user;
    /* Asked before a method that can be done without takes so many bytes; NULL: always. */
    bool (*has_room)(void *user, uint64_t bytes);
    /* Called after every sweep with the bounds of the state `watched`; NULL: not called. */
    void (*watch)(void *user, uint64_t sweeps, double lower, double upper);
    uint32_t watched;
    uint32_t threads;     /* for steps of all states at once; the values are the same for any number of them */
    uint64_t *sweeps;     /* counted here; may be NULL */
    uint64_t most_sweeps; /* then it gives up, as if go_on had said no; 0: no limit */
};

/* Fills in the bounds of the unknown states. False when go_on said no; the bounds are then still bounds, but may be as
 * wide as 0 .. limit. */
bool fixpoint_enclose(const struct fixpoint *problem, struct bounds *bounds);

/* `steps` times x := opt (reward + row * x) for the unknown states, all at once; both bounds are kept bounds. False
 * when go_on said no. Where no step makes a value smaller (is_falling: none makes one larger), the lower bounds (the
 * upper ones) are then still bounds; the others are not. */
bool fixpoint_steps(const struct fixpoint *problem, uint64_t steps, bool is_falling, struct bounds *bounds);

#endif
