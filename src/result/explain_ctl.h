/* Why a CTL or LTL formula is true or false in the first state of a run, as far as the run is evidence.
 *
 * A tree as in explain_formula.h, whose nodes name the step of the run after which they are evaluated. Values that the
 * run itself decides come from result/path.h. The others were found by an engine from all runs: result/story.h
 * continues the run only from its last state, so a part that the run does not decide is evaluated there; it ends the
 * tree, with a note. */
#ifndef NOETHER_RESULT_EXPLAIN_CTL_H
#define NOETHER_RESULT_EXPLAIN_CTL_H

#include "result/explain_formula.h"
#include "result/trace.h"

/* is_true: what is claimed, a witness; else a counterexample. The run has a state in every step. */
struct explanation *explain_ctl(const struct trace *trace, const struct ctl *ctl, bool is_true);

/* The part of the formula that decides it, on a run of linear time: "at[p] = Crit is false for ever from step 1 on (p:
 * Proc_1)". */
void explain_fails(const struct explanation *root, struct text *out);

#endif
