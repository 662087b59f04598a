/* Cells of the state that have a value after every start state and keep one: every start state writes them, in
 * statements that always run, and nothing undefines them or copies to them what may be undefined. */
#ifndef NOETHER_IR_DEFINITE_H
#define NOETHER_IR_DEFINITE_H

#include "ir/system.h"

/* By cell of the state; from the arena. */
bool *definite_find(const struct system *system, struct arena *arena);
/* Are all cells so at which the place can be? */
bool definite_place(const bool *is_definite, const struct place *place);

#endif
