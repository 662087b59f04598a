/* Optimal values x = opt over the rows of a state (reward + row * x), exactly, by policy iteration.
 *
 * A policy takes one row in each unknown state. Its values are found by elimination, component by component; where
 * another row is better, it is taken; when there is none, the values are optimal: the policy attains them, and
 * no step of any other policy improves them. All policies on the way leave the unknown states with probability 1 (a
 * change for the better cannot trap one: the mean gain over the trap would have to be positive), so their values are
 * unique. */
#ifndef NOETHER_NUMERIC_POLICY_H
#define NOETHER_NUMERIC_POLICY_H

#include "base/rational.h"
#include "numeric/reverse.h"

struct policy_problem {
    const struct matrix *matrix;              /* the graph */
    const struct rational *const *chances;    /* by entry */
    const struct rational *const *row_reward; /* by row, not negative; NULL: none */
    const uint8_t *unknown;                   /* one byte a state: the values of all others are known */
    enum extreme extreme;
    bool (*go_on)(void *user);
    void *user;
};

/* `rows`: by state, the policy to begin with; a good one saves rounds, a bad one is mended. `values`: by state; NULL is
 * infinity, which only known states have. Of the unknown states they are created here. False: go_on said no, or
 * from some unknown state no policy leads out. */
bool policy_solve(const struct policy_problem *problem, const struct reverse *reverse, uint32_t *rows,
                  struct rational **values);

/* The values of that policy alone, which leads out of the unknown states for certain. These are to be created, and the
 * rewards may be negative. False: go_on said no. */
bool policy_evaluate(const struct policy_problem *problem, const uint32_t *rows, struct rational **values);

/* reward + row * x. False: it is infinite. */
bool policy_row_value(const struct policy_problem *problem, uint32_t row, struct rational *const *values,
                      struct rational *value, struct rational *scratch);

#endif
