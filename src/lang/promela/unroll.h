/* The start of init, done once and for all.
 *
 * Models start their processes in loops: `do :: i < N -> run P(i); i++ :: else -> break od`. Where init can do but one
 * thing after the other, whatever else happens, its body is replaced by these steps, in a row, with the values that its
 * variables have there. Numbers of states stay the same: where control stands follows from the values. Then every `run`
 * is done once, its pid and arguments are known, and processes that are started alike can be found to be alike. */
#ifndef NOETHER_LANG_PROMELA_UNROLL_H
#define NOETHER_LANG_PROMELA_UNROLL_H

#include "lang/promela/flow.h"

/* Of the flow of init; true: its proctype's body is another one now. */
bool pml_unroll(struct pml_model *model, const struct pml_flow *flow, struct pml_proctype *init);

#endif
