/* The log of a block: how its states were reached, one entry after the other.
 *
 * An entry is a byte: two bits for how far the parent lies behind the parent of the entry before, six for the ordinal.
 * Where that is not enough, the field is all ones and a number of variable length follows. A step of 0 written in that
 * long way means: the parent is in another block; the block's number (0: none, the state is a start state) and the
 * parent's place follow. */
#ifndef NOETHER_STORE_LOG_H
#define NOETHER_STORE_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct log_writer {
    uint8_t *bytes;
    size_t size, capacity;
    uint32_t block, index; /* the last parent */
    bool has_parent;
};

struct log_reader {
    const uint8_t *bytes, *end;
    uint32_t block, index;
};

void log_begin(struct log_writer *log);
void log_append(struct log_writer *log, uint32_t block, uint32_t index, uint64_t ordinal);
/* The next entry. The log is never read past its end. */
void log_next(struct log_reader *log, uint64_t *ordinal);
/* The same, of a log that may be anything. False: it is none. */
bool log_try_next(struct log_reader *log, uint64_t *ordinal);

#endif
