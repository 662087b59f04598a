/* Deriving a thread transition system (population/threads.h): what is known so far, shared by threads.c, which goes
 * through the pairs and tuples, and threads_steps.c, which fires the rules. */
#ifndef NOETHER_POPULATION_THREADS_INNER_H
#define NOETHER_POPULATION_THREADS_INNER_H

#include "population/demand.h"
#include "population/threads.h"

enum { MOST_THREADS = SHAPE_MOST_PARTICIPANTS + 2 }; /* participants and a spectator */

struct deriving {
    struct thread_system *threads;
    const struct thread_shape *shape;
    const struct sizes *sizes;
    struct instance *instances[MOST_THREADS];
    uint32_t most;                                  /* threads in an instance */
    bool fires[MOST_THREADS], judges[MOST_THREADS]; /* is there a rule, or formula, about so many threads? */
    bool is_missing;
    struct demands *demands;             /* by rule */
    VEC(struct thread_numbers) able;     /* by shared state: rules */
    struct words known;                  /* steps and generators: each is taken once */
    VEC(uint64_t) waiting;               /* pairs */
    VEC(struct thread_numbers) done;     /* by shared state: local states whose pair was looked at */
    VEC(struct thread_numbers) partners; /* those of them that can take part in a step of several */
    VEC(uint32_t) scratch;
};

/* What a step or generator is: equal ones are taken once. */
struct thread_kind {
    uint32_t what; /* of a generator: 1 + property; of a broadcast: the rule */
    uint64_t instance;
    uint32_t size, from, to;
};

/* Numbers of what the cells of an instance hold; new ones are added. */
uint32_t deriving_shared(struct deriving *d, struct instance *instance, const int32_t *cells);
uint32_t deriving_local(struct deriving *d, struct instance *instance, const int32_t *cells, uint32_t thread);
void deriving_add_pair(struct deriving *d, uint32_t shared, uint32_t local);
/* An instance in this configuration, for firing rules; NULL: there is none of this size. */
struct instance *deriving_prepare(struct deriving *d, uint32_t shared, const uint32_t *tuple, uint32_t count);
/* Has no equal step or generator been taken? */
bool deriving_is_new(struct deriving *d, struct thread_kind kind, const uint32_t *tuple, uint32_t count);
void deriving_add_generator(struct deriving *d, uint32_t shared, const uint32_t *tuple, uint32_t width,
                            uint32_t property, bool is_fault);

/* threads_steps.c */
/* A thread in this local state sees the step. */
void deriving_meet(struct deriving *d, uint32_t number, uint32_t local);
/* The rules that the shared state does not exclude. */
const struct thread_numbers *deriving_able_rules(struct deriving *d, uint32_t shared);
/* The steps of just these threads. */
void deriving_take_steps(struct deriving *d, uint32_t shared, const uint32_t *tuple, uint32_t count);

#endif
