/* Building the chain: random elements first (Seress, "Permutation Group Algorithms", 4.3), then a proof. */
#include "group/group.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/memory.h"
#include "group/chain.h"

enum {
    REPLACEMENT_SLOTS = 11,
    REPLACEMENT_WARM_UP = 60,
    TRIVIAL_SIFTS = 12 /* in a row, before the proof is begun */
};

static uint64_t next_random(uint64_t *seed)
{
    return hash_mix((*seed)++);
}

/* Product replacement (Celler, Leedham-Green and others 1995), with an accumulator that the products are multiplied to.
 */
struct replacement {
    uint32_t degree, count;
    uint32_t **slots, *result;
    uint64_t seed;
};

static void replacement_next(struct replacement *r)
{
    uint32_t n = r->degree;
    uint32_t a = (uint32_t)(next_random(&r->seed) % r->count), b = (uint32_t)(next_random(&r->seed) % (r->count - 1));
    b += b >= a;
    if (next_random(&r->seed) & 1) {
        uint32_t *inverse = memory_alloc(n * sizeof *inverse);
        perm_invert(n, r->slots[b], inverse);
        perm_multiply(n, r->slots[a], inverse, r->slots[a]);
        free(inverse);
    } else {
        perm_multiply(n, r->slots[a], r->slots[b], r->slots[a]);
    }
    perm_multiply(n, r->result, r->slots[a], r->result);
}

static void replacement_begin(struct replacement *r, uint32_t n, uint32_t *const *generators, uint32_t given)
{
    *r = (struct replacement){.degree = n, .seed = 0x5eed};
    r->count = given + 2 > REPLACEMENT_SLOTS ? given + 2 : REPLACEMENT_SLOTS;
    r->slots = memory_alloc(r->count * sizeof *r->slots);
    r->result = memory_alloc(((size_t)n + 1) * sizeof *r->result);
    perm_set_identity(n, r->result);
    for (uint32_t i = 0; i < r->count; i++) {
        r->slots[i] = memory_alloc(((size_t)n + 1) * sizeof **r->slots);
        memcpy(r->slots[i], generators[i % given], n * sizeof **r->slots);
    }
    for (uint32_t i = 0; i < REPLACEMENT_WARM_UP + given; i++)
        replacement_next(r);
}

static void replacement_end(struct replacement *r)
{
    for (uint32_t i = 0; i < r->count; i++)
        free(r->slots[i]);
    free(r->slots);
    free(r->result);
}

/* Does what is left after sifting tell something new? Then it becomes a strong generator. */
static bool chain_learn(struct group *group, uint32_t from, uint32_t *p)
{
    uint32_t level = chain_sift(group, from, p);
    if (level == group->level_count && perm_is_identity(group->degree, p))
        return false;
    chain_add(group, p, level);
    return true;
}

/* Is there a bijection from the orbit of `from` to that of `to` that takes `from` to `to` and that all generators
 * commute with? `image`, `queue`: scratch for all points, image all GROUP_NOWHERE, and so again afterwards. */
static bool orbit_is_copy(const struct group *group, uint32_t from, uint32_t to, uint32_t *image, uint32_t *queue)
{
    uint32_t count = 1;
    bool is_copy = true;
    image[from] = to;
    queue[0] = from;
    for (uint32_t i = 0; i < count && is_copy; i++)
        for (uint32_t g = 0; g < group->generator_count && is_copy; g++) {
            uint32_t next = group->generators[g][queue[i]], wanted = group->generators[g][image[queue[i]]];
            if (image[next] == GROUP_NOWHERE)
                queue[count++] = next;
            else
                is_copy = image[next] == wanted;
            image[next] = wanted;
        }
    while (count > 0)
        image[queue[--count]] = GROUP_NOWHERE;
    return is_copy;
}

/* By orbit (its first point): does it move just as an earlier one, so that it adds nothing to the order of the group?
 */
