/* Sets of points that a group permutes in every way are seen in its generators, without a chain: an exchange of two points
 * (a b) in the group, and what generators take it to, say that all permutations of the points they connect are in it. Such a
 * set that is taken to itself is a direct factor, and its part of the chain can be written down: what is slow to
 * find with random elements, n levels for n points, is known. */
#include <stdlib.h>

#include "base/memory.h"
#include "group/chain.h"

static uint32_t free_find(uint32_t *joined, uint32_t point)
{
    while (joined[point] != point)
        point = joined[point] = joined[joined[point]];
    return point;
}

static bool free_join(uint32_t *joined, uint32_t a, uint32_t b)
{
    a = free_find(joined, a);
    b = free_find(joined, b);
    joined[a < b ? b : a] = a < b ? a : b;
    return a != b;
}

static void free_join_exchange(uint32_t *joined, const uint32_t *p, uint32_t n)
{
    uint32_t moved = 0, first = 0;
    for (uint32_t i = 0; i < n && moved < 3; i++)
        if (p[i] != i && !moved++)
            first = i;
    if (moved == 2)
        free_join(joined, first, p[first]);
}

/* Exchanges within a set are taken to exchanges within its image. */
static void free_close(const struct group *group, uint32_t *joined)
{
    for (bool goes_on = true; goes_on;) {
        goes_on = false;
        for (uint32_t g = 0; g < group->generator_count; g++)
            for (uint32_t i = 0; i < group->degree; i++) {
                uint32_t least = free_find(joined, i);
                goes_on |= least != i && free_join(joined, group->generators[g][least], group->generators[g][i]);
            }
    }
}

/* By point, the least of its set; a set that generators take to another is none. */
static uint32_t *free_sets(const struct group *group)
{
    uint32_t n = group->degree, *joined = memory_alloc(((size_t)n + 1) * sizeof *joined);
    bool *is_moved = memory_zeroed((size_t)n + 1, sizeof *is_moved);
    perm_set_identity(n, joined);
    for (uint32_t g = 0; g < group->generator_count; g++)
        free_join_exchange(joined, group->generators[g], n);
    free_close(group, joined);
    for (uint32_t i = 0; i < n; i++)
        joined[i] = free_find(joined, i);
    for (uint32_t g = 0; g < group->generator_count; g++)
        for (uint32_t i = 0; i < n; i++)
            is_moved[joined[i]] |= joined[group->generators[g][i]] != joined[i];
    for (uint32_t i = 0; i < n; i++)
        joined[i] = is_moved[joined[i]] ? GROUP_NOWHERE : joined[i];
    free(is_moved);
    return joined;
}

static uint32_t free_level(const struct group *group, uint32_t point)
{
    uint32_t l = 0;
    while (l < group->level_count && group->levels[l].base != point)
        l++;
    return l;
}

/* Its points, those of the base first, in the order of the base. */
static uint32_t free_order(const struct group *group, const uint32_t *sets, uint32_t least, uint32_t *order)
{
    uint32_t count = 0;
    for (uint32_t l = 0; l < group->level_count; l++)
        if (sets[group->levels[l].base] == least)
            order[count++] = group->levels[l].base;
    for (uint32_t i = least; i < group->degree; i++)
        if (sets[i] == least && free_level(group, i) == group->level_count)
            order[count++] = i;
    return count;
}

/* Each point is exchanged with the next; the last one needs no level. */
static void free_add_set(struct group *group, const uint32_t *sets, uint32_t least)
{
    uint32_t n = group->degree, *p = memory_alloc(((size_t)n + 1) * sizeof *p);
    uint32_t *order = memory_alloc(((size_t)n + 1) * sizeof *order), count = free_order(group, sets, least, order);
    perm_set_identity(n, p);
    for (uint32_t i = 0; i + 1 < count; i++)
        if (free_level(group, order[i]) == group->level_count)
            chain_add_level(group, order[i]);
    for (uint32_t i = 0; i + 1 < count; i++) {
        p[order[i]] = order[i + 1];
        p[order[i + 1]] = order[i];
        chain_add(group, p, free_level(group, order[i]));
        p[order[i]] = order[i];
        p[order[i + 1]] = order[i + 1];
    }
    free(order);
    free(p);
}

void chain_add_free(struct group *group)
{
    uint32_t n = group->degree, *sets = free_sets(group), *size = memory_zeroed((size_t)n + 1, sizeof *size);
    for (uint32_t i = 0; i < n; i++)
        if (sets[i] != GROUP_NOWHERE)
            size[sets[i]]++;
    for (uint32_t i = 0; i < n; i++) {
        group->is_free[i] = sets[i] != GROUP_NOWHERE && size[sets[i]] > 1;
        if (group->is_free[i] && sets[i] == i)
            free_add_set(group, sets, i);
    }
    free(size);
    free(sets);
}
