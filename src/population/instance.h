/* The system at one size, and its states as a shared state and a local state for each thread.
 *
 * Both are vectors of words that do not depend on the size: a cell is its ordinal + 1, and 0 when undefined. */
#ifndef NOETHER_POPULATION_INSTANCE_H
#define NOETHER_POPULATION_INSTANCE_H

#include "base/words.h"
#include "exec/stepper.h"
#include "population/shape.h"

struct instance {
    const struct layout *layout;
    uint32_t size;
    uint32_t shared_cells, local_cells;
    uint32_t *shared_at;    /* the cells of the shared state */
    uint32_t *local_at;     /* those of the first thread's local state, */
    uint32_t *local_stride; /* and how far those of the next are from them */
    struct stepper *evaluator;
    int32_t *cells;           /* a state, filled by instance_put */
    uint32_t *shared, *local; /* filled by instance_read_* */
};

struct instance *instance_create(const struct thread_shape *shape, const struct layout *layout);
void instance_destroy(struct instance *instance);
void instance_put_shared(struct instance *instance, const uint32_t *words);
void instance_put_local(struct instance *instance, uint32_t thread, const uint32_t *words);
void instance_read_shared(struct instance *instance, const int32_t *cells);
void instance_read_local(struct instance *instance, const int32_t *cells, uint32_t thread);

#endif
