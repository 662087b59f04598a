#include "store/pages.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGES_HUGE = 2 << 20, PAGES_LINE = 64 };

/* Small blocks come from the heap, where the sanitizers watch their borders. */
static int pages_is_large(size_t size)
{
    return size >= PAGES_HUGE;
}

static void *pages_map(size_t size)
{
    /* Ask for more and cut off both ends, so that the block begins on a huge page. */
    size_t room = size + PAGES_HUGE;
    uint8_t *block = mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED)
        return NULL;
    size_t before = (PAGES_HUGE - (uintptr_t)block % PAGES_HUGE) % PAGES_HUGE;
    if (before)
        munmap(block, before);
    if (PAGES_HUGE - before)
        munmap(block + before + size, PAGES_HUGE - before);
    block += before;
#ifdef MADV_HUGEPAGE
    madvise(block, size, MADV_HUGEPAGE); /* advice: nothing is lost when it is not taken */
#endif
    return block;
}

static size_t pages_round(size_t size)
{
    return (size + 4095) & ~(size_t)4095;
}

static void *pages_alloc_small(size_t size)
{
    size_t room = (size + PAGES_LINE - 1) / PAGES_LINE * PAGES_LINE;
    void *block = aligned_alloc(PAGES_LINE, room ? room : PAGES_LINE);
    if (block)
        memset(block, 0, room);
    return block;
}

void *pages_alloc(size_t size)
{
    return pages_is_large(size) ? pages_map(pages_round(size)) : pages_alloc_small(size);
}

void pages_release(void *block, size_t size, size_t done)
{
    if (pages_is_large(size))
        madvise(block, done / PAGES_HUGE * PAGES_HUGE, MADV_DONTNEED);
}

void pages_free(void *block, size_t size)
{
    if (!block)
        return;
    if (pages_is_large(size))
        munmap(block, pages_round(size));
    else
        free(block);
}
