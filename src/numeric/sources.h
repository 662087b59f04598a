/* A chain backwards: by state, the states that lead to it, in ascending order, and how much comes from each. */
#ifndef NOETHER_NUMERIC_SOURCES_H
#define NOETHER_NUMERIC_SOURCES_H

#include "numeric/matrix.h"

struct sources {
    uint64_t *first; /* by state, one more than there are */
    uint32_t *source;
    double *share;
};

/* Each state has one row, which is multiplied by its factor. Neither from nor to states that are not active (NULL: all
 * are), nor from those with factor 0. */
struct sources sources_find(const struct matrix *matrix, const double *factor, const uint8_t *active);
void sources_free(struct sources *sources);

#endif
