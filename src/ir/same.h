/* Are two trees the same text? Spans and raw do not count; what calls a function is never the same. */
#ifndef NOETHER_IR_SAME_H
#define NOETHER_IR_SAME_H

#include "ir/expr.h"

bool same_expr(const struct expr *a, const struct expr *b);
bool same_place(const struct place *a, const struct place *b);

#endif
