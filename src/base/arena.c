#include "base/arena.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Many arenas stay small and are short-lived: chunks begin small, and each is twice as large as the one before. */
enum { FIRST_BYTES = 1024, MOST_BYTES = 64 * 1024, ALIGNMENT = 16 };

struct chunk {
    struct chunk *previous;
    size_t used, size;
    _Alignas(ALIGNMENT) unsigned char bytes[];
};

struct arena {
    struct chunk *last;
};

static struct chunk *chunk_create(size_t size, struct chunk *previous)
{
    struct chunk *chunk = memory_zeroed(1, sizeof *chunk + size);
    chunk->previous = previous;
    chunk->size = size;
    return chunk;
}

struct arena *arena_create(void)
{
    struct arena *arena = memory_alloc(sizeof *arena);
    arena->last = chunk_create(FIRST_BYTES, NULL);
    return arena;
}

void arena_destroy(struct arena *arena)
{
    if (!arena)
        return;
    for (struct chunk *chunk = arena->last, *previous; chunk; chunk = previous) {
        previous = chunk->previous;
        free(chunk);
    }
    free(arena);
}

static size_t next_size(const struct chunk *last, size_t least)
{
    size_t size = last->size < MOST_BYTES / 2 ? 2 * last->size : MOST_BYTES;
    return size < least ? least : size;
}

void *arena_alloc(struct arena *arena, size_t size)
{
    size = (size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
    if (arena->last->size - arena->last->used < size)
        arena->last = chunk_create(next_size(arena->last, size), arena->last);
    void *block = arena->last->bytes + arena->last->used;
    arena->last->used += size;
    return block;
}

void *arena_copy(struct arena *arena, const void *data, size_t size)
{
    void *block = arena_alloc(arena, size);
    return size ? memcpy(block, data, size) : block;
}

char *arena_string_n(struct arena *arena, const char *text, size_t length)
{
    char *copy = arena_alloc(arena, length + 1);
    memcpy(copy, text, length);
    return copy;
}

char *arena_string(struct arena *arena, const char *text)
{
    return arena_string_n(arena, text, strlen(text));
}

char *arena_vformat(struct arena *arena, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    char *text = arena_alloc(arena, (size_t)length + 1);
    vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}

char *arena_format(struct arena *arena, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = arena_vformat(arena, format, arguments);
    va_end(arguments);
    return text;
}
