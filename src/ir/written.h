/* What the author of a model wrote, where the IR has something else: comparisons that tolerate undefined values ask for
 * them first (expr->is_implied), and constants are folded. */
#ifndef NOETHER_IR_WRITTEN_H
#define NOETHER_IR_WRITTEN_H

#include "base/text.h"
#include "ir/ctl.h"

/* Is it "it is (not) defined", which a comparison says before it compares? */
bool written_is_test(const struct expr *expr);
/* The comparison behind its tests; the expression itself where there are none. */
const struct expr *written_expr(const struct expr *expr);
/* The text of the expression, as it stands in the model; where that takes several lines, or the language does not say
 * where expressions end, as ir_print_claim has it. */
void written_print(const struct system *system, const struct expr *expr, struct text *out);
/* The same of a formula of time; else as ctl_print has it. */
void written_print_ctl(const struct system *system, const struct ctl *ctl, struct text *out);

#endif
