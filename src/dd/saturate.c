/* Reachability by saturation: Ciardo, Luettgen, Siminiceanu, "Saturation: an efficient iteration strategy for symbolic
 * state-space generation" (TACAS 2001), for relations given as BDDs. A relation is fired at the level of its highest
 * variable, on the part of the diagram below it, and only after that part is closed under all relations further
 * down: intermediate sets stay small, and what was closed once is known from the cache.
 *
 * This is no step but a driver of operations: garbage can be collected between them. */
#include <string.h>

#include "dd/cache.h"

struct saturate_partition {
    struct dd_manager *m;
    uint32_t number;
    size_t count;
    struct partition_member {
        uint32_t top;    /* the highest level it reads or writes */
        uint32_t number; /* in the order in which they were added */
        dd relation, changed;
    } * members; /* by top */
};

static int member_compare(const void *a, const void *b)
{
    const struct partition_member *x = a, *y = b;
    if (x->top != y->top)
        return x->top < y->top ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

static dd make(struct saturate_partition *p, uint32_t level, dd low, dd high)
{
    return dd_run(p->m, dd_step_make, 2, low, high, level + 1);
}

static dd saturate(struct saturate_partition *p, dd states, size_t first);

/* keep[0] closed under the members first..end-1, which all begin at `top`, and under those after them. */
static void saturate_level(struct saturate_partition *p, dd keep[4], size_t first, size_t end, uint32_t top)
{
    struct dd_manager *m = p->m;
    dd before;
    do {
        before = keep[0];
        if (before == DD_NONE)
            return;
        dd low, high;
        dd_split(m, before, top, &low, &high);
        keep[1] = saturate(p, low, end);
        keep[2] = low == high || keep[1] == DD_NONE ? keep[1] : saturate(p, high, end);
        keep[0] = make(p, top, keep[1], keep[2]);
        for (size_t i = first; i < end; i++) {
            if (keep[0] == DD_NONE)
                return;
            keep[3] = dd_next(m, keep[0], p->members[i].relation, p->members[i].changed);
            keep[0] = dd_or(m, keep[0], keep[3]);
        }
    } while (keep[0] != before);
}

static dd saturate(struct saturate_partition *p, dd states, size_t first)
{
    struct dd_manager *m = p->m;
    dd result;
    if (states == DD_NONE || states == DD_FALSE || first == p->count)
        return states;
    if (dd_cache_find3(&m->workers[0], DD_OP_SATURATE, states, p->number, (dd)first, &result))
        return result;
    uint32_t top = p->members[first].top, level = dd_level_at(m, states);
    dd keep[5] = {states, DD_FALSE, DD_FALSE, DD_FALSE, states};
    dd_register(m, keep, 5);
    if (level < top) {
        dd low, high;
        dd_split(m, states, level, &low, &high);
        keep[1] = saturate(p, low, first);
        /* What failed is not in the cache: to go on would be to walk all paths of the diagram. */
        keep[2] = keep[1] == DD_NONE ? DD_NONE : saturate(p, high, first);
        keep[0] = make(p, level, keep[1], keep[2]);
    } else {
        size_t end = first;
        while (end < p->count && p->members[end].top == top)
            end++;
        saturate_level(p, keep, first, end, top);
    }
    dd_unregister(m, keep);
    if (keep[0] != DD_NONE)
        dd_cache_keep3(&m->workers[0], DD_OP_SATURATE, states, p->number, (dd)first, keep[0]);
    return keep[0];
}

/* False: no memory. Relations that do nothing are left out. */
static bool partition_add(struct saturate_partition *p, dd relation, dd changed)
{
    struct dd_manager *m = p->m;
    if (relation == DD_NONE || changed == DD_NONE)
        return false;
    dd support = dd_support(m, relation);
    if (support == DD_NONE)
        return false;
    uint32_t top = dd_lower(dd_level_at(m, support), dd_level_at(m, changed));
    if (relation != DD_FALSE && top != DD_BOTTOM) {
        p->members[p->count] = (struct partition_member){top, (uint32_t)p->count, relation, changed};
        p->count++;
    }
    return true;
}

struct saturation {
    struct saturate_partition partition;
    const dd *handles; /* relation and changed of each; then the states */
    size_t count;
    dd result;
};

static void saturation_run(void *data)
{
    struct saturation *run = data;
    struct saturate_partition *p = &run->partition;
    for (size_t i = 0; i < run->count; i++)
        if (!partition_add(p, run->handles[2 * i], run->handles[2 * i + 1]))
            return;
    qsort(p->members, p->count, sizeof *p->members, member_compare);
    run->result = saturate(p, run->handles[2 * run->count], 0);
}

dd dd_saturate(struct dd_manager *m, dd states, const struct dd_relation *relations, size_t count)
{
    dd *handles = memory_alloc((2 * count + 1) * sizeof *handles);
    for (size_t i = 0; i < count; i++) {
        handles[2 * i] = relations[i].relation;
        handles[2 * i + 1] = relations[i].changed;
    }
    handles[2 * count] = states;
    struct saturation run = {.partition = {.m = m, .number = dd_new_number(m)}, .handles = handles, .count = count};
    run.partition.members = memory_zeroed(count + 1, sizeof *run.partition.members);
    run.result = DD_NONE;
    dd_register(m, handles, 2 * count + 1);
    dd_deep_call(m, saturation_run, &run);
    dd_unregister(m, handles);
    free(run.partition.members);
    free(handles);
    return run.result;
}
