/* Sets of points that a group permutes in every way are seen in its generators, without a chain: an exchange of two
 * points (a b) in the group, and what generators take it to, say that all permutations of the points they connect are
 * in it. Such a set that is taken to itself is a direct factor, and its part of the chain can be written down: what is
 * slow to find with random elements, n levels for n points, is known.
 *
 * Orbits that are moved as an earlier one is (clients and their mailboxes) are its *shadows*: what happens to them
 * follows, so they do not count, and an exchange takes them with it. */
#include <stdlib.h>

#include "base/disjoint.h"
#include "base/memory.h"
#include "group/chain.h"

struct freeing {
    struct group *group;
    uint32_t *orbit;  /* by point */
    uint32_t *master; /* by point: itself, or of which point of an earlier orbit it is the shadow */
    uint32_t *sets;   /* by master: the least of its set; GROUP_NOWHERE: not free */
    uint32_t *partner, *queue;
};

/* --- shadows --- */

/* Is there a way to pair the points of two orbits, the first of the one with `other`, that the generators keep? */
static bool shadow_pairs(struct freeing *f, uint32_t first, uint32_t other)
{
    const struct group *group = f->group;
    uint32_t count = 0;
    bool is_kept = true;
    f->partner[first] = other;
    f->queue[count++] = first;
    for (uint32_t at = 0; at < count && is_kept; at++)
        for (uint32_t g = 0; g < group->generator_count && is_kept; g++) {
            const uint32_t *p = group->generators[g];
            uint32_t image = p[f->queue[at]], wanted = p[f->partner[f->queue[at]]];
            if (f->partner[image] == GROUP_NOWHERE) {
                f->partner[image] = wanted;
                f->queue[count++] = image;
            }
            is_kept = f->partner[image] == wanted;
        }
    for (uint32_t i = 0; i < count; i++) {
        if (is_kept)
            f->master[f->partner[f->queue[i]]] = f->queue[i];
        f->partner[f->queue[i]] = GROUP_NOWHERE;
    }
    return is_kept;
}

static void shadow_find(struct freeing *f, const uint32_t *size, uint32_t least)
{
    uint32_t n = f->group->degree;
    for (uint32_t first = 0; first < least; first++) {
        if (f->orbit[first] != first || f->master[first] != first || size[first] != size[least])
            continue;
        for (uint32_t i = least; i < n; i++)
            if (f->orbit[i] == least && shadow_pairs(f, first, i))
                return;
    }
}

static void shadow_find_all(struct freeing *f)
{
    uint32_t n = f->group->degree, *size = memory_zeroed((size_t)n + 1, sizeof *size);
    group_orbits(f->group, f->orbit);
    perm_set_identity(n, f->master);
    for (uint32_t i = 0; i < n; i++) {
        size[f->orbit[i]]++;
        f->partner[i] = GROUP_NOWHERE;
    }
    for (uint32_t i = 0; i < n; i++)
        if (f->orbit[i] == i && size[i] > 1)
            shadow_find(f, size, i);
    free(size);
}

/* --- sets --- */

static void free_join_exchange(const struct freeing *f, const uint32_t *p)
{
    uint32_t moved = 0, first = 0;
    for (uint32_t i = 0; i < f->group->degree && moved < 3; i++)
        if (p[i] != i && f->master[i] == i && !moved++)
            first = i;
    if (moved == 2)
        disjoint_join(f->sets, first, p[first]);
}

/* Exchanges within a set are taken to exchanges within its image. */
static void free_close(const struct freeing *f)
{
    const struct group *group = f->group;
    for (bool goes_on = true; goes_on;) {
        goes_on = false;
        for (uint32_t g = 0; g < group->generator_count; g++)
            for (uint32_t i = 0; i < group->degree; i++) {
                uint32_t least = disjoint_find(f->sets, i);
                goes_on |= least != i && disjoint_join(f->sets, group->generators[g][least], group->generators[g][i]);
            }
    }
}

