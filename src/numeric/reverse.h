/* The graph of a matrix backwards: for each state the rows that may lead to it. */
#ifndef NOETHER_NUMERIC_REVERSE_H
#define NOETHER_NUMERIC_REVERSE_H

#include "numeric/matrix.h"

struct reverse {
    const struct matrix *matrix;
    uint64_t *first;     /* by state, one more than there are */
    uint32_t *rows;      /* the rows that have the state as a target */
    uint32_t *row_state; /* by row: the state it belongs to */
    /* Asked now and then where something may take many rounds (NULL: always). When it says no, the sets are worth
     * nothing: who asks must know that. */
    bool (*go_on)(void *user);
    void *user;
};

struct reverse *reverse_create(const struct matrix *matrix);
void reverse_destroy(struct reverse *reverse);

/* Which extreme over the choices is asked for. With one row in each state it makes no difference. */
enum extreme { EXTREME_LEAST, EXTREME_GREATEST };

/* The states from which the minimal / maximal probability of "left until right" is 0, or is 1: by the graph alone. One
 * byte a state, 0 or 1, in all arrays. */
void reverse_chance_zero(const struct reverse *reverse, const uint8_t *left, const uint8_t *right, enum extreme extreme,
                         uint8_t *zero);
void reverse_chance_one(const struct reverse *reverse, const uint8_t *left, const uint8_t *right, enum extreme extreme,
                        uint8_t *one);

#endif
