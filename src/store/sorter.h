/* Sorting more records than fit in memory: they are collected in a buffer; when it is full they are sorted and written
 * to a file; at the end what was written is merged. A record is a state and some words about it.
 *
 * One thread at a time. The buffer has a fixed size, which serves for the merge, too. */
#ifndef NOETHER_STORE_SORTER_H
#define NOETHER_STORE_SORTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "store/spill.h"

struct record_sorter;

/* Records of `words` words for the state, and `more`. The place as in spill_create. NULL: no memory. */
struct record_sorter *sorter_create(uint32_t words, uint32_t more, size_t bytes, struct spill_place *place);
void sorter_destroy(struct record_sorter *sorter); /* NULL: nothing */
/* False: it cannot be written. */
bool sorter_add(struct record_sorter *sorter, const uint64_t *records, uint32_t count);
uint64_t sorter_count(const struct record_sorter *sorter);
/* Has so much been added that the merge would read from too many places? What comes then is still taken. */
bool sorter_is_full(const struct record_sorter *sorter);

/* All records in ascending order of their states, then NULL; it is empty then. False, or NULL before the end
 * (sorter_has_failed): the file cannot be written or read. */
bool sorter_begin(struct record_sorter *sorter);
const uint64_t *sorter_next(struct record_sorter *sorter);
bool sorter_has_failed(const struct record_sorter *sorter);
/* Empty, also in the middle. */
void sorter_clear(struct record_sorter *sorter);

#endif
