/* Values of parts of expressions in one state, by the evaluator.
 *
 * A stepper says whether a formula holds; a probe tells the value of any expression in it, with the variables that are
 * bound around it (by quantifiers) set by the caller. Changes by an evaluation (a called function may write) are
 * undone before the next. */
#ifndef NOETHER_EXEC_PROBE_H
#define NOETHER_EXEC_PROBE_H

#include "exec/fault.h"
#include "ir/layout.h"

enum probe_outcome {
    PROBE_VALUE,
    PROBE_FAULT,
    PROBE_DISCARDED /* a function called breaks an assumption; or it was cut */
};

struct probe;

struct probe *probe_create(const struct layout *layout);
void probe_destroy(struct probe *probe);
/* From now on, when the watch of the thread is over, what takes long is cut (base/watch.h) and looks as if discarded.
 */
void probe_watch(struct probe *probe);
/* The state asked about (copied); nothing is bound. */
void probe_load(struct probe *probe, const int32_t *cells);
/* Binds a scratch variable until probe_unbind, which undoes the last binding. The value is one of its type. */
void probe_bind(struct probe *probe, const struct variable *variable, int32_t value);
void probe_unbind(struct probe *probe);

/* A raw read may give UNDEFINED. *fault is set at PROBE_FAULT only. */
enum probe_outcome probe_value(struct probe *probe, const struct expr *expr, int64_t *value, struct fault *fault);
/* The first cell of a place. Cells below layout->cell_count are of the state. */
enum probe_outcome probe_place(struct probe *probe, const struct place *place, uint32_t *address, struct fault *fault);
/* The content of a cell, as the last evaluation left it. */
int32_t probe_cell(const struct probe *probe, uint32_t address);

/* What a quantified variable runs over: at most `most` values in order; *count how many there are, and `most` + 1 when
 * there are more. */
enum probe_outcome probe_domain(struct probe *probe, const struct expr *quantifier, int64_t *values, uint32_t most,
                                uint32_t *count, struct fault *fault);

#endif
