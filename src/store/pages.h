/* Large zeroed blocks straight from the operating system, on huge pages where it has them: a visited set is read at
 * random, and misses in the page tables cost as much as the reads themselves. */
#ifndef NOETHER_STORE_PAGES_H
#define NOETHER_STORE_PAGES_H

#include <stdbool.h>
#include <stddef.h>

/* Aligned to a cache line. NULL when the system has no memory left. */
void *pages_alloc(size_t size);
void pages_free(void *block, size_t size);
/* Bytes from `from` to `to` of the block are no longer needed: their memory goes back, the block stays. */
void pages_release(void *block, size_t size, size_t from, size_t to);
/* Addresses only, for a block that grows where it stands; NULL: there are none. Its memory is taken piece by piece:
 * bytes from `from` to `to` are zeros that may be used from now on (false: there is no memory); and all of it is given
 * back, of which `used` bytes were taken. */
void *pages_reserve(size_t size);
bool pages_take(void *block, size_t from, size_t to);
void pages_give_back(void *block, size_t size, size_t used);
/* What was freed on the heap goes back to the system, where it can be told to. */
void pages_return_heap(void);

#endif