static bool *orbits_find_copies(const struct group *group, const uint32_t *orbit, const uint32_t *size)
{
    uint32_t n = group->degree;
    bool *is_copy = memory_zeroed((size_t)n + 1, sizeof *is_copy);
    uint32_t *image = memory_alloc(((size_t)n + 1) * sizeof *image),
             *queue = memory_alloc(((size_t)n + 1) * sizeof *queue);
    for (uint32_t i = 0; i < n; i++)
        image[i] = GROUP_NOWHERE;
    for (uint32_t to = 0; to < n; to++)
        for (uint32_t from = 0; from < orbit[to] && !is_copy[orbit[to]]; from++)
            if (orbit[from] == from && size[from] == size[orbit[to]] && size[from] > 1 && !is_copy[from])
                is_copy[orbit[to]] = orbit_is_copy(group, from, to, image, queue);
    free(image);
    free(queue);
    return is_copy;
}

/* No subgroup of the product of the symmetric groups on the orbits is larger, where orbits that move alike count once.
 */
static bool chain_is_at_bound(const struct group *group)
{
    uint32_t n = group->degree;
    uint32_t *orbit = memory_alloc(((size_t)n + 1) * sizeof *orbit), *size = memory_zeroed((size_t)n + 1, sizeof *size);
    struct bigint *bound = bigint_create(1), *order = bigint_create(1);
    group_orbits(group, orbit);
    for (uint32_t i = 0; i < n; i++)
        size[orbit[i]]++;
    bool *is_copy = orbits_find_copies(group, orbit, size);
    for (uint32_t i = 0; i < n; i++)
        bigint_multiply_factorial(bound, size[i] && !is_copy[i] ? size[i] : 1);
    group_order(group, order);
    bool is_at_bound = bigint_compare(bound, order) == 0;
    bigint_destroy(bound);
    bigint_destroy(order);
    free(is_copy);
    free(orbit);
    free(size);
    return is_at_bound;
}

/* What the generators do to the points that are not free. */
static uint32_t chain_rest(const struct group *group, uint32_t **rest)
{
    uint32_t n = group->degree, count = 0;
    for (uint32_t g = 0; g < group->generator_count; g++) {
        rest[count] = memory_alloc(((size_t)n + 1) * sizeof **rest);
        for (uint32_t i = 0; i < n; i++)
            rest[count][i] = group->is_free[i] ? i : group->generators[g][i];
        if (perm_is_identity(n, rest[count]))
            free(rest[count]);
        else
            count++;
    }
    return count;
}

static void chain_fill(struct group *group)
{
    struct replacement random;
    uint32_t trivial = 0, n = group->degree;
    uint32_t *p = memory_alloc(((size_t)n + 1) * sizeof *p);
    uint32_t **rest = memory_alloc(((size_t)group->generator_count + 1) * sizeof *rest),
             count = chain_rest(group, rest);
    for (uint32_t g = 0; g < count; g++) {
        memcpy(p, rest[g], n * sizeof *p);
        chain_learn(group, 0, p);
    }
    if (count)
        replacement_begin(&random, n, rest, count);
    while (count && trivial < TRIVIAL_SIFTS) {
        replacement_next(&random);
        memcpy(p, random.result, n * sizeof *p);
        trivial = chain_learn(group, 0, p) ? 0 : trivial + 1;
    }
    if (count)
        replacement_end(&random);
    for (uint32_t g = 0; g < count; g++)
        free(rest[g]);
    free(rest);
    free(p);
}

/* Schreier's lemma: what fixes the base point is generated by u s v, where u leads from it to a point of the orbit, and
 * v back from where the strong generator s takes that. Returns whether all of them were known. */