/* A set that generators take to another is none, nor is one of a single point. */
static void free_find_sets(const struct freeing *f)
{
    const struct group *group = f->group;
    uint32_t n = group->degree, *size = memory_zeroed((size_t)n + 1, sizeof *size);
    bool *is_moved = memory_zeroed((size_t)n + 1, sizeof *is_moved);
    perm_set_identity(n, f->sets);
    for (uint32_t g = 0; g < group->generator_count; g++)
        free_join_exchange(f, group->generators[g]);
    free_close(f);
    for (uint32_t i = 0; i < n; i++) {
        f->sets[i] = disjoint_find(f->sets, i);
        size[f->sets[i]]++;
    }
    for (uint32_t g = 0; g < group->generator_count; g++)
        for (uint32_t i = 0; i < n; i++)
            is_moved[f->sets[i]] |= f->sets[group->generators[g][i]] != f->sets[i];
    for (uint32_t i = 0; i < n; i++)
        f->sets[i] = is_moved[f->sets[i]] || size[f->sets[i]] < 2 ? GROUP_NOWHERE : f->sets[i];
    free(size);
    free(is_moved);
}

/* --- the chain --- */

/* The first level whose base point is this one or its shadow. */
static uint32_t free_level(const struct freeing *f, uint32_t point)
{
    uint32_t l = 0;
    while (l < f->group->level_count && f->master[f->group->levels[l].base] != point)
        l++;
    return l;
}

/* Its points, those of the base first, in the order of the base. */
static uint32_t free_order(const struct freeing *f, uint32_t least, uint32_t *order)
{
    uint32_t count = 0;
    for (uint32_t l = 0; l < f->group->level_count; l++) {
        uint32_t point = f->master[f->group->levels[l].base];
        if (f->sets[point] == least && free_level(f, point) == l)
            order[count++] = point;
    }
    for (uint32_t i = least; i < f->group->degree; i++)
        if (f->master[i] == i && f->sets[i] == least && free_level(f, i) == f->group->level_count)
            order[count++] = i;
    return count;
}

/* p, the identity, becomes the exchange of two points and of their shadows; with a = b, the identity again. */
static void free_exchange(const struct freeing *f, uint32_t a, uint32_t b, uint32_t *p)
{
    uint32_t n = f->group->degree;
    for (uint32_t i = 0; i < n; i++) {
        if (f->master[i] != a && f->master[i] != b)
            continue;
        uint32_t wanted = f->master[i] == a ? b : a, to = 0;
        while (f->master[to] != wanted || f->orbit[to] != f->orbit[i])
            to++;
        p[i] = to;
    }
}

/* Each point is exchanged with the next; the last one needs no level. */
static void free_add_set(const struct freeing *f, uint32_t least)
{
    struct group *group = f->group;
    uint32_t n = group->degree, *p = memory_alloc(((size_t)n + 1) * sizeof *p);
    uint32_t *order = memory_alloc(((size_t)n + 1) * sizeof *order), count = free_order(f, least, order);
    for (uint32_t i = 0; i + 1 < count; i++)
        if (free_level(f, order[i]) == group->level_count)
            chain_add_level(group, order[i]);
    for (uint32_t i = 0; i + 1 < count; i++) {
        perm_set_identity(n, p);
        free_exchange(f, order[i], order[i + 1], p);
        chain_add(group, p, free_level(f, order[i]));
    }
    free(order);
    free(p);
}

void chain_add_free(struct group *group)
{
    uint32_t n = group->degree, *numbers = memory_alloc((5 * (size_t)n + 1) * sizeof *numbers);
    struct freeing f = {.group = group,
                        .orbit = numbers,
                        .master = numbers + n,
                        .sets = numbers + 2 * n,
                        .partner = numbers + 3 * n,
                        .queue = numbers + 4 * n};
    shadow_find_all(&f);
    free_find_sets(&f);
    for (uint32_t i = 0; i < n; i++)
        group->is_free[i] = f.sets[f.master[i]] != GROUP_NOWHERE;
    for (uint32_t i = 0; i < n; i++)
        if (f.master[i] == i && f.sets[i] == i)
            free_add_set(&f, i);
    free(numbers);
}
