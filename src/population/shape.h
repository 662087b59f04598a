/* Is a system one of threads: does its meaning for every size of one index type follow from small sizes?
 *
 * The shape. Each variable is *shared* (its type does not mention the index type, "Thread") or *local*: an array over
 * it whose elements do not mention it. An instance of a rule reads and writes shared variables and the locals of its
 * parameters. Further it may ask whether there is a thread with some property (an existential quantifier of the guard,
 * not negated), and change the locals of all threads in a loop, each by itself (a broadcast).
 *
 * What follows for such a rule: let W be the number of its parameters of type Thread plus that of the quantifiers. A
 * step with any number of threads is a step with at most W of them, the participants; all other threads are spectators,
 * and each one's locals change as its own locals, those of the participants and the shared variables say. So the steps
 * with W threads and one spectator determine all. A thread more never takes a step away: the system is monotone.
 *
 * It is proved by the syntax; what is not of the shape is refused at its place, even if it means the same. */
#ifndef NOETHER_POPULATION_SHAPE_H
#define NOETHER_POPULATION_SHAPE_H

#include "ir/system.h"

/* A rule or property about more threads is refused, as is a rule with more parameters in all. */
enum { SHAPE_MOST_PARTICIPANTS = 8, SHAPE_MOST_PARAMETERS = 64 };

struct rule_shape {
    uint32_t parameters;   /* of type Thread */
    uint32_t participants; /* W: these and the quantifiers */
    bool is_broadcast;     /* spectators may change */
};

struct property_shape {
    uint32_t witnesses;   /* how many threads show that it is violated, at most */
    const char *left_out; /* why it is not decided, with its line; NULL: it is */
};

struct thread_shape {
    const struct system *system;
    const struct type *thread;
    struct arena *arena;
    struct rule_shape *rules, *starts; /* by id */
    struct property_shape *properties; /* by id */
};

/* NULL: the system is not of the shape, and `diagnostics` says where. `shape` is freed with shape_free. */
struct thread_shape *shape_find(const struct system *system, struct diagnostics *diagnostics);
void shape_free(struct thread_shape *shape);
/* Is the global variable local to the threads? */
bool shape_is_local(const struct thread_shape *shape, const struct variable *variable);

#endif
