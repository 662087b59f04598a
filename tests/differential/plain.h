/* Plain exploration: the oracle of the differential test.
 *
 * Breadth first with the IR evaluator and a set of packed states, with no symmetry and no code of any
 * engine. It decides every property on its own, in the simplest way, and keeps the whole state space so that
 * what the engines say can be looked up. Meant for a few thousand states. */
#ifndef NOETHER_TESTS_PLAIN_H
#define NOETHER_TESTS_PLAIN_H

#include "engine/engine.h"

enum { PLAIN_NONE = UINT32_MAX };

/* `length` is the number of steps of a shortest trace that shows the violation (of a cover: that meets the goal),
 * counting the start state as a step; PLAIN_NONE when there is none. */
struct plain_property {
    bool is_shown; /* violated; a cover: met */
    uint32_t length;
    bool *stuck;    /* liveness: by state, the goal cannot be reached from it */
    bool has_fault; /* liveness: the formula faults somewhere */
};

struct plain_edge {
    uint32_t from, to;
};

struct plain {
    const struct system *system;
    const struct layout *layout;
    struct stepper *stepper, *judge; /* the judge evaluates formulas while the other is enumerating */
    VEC(uint64_t) words;             /* the packed states, one after the other */
    VEC(uint32_t) depth;             /* by state */
    VEC(struct plain_edge) edges;
    uint32_t *table; /* open addressing: state + 1, or 0 */
    uint64_t table_size;
    uint64_t rules_fired, transitions;
    uint32_t greatest_depth, state_limit;
    bool is_truncated;
    struct plain_property *properties;   /* by id; the deadlock property: see `deadlock` */
    struct plain_property deadlock[3];   /* by enum deadlock_mode */
    struct plain_property *branching[3]; /* of CTL properties, by enum deadlock_mode and id; NULL: not asked yet */
};

struct plain *plain_explore(const struct layout *layout, uint32_t state_limit);
void plain_destroy(struct plain *plain);
/* The number of the state, or PLAIN_NONE. */
uint32_t plain_find(const struct plain *plain, const int32_t *cells);
uint32_t plain_find_packed(const struct plain *plain, const uint64_t *packed);
void plain_cells(const struct plain *plain, uint32_t state, int32_t *cells);
static inline uint32_t plain_count(const struct plain *plain)
{
    return (uint32_t)plain->depth.count;
}
const struct plain_property *plain_outcome(struct plain *plain, const struct property *property,
                                           enum deadlock_mode mode);
/* plain_ctl.c: can the property be decided here? Not: probabilities, formulas under fairness, and those of linear time
 * with other operators than G, F and U, or about runs that do not end only. The outcome of others means nothing. */
bool plain_can_decide(const struct plain *plain, const struct property *property);
/* plain_ctl.c: is the property violated? */
bool plain_ctl_is_violated(struct plain *plain, const struct property *property, enum deadlock_mode mode);
/* Is a final condition true there? */
bool plain_may_end(struct plain *plain, const int32_t *cells);
bool plain_is_deadlock(struct plain *plain, const int32_t *cells, enum deadlock_mode mode);

#endif
