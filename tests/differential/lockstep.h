/* Two steppers side by side: the same instances, outcomes, states, faults and truths, one by one. */
#ifndef NOETHER_TESTS_LOCKSTEP_H
#define NOETHER_TESTS_LOCKSTEP_H

#include "exec/stepper.h"
#include "failure.h"

struct lockstep {
    struct stepper *left, *right;
};

/* The evaluator on the left; `right` belongs to it from then on. */
struct lockstep lockstep_create(const struct layout *layout, struct stepper *right);
void lockstep_destroy(struct lockstep *lockstep);
bool lockstep_starts(struct lockstep *lockstep, struct failure *failure);
bool lockstep_state(struct lockstep *lockstep, const int32_t *cells, struct failure *failure);

#endif
