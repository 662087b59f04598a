/* Bounds that one exact sweep confirms: the vectors of a certificate (docs/certificates.md).
 *
 * Let F be the operator of the problem: in a live state the least or the greatest, over its rows, of the reward and the
 * expected value of what follows. A vector u with F(u) <= u, and a vector l with l <= F(l), stay so when a sweep takes
 * the less of u and F(u), or the greater of l and F(l), also if the sweep is rounded outwards. So whenever the
 * iteration ends they are what they claim to be.
 *
 * One of the two needs more than that, a rank: of a probability the lower one (else a cycle that never reaches the goal
 * might have any value), of a reward the upper one (the goal must be reached for certain). By the rows that confirm the
 * bound, some target has a lower rank: of every row where F takes the worst case, of one such row where it takes the
 * best. */
#ifndef NOETHER_NUMERIC_INDUCTIVE_H
#define NOETHER_NUMERIC_INDUCTIVE_H

#include "numeric/reverse.h"

struct inductive_vectors {
    double *lower, *upper; /* by state */
    uint64_t *rank;
};

struct inductive {
    const struct matrix *matrix;
    const struct reverse *reverse;
    const double *row_reward; /* by row, not negative; NULL: the problem is a probability */
    double slack;             /* by how much of itself an entry or a reward may be off the true one */
    enum extreme extreme;
    const uint8_t *live, *goal; /* by state; neither: its probability is 0. Of a reward all others than the goal live */
    bool (*go_on)(void *user);
    /* Are the bounds near enough to each other? Asked after each sweep. */
    bool (*is_enough)(void *user, const struct inductive_vectors *vectors);
    void *user;
};

/* False: go_on said no. The bounds may be as wide as they turn out: a reward that is infinite has no upper bound. */
bool inductive_find(const struct inductive *problem, struct inductive_vectors *vectors);
void inductive_free(struct inductive_vectors *vectors);

#endif
