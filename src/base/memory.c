#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void memory_fail(size_t size)
{
    fprintf(stderr, "noether: out of memory (asked for %zu bytes)\n", size);
    abort();
}

void broken(const char *file, int line, const char *what)
{
    fprintf(stderr, "noether: internal error at %s:%d: %s\n", file, line, what);
    abort();
}

void *memory_alloc(size_t size)
{
    void *block = malloc(size ? size : 1);
    if (!block)
        memory_fail(size);
    return block;
}

void *memory_zeroed(size_t count, size_t size)
{
    void *block = calloc(count ? count : 1, size ? size : 1);
    if (!block)
        memory_fail(count * size);
    return block;
}

void *memory_resize(void *old, size_t size)
{
    void *block = realloc(old, size ? size : 1);
    if (!block)
        memory_fail(size);
    return block;
}

char *memory_string(const char *text)
{
    size_t length = strlen(text) + 1;
    return memcpy(memory_alloc(length), text, length);
}
