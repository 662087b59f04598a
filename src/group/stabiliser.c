/* Stabilisers of points (from a chain whose base begins with them) and of sets (by backtracking in such a chain). */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/vec.h"
#include "group/chain.h"

static struct group *group_rebased(const struct group *group, const uint32_t *points, uint32_t count)
{
    return group_create_based(group->degree, (const uint32_t *const *)group->generators, group->generator_count, points,
                              count);
}

struct group *group_fix_points(const struct group *group, const uint32_t *points, uint32_t count)
{
    struct group *based = group_rebased(group, points, count);
    const uint32_t **kept = memory_alloc(((size_t)based->strong_count + 1) * sizeof *kept);
    uint32_t kept_count = group_level_generators(based, count, kept);
    struct group *fixed = group_create(group->degree, kept, kept_count);
    free(kept);
    group_destroy(based);
    return fixed;
}

/* The search for elements that take the set to itself (Sims; Seress 9.1). The base begins with the set, so an element
 * is settled once the images of these points, all in the set, are chosen: level by level, from the deepest on, one
 * element for each point that those found so far do not reach. */
struct set_search {
    struct group *based;
    const uint32_t *points;
    uint32_t count;
    bool *is_in;
    uint64_t budget;
    VEC(const uint32_t *) found; /* generators */
};

/* Is there an element h of level l such that h times `right` takes the rest of the set into it? */
static bool set_extend(struct set_search *search, uint32_t l, const uint32_t *right, uint32_t *out)
{
    const struct group *based = search->based;
    uint32_t n = based->degree;
    if (l == search->count) {
        memcpy(out, right, n * sizeof *out);
        return true;
    }
    const struct chain_level *level = &based->levels[l];
    uint32_t *u = memory_alloc(n * sizeof *u);
    bool is_found = false;
    for (uint32_t i = 0; i < level->length && !is_found && search->budget; i++) {
        if (!search->is_in[right[level->orbit[i]]])
            continue;
        search->budget--;
        group_level_element(based, l, level->orbit[i], u);
        perm_multiply(n, u, right, u);
        is_found = set_extend(search, l + 1, u, out);
    }
    free(u);
    return is_found;
}

/* One element that fixes the base points before l and takes that of l to `point`. */
static bool set_reach(struct set_search *search, uint32_t l, uint32_t point, uint32_t *out)
{
    uint32_t *u = memory_alloc(search->based->degree * sizeof *u);
    group_level_element(search->based, l, point, u);
    bool is_found = set_extend(search, l + 1, u, out);
    free(u);
    return is_found;
}

static void set_search_level(struct set_search *search, uint32_t l)
{
    const struct chain_level *level = &search->based->levels[l];
    uint32_t n = search->based->degree;
    uint32_t *orbit = memory_alloc(n * sizeof *orbit), *p = memory_alloc(n * sizeof *p);
    bool *is_tried = memory_zeroed(n, sizeof *is_tried); /* by the least point of an orbit of what was found */
    for (uint32_t i = 1; i < level->length && search->budget; i++) {
        uint32_t point = level->orbit[i];
        if (!search->is_in[point])
            continue;
        orbits_of(n, search->found.items, (uint32_t)search->found.count, orbit);
        if (orbit[point] == orbit[level->base] || is_tried[orbit[point]])
            continue;
        is_tried[orbit[point]] = true;
        if (set_reach(search, l, point, p)) {
            uint32_t *copy = memory_alloc(n * sizeof *copy);
            memcpy(copy, p, n * sizeof *copy);
            VEC_PUSH(&search->found, copy);
        }
    }
    free(orbit);
    free(p);
    free(is_tried);
}

struct group *group_fix_set(const struct group *group, const uint32_t *points, uint32_t count, uint64_t budget)
{
    struct set_search search = {.based = group_rebased(group, points, count), .points = points, .count = count};
    uint32_t n = group->degree;
    search.budget = budget;
    search.is_in = memory_zeroed((size_t)n + 1, sizeof *search.is_in);
    for (uint32_t i = 0; i < count; i++)
        search.is_in[points[i]] = true;
    const uint32_t **fixing = memory_alloc(((size_t)search.based->strong_count + 1) * sizeof *fixing);
    uint32_t fixing_count = group_level_generators(search.based, count, fixing);
    for (uint32_t i = 0; i < fixing_count; i++)
        VEC_PUSH(&search.found, fixing[i]);
    for (uint32_t l = count; l > 0 && search.budget; l--)
        set_search_level(&search, l - 1);
    struct group *fixed = search.budget ? group_create(n, search.found.items, (uint32_t)search.found.count) : NULL;
    for (size_t i = fixing_count; i < search.found.count; i++)
        free((void *)search.found.items[i]);
    VEC_FREE(&search.found);
    free(fixing);
    free(search.is_in);
    group_destroy(search.based);
    return fixed;
}
