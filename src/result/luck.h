/* The probabilities of the steps of a run of a Markov chain, and the number of choices at each. */
#ifndef NOETHER_RESULT_LUCK_H
#define NOETHER_RESULT_LUCK_H

#include "result/trace.h"

struct luck_step {
    uint32_t choices; /* enabled in the state before it */
    double chance;    /* of this step: in an MDP once its choice is taken */
};

struct luck;

struct luck *luck_create(const struct trace *trace);
void luck_destroy(struct luck *luck);
/* Of a step that leads from a state (not the first) to a state. */
struct luck_step luck_of_step(struct luck *luck, uint32_t at);

#endif
