/* The outcomes in a state of the matrix, enumerated once more after the exploration. */
#ifndef NOETHER_ENGINE_PROBABILISTIC_OUTCOMES_H
#define NOETHER_ENGINE_PROBABILISTIC_OUTCOMES_H

#include "engine/probabilistic/weigh.h"

struct outcome_of_state {
    uint32_t choice, target;
    uint64_t way; /* of the choices that are one rule */
    const struct rule *rule;
    uint64_t instance;
};

struct outcomes {
    struct markov *markov;
    struct stepper *stepper;
    struct weigher *weigher;
    int32_t *source;
    /* Those whose weight is not 0, choice by choice. */
    struct outcome_of_state *items;
    uint32_t count, capacity;
};

struct outcomes *outcomes_create(struct markov *markov);
void outcomes_destroy(struct outcomes *outcomes);
/* Fills the items; the cells of the state, or NULL: markov->evaluator.failure says why. */
const int32_t *outcomes_gather(struct outcomes *outcomes, uint32_t state);
/* Are they outcomes of the same choice? */
bool outcomes_are_together(const struct outcome_of_state *a, const struct outcome_of_state *b);
/* The number that the state, or its orbit, has in the matrix. False: none. */
bool outcomes_number(struct outcomes *outcomes, const int32_t *cells, uint32_t *number);

#endif
