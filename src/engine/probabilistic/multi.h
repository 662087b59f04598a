/* multi(...): objectives that one scheduler of an mdp is to meet together.
 *
 * Every objective is an expected total reward of a product: the chain, with what became of each path formula so far (it
 * is undecided, was met just now, or is over) and, for bounds, the number of steps. The row after a path formula was
 * met earns 1 for it, once. End components must be free of rewards: they are collapsed, with a row that stops; with
 * formulas of LTL a row for each set of them that can be met by staying there, and it earns 1 for each. Then
 * every scheduler stops, and what all of them attain is a polytope. A weighted sum of the objectives bounds it from
 * outside, and the scheduler that is best for it is a point of it (Forejt, Kwiatkowska and Parker, "Pareto curves for
 * probabilistic model checking", ATVA 2012). Points and half-spaces are rational, and each is certain: with intervals,
 * a point is one that some scheduler is above, and a half-space one that no scheduler is beyond. */
#ifndef NOETHER_ENGINE_PROBABILISTIC_MULTI_H
#define NOETHER_ENGINE_PROBABILISTIC_MULTI_H

#include "engine/probabilistic/exact.h"
#include "engine/probabilistic/formula.h"

struct multi_objective {
    const struct pctl *formula;
    struct pctl_until until;         /* of P */
    struct markov_earnings earnings; /* of R */
    struct deterministic *automaton; /* of LTL, or NULL */
    uint64_t *letters;               /* what it reads, by state of the chain */
    bool is_reward, is_inverse;      /* inverse: of P, the value is 1 - the expectation */
    bool is_less;                    /* what is made large is - the expectation */
    bool has_steps;
    uint64_t steps;         /* the last step that counts */
    struct rational *bound; /* from below, of what is made large; NULL: it is asked for */
};

struct multi {
    struct markov *markov;
    struct multi_objective *objectives;
    uint32_t count, linear_count; /* all objectives; those of LTL */
    uint64_t horizon;             /* no bound is above it */
    /* The product without end components; the last state is the end. */
    struct matrix matrix;
    struct reverse *reverse;
    uint8_t *unknown;         /* all states but the end */
    double **rewards;         /* by objective and row */
    VEC(uint64_t) origin;     /* by entry: its entry of the chain */
    VEC(uint32_t) row_origin; /* by row: that of the chain; UINT32_MAX: it stops */
    VEC(uint32_t) row_memory; /* and which objectives it earns: bit i */
    uint32_t initial;
    double steps; /* no scheduler is expected to take more; 0: not known yet */
};

/* multi_product.c. False: the failure says why. Free it in any case. */
bool multi_create(struct markov *markov, const struct pctl *formula, struct multi *multi);
void multi_free(struct multi *multi);

/* multi_solve.c: the scheduler that is best for a weighted sum. */
struct multi_answer {
    struct rational **weights;        /* those that were used: near to those asked for */
    struct rational *limit;           /* of the weighted sum: no scheduler has more */
    struct rational **lower, **upper; /* by objective: of the scheduler, in what is made large */
};
struct multi_answer *multi_answer_create(uint32_t count);
void multi_answer_destroy(struct multi_answer *answer);
bool multi_solve(struct multi *multi, struct rational *const *weights, struct multi_answer *answer);

/* multi.c: decides the property. */
void multi_decide(struct markov *markov, const struct property *property);

#endif
