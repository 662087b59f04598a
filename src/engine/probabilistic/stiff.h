/* A small CTMC with many jumps within the time: by squaring (numeric/squaring.h), where uniformisation would take one
 * sweep for each of them. Rates are fractions if the model gives them as such: the rounding error of a double,
 * multiplied by the number of jumps, would be visible. */
#ifndef NOETHER_ENGINE_PROBABILISTIC_STIFF_H
#define NOETHER_ENGINE_PROBABILISTIC_STIFF_H

#include "engine/probabilistic/formula.h"

struct stiff;

/* NULL: it would not be faster. `rate`: that of the fastest of the active states. */
struct stiff *stiff_create(struct markov *markov, const uint8_t *active, double rate, double time);
void stiff_destroy(struct stiff *stiff);
/* One of the bounds of the values after the time. False: a limit; the values are as before. */
bool stiff_transient(struct stiff *stiff, bool is_upper, double *values);
/* What is earned within the time at these rates. */
bool stiff_accumulate(struct stiff *stiff, const double *rates, struct bounds *bounds);

#endif
