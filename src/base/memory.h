/* Heap allocation that cannot fail silently: a failed request ends the program
 * with a message. Engines that work under a memory limit count what they ask
 * for and stop before the limit (see store/). */
#ifndef NOETHER_BASE_MEMORY_H
#define NOETHER_BASE_MEMORY_H

#include <stddef.h>

void *memory_alloc(size_t size);
void *memory_zeroed(size_t count, size_t size);
void *memory_resize(void *old, size_t size);
char *memory_string(const char *text);
_Noreturn void memory_fail(size_t size);

/* A broken invariant: prints what was broken and aborts. */
_Noreturn void broken(const char *file, int line, const char *what);
#define ENSURE(condition) ((condition) ? (void)0 : broken(__FILE__, __LINE__, #condition))
#define UNREACHABLE(what) broken(__FILE__, __LINE__, what)

#endif
