/* The product of a chain with a deterministic automaton that reads its states.
 *
 * A state of the product is a state of the chain and the state of the automaton before it reads that one. What it
 * reads, the letter, is a matter of the state alone, and so is the priority of the step of the automaton. The product
 * is a matrix with all that the operators of formulas need (markov.h), but it has no cells and no rewards. Once the
 * automaton accepts all words, or none, the chain stays where it is.
 *
 * Ownership: the chain must outlive it. */
#ifndef NOETHER_ENGINE_PROBABILISTIC_PRODUCT_H
#define NOETHER_ENGINE_PROBABILISTIC_PRODUCT_H

#include "base/words.h"
#include "engine/probabilistic/exact.h"
#include "logic/deterministic.h"

struct product_state {
    uint32_t state, memory; /* of the chain, of the automaton */
};

struct markov_product {
    struct markov *chain;
    struct markov markov; /* the product itself; its states 0 .. begin_count - 1 are where the automaton begins */
    uint32_t begin_count; /* there state s is that of the chain */
    VEC(struct product_state) states;
    VEC(uint32_t) priority;   /* by state */
    VEC(uint32_t) after;      /* by state: the state of the automaton after it */
    VEC(uint32_t) row_origin; /* by row: the row of the chain */
    /* Private. */
    VEC(const struct rational *) chances; /* by entry: the chain's; in exact arithmetic only */
    struct rational *one;
    struct exact_chain exact;
    struct pairs numbers; /* (state, memory) to the number */
};

struct pctl_linear; /* pctl/linear.h */
/* linear.c. What an automaton reads, by state of the chain: the atoms that hold there. */
uint64_t *markov_find_letters(const struct markov *markov, const struct pctl_linear *linear);
/* NULL: the failure of the chain says why, or a limit. */
struct deterministic *markov_make_automaton(struct markov *markov, struct pctl_linear *linear);

/* From all states of the chain, or (`from_starts`) the initial ones. letters: by state of the chain. False: the failure
 * of the chain says why. Free it in any case. */
bool product_build(struct markov_product *product, struct markov *chain, struct deterministic *automaton,
                   const uint64_t *letters, bool from_starts);
/* Hands what was found out on the way (failure, sweeps, bounds) to the chain. */
void product_free(struct markov_product *product);

/* The states from which a scheduler can go on such that the least priority that occurs again and again is even: the
 * members of end components in which it is. `by_graph`: with probabilities left out, any path may do so. NULL: a limit.
 */
uint8_t *product_accepting(struct markov_product *product, bool by_graph);

#endif
