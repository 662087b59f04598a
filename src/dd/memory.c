#include <stdint.h>
#include <sys/mman.h>

#include "dd/inner.h"

enum { BLOCK_HUGE = 2 << 20, BLOCK_PAGE = 4096 };

static size_t block_round(size_t size)
{
    return (size + BLOCK_PAGE - 1) & ~(size_t)(BLOCK_PAGE - 1);
}

/* Memory comes when it is touched; where the block is large it begins on a huge page, which spares the many misses in
 * the page tables that reads at random would otherwise cost. */
void *dd_block_reserve(size_t size)
{
    size = block_round(size);
    void *block = memory_map(size, size < BLOCK_HUGE ? 0 : BLOCK_HUGE, true);
#ifdef MADV_HUGEPAGE
    if (block && size >= BLOCK_HUGE)
        madvise(block, size, MADV_HUGEPAGE); /* advice: nothing is lost when it is not taken */
#endif
    return block;
}

void dd_block_release(void *block, size_t size)
{
    if (block)
        memory_unmap(block, block_round(size), true);
}
