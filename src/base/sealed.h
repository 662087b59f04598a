/* Reading a file of records that is sealed: one line of text, then records of so many numbers, then how many there are
 * and a checksum of all before it. Numbers have 8 bytes, the least first.
 *
 * The records are read one after the other, as often as one likes, and are the same each time: if somebody writes to
 * the file meanwhile, is_broken says so. */
#ifndef NOETHER_BASE_SEALED_H
#define NOETHER_BASE_SEALED_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/text.h"

enum { SEALED_TRAILER = 16 };

struct sealed {
    FILE *file;
    uint32_t record;             /* numbers of one */
    uint64_t begin, count, next; /* where the records begin, how many there are, and which is read next */
    uint64_t mixed, before;      /* what was read since the last rewind; all of it, the first time (0: not yet) */
    bool is_broken;              /* not all was read, or not the same as the first time */
};

/* Can it be read, and is this its first byte? A file of another kind may be no mistake in the file. */
bool sealed_begins(const char *path, char first);
/* Opens it, and reads its line. False after a failure, which is appended. */
bool sealed_open(struct sealed *sealed, const char *path, struct text *line, struct text *failure);
void sealed_close(struct sealed *sealed);
/* Goes through the whole file once: are there just records of so many numbers, and is the checksum right? */
bool sealed_check(struct sealed *sealed, uint32_t record, struct text *failure);
/* Before the first record again. */
void sealed_rewind(struct sealed *sealed);
/* False: there are no more, or (is_broken) it cannot be read. */
bool sealed_next(struct sealed *sealed, uint64_t *numbers);

#endif
