/* A CTL property with quantifiers, on counters: the processes it speaks of are factored out (survey, section 2.2).
 *
 * The quantifiers are brought to the front (ir/prenex.h), their variables become part of the state, and that system is
 * reduced: there the process of a variable is the one that a shared variable points to. Whoever opens it decides the
 * only CTL property of the reduced system, and takes the answer back. */
#ifndef NOETHER_RESULT_FACTORED_H
#define NOETHER_RESULT_FACTORED_H

#include "reduce/reduce.h"
#include "result/verdict.h"

struct factored {
    const struct layout *original;
    const struct property *property; /* of the original */
    struct system *pointed;
    struct layout *pointed_layout;
    struct reduction *reduction;
    struct layout *layout; /* of the reduced system */
};

/* False: why not is in `diagnostics`. Close it in any case. */
bool factored_open(struct factored *factored, const struct layout *original, const struct property *property,
                   const struct reduce_options *options, struct diagnostics *diagnostics);
void factored_close(struct factored *factored);
/* `reduced` is a result about the reduced system, and is freed. What it says of the property goes to `result`, a run as one
 * of the original. */
void factored_answer(const struct factored *factored, struct result *reduced, struct result *result);

#endif