static bool level_prove(struct group *group, uint32_t l, const struct watch *watch)
{
    uint32_t n = group->degree;
    uint32_t *u = memory_alloc(((size_t)n + 1) * sizeof *u), *p = memory_alloc(((size_t)n + 1) * sizeof *p);
    bool is_known = true;
    for (uint32_t at = 0; at < group->levels[l].length && is_known; at++) {
        group_level_element(group, l, group->levels[l].orbit[at], u);
        for (uint32_t s = 0; s < group->strong_count && is_known && group->work_left; s++) {
            uint64_t work = (uint64_t)(group->level_count - l + 1) * n;
            /* What moves free points only commutes with u. */
            if (group->strong[s].fixes < l || group->is_free[group->levels[group->strong[s].fixes].base])
                continue;
            perm_multiply(n, u, group->strong[s].image, p);
            is_known = !chain_learn(group, l, p);
            group->work_left -= work < group->work_left && !watch_is_over(watch) ? work : group->work_left;
        }
    }
    free(u);
    free(p);
    return is_known;
}

/* False: the bound on the work was exceeded. */
static bool chain_prove(struct group *group, const struct watch *watch)
{
    for (uint32_t l = group->level_count; l > 0 && group->work_left;) {
        if (group->is_free[group->levels[l - 1].base] || level_prove(group, l - 1, watch))
            l--;
        else
            l = group->level_count;
    }
    return group->work_left;
}

static void group_keep(struct group *group, const uint32_t *p)
{
    uint32_t n = group->degree;
    if (perm_is_identity(n, p))
        return;
    for (uint32_t g = 0; g < group->generator_count; g++)
        if (perm_is_equal(n, group->generators[g], p))
            return;
    uint32_t *copy = memory_alloc(n * sizeof *copy);
    memcpy(copy, p, n * sizeof *copy);
    group->generators[group->generator_count++] = copy;
}

/* Without a chain. */
static struct group *group_begin(uint32_t degree, const uint32_t *const *generators, uint32_t count)
{
    struct group *group = memory_zeroed(1, sizeof *group);
    group->degree = degree;
    group->is_free = memory_zeroed((size_t)degree + 1, sizeof *group->is_free);
    group->generators = memory_alloc(((size_t)count + 1) * sizeof *group->generators);
    for (uint32_t g = 0; g < count; g++)
        group_keep(group, generators[g]);
    return group;
}

/* False: the bound on the work was exceeded. */
static bool group_complete(struct group *group, uint64_t most, const struct watch *watch)
{
    if (!group->generator_count)
        return true;
    group->work_left = most;
    chain_add_free(group);
    chain_fill(group);
    return chain_is_at_bound(group) || chain_prove(group, watch);
}

struct group *group_create_based(uint32_t degree, const uint32_t *const *generators, uint32_t count,
                                 const uint32_t *base, uint32_t base_count)
{
    struct group *group = group_begin(degree, generators, count);
    for (uint32_t b = 0; b < base_count; b++)
        chain_add_level(group, base[b]);
    group_complete(group, UINT64_MAX, NULL);
    return group;
}

struct group *group_create_within(uint32_t degree, const uint32_t *const *generators, uint32_t count, uint64_t most,
                                  const struct watch *watch)
{
    struct group *group = group_begin(degree, generators, count);
    if (group_complete(group, most, watch))
        return group;
    group_destroy(group);
    return NULL;
}

struct group *group_create(uint32_t degree, const uint32_t *const *generators, uint32_t count)
{
    return group_create_based(degree, generators, count, NULL, 0);
}

void group_destroy(struct group *group)
{
    if (!group)
        return;
    for (uint32_t g = 0; g < group->generator_count; g++)
        free(group->generators[g]);
    for (uint32_t s = 0; s < group->strong_count; s++) {
        free(group->strong[s].image);
        free(group->strong[s].inverse);
    }
    for (uint32_t l = 0; l < group->level_count; l++) {
        free(group->levels[l].orbit);
        free(group->levels[l].label);
    }
    free(group->is_free);
    free(group->generators);
    free(group->strong);
    free(group->levels);
    free(group);
}
