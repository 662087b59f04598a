/* Maximal end components: sets of states in which a scheduler can stay forever, visiting all of them again and again.
 *
 * After the algorithm of de Alfaro (1997, 3.1): the components of the graph, without the rows that leave them, until
 * nothing changes. */
#ifndef NOETHER_NUMERIC_ENDS_H
#define NOETHER_NUMERIC_ENDS_H

#include "numeric/matrix.h"

enum { ENDS_NONE = UINT32_MAX };

struct ends {
    uint32_t *of;     /* by state: the number of its end component, or ENDS_NONE */
    uint8_t *is_kept; /* by row: it stays in the end component of its state */
    uint32_t count;
};

/* Made of the states of `wanted` (one byte each) and of the rows with `allowed` (NULL: all). It takes a round for each
 * time that a component falls apart: go_on (NULL: always) is asked before each. NULL: it said no. */
struct ends *ends_create(const struct matrix *matrix, const uint8_t *wanted, const uint8_t *allowed,
                         bool (*go_on)(void *user), void *user);
void ends_destroy(struct ends *ends);

#endif
