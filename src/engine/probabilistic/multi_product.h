/* The product of multi.h while it is built: private to multi_product.c and multi_linear.c. */
#ifndef NOETHER_ENGINE_PROBABILISTIC_MULTI_PRODUCT_H
#define NOETHER_ENGINE_PROBABILISTIC_MULTI_PRODUCT_H

#include "engine/probabilistic/multi.h"
#include "engine/probabilistic/product.h"
#include "numeric/ends.h"

/* Every set of them is looked at. */
enum { MULTI_MOST_LINEAR = 8 };

struct monitored_state {
    uint32_t state;
    uint32_t places; /* of the automata, before they read the state: a vector of monitored.places */
    uint64_t memory; /* the steps so far, then what became of the objectives */
};

/* State 0 is the end: nothing is earned from there on. */
struct monitored {
    struct multi *multi;
    VEC(struct monitored_state) states;
    uint32_t *table; /* open addressing: numbers of states, 0: free */
    uint32_t capacity;
    struct words places;    /* a word for each objective; 0 where it has no automaton */
    VEC(uint32_t) priority; /* by state and objective: of the step that reads it; with objectives of LTL only */
    struct matrix matrix;
    VEC(uint64_t) origin;
    VEC(uint32_t) row_origin;
    VEC(uint32_t) row_memory;
};

/* Objectives that are met together by a scheduler that stays in an end component. */
struct multi_stay {
    uint32_t component, set;
};
struct multi_stays {
    VEC(struct multi_stay) list;
};

/* Is the objective to be large? */
bool multi_is_large(const struct pctl *formula);
/* multi_linear.c. False: the failure says why. */
bool multi_open_linear(struct multi *multi, const struct pctl *formula, struct multi_objective *objective);
/* The places of the automata after the state; adds its priorities. */
bool multi_read_letters(struct monitored *product, uint32_t number, uint32_t *after);
bool multi_find_stays(const struct monitored *product, const struct ends *ends, struct multi_stays *stays);

#endif
