/* The probabilities of the steps of a run of a Markov chain, and the number of choices at each. */
#ifndef NOETHER_RESULT_LIKELIHOOD_H
#define NOETHER_RESULT_LIKELIHOOD_H

#include "result/trace.h"

struct likelihood_step {
    uint32_t choices;   /* enabled in the state before it */
    double probability; /* of this step: in an MDP once its choice is taken */
};

struct likelihood;

struct likelihood *likelihood_create(const struct trace *trace);
void likelihood_destroy(struct likelihood *likelihood);
/* For a step from a state (not the first step) to a state. */
struct likelihood_step likelihood_of_step(struct likelihood *likelihood, uint32_t at);

#endif
