#include "base/memory.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/account.h"

#undef free

enum { MEMORY_BLOCK = 1 << 20 };

void memory_fail(size_t size)
{
    account_fail(size);
}

void broken(const char *file, int line, const char *what)
{
    fprintf(stderr, "noether: internal error at %s:%d: %s\n", file, line, what);
    abort();
}

/* A new block, or NULL: counted and kept. */
static void *memory_take(void *block)
{
    if (block && account_keep(block, 0)) {
        account_count((int64_t)malloc_usable_size(block));
        return block;
    }
    free(block);
    account_note_refusal();
    return NULL;
}

static void *memory_check(void *block, size_t size)
{
    if (!block)
        memory_fail(size);
    return block;
}

void *memory_try(size_t size)
{
    return account_admits(size, false) ? memory_take(malloc(size ? size : 1)) : NULL;
}

void *memory_alloc(size_t size)
{
    return memory_check(memory_try(size), size);
}

void *memory_zeroed(size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) || !account_admits(bytes, false))
        memory_fail(bytes);
    return memory_check(memory_take(calloc(count ? count : 1, size ? size : 1)), bytes);
}

void *memory_aligned(size_t alignment, size_t size)
{
    return account_admits(size, false) ? memory_take(aligned_alloc(alignment, size)) : NULL;
}

/* The old block is forgotten before another thread can get it; where there is no new one it is still there. */
void *memory_resize(void *old, size_t size)
{
    if (!old)
        return memory_alloc(size);
    size_t before = malloc_usable_size(old);
    if (size > before && !account_admits(size - before, true))
        memory_fail(size);
    account_forget(old);
    void *block = realloc(old, size ? size : 1);
    account_keep(block ? block : old, 0); /* where it is not, it stays its owner's: others may look at it still */
    if (!block)
        account_note_refusal();
    memory_check(block, size);
    account_count((int64_t)malloc_usable_size(block) - (int64_t)before);
    return block;
}

void memory_free(void *block)
{
    if (!block)
        return;
    account_forget(block);
    account_count(-(int64_t)malloc_usable_size(block));
    free(block);
}

char *memory_string(const char *text)
{
    size_t length = strlen(text) + 1;
    return memcpy(memory_alloc(length), text, length);
}

void *memory_map(size_t size, size_t alignment, bool is_reserve)
{
    size_t room = size + alignment;
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | (is_reserve ? MAP_NORESERVE : 0);
    if (!is_reserve && !account_admits(size, false))
        return NULL;
    unsigned char *block = mmap(NULL, room, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (block == MAP_FAILED)
        return NULL;
    size_t before = alignment ? (alignment - (size_t)block % alignment) % alignment : 0;
    if (before)
        munmap(block, before);
    if (room - before > size)
        munmap(block + before + size, room - before - size);
    block += before;
    if (!account_keep(block, size)) {
        munmap(block, size);
        return NULL;
    }
    if (!is_reserve)
        account_count((int64_t)size);
    return block;
}

void memory_unmap(void *block, size_t size, bool is_reserve)
{
    account_forget(block);
    if (!is_reserve)
        account_count(-(int64_t)size);
    munmap(block, size);
}

bool memory_trim(void)
{
#ifdef __GLIBC__
    return malloc_trim(0);
#else
    return false;
#endif
}

void memory_save_pages(void)
{
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, MEMORY_BLOCK);
    mallopt(M_TRIM_THRESHOLD, MEMORY_BLOCK);
#endif
}

void memory_save_addresses(void)
{
#ifdef __GLIBC__
    mallopt(M_ARENA_MAX, 1);
#endif
}
