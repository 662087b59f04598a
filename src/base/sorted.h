/* A set of records of words (packed states), sorted, within a bound of memory: what does not fit goes to a file in
 * sorted runs, which are merged when the set is read. The file has no name and vanishes with the program. */
#ifndef NOETHER_BASE_SORTED_H
#define NOETHER_BASE_SORTED_H

#include <stdbool.h>
#include <stdint.h>

struct sorted;

/* `folder`: where the file is made if there is need for it. */
struct sorted *sorted_create(uint32_t words, uint64_t bytes, const char *folder);
void sorted_destroy(struct sorted *set);
/* False: the file cannot be written, and sorted_failure says where and why. */
bool sorted_add(struct sorted *set, const uint64_t *words);
/* No more is added. */
bool sorted_finish(struct sorted *set);
const char *sorted_failure(const struct sorted *set);
/* Is all of it in memory? Then one may ask for a record. */
bool sorted_is_here(const struct sorted *set);
bool sorted_has(const struct sorted *set, const uint64_t *words);
/* Of two sets that are finished: the next record of `set` that `known` has not; NULL as above. Both are read on. */
const uint64_t *sorted_next_missing(struct sorted *set, struct sorted *known, bool *is_broken);
int sorted_compare(const uint64_t *left, const uint64_t *right, uint32_t words);

#endif
