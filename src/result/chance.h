/* The numbers of a Markov chain in a state, by the evaluator: the probability of an outcome of a choice, or its rate;
 * and their errors. */
#ifndef NOETHER_RESULT_CHANCE_H
#define NOETHER_RESULT_CHANCE_H

#include "exec/stepper.h"

struct chances;
struct weight;
struct expr;

/* What rounding may add to a sum of probabilities. */
#define CHANCES_TOLERANCE 1e-9

/* NULL: the system has no probabilities. */
struct chances *chances_create(const struct layout *layout);
void chances_destroy(struct chances *chances);
/* NULL is fine. From now on evaluation is cut when the watch of the thread is over: what is false then says nothing,
 * and no fault is set. */
void chances_watch(struct chances *chances);
/* The state asked about (copied). */
void chances_load(struct chances *chances, const int32_t *cells);
/* 0: it never happens (or cannot be evaluated, which is for an engine to complain about). */
double chances_weight(struct chances *chances, const struct rule *rule, uint64_t instance);
/* The same, of an instance of a rule: it may be a product. False: *fault says why there is none. */
bool chances_outcome(struct chances *chances, const struct rule *rule, uint64_t instance, double *number,
                     struct fault *fault);
/* The factor of a weight is to be multiplied by top / bottom; bottom is not 0. False: *fault says why not. */
bool chances_parts(struct chances *chances, const struct weight *weight, int64_t *top, int64_t *bottom,
                   struct fault *fault);
bool chances_number(struct chances *chances, const struct weight *weight, double *number, struct fault *fault);
/* What chances_weight says, with all its digits: a fraction, or 17 digits where the model itself is rounded (a
 * logarithm, a root). On the heap; NULL: there is none. */
char *chances_weight_digits(struct chances *chances, const struct rule *rule, uint64_t instance);
/* Is the formula (of a label, say) true in the state? */
bool chances_hold(struct chances *chances, const struct expr *formula);

/* What goes wrong in a state: a step that may happen fails, or cannot be given a probability. */
struct chance_fault {
    const struct rule *rule; /* NULL: it is about the state, not about a step */
    uint64_t instance;
    struct fault fault;
};

/* All of these, the steps first; on the heap. */
struct chance_fault *chances_find_faults(const struct layout *layout, const int32_t *cells, size_t *count);
/* Is this among them? */
bool chances_confirm_fault(const struct layout *layout, const int32_t *cells, const struct chance_fault *claim);

#endif
