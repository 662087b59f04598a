/* Where the time goes: a decorator around steppers, made only when it is asked for.
 *
 * Every rule gets a stepper of its own, so that the time to decide and fire its instances is measured
 * separately; the decorator runs them one after the other. Each thread counts for itself, and adds what it has
 * counted to the profile when its stepper is destroyed. */
#ifndef NOETHER_EXEC_PROFILE_H
#define NOETHER_EXEC_PROFILE_H

#include "exec/stepper.h"

struct profile_row {
    uint64_t asked;   /* a rule: states it was tried in; a property: states it was evaluated in */
    uint64_t enabled; /* instances of the rule that were enabled, */
    uint64_t fired;   /* and that led to a state; the others break an assumption or fault */
    double seconds;
};

struct profile {
    const struct system *system;
    struct profile_row *rules;      /* by rule id */
    struct profile_row *properties; /* by property id */
};

struct profiler;

struct profiler *profiler_create(const struct layout *layout);
void profiler_destroy(struct profiler *profiler);
/* The sum of all steppers destroyed so far. */
struct profile *profiler_result(struct profiler *profiler);
void profile_destroy(struct profile *profile);

/* Makes the steppers inside: one for a single rule of the system, one for everything else. They may keep the system
 * they are given only as long as they live. */
struct profile_maker {
    struct stepper *(*make_rule)(void *user, const struct system *single, uint32_t rule);
    struct stepper *(*make_rest)(void *user);
    void *user;
};
struct stepper *profiler_wrap(struct profiler *profiler, const struct profile_maker *maker);

#endif
