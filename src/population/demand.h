/* What the guard of a rule begins with: equations of a shared or local scalar and a constant.
 *
 * They tell without an evaluation that an instance is disabled. They are taken from the front of the guard only, so
 * what is not evaluated then could not have faulted before. */
#ifndef NOETHER_POPULATION_DEMAND_H
#define NOETHER_POPULATION_DEMAND_H

#include "population/shape.h"

struct guard_demand {
    uint32_t parameter; /* of the rule: whose local state; WORDS_NONE: the shared state */
    uint32_t position;  /* in the vector of words (population/instance.h) */
    uint32_t word;
};

struct demands {
    struct guard_demand *items;
    uint32_t count;
};

/* In the shape's arena. */
struct demands demands_find(const struct thread_shape *shape, const struct rule *rule);
/* Is an instance disabled for sure? `locals` are the local states of the parameters; NULL: any. */
bool demands_exclude(const struct demands *demands, const uint32_t *shared, const uint32_t *const *locals);

/* Does the local state meet the first demand on the parameter, or may it fault there? */
bool demands_admit(const struct demands *demands, uint32_t parameter, const uint32_t *local);

#endif
