/* The long-run average reward of a step, the greatest or the least over all schedulers.
 *
 * A run ends up in an end component, and there the best average is the same for all states; the run before decides only
 * which end component that is (de Alfaro 1997, 5; Puterman 1994, 9). */
#ifndef NOETHER_NUMERIC_AVERAGE_H
#define NOETHER_NUMERIC_AVERAGE_H

#include "numeric/fixpoint.h"
#include "numeric/policy.h"

/* Of every state, whatever problem->unknown says; row_reward must be there. The bounds of an end component come from
 * value iteration: for any values x at all, the average lies between the least and the greatest of opt (reward + row *
 * x) - x over its states (Puterman 1994, 8.5.4). False: go_on said no, and the bounds are worth nothing. */
bool average_enclose(const struct fixpoint *problem, struct bounds *bounds);

/* Of the states of one component that is never left, of a chain: what a unit of time earns at these rewards, when the
 * row of a state is taken row_rate times in it (NULL: once). After so many sweeps it gives up: false, or because go_on
 * said no. The bounds are bounds in any case. */
bool average_of_component(const struct fixpoint *problem, const double *row_rate, const uint32_t *states,
                          uint32_t count, uint64_t most_sweeps, double *lower, double *upper);

struct settle_limits;

/* average_chain.c: the same of a component of a chain that is never left, by elimination without subtraction. `hub`:
 * one of its states. The bounds are narrowed if it is found, else they are as before. */
enum average_outcome {
    AVERAGE_FOUND,
    AVERAGE_LIMIT,       /* one of the limits was reached, or go_on returned false */
    AVERAGE_OUT_OF_RANGE /* a number left the range of a double, as it may if the hub is hardly ever visited */
};
enum average_outcome average_by_elimination(const struct fixpoint *problem, const double *row_rate,
                                            const uint32_t *states, uint32_t count, uint32_t hub,
                                            const struct settle_limits *limits, double *lower, double *upper);

/* average_settle.c: of an end component that is not too large, `kept` being the rows that stay in it (NULL: all).
 * `place`: by state, all 0; so again afterwards. The bounds are made as narrow as the numbers allow. False: it takes
 * too much, and they are as before. */
bool average_settle(const struct fixpoint *problem, const uint8_t *kept, const uint32_t *states, uint32_t count,
                    uint32_t *place, double *lower, double *upper);

/* The same exactly, by the policy iteration of Howard (1960) for chains of any kind; problem->unknown is not looked at.
 * A step by a row takes row_time (NULL: 1 each), and the average is that of a unit of time. `averages`, by state, are
 * created here. False: go_on said no. */
bool average_solve(const struct policy_problem *problem, const struct rational *const *row_time,
                   struct rational **averages);

#endif
