/* Work on many numbers, shared between threads if there are enough. */
#ifndef NOETHER_NUMERIC_SHARE_H
#define NOETHER_NUMERIC_SHARE_H

#include <stdint.h>

/* Calls work(user, from, to) for parts of 0 .. count - 1, in the rounding mode that is set. Who calls it must get the
 * same numbers for any number of parts. */
void share_run(uint32_t threads, uint32_t count, void (*work)(void *user, uint32_t from, uint32_t to), void *user);

#endif
