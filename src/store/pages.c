#include "store/pages.h"

#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGES_HUGE = 2 << 20, PAGES_LARGE = 256 << 10, PAGES_SMALL = 4 << 10, PAGES_LINE = 64 };

/* Small blocks come from the heap, where the sanitizers watch their borders. */
static int pages_is_large(size_t size)
{
    return size >= PAGES_LARGE;
}

static void *pages_map_plain(size_t size)
{
    void *block = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return block == MAP_FAILED ? NULL : block;
}

static void *pages_map_huge(size_t size)
{
    /* Ask for more and cut off both ends, so that the block begins on a huge page. */
    uint8_t *block = pages_map_plain(size + PAGES_HUGE);
    if (!block)
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
    return (size + PAGES_SMALL - 1) / PAGES_SMALL * PAGES_SMALL;
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
    if (!pages_is_large(size))
        return pages_alloc_small(size);
    return size < PAGES_HUGE ? pages_map_plain(pages_round(size)) : pages_map_huge(pages_round(size));
}

void pages_release(void *block, size_t size, size_t from, size_t to)
{
    from = pages_round(from);
    to = to / PAGES_SMALL * PAGES_SMALL;
    if (pages_is_large(size) && from < to)
        madvise((uint8_t *)block + from, to - from, MADV_DONTNEED);
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

void pages_return_heap(void)
{
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}
