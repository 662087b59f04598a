/* The most likely path to a goal for a fixed row of each state. */
#ifndef NOETHER_NUMERIC_LIKELY_H
#define NOETHER_NUMERIC_LIKELY_H

#include "numeric/matrix.h"

struct likely_path {
    uint32_t *states;
    double *chances; /* of each step; the first is 1 */
    uint32_t count;
    double chance; /* of all together */
};

/* From `start` by states of `through` to one of `goal` (one byte a state). False: there is none. The caller frees
 * states and probabilities (chances). */
bool likely_path_find(const struct matrix *matrix, const uint32_t *rows, const uint8_t *through, const uint8_t *goal,
                      uint32_t start, struct likely_path *path);

#endif
