/* The words of a verdict about a formula. */
#ifndef NOETHER_PCTL_VERDICT_H
#define NOETHER_PCTL_VERDICT_H

#include "pctl/evaluate.h"
#include "result/verdict.h"

/* What the number of a bound was found to be in the initial states. */
struct pctl_extent {
    double lower, upper;
    bool is_range;     /* initial states differ */
    const char *exact; /* NULL: not known */
};

/* An empty result of an engine that decides formulas about the chain, and nothing but run-time errors besides. */
struct result *pctl_result_create(const struct system *system, const char *engine);
/* A formula that an initial state does not satisfy. `trace`, `reason`: a run that shows it, if there is one, and what
 * it shows; `extent`: of a bound, NULL: not known. Takes the trace. */
void pctl_settle_violated(const struct pctl_evaluator *evaluator, struct result *result,
                          const struct property *property, struct trace *trace, const char *reason,
                          const struct pctl_extent *extent);
/* What is known when there is no answer: of a number its bounds (NULL: nothing). Bounds within the absolute width that
 * was asked for are an answer. */
void pctl_settle_unknown(const struct pctl_evaluator *evaluator, struct result *result, const struct property *property,
                         const struct pctl_number *bounds);
/* Of the whole system, when there is no chain to evaluate anything on: the failure says why. */
void pctl_give_up(const struct pctl_evaluator *evaluator, struct result *result);

#endif
