#include "group/recognise.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "group/chain.h"

/* Looking through all elements of a ring's group stops being cheap there. */
enum { RECOGNISE_RING = 4096 };

static bool order_is_factorial(const struct bigint *order, uint32_t n)
{
    struct bigint *factorial = bigint_create(1);
    bigint_multiply_factorial(factorial, n);
    bool is_equal = bigint_compare(factorial, order) == 0;
    bigint_destroy(factorial);
    return is_equal;
}

/* --- orbits moved in parallel --- */

/* Two actions of the same length are alike when what fixes the first point of one fixes a point of the other. Puts the
 * other orbit's points in the order of the first one's. */
static bool orbit_align(const struct group *group, const struct group *fixing, const uint32_t *orbit, uint32_t length,
                        uint32_t *other)
{
    uint32_t n = group->degree, fixed = GROUP_NOWHERE;
    for (uint32_t i = 0; i < length && fixed == GROUP_NOWHERE; i++) {
        bool is_fixed = true;
        for (uint32_t g = 0; g < fixing->generator_count && is_fixed; g++)
            is_fixed = fixing->generators[g][other[i]] == other[i];
        if (is_fixed)
            fixed = other[i];
    }
    if (fixed == GROUP_NOWHERE)
        return false;
    /* Follow both points through the group. */
    uint32_t *partner = memory_alloc(((size_t)n + 1) * sizeof *partner),
             *queue = memory_alloc(((size_t)n + 1) * sizeof *queue), count = 0;
    for (uint32_t i = 0; i < n; i++)
        partner[i] = GROUP_NOWHERE;
    partner[orbit[0]] = fixed;
    queue[count++] = orbit[0];
    for (uint32_t at = 0; at < count; at++)
        for (uint32_t g = 0; g < group->generator_count; g++) {
            uint32_t image = group->generators[g][queue[at]];
            if (partner[image] != GROUP_NOWHERE)
                continue;
            partner[image] = group->generators[g][partner[queue[at]]];
            queue[count++] = image;
        }
    for (uint32_t i = 0; i < length; i++)
        other[i] = partner[orbit[i]];
    free(partner);
    free(queue);
    return true;
}

static bool factor_align(struct group_factor *factor)
{
    if (factor->orbit_count == 1)
        return true;
    struct group *fixing = group_fix_points(factor->group, factor->orbits[0], 1);
    bool is_parallel = true;
    for (uint32_t o = 1; o < factor->orbit_count && is_parallel; o++)
        is_parallel = factor->lengths[o] == factor->lengths[0] &&
                      orbit_align(factor->group, fixing, factor->orbits[0], factor->lengths[0], factor->orbits[o]);
    group_destroy(fixing);
    return is_parallel;
}

/* --- rings --- */

struct ring_search {
    uint32_t degree, start, length;
    uint32_t *rotation; /* found: an element with one cycle through the whole orbit */
    uint32_t *cycle;
    bool is_found;
};

static bool ring_visit(void *user, const uint32_t *element)
{
    struct ring_search *search = user;
    if (perm_cycle(element, search->start, search->cycle) != search->length)
        return true;
    memcpy(search->rotation, element, search->degree * sizeof *element);
    search->is_found = true;
    return false;
}

/* Is the cycle turned round by every generator that is not a rotation? */
static bool ring_is_kept(const struct group *group, const uint32_t *cycle, uint32_t length)
{
    uint32_t *place = memory_alloc(((size_t)group->degree + 1) * sizeof *place);
    bool is_kept = true;
    for (uint32_t i = 0; i < length; i++)
        place[cycle[i]] = i;
    for (uint32_t g = 0; g < group->generator_count && is_kept; g++) {
        const uint32_t *p = group->generators[g];
        uint32_t first = place[p[cycle[0]]], step = (place[p[cycle[1]]] + length - first) % length;
        is_kept = step == 1 || step == length - 1;
        for (uint32_t i = 0; i < length && is_kept; i++)
            is_kept = place[p[cycle[i]]] == (first + (uint64_t)i * step) % length;
    }
    free(place);
    return is_kept;
}

static bool ring_recognise(struct group_factor *factor, uint64_t order)
{
    const struct group *group = factor->group;
    uint32_t length = factor->lengths[0];
    if (length > RECOGNISE_RING || (order != length && order != 2 * (uint64_t)length))
        return false;
    struct ring_search search = {.degree = group->degree, .start = factor->orbits[0][0], .length = length};
    search.rotation = memory_alloc(group->degree * sizeof *search.rotation);
    search.cycle = memory_alloc(group->degree * sizeof *search.cycle);
    group_each(group, ring_visit, &search);
    bool is_ring = search.is_found && ring_is_kept(group, search.cycle, length);
    if (is_ring) {
        memcpy(factor->orbits[0], search.cycle, length * sizeof *search.cycle);
        factor->kind = order == length ? GROUP_CYCLIC : GROUP_DIHEDRAL;
    }
    free(search.rotation);
    free(search.cycle);
    return is_ring;
}

