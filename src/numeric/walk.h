/* Inside numeric/: where a chain is most of the time, roughly, by one walk. The same walk each time. */
#ifndef NOETHER_NUMERIC_WALK_H
#define NOETHER_NUMERIC_WALK_H

#include "numeric/matrix.h"

struct walk {
    const struct matrix *matrix;
    const double *row_rate;    /* how often a row is taken in a unit of time; NULL: once */
    bool (*go_on)(void *user); /* asked now and then; NULL: always */
    void *user;
};

/* From a state of a component of `count` states that is never left, each with one row. share, by state, all 0 before:
 * what part of the time is spent there, in the second half of the walk; the parts add up to 1. False: go_on said no. */
bool walk_shares(const struct walk *walk, uint32_t from, uint32_t count, double *share);

#endif
