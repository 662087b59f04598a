/* The weights of the rules in a state; those of synchronised commands are products.
 *
 * Outcomes of a joint (ir/chain.h) come in order, so that from one to the next only the last few factors change. */
#ifndef NOETHER_ENGINE_PROBABILISTIC_WEIGH_H
#define NOETHER_ENGINE_PROBABILISTIC_WEIGH_H

#include "engine/probabilistic/markov.h"

struct weigher;

struct weigher *weigher_create(struct markov *markov);
void weigher_destroy(struct weigher *weigher);
/* The state asked about; not copied. */
void weigher_load(struct weigher *weigher, const int32_t *cells);
/* False: it cannot be evaluated, markov->evaluator.failure says why. */
bool weigher_weigh(struct weigher *weigher, const struct rule *rule, uint64_t instance, double *weight);

#endif
