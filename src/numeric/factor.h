/* Inside numeric/: the equations of a chain, x = row * x + b, eliminated state by state, but for what hardly matters: a
 * preconditioner (an incomplete factorisation with a threshold, Saad 1994).
 *
 * A state that is eliminated passes on what comes to it, to where it leads. What a state would lead to with less than a
 * part `tolerance` of all its ways on is left out, as if it stayed instead. So what a state leads to are less than 1 /
 * tolerance others. Nothing is subtracted (Grassmann, Taksar and Heyman 1985), and pivots are greater than 0, however
 * slow some states are beside others; a state that leads nowhere any more, the last of a component that is never left,
 * counts as left.
 *
 * The order is everything: states that a run leaves behind come first, those that it returns to come last
 * (krylov_number_towards). Then what is left out was unlikely.
 *
 * Nothing is guaranteed: who uses it verifies what comes out. Memory: 12 bytes an entry, 24 bytes a state; while it is
 * made, 12 bytes a state more. */
#ifndef NOETHER_NUMERIC_FACTOR_H
#define NOETHER_NUMERIC_FACTOR_H

#include "numeric/krylov.h"

struct chain_factor;

struct factor_limits {
    double tolerance;
    uint64_t most_entries;     /* then it gives up */
    bool (*go_on)(void *user); /* asked now and then; NULL: always */
    void *user;
};

/* The rates of the chain are not looked at. NULL: it gave up. */
struct chain_factor *factor_create(const struct krylov_chain *chain, const struct factor_limits *limits);
void factor_destroy(struct chain_factor *factor);
uint64_t factor_bytes(uint32_t count, uint64_t entries);

/* In: the right side, by number. Out: about the solution. */
void factor_solve(const struct chain_factor *factor, double *x);

#endif
