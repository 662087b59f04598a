/* A tableau made smaller, with the same language. For the files of this room.
 *
 * States from which nothing is accepted are removed, with the edges to them; marks count on edges inside of components
 * that have all of them, and nowhere else; states with the same edges are merged. */
#ifndef NOETHER_LOGIC_TRIM_H
#define NOETHER_LOGIC_TRIM_H

#include "logic/tableau.h"

/* False: time is up. State 0 stays the start; without a state the language is empty. */
bool tableau_trim(struct ltl_tableau *tableau);

#endif
