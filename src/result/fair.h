/* Is a run fair (ir/fairness.h)? By the IR evaluator, step by step: shared with no engine. */
#ifndef NOETHER_RESULT_FAIR_H
#define NOETHER_RESULT_FAIR_H

#include "result/trace.h"

/* NULL: the cycle of the run (or its last state, repeated) meets every requirement of the system; else what is not met
 * (in heap memory). */
char *fair_complaint(const struct trace *trace);
/* "; it has weak fairness of Process: ...": which requirements the cycle meets. Nothing where there are none. */
void fair_describe(const struct trace *trace, struct text *out);
/* What a run shows that violates an LTL formula, with the values (" (p: 1)", or "") that it is violated for. is_finite:
 * whatever follows. */
void fair_say_run(const struct trace *trace, bool is_finite, const char *values, struct text *out);

#endif
