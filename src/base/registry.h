/* The blocks of an account that can be released as a whole, by address, to free what a failure leaves behind. A table
 * for the process, in parts with a lock each; only libraries that must not leak into their host pay for it. */
#ifndef NOETHER_BASE_REGISTRY_H
#define NOETHER_BASE_REGISTRY_H

#include <stdbool.h>
#include <stddef.h>

struct registry;

/* NULL: no memory. */
struct registry *registry_create(void);
/* Frees the blocks that are left, and counts them. NULL is fine. */
size_t registry_destroy(struct registry *registry);
/* False: no memory. `bytes`: of a map; 0: the block is one of malloc. */
bool registry_add(struct registry *registry, void *block, size_t bytes);
/* A block that is not there is none of ours. */
void registry_remove(const void *block);
/* Is there any? Before that nothing needs to be removed. */
bool registry_is_used(void);

#endif
