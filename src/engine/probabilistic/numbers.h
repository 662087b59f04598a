/* A number for every state, of one of the two classes (pctl/number.h): intervals, or, if the chain has exact numbers
 * (exact.h), fractions. */
#ifndef NOETHER_ENGINE_PROBABILISTIC_NUMBERS_H
#define NOETHER_ENGINE_PROBABILISTIC_NUMBERS_H

#include "engine/probabilistic/markov.h"

struct state_numbers {
    struct bounds bounds;    /* or, if these are fractions, NULL */
    struct rational **exact; /* NULL: intervals; that of a state NULL: infinity */
    uint32_t count;          /* how many there are */
};

/* All 0; fractions: infinite. */
struct state_numbers *numbers_new(const struct markov *markov);
void numbers_free(struct state_numbers *numbers);
/* The same, as the value of a formula. */
struct state_numbers *numbers_begin(const struct markov *markov, struct pctl_value *value);
static inline struct state_numbers *numbers_of(const struct pctl_value *value)
{
    return value->numbers;
}
/* That of the state: a fraction is not copied, and belongs to the others. */
struct pctl_number numbers_at(const struct state_numbers *numbers, uint32_t state);
/* Replaces what numbers_at gave, which is not freed. */
void numbers_put(struct state_numbers *numbers, uint32_t state, struct pctl_number number);
void numbers_set(struct state_numbers *numbers, uint32_t state, double integer);

uint8_t *numbers_new_set(const struct markov *markov, bool is_in);
struct bounds numbers_new_bounds(const struct markov *markov);
/* Allows for numbers of the model that are no doubles. */
void numbers_widen(const struct markov *markov, struct bounds *bounds);

#endif
