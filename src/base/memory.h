/* The heap. A request that is refused (by the system, or by the limit of the account that the thread works for) does
 * not return: see base/account.h. Engines that hold much ask before they take (store/budget.h) and poll, so that this
 * is the last resort. */
#ifndef NOETHER_BASE_MEMORY_H
#define NOETHER_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

void *memory_alloc(size_t size);
void *memory_zeroed(size_t count, size_t size);
void *memory_resize(void *old, size_t size);
char *memory_string(const char *text);
void memory_free(void *block);
/* NULL when refused. */
void *memory_try(size_t size);
void *memory_aligned(size_t alignment, size_t size);
_Noreturn void memory_fail(size_t size);

/* Whole pages of zeros, beginning at a multiple of the alignment (0: of a page; else a power of two); NULL when
 * refused. Of a reserve only the addresses are taken at once: what is touched counts. */
void *memory_map(size_t size, size_t alignment, bool is_reserve);
void memory_unmap(void *block, size_t size, bool is_reserve);

/* What the heap keeps of blocks that were freed goes back to the system; false: there was nothing. */
bool memory_trim(void);
/* For a process with a small limit: large blocks come from the system and go back there, and grow without being copied.
 * And for one with a limit of addresses: one heap for all threads, as each reserves many. */
void memory_save_pages(void);
void memory_save_addresses(void);

/* Every block is counted when it is freed, too: no other file names the C library's function
 * (tests/layering/symbols.py). */
#define free(block) memory_free(block)

/* A broken invariant: prints what was broken and aborts. */
_Noreturn void broken(const char *file, int line, const char *what);
#define ENSURE(condition) ((condition) ? (void)0 : broken(__FILE__, __LINE__, #condition))
#define UNREACHABLE(what) broken(__FILE__, __LINE__, what)

#endif