/* --- blocks --- */

/* The action on the blocks of the first orbit, whose points are in order of block already. */
static struct group *blocks_outer(const struct group_factor *factor)
{
    const struct group *group = factor->group;
    uint32_t size = factor->block_size, blocks = factor->lengths[0] / size;
    uint32_t *place = memory_alloc(((size_t)group->degree + 1) * sizeof *place);
    uint32_t **images = memory_alloc(((size_t)group->generator_count + 1) * sizeof *images);
    for (uint32_t i = 0; i < factor->lengths[0]; i++)
        place[factor->orbits[0][i]] = i / size;
    for (uint32_t g = 0; g < group->generator_count; g++) {
        images[g] = memory_alloc(((size_t)blocks + 1) * sizeof **images);
        for (uint32_t b = 0; b < blocks; b++)
            images[g][b] = place[group->generators[g][factor->orbits[0][b * size]]];
    }
    struct group *outer = group_create(blocks, (const uint32_t *const *)images, group->generator_count);
    for (uint32_t g = 0; g < group->generator_count; g++)
        free(images[g]);
    free(images);
    free(place);
    return outer;
}

/* What fixes all points of all blocks but the first, on the first: as large as can be in a wreath product. */
static struct group *blocks_inner(const struct group_factor *factor)
{
    uint32_t size = factor->block_size;
    struct group *alone = group_fix_points(factor->group, factor->orbits[0] + size, factor->lengths[0] - size);
    struct group *inner = group_restrict(alone, factor->orbits[0], size);
    group_destroy(alone);
    return inner;
}

static void blocks_sort(struct group_factor *factor, const uint32_t *block)
{
    uint32_t length = factor->lengths[0], count = 0;
    uint32_t *sorted = memory_alloc(length * sizeof *sorted);
    for (uint32_t i = 0; i < length; i++) {
        uint32_t first = factor->orbits[0][i];
        if (block[first] != first)
            continue;
        for (uint32_t j = 0; j < length; j++)
            if (block[factor->orbits[0][j]] == first)
                sorted[count++] = factor->orbits[0][j];
    }
    memcpy(factor->orbits[0], sorted, length * sizeof *sorted);
    free(sorted);
}

/* Faithful on the first orbit, and |G| = |inner|^blocks * |outer|. */
static bool blocks_are_wreath(struct group_factor *factor)
{
    struct group *inner = blocks_inner(factor), *outer = blocks_outer(factor);
    struct bigint *order = bigint_create(1), *inner_order = bigint_create(1);
    uint32_t blocks = factor->lengths[0] / factor->block_size;
    group_order(outer, order);
    group_order(inner, inner_order);
    factor->is_inner_full = order_is_factorial(inner_order, factor->block_size);
    factor->is_outer_full = order_is_factorial(order, blocks);
    for (uint32_t b = 0; b < blocks; b++)
        bigint_multiply(order, inner_order);
    bool is_wreath = !group_is_trivial(inner) && bigint_compare(order, factor->order) == 0;
    bigint_destroy(order);
    bigint_destroy(inner_order);
    group_destroy(inner);
    group_destroy(outer);
    return is_wreath;
}

static void blocks_put_first(struct group_factor *factor, uint32_t which)
{
    uint32_t *orbit = factor->orbits[which], length = factor->lengths[which];
    factor->orbits[which] = factor->orbits[0];
    factor->lengths[which] = factor->lengths[0];
    factor->orbits[0] = orbit;
    factor->lengths[0] = length;
}

/* The longest orbit is where a tree has its leaves. */
static bool blocks_recognise(struct group_factor *factor)
{
    uint32_t longest = 0, *block = memory_alloc(((size_t)factor->group->degree + 1) * sizeof *block);
    for (uint32_t o = 1; o < factor->orbit_count; o++)
        if (factor->lengths[o] > factor->lengths[longest])
            longest = o;
    blocks_put_first(factor, longest);
    factor->block_size = group_least_blocks(factor->group, factor->orbits[0], factor->lengths[0], block);
    bool is_wreath = false;
    if (factor->block_size) {
        blocks_sort(factor, block);
        is_wreath = blocks_are_wreath(factor);
    }
    free(block);
    if (is_wreath)
        factor->kind = GROUP_WREATH;
    else
        factor->block_size = 0;
    return is_wreath;
}

void group_recognise(struct group_factor *factor)
{
    uint64_t order;
    factor->kind = GROUP_GENERATED;
    factor->is_parallel = factor_align(factor);
    if (factor->is_parallel && order_is_factorial(factor->order, factor->lengths[0])) {
        factor->kind = GROUP_FULL;
        return;
    }
    if (factor->is_parallel && bigint_fits_u64(factor->order, &order) && ring_recognise(factor, order)) {
        factor_align(factor); /* to the order of the ring */
        return;
    }
    blocks_recognise(factor);
    factor->is_parallel = factor->kind == GROUP_GENERATED ? factor_align(factor) : factor->orbit_count == 1;
}
