/* Why a formula of branching time is true or false in the first state of a run, as far as the run shows it.
 *
 * A tree as in explain_formula.h, whose nodes say after which step of the run they are meant. What the run itself decides is
 * taken from result/path.h. The rest is what an engine found by looking at all runs: result/story.h goes on with the run only
 * from its last state, so a part that nothing on the run decides is meant there; it ends the tree, with a note. */
#ifndef NOETHER_RESULT_EXPLAIN_CTL_H
#define NOETHER_RESULT_EXPLAIN_CTL_H

#include "result/explain_formula.h"
#include "result/trace.h"

/* is_true: what is claimed, a witness; else a counterexample. The run has a state in every step. */
struct explanation *explain_ctl(const struct trace *trace, const struct ctl *ctl, bool is_true);

#endif
