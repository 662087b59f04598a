/* A thread transition system: what a system of the shape (population/shape.h) is for every number of threads.
 *
 * A configuration is a shared state and a multiset of local states, one for each thread. A step takes some threads, its
 * participants, from given local states to others, and changes the shared state; each other thread changes as the
 * step's broadcast says, or not at all. A *generator* is a configuration that violates a property, as does all that has
 * more threads.
 *
 * It is computed by steppers on instances with few threads, as far as pairs of a shared and a local state can be
 * reached when each thread takes the others for any of those that were found (thread-modular reachability): no
 * configuration that can be reached has another pair. */
#ifndef NOETHER_POPULATION_THREADS_H
#define NOETHER_POPULATION_THREADS_H

#include "population/sizes.h"
#include "population/instance.h"

struct thread_step {
    uint32_t from, to; /* shared states */
    uint32_t width;    /* participants */
    uint32_t first;    /* in `tuples`: width local states before, then width after */
    const struct rule *rule;
    uint64_t instance; /* of the rule, with `size` threads, of which the participants are the first */
    uint32_t size;
    bool is_broadcast; /* the others: threads_image */
};

struct thread_generator {
    uint32_t shared, width;
    uint32_t first; /* in `tuples`: width local states, sorted */
    uint32_t property;
    bool is_fault; /* a step faults there; else the formula is false */
};

/* Start states with any number of threads: one is `chosen` (WORDS_NONE: none is), the rest are in `rest`. */
struct thread_start {
    uint32_t shared, chosen, rest;
};

struct thread_numbers {
    VEC(uint32_t) list;
};

struct thread_system {
    struct words shared, locals;
    VEC(struct thread_step) steps;
    VEC(struct thread_generator) generators;
    VEC(struct thread_start) starts;
    VEC(uint32_t) tuples;
    struct pairs pairs;  /* (shared, local) that were reached */
    struct pairs images; /* (step, local): where a broadcast takes it */
    /* By shared state. */
    VEC(struct thread_numbers) reached;                      /* local states */
    VEC(struct thread_numbers) leaving, entering, generated; /* steps, steps, generators */
    bool faulty_start;                                       /* a start state faults with two threads */
    /* Its guard asks whether there are other threads, and its evaluation may fail: more threads may make it fail, or
     * keep it from failing. NULL: none. */
    const struct rule *doubtful;
    bool is_cut;   /* the time was over: it is not whole */
    bool is_large; /* there were more pairs than were asked for: it is not whole */
};

/* NULL: an instance cannot be had. */
struct thread_system *threads_derive(const struct thread_shape *shape, const struct sizes *sizes, size_t most_pairs);
void threads_destroy(struct thread_system *threads);

/* Local states of the participants, before and after. */
static inline const uint32_t *threads_before(const struct thread_system *threads, const struct thread_step *step)
{
    return VEC_FROM(&threads->tuples, step->first);
}
static inline const uint32_t *threads_after(const struct thread_system *threads, const struct thread_step *step)
{
    return VEC_FROM(&threads->tuples, step->first + step->width);
}
/* Where another thread in this local state goes; WORDS_NONE: the step faults. */
uint32_t threads_image(const struct thread_system *threads, uint32_t step, uint32_t local);
static inline bool threads_have_pair(const struct thread_system *threads, uint32_t shared, uint32_t local)
{
    return pairs_get(&threads->pairs, pairs_key(shared, local)) != WORDS_NONE;
}

#endif
