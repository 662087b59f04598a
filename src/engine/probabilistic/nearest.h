/* What is known about the value of the initial state, whichever method found it: also one that gave up, or was stopped
 * by a limit. All bounds hold, so the nearest ones do. */
#ifndef NOETHER_ENGINE_PROBABILISTIC_NEAREST_H
#define NOETHER_ENGINE_PROBABILISTIC_NEAREST_H

#include <math.h>

#include "engine/probabilistic/markov.h"

struct nearest {
    double least, most; /* both 0: nothing is known */
};

static inline void nearest_add(struct nearest *nearest, double lower, double upper)
{
    bool is_first = nearest->most == 0;
    nearest->least = is_first ? lower : fmax(nearest->least, lower);
    nearest->most = is_first ? upper : fmin(nearest->most, upper);
}

/* The initial state is the first one. */
static inline void nearest_use(const struct nearest *nearest, struct bounds *bounds)
{
    if (nearest->most == 0)
        return;
    bounds->lower[0] = fmax(bounds->lower[0], nearest->least);
    bounds->upper[0] = fmin(bounds->upper[0], nearest->most);
}

#endif
