/* A model at every size of its population (population/sizes.h): read once more with another value of the constant that
 * is the size. */
#ifndef NOETHER_DRIVER_MODEL_SIZES_H
#define NOETHER_DRIVER_MODEL_SIZES_H

#include "driver/model.h"
#include "population/sizes.h"
#include "symmetry/symmetry.h"

struct model_sizes;

/* The model must outlive it. */
struct model_sizes *sizes_create(const struct model *model);
void sizes_destroy(struct model_sizes *sizes);
const struct sizes *sizes_interface(const struct model_sizes *sizes);
/* Of a system that it has made: the layout and the symmetry. Else those of the model, and NULL. */
const struct layout *sizes_layout(const struct model_sizes *sizes, const struct system *system);
const struct symmetry *sizes_symmetry(struct model_sizes *sizes, const struct system *system);

#endif
