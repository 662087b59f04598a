/* What a finished chain answers: order, membership, all elements. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "group/chain.h"

uint32_t group_degree(const struct group *group)
{
    return group->degree;
}

uint32_t group_generator_count(const struct group *group)
{
    return group->generator_count;
}

const uint32_t *group_generator(const struct group *group, uint32_t which)
{
    return group->generators[which];
}

uint32_t group_strong_count(const struct group *group)
{
    return group->strong_count;
}

const uint32_t *group_strong(const struct group *group, uint32_t which)
{
    return group->strong[which].image;
}

bool group_is_trivial(const struct group *group)
{
    return group->generator_count == 0;
}

void group_order(const struct group *group, struct bigint *order)
{
    bigint_set(order, 1);
    for (uint32_t l = 0; l < group->level_count; l++)
        bigint_multiply_u64(order, group->levels[l].length);
}

bool group_order_small(const struct group *group, uint64_t *order)
{
    *order = 1;
    for (uint32_t l = 0; l < group->level_count; l++)
        if (__builtin_mul_overflow(*order, (uint64_t)group->levels[l].length, order))
            return false;
    return true;
}

bool group_has(const struct group *group, const uint32_t *p)
{
    uint32_t *rest = memory_alloc(((size_t)group->degree + 1) * sizeof *rest);
    memcpy(rest, p, group->degree * sizeof *rest);
    bool is_member = chain_sift(group, 0, rest) == group->level_count && perm_is_identity(group->degree, rest);
    free(rest);
    return is_member;
}

struct enumeration {
    const struct group *group;
    bool (*visit)(void *user, const uint32_t *element);
    void *user;
};

/* The elements of level l times `right`. */
static bool each_from(const struct enumeration *e, uint32_t l, const uint32_t *right)
{
    const struct group *group = e->group;
    if (l == group->level_count)
        return e->visit(e->user, right);
    const struct chain_level *level = &group->levels[l];
    uint32_t *u = memory_alloc(((size_t)group->degree + 1) * sizeof *u);
    bool goes_on = true;
    for (uint32_t i = 0; i < level->length && goes_on; i++) {
        group_level_element(group, l, level->orbit[i], u);
        perm_multiply(group->degree, u, right, u);
        goes_on = each_from(e, l + 1, u);
    }
    free(u);
    return goes_on;
}

bool group_each(const struct group *group, bool (*visit)(void *user, const uint32_t *element), void *user)
{
    struct enumeration e = {.group = group, .visit = visit, .user = user};
    uint32_t *identity = memory_alloc(((size_t)group->degree + 1) * sizeof *identity);
    perm_set_identity(group->degree, identity);
    bool is_done = each_from(&e, 0, identity);
    free(identity);
    return is_done;
}
