/* Functions of an and-inverter graph as literals of a SAT solver.
 *
 * A frame is one copy of the graph: each input has a literal there, given or new, and each conjunction that somebody
 * asks for becomes a variable with its three clauses (Tseitin), once. So an unrolled system has a frame for each step,
 * and the inputs that are bits of the state get, in the next frame, the literals of their next values. */
#ifndef NOETHER_BITS_CNF_H
#define NOETHER_BITS_CNF_H

#include "bits/aig.h"
#include "bits/solver.h"

struct cnf {
    const struct aig *aig;
    struct solver *solver;
    int *literals; /* by node: 0: none yet */
    size_t count;  /* of nodes there is room for */
};

/* A frame. Both must outlive it. */
void cnf_open(struct cnf *cnf, const struct aig *aig, struct solver *solver);
void cnf_close(struct cnf *cnf);
/* The input stands for this literal; nobody has asked for it before. */
void cnf_set(struct cnf *cnf, bit input, int literal);
int cnf_literal(struct cnf *cnf, bit f);
/* f is true in this frame. */
void cnf_require(struct cnf *cnf, bit f);

#endif
