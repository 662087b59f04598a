/* Couvreur's tableau: the automaton of a formula before it is made smaller. For the files of this room.
 *
 * A state is a set of formulas that the rest of the word must have. To read a letter, every formula of the set is taken
 * apart into what the letter must be and what the rest after it must have. An UNTIL that is put off so costs the edge
 * its mark. */
#ifndef NOETHER_LOGIC_TABLEAU_H
#define NOETHER_LOGIC_TABLEAU_H

#include "base/vec.h"
#include "logic/automaton.h"

/* An automaton that is being made: edges by state, in any order. */
struct tableau_edge {
    uint32_t source;
    struct automaton_edge edge;
};

struct ltl_tableau {
    uint32_t mark_count, state_count; /* state 0 is the start */
    VEC(struct tableau_edge) edges;   /* sorted by source */
};

/* False: too large (`most` states), or time is up. */
bool tableau_build(struct logic *logic, logic_formula formula, uint32_t most, struct ltl_tableau *tableau);
void tableau_free(struct ltl_tableau *tableau);

#endif
