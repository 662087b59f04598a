/* What is refused, and by which arithmetic: one list (refusal.c). An operator is refused before its operands are
 * evaluated. What only the numbers of a model show (a division by 0, bounds that are too wide) is not listed. */
#ifndef NOETHER_PCTL_REFUSAL_H
#define NOETHER_PCTL_REFUSAL_H

#include "pctl/evaluate.h"

/* True: the failure is set. It is about the operator, not about its operands. */
bool pctl_refuse(struct pctl_evaluator *evaluator, const struct pctl *formula);
/* Of what diagrams do not do, as it turns out: "what: why". False. */
bool pctl_refuse_diagrams(struct pctl_evaluator *evaluator, const char *what);

#endif
