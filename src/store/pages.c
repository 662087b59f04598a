#include "store/pages.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/account.h"
#include "base/memory.h"

enum { PAGES_HUGE = 2 << 20, PAGES_LARGE = 256 << 10, PAGES_SMALL = 4 << 10, PAGES_LINE = 64 };

/* Small blocks come from the heap, where the sanitizers watch their borders. */
static int pages_is_large(size_t size)
{
    return size >= PAGES_LARGE;
}

/* A large block begins on a huge page. */
static void *pages_map(size_t size)
{
    void *block = memory_map(size, size < PAGES_HUGE ? 0 : PAGES_HUGE, false);
#ifdef MADV_HUGEPAGE
    if (block && size >= PAGES_HUGE)
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
    void *block = memory_aligned(PAGES_LINE, room ? room : PAGES_LINE);
    if (block)
        memset(block, 0, room);
    return block;
}

void *pages_alloc(size_t size)
{
    if (!pages_is_large(size))
        return pages_alloc_small(size);
    return pages_map(pages_round(size));
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
        memory_unmap(block, pages_round(size), false);
    else
        free(block);
}

void *pages_reserve(size_t size)
{
    return memory_map(pages_round(size), PAGES_HUGE, true);
}

bool pages_take(void *block, size_t from, size_t to)
{
    if (!account_admits(to - from, false))
        return false;
    account_count((int64_t)(to - from));
#ifdef MADV_HUGEPAGE
    if (to >= PAGES_HUGE)
        madvise(block, to, MADV_HUGEPAGE);
#else
    (void)block;
#endif
    return true;
}

void pages_give_back(void *block, size_t size, size_t used)
{
    account_count(-(int64_t)used);
    memory_unmap(block, pages_round(size), true);
}

void pages_return_heap(void)
{
    memory_trim();
}
