#include <stdlib.h>

#include "base/disjoint.h"
#include "base/memory.h"
#include "group/chain.h"

uint32_t orbits_of(uint32_t degree, const uint32_t *const *generators, uint32_t count, uint32_t *orbit)
{
    uint32_t orbits = 0;
    perm_set_identity(degree, orbit);
    for (uint32_t g = 0; g < count; g++)
        for (uint32_t i = 0; i < degree; i++)
            disjoint_join(orbit, i, generators[g][i]);
    for (uint32_t i = 0; i < degree; i++) {
        orbit[i] = disjoint_find(orbit, i);
        orbits += orbit[i] == i;
    }
    return orbits;
}

uint32_t group_orbits(const struct group *group, uint32_t *orbit)
{
    return orbits_of(group->degree, (const uint32_t *const *)group->generators, group->generator_count, orbit);
}

struct group *group_restrict(const struct group *group, const uint32_t *points, uint32_t count)
{
    uint32_t *place = memory_alloc(((size_t)group->degree + 1) * sizeof *place);
    uint32_t **images = memory_alloc(((size_t)group->generator_count + 1) * sizeof *images);
    for (uint32_t i = 0; i < count; i++)
        place[points[i]] = i;
    for (uint32_t g = 0; g < group->generator_count; g++) {
        images[g] = memory_alloc(((size_t)count + 1) * sizeof **images);
        for (uint32_t i = 0; i < count; i++)
            images[g][i] = place[group->generators[g][points[i]]];
    }
    struct group *restricted = group_create(count, (const uint32_t *const *)images, group->generator_count);
    for (uint32_t g = 0; g < group->generator_count; g++)
        free(images[g]);
    free(images);
    free(place);
    return restricted;
}
