/* Stabilisers of points, from a chain whose base begins with them. */
#include <stdlib.h>

#include "base/memory.h"
#include "group/chain.h"

struct group *group_fix_points(const struct group *group, const uint32_t *points, uint32_t count)
{
    struct group *based = group_create_based(group->degree, (const uint32_t *const *)group->generators,
                                             group->generator_count, points, count);
    const uint32_t **kept = memory_alloc(((size_t)based->strong_count + 1) * sizeof *kept);
    uint32_t kept_count = group_level_generators(based, count, kept);
    struct group *fixed = group_create(group->degree, kept, kept_count);
    free(kept);
    group_destroy(based);
    return fixed;
}
