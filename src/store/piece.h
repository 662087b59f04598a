/* A piece of a checkpoint: states of one block (blocks.h) that were appended one after the other, and how they were
 * reached, as bytes that hold on every machine.
 *
 *   bytes 0-7    hash of all that follows
 *   8-11         number of the block
 *   12-15        place of the first state in the block
 *   16-19        how many states
 *   20-23        bytes of the states
 *   24-27        bytes of the log
 *   28-31        depth of the states
 *   then the states, then the log (log.h)
 *
 * Numbers are little-endian. A state is written as its difference (exclusive or) to the one before it, the first one as
 * it is: for each word a byte that says which of its bytes differ, and after these bytes the ones that do. Neighbours
 * differ in a few bytes, so that a state takes about as many bytes as it has words, and a few more. */
#ifndef NOETHER_STORE_PIECE_H
#define NOETHER_STORE_PIECE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PIECE_HEAD = 32 };

struct kept_piece {
    uint32_t block, from, count;
    uint32_t depth;   /* of the states: steps from a start state */
    uint64_t *states; /* of `count` states, one after the other */
    const uint8_t *log;
    uint32_t log_size;
};

/* The most bytes that a piece of so many states takes. */
size_t piece_most_bytes(uint32_t words, uint32_t count, uint32_t log_size);
/* Into `out`, which has room for them; returns how many bytes it is. */
size_t piece_write(const struct kept_piece *piece, uint32_t words, uint8_t *out);

/* What a head says: the whole piece has *size bytes, `most_states` states at most. False: it is not one. */
bool piece_read_head(const uint8_t *head, uint32_t words, uint32_t most_states, size_t *size);
/* Of `size` bytes that follow from the head. The log stays in the bytes; piece->states has room for the states. False:
 * the bytes are damaged. */
bool piece_read(const uint8_t *bytes, size_t size, uint32_t words, struct kept_piece *piece);
/* The hash of the piece, as written. */
uint64_t piece_hash(const uint8_t *bytes);

#endif
