/* A system at every size of its population: the same model, read with another number of threads. */
#ifndef NOETHER_POPULATION_SIZES_H
#define NOETHER_POPULATION_SIZES_H

#include "ir/layout.h"

struct sizes {
    /* The layout at a size, which lives as long as the family; NULL: it cannot be had. */
    const struct layout *(*at)(void *user, uint32_t size);
    /* The same, with a size for each of system->sized. */
    const struct layout *(*with)(void *user, const uint32_t *sizes);
    const struct symmetry *(*symmetry)(void *user, const struct system *system); /* of a system of `with` */
    void *user;
};

#endif
