/* Which cells of the state a formula may read: those that its text names, with whatever index, in it and in the
 * functions that it calls. Of two states that agree in these cells it says the same, or faults in both. */
#ifndef NOETHER_IR_READS_H
#define NOETHER_IR_READS_H

#include "ir/system.h"

/* Marks them, in system->state_cells cells; those that are marked already stay so. */
void reads_add(const struct system *system, const struct expr *formula, bool *cells);

#endif
