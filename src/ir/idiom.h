/* Operators that the IR has no node for, as the conditional expressions that stand for them. What is built here is
 * recognised here: a writer gives them their names again, an analysis knows their bounds. */
#ifndef NOETHER_IR_IDIOM_H
#define NOETHER_IR_IDIOM_H

#include "ir/build.h"

enum idiom {
    IDIOM_NONE,
    IDIOM_MIN,
    IDIOM_MAX,
    IDIOM_REMAINDER, /* left modulo right, never negative */
    IDIOM_FLOOR      /* left / right rounded down; right is a positive constant */
};

/* The operands of MIN, MAX and FLOOR are shared (expr_share), so are REMAINDER's right one and its result. */
struct expr *expr_idiom(struct system *system, enum idiom idiom, struct expr *left, struct expr *right,
                        struct span span);
enum idiom idiom_of(const struct expr *expr, struct expr **left, struct expr **right);

#endif
