/* Strongly connected components of the graph of a matrix, in an order in which a component comes after all those it
 * can reach (Tarjan's algorithm without recursion). */
#ifndef NOETHER_NUMERIC_COMPONENTS_H
#define NOETHER_NUMERIC_COMPONENTS_H

#include "numeric/matrix.h"

struct components {
    uint32_t *states; /* by component, one after the other */
    uint32_t *first;  /* by component, one more than there are */
    uint32_t count;
};

/* Of the graph between the states in `wanted` (one byte each). Other states are in no component. */
struct components *components_create(const struct matrix *matrix, const uint8_t *wanted);
void components_destroy(struct components *components);

#endif
