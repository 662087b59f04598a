/* Large zeroed blocks straight from the operating system, on huge pages where it has them: a visited set is read at
 * random, and misses in the page tables cost as much as the reads themselves. */
#ifndef NOETHER_STORE_PAGES_H
#define NOETHER_STORE_PAGES_H

#include <stddef.h>

/* Aligned to a cache line. NULL when the system has no memory left. */
void *pages_alloc(size_t size);
void pages_free(void *block, size_t size);
/* Bytes from `from` to `to` of the block are no longer needed: their memory goes back, the block stays. */
void pages_release(void *block, size_t size, size_t from, size_t to);
/* What was freed on the heap goes back to the system, where it can be told to. */
void pages_return_heap(void);

#endif
