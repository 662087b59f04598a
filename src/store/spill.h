/* A temporary file for what does not fit in memory: without a name, in the folder of its place, gone with the process.
 * Opened when first written to. Several threads may use it at once. */
#ifndef NOETHER_STORE_SPILL_H
#define NOETHER_STORE_SPILL_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/account.h"

struct spill;

/* Where files are, and how much they may take together. Files with a place may be made by one thread and destroyed by
 * another; the place is opened and closed by one. */
struct spill_place {
    const char *folder;
    uint64_t limit;        /* bytes; 0: none */
    _Atomic uint64_t used; /* of all files that are open */
    _Atomic bool is_full;  /* something could not be written */
    /* Private. */
    struct cleanup cleanup; /* closes the files */
    pthread_mutex_t lock;
    struct spill *first;
};
void spill_place_open(struct spill_place *place, const char *folder, uint64_t limit);
void spill_place_close(struct spill_place *place); /* when all its files are destroyed */

/* The place must outlive it; NULL: without limit in $TMPDIR or else /tmp, for one thread to make and destroy. */
struct spill *spill_create(struct spill_place *place);
void spill_destroy(struct spill *spill);
/* Writes at the end; *at is where it begins. false: it cannot be written (no space, no such folder). */
bool spill_append(struct spill *spill, const void *data, size_t size, uint64_t *at);
/* Writes over what is there. */
bool spill_write(struct spill *spill, const void *data, size_t size, uint64_t at);
bool spill_read(struct spill *spill, void *data, size_t size, uint64_t at);
uint64_t spill_bytes(const struct spill *spill);
/* Forgets what is behind `size`. */
void spill_cut(struct spill *spill, uint64_t size);

#endif
