/* Ways to check a model as users do it, through the driver: every engine with its methods, and what `auto` chooses. */
#ifndef NOETHER_TESTS_WAYS_H
#define NOETHER_TESTS_WAYS_H

#include "driver/model.h"
#include "failure.h"
#include "plain.h"

enum way_group {
    WAYS_EXPLICIT,
    WAYS_ADAPTIVE,
    WAYS_COMPLETE,
    WAYS_GUARDED,
    WAYS_SYMBOLIC,
    WAYS_COUNTER,
    WAYS_GENERIC,
    WAYS_SYMBOLIC_AUTO,
    WAYS_AUTO,
    WAYS_WRITTEN,
    WAYS_SAT,
    WAYS_COUNT
};
extern const char *const way_group_names[WAYS_COUNT];

/* What became of a model, by group of ways. */
struct ways_outcome {
    uint32_t compared[WAYS_COUNT], late[WAYS_COUNT];
    char *refusals[WAYS_COUNT]; /* why the engine does not take the model; NULL: it does */
    uint64_t orbits;            /* stored by the explicit engine with declared symmetry; 0: not known */
};

/* Every way of the groups in the set (bits by enum way_group), against the plain exploration. The first difference is
 * told. `salt` chooses what varies from model to model: how deadlocks are understood. */
void ways_compare(struct plain *plain, const struct model *model, unsigned groups, uint64_t salt,
                  struct ways_outcome *outcome, struct failure *failure);
void ways_outcome_free(struct ways_outcome *outcome);

/* written.c: the model of counters that `noether reduce` writes, explored plainly; false: there is none. `interrupted`
 * ends the reduction. */
bool written_compare(struct plain *plain, const struct model *model, uint64_t orbits, enum deadlock_mode deadlock,
                     const volatile int *interrupted, char **refusal, struct failure *failure);

#endif
