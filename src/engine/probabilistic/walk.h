/* Paths through the states of the matrix, and runs of the model along them.
 *
 * The matrix may be that of a quotient: its states represent their orbits. A run begins in a state of the first orbit,
 * and continues with any possible step that leads to the next one. */
#ifndef NOETHER_ENGINE_PROBABILISTIC_WALK_H
#define NOETHER_ENGINE_PROBABILISTIC_WALK_H

#include "engine/probabilistic/outcomes.h"
#include "result/trace.h"

/* After its last state it goes on for ever, back at the position `loop` where has_loop says so: its last state is the
 * one there. */
struct markov_walk {
    VEC(uint32_t) states;
    bool has_loop;
    uint32_t loop;
};

void walk_free(struct markov_walk *walk);
/* A shortest way from one of the initial states in `from` (NULL: any) by states of `through` (NULL: any) to one of
 * `goal` is appended. False: there is none. */
bool walk_find(struct markov *markov, const uint8_t *from, const uint8_t *through, const uint8_t *goal,
               struct markov_walk *walk);
/* Goes on from the last state inside the set, in which every state has a successor, until it meets itself. Nothing is
 * appended where nothing can happen any more. */
void walk_go_round(struct markov *markov, const uint8_t *set, struct markov_walk *walk);
/* One step to a state of the set; false: there is none. */
bool walk_step(struct markov *markov, const uint8_t *set, struct markov_walk *walk);

/* The run. A cycle of orbits leads back to the orbit, but perhaps to another state of it: then it is traversed
 * again, until a state recurs. NULL: there is none, which is an internal error. */
struct trace *walk_run(struct markov *markov, const struct markov_walk *walk);

/* For callers that take steps of their own: the trace begins with a state of that orbit. */
bool walk_start(struct outcomes *outcomes, uint32_t state, struct trace *trace);

#endif
