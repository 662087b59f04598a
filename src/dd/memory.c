#include <stdint.h>
#include <sys/mman.h>

#include "dd/inner.h"

enum { BLOCK_HUGE = 2 << 20, BLOCK_PAGE = 4096 };

static size_t block_round(size_t size)
{
    return (size + BLOCK_PAGE - 1) & ~(size_t)(BLOCK_PAGE - 1);
}

/* Memory comes when it is touched; where the block is large it begins on a huge page, which spares the many misses in the
 * page tables that reads at random would otherwise cost. */
void *dd_block_reserve(size_t size)
{
    size = block_round(size);
    size_t room = size >= BLOCK_HUGE ? size + BLOCK_HUGE : size;
    uint8_t *block = mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (block == MAP_FAILED)
        return NULL;
    if (room == size)
        return block;
    size_t before = (BLOCK_HUGE - (uintptr_t)block % BLOCK_HUGE) % BLOCK_HUGE;
    if (before)
        munmap(block, before);
    if (before < BLOCK_HUGE)
        munmap(block + before + size, BLOCK_HUGE - before);
    block += before;
#ifdef MADV_HUGEPAGE
    madvise(block, size, MADV_HUGEPAGE); /* advice: nothing is lost when it is not taken */
#endif
    return block;
}

void dd_block_release(void *block, size_t size)
{
    if (block)
        munmap(block, block_round(size));
}
