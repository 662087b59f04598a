/* The stabiliser chain: orbits with trees, sifting, and how a strong generator is added. */
#include "group/chain.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static const uint32_t *chain_step_back(const struct group *group, int32_t label)
{
    const struct strong *strong = &group->strong[label >> 1];
    return label & 1 ? strong->image : strong->inverse;
}

uint32_t chain_sift(const struct group *group, uint32_t from, uint32_t *p)
{
    for (uint32_t l = from; l < group->level_count; l++) {
        const struct chain_level *level = &group->levels[l];
        int32_t label;
        while ((label = level->label[p[level->base]]) != LABEL_ROOT) {
            if (label == LABEL_NONE)
                return l;
            perm_multiply(group->degree, p, chain_step_back(group, label), p);
        }
    }
    return group->level_count;
}

/* The orbit grows by what the strong generators from `first` on add; new points see all of them. */
static void level_grow(struct group *group, uint32_t l, uint32_t first)
{
    struct chain_level *level = &group->levels[l];
    uint32_t old = level->length;
    for (uint32_t at = 0; at < level->length; at++) {
        uint32_t point = level->orbit[at];
        for (uint32_t s = at < old ? first : 0; s < group->strong_count; s++) {
            if (group->strong[s].fixes < l)
                continue;
            for (uint32_t side = 0; side < 2; side++) {
                uint32_t image = side ? group->strong[s].inverse[point] : group->strong[s].image[point];
                if (level->label[image] != LABEL_NONE)
                    continue;
                level->label[image] = (int32_t)(2 * s + side);
                level->orbit[level->length++] = image;
            }
        }
    }
}

void chain_add_level(struct group *group, uint32_t base)
{
    uint32_t n = group->degree, l = group->level_count;
    group->levels = memory_resize(group->levels, ((size_t)l + 1) * sizeof *group->levels);
    struct chain_level *level = &group->levels[group->level_count++];
    *level = (struct chain_level){.base = base, .length = 1};
    level->orbit = memory_alloc(n * sizeof *level->orbit);
    level->label = memory_alloc(n * sizeof *level->label);
    for (uint32_t i = 0; i < n; i++)
        level->label[i] = LABEL_NONE;
    level->orbit[0] = base;
    level->label[base] = LABEL_ROOT;
    level_grow(group, l, 0);
}

void chain_add(struct group *group, const uint32_t *p, uint32_t fixes)
{
    uint32_t n = group->degree;
    if (group->strong_count == group->strong_capacity) {
        group->strong_capacity = group->strong_capacity ? 2 * group->strong_capacity : 8;
        group->strong = memory_resize(group->strong, group->strong_capacity * sizeof *group->strong);
    }
    struct strong *strong = &group->strong[group->strong_count];
    *strong = (struct strong){.fixes = fixes};
    strong->image = memory_alloc(n * sizeof *strong->image);
    strong->inverse = memory_alloc(n * sizeof *strong->inverse);
    memcpy(strong->image, p, n * sizeof *p);
    perm_invert(n, p, strong->inverse);
    uint32_t which = group->strong_count++;
    if (fixes == group->level_count) {
        uint32_t moved = 0;
        while (p[moved] == moved)
            moved++;
        chain_add_level(group, moved);
    }
    for (uint32_t l = 0; l <= fixes; l++)
        level_grow(group, l, which);
}

uint32_t group_level_count(const struct group *group)
{
    return group->level_count;
}

const uint32_t *group_level_orbit(const struct group *group, uint32_t level, uint32_t *length)
{
    *length = group->levels[level].length;
    return group->levels[level].orbit;
}

bool group_level_reaches(const struct group *group, uint32_t level, uint32_t point)
{
    return group->levels[level].label[point] != LABEL_NONE;
}

/* Walks back from the point; each step before those taken already: out = step * out. */
void group_level_element(const struct group *group, uint32_t level, uint32_t point, uint32_t *out)
{
    const struct chain_level *about = &group->levels[level];
    int32_t label;
    perm_set_identity(group->degree, out);
    uint32_t *inverse = memory_alloc(((size_t)group->degree + 1) * sizeof *inverse);
    perm_set_identity(group->degree, inverse);
    while ((label = about->label[point]) != LABEL_ROOT) {
        const uint32_t *back = chain_step_back(group, label);
        perm_multiply(group->degree, inverse, back, inverse);
        point = back[point];
    }
    perm_invert(group->degree, inverse, out);
    free(inverse);
}

uint32_t group_level_generators(const struct group *group, uint32_t level, const uint32_t **out)
{
    uint32_t count = 0;
    for (uint32_t s = 0; s < group->strong_count; s++)
        if (group->strong[s].fixes >= level)
            out[count++] = group->strong[s].image;
    return count;
}
