/* Inside numeric/: the states of a component that can reach a set of states, or leave the component, and a row of each
 * that is a step on a shortest way there. One breadth-first search backwards: linear in the entries of the component.
 */
#ifndef NOETHER_NUMERIC_APPROACH_H
#define NOETHER_NUMERIC_APPROACH_H

#include "numeric/matrix.h"

struct approach {
    const struct matrix *matrix;
    const uint32_t *states; /* by number */
    uint32_t count;
    const uint32_t *place; /* by state: its number, plus 1; 0: outside the component */
    /* True if the search may use this row of the state. */
    bool (*may_take)(const void *user, uint32_t number, uint32_t row);
    const void *user;
    bool (*go_on)(void *user); /* polled now and then; NULL: always */
    void *go_on_user;
};

enum { APPROACH_STOPPED = UINT32_MAX };

/* Extends `set` (by number, one byte each) by the states from which rows that may be taken can lead into the set or out
 * of the component. rows[i] becomes that row for each state that joins. Returns the number of states in the set, or
 * APPROACH_STOPPED if go_on returned false. Memory: 8 bytes an entry while it runs. */
uint32_t approach_extend(const struct approach *approach, uint8_t *set, uint32_t *rows);

#endif
