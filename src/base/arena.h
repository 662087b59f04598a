/* A growing region of memory that is released as a whole.
 *
 * Trees (syntax, IR, diagnostics) live in an arena: nothing in them is freed
 * one by one. Memory is zeroed. Allocation never returns NULL: running out of
 * memory ends the program with a message (memory_fail). */
#ifndef NOETHER_BASE_ARENA_H
#define NOETHER_BASE_ARENA_H

#include <stdarg.h>
#include <stddef.h>

struct arena;

struct arena *arena_create(void);
void arena_destroy(struct arena *arena);

/* Zeroed, aligned for any type. */
void *arena_alloc(struct arena *arena, size_t size);
void *arena_copy(struct arena *arena, const void *data, size_t size);
char *arena_string(struct arena *arena, const char *text);
char *arena_string_n(struct arena *arena, const char *text, size_t length);
char *arena_format(struct arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));
char *arena_vformat(struct arena *arena, const char *format, va_list arguments);

#define ARENA_NEW(arena, type) ((type *)arena_alloc((arena), sizeof(type)))
#define ARENA_ARRAY(arena, type, count) ((type *)arena_alloc((arena), sizeof(type) * (size_t)(count)))

#endif
