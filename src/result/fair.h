/* Is a run fair (ir/fairness.h)? By the IR evaluator, step by step: shared with no engine. */
#ifndef NOETHER_RESULT_FAIR_H
#define NOETHER_RESULT_FAIR_H

#include "base/vec.h"
#include "result/trace.h"

/* NULL: the cycle of the run (or its last state, repeated, unless such runs do not count) meets every requirement of
 * the system; else what is not met (in heap memory). */
char *fair_complaint(const struct trace *trace);
/* How the cycle meets a requirement, with values for its variables: the first time. */
enum fair_how {
    FAIR_FREE,        /* nothing obliges it */
    FAIR_MOVES,       /* this step is its own */
    FAIR_CANNOT_MOVE, /* after this step it cannot move */
    FAIR_IS_TRUE      /* after this step its condition is true */
};
struct fair_event {
    const struct fairness *fairness;
    int32_t *values;
    enum fair_how how;
    uint32_t step;
};
struct fair_events {
    VEC(struct fair_event) items;
};
/* All of a run that is fair; none of one that is not complete. */
void fair_find_events(const struct trace *trace, struct fair_events *events);
void fair_free_events(struct fair_events *events);

/* "; it has weak fairness of Process: ...": which requirements the cycle meets. Nothing where there are none. */
void fair_describe(const struct trace *trace, struct text *out);
/* What a run shows that violates an LTL formula, with the values (" (p: 1)", or "") that it is violated for. is_finite:
 * whatever follows. */
void fair_say_run(const struct trace *trace, bool is_finite, const char *values, struct text *out);

#endif
