/* A set of packed states, sorted, within a bound of memory: what does not fit goes to a file in sorted runs, which are
 * merged when the set is read. The file has no name and vanishes with the program. */
#ifndef NOETHER_VERIFY_STATESET_H
#define NOETHER_VERIFY_STATESET_H

#include <stdbool.h>
#include <stdint.h>

struct stateset;

/* `folder`: where the file is made if there is need for it. */
struct stateset *stateset_create(uint32_t words, uint64_t bytes, const char *folder);
void stateset_destroy(struct stateset *set);
/* False: the file cannot be written, and errno says why. */
bool stateset_add(struct stateset *set, const uint64_t *words);
/* No more is added. */
bool stateset_finish(struct stateset *set);
/* Is all of it in memory? Then one may ask for a state. */
bool stateset_is_here(const struct stateset *set);
bool stateset_has(const struct stateset *set, const uint64_t *words);
/* The states in order, each once; NULL: there are no more, or (*is_broken) the file cannot be read. */
const uint64_t *stateset_next(struct stateset *set, bool *is_broken);
int stateset_compare(const uint64_t *left, const uint64_t *right, uint32_t words);

#endif
