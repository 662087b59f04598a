/* The successors of states in which all modules take a step together.
 *
 * In a dtmc, in a state where just one combination of the commands of a joint (ir/chain.h) is enabled and nothing else,
 * the distribution of the next state is the product of those of the modules. Each outcome of a module's command moves
 * the place of the state (explore/places.h) by a number of its own, whatever the others do. So a module's outcomes are
 * evaluated once, and the k1 * k2 * ... successors cost an addition, a multiplication and a look into a table each,
 * in place of a rule that fires.
 *
 * What is not of that kind (no combination, or several; a guard or an update that fails; a number that may be lost) is
 * left to the rules, which say what is wrong, if anything is. */
#ifndef NOETHER_ENGINE_PROBABILISTIC_SYNCHRONOUS_H
#define NOETHER_ENGINE_PROBABILISTIC_SYNCHRONOUS_H

#include "engine/probabilistic/markov.h"

struct synchronous;

/* What a state leads to: each target once. Valid until the next call. */
struct synchronous_row {
    const struct rule *rule;
    uint64_t way;      /* chain_way of the combination */
    uint64_t fired;    /* instances of the rule that this is the sum of, */
    uint64_t summands; /* and those of them that have a chance */
    const struct entry *entries;
    size_t count;
};

enum synchronous_outcome {
    SYNCHRONOUS_ROW,
    SYNCHRONOUS_OTHER, /* the rules have to fire */
    SYNCHRONOUS_FAILED /* markov->evaluator.failure says why */
};

/* NULL: never of that kind. */
struct synchronous *synchronous_create(struct markov *markov);
void synchronous_destroy(struct synchronous *synchronous);
/* While the state is expanded. */
enum synchronous_outcome synchronous_expand(struct synchronous *synchronous, const int32_t *cells,
                                            struct synchronous_row *row);

#endif
