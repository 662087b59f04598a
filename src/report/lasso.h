/* What a run shows of a temporal formula: which part fails, how its cycle is fair, and what the automaton of the
 * negation does beside it. */
#ifndef NOETHER_REPORT_LASSO_H
#define NOETHER_REPORT_LASSO_H

#include "base/json.h"
#include "report/report.h"

/* A line each, after the run; nothing of other properties. */
void lasso_print(const struct property_result *shown, const struct report_style *style, struct text *out);
/* Members "fails", "fairness" and "automaton" (docs/json.md), where there is something to say. */
void lasso_to_json(const struct property_result *shown, struct json *object);

#endif
