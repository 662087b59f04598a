/* The weights of a chain's rules in a state, for people to see: the probability of an outcome of a choice, or its rate. */
#ifndef NOETHER_RESULT_CHANCE_H
#define NOETHER_RESULT_CHANCE_H

#include "ir/layout.h"

struct chances;

/* NULL: nothing in the system is left to chance. */
struct chances *chances_create(const struct layout *layout);
void chances_destroy(struct chances *chances);
/* The state asked about (copied). */
void chances_load(struct chances *chances, const int32_t *cells);
/* 0: it never happens (or cannot be evaluated, which is for an engine to complain about). */
double chances_weight(struct chances *chances, const struct rule *rule, uint64_t instance);

#endif
