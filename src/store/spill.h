/* A temporary file for what does not fit in memory: without a name, in $TMPDIR or else /tmp, gone with the process.
 * Opened when first written to. Several threads may use it at once. */
#ifndef NOETHER_STORE_SPILL_H
#define NOETHER_STORE_SPILL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct spill;

struct spill *spill_create(void);
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
