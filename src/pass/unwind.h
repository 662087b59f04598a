/* A run of a super-structure (rewrite/weaken.h), followed in the model.
 *
 * All states of the model are found that lie in the orbits of its states, in this order: the part of the guarded
 * annotated quotient that the run goes through, unwound. */
#ifndef NOETHER_PASS_UNWIND_H
#define NOETHER_PASS_UNWIND_H

#include "result/trace.h"

/* Beyond so many steps it is given up. */
enum { UNWIND_MOST_STEPS = 200000 };

/* Cells that the super-structure leaves undefined, and what they are in the model. */
struct unwind_hidden {
    const uint32_t *cells;
    const int32_t *values;
    uint32_t count;
};

typedef bool unwind_wanted(void *user, const int32_t *cells);

/* A run of the system of `own` through the orbits of the states of `trace`, which ends in a fault of the same rule, or
 * goes on for ever, if that does. Its last state is wanted (NULL: any is). NULL: there is none, or it takes too long.
 */
struct trace *unwind_trace(const struct layout *own, const struct symmetry *symmetry, const struct trace *trace,
                           const struct unwind_hidden *hidden, unwind_wanted *is_wanted, void *user);

#endif
