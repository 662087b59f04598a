/* Between which numbers the values of an expression are, when its variables are in given ranges. Truths are 0 and 1.
 * Generous where numbers have more digits than a double. */
#ifndef NOETHER_IR_BOUNDS_H
#define NOETHER_IR_BOUNDS_H

#include "ir/expr.h"

struct interval {
    double low, high;
};

struct expr_bounds {
    /* Of a variable that is read (an array: of all its elements); NULL: what its type allows. */
    struct interval (*range)(void *user, const struct variable *variable);
    void *user;
    uint64_t nodes,
        most; /* expressions looked at; from `most` on, nothing is said of the others. most = 0: any number */
};

struct interval expr_bounds_of(struct expr_bounds *bounds, const struct expr *expr);
/* As a range of integers. False: it is too large for that. */
bool expr_bounds_as_integers(struct interval interval, int64_t *low, int64_t *high);

#endif
