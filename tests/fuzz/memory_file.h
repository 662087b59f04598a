/* Bytes as a file, for what reads files: of memory, with a path. */
#ifndef NOETHER_FUZZ_MEMORY_FILE_H
#define NOETHER_FUZZ_MEMORY_FILE_H

#include <stddef.h>

enum memory_file {
    MEMORY_FILE_MODEL,
    MEMORY_FILE_PROPERTIES,
    MEMORY_FILE_TRACE,
    MEMORY_FILE_GENERATORS,
    MEMORY_FILE_COUNT
};

/* The path stays valid; the contents until the next call with the same number. */
const char *memory_file(enum memory_file number, const void *bytes, size_t size);

#endif
