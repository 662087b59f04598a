/* Linear equations x = constant + terms * x, solved exactly by eliminating one unknown after the other.
 *
 * The unknowns are numbered 0 .. count - 1. Each equation is built with elimination_add and elimination_add_constant;
 * the solution must be unique, as it is when x are expectations of a chain that ends with probability 1. The order of
 * elimination is greedy: first what makes the fewest new terms (Markowitz 1957). */
#ifndef NOETHER_NUMERIC_ELIMINATION_H
#define NOETHER_NUMERIC_ELIMINATION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/rational.h"

struct elimination;

struct elimination *elimination_create(uint32_t count);
void elimination_destroy(struct elimination *elimination);
/* Adds value * x[column] to the equation of x[row]; the value is copied. */
void elimination_add(struct elimination *elimination, uint32_t row, uint32_t column, const struct rational *value);
void elimination_add_constant(struct elimination *elimination, uint32_t row, const struct rational *value);
/* False: go_on (NULL: always) said no, or the solution is not unique. */
bool elimination_solve(struct elimination *elimination, bool (*go_on)(void *user), void *user);
/* After that. */
const struct rational *elimination_value(const struct elimination *elimination, uint32_t row);

#endif
