/* Images and preimages under a transition relation, in one pass: conjunction, quantification and the renaming of the
 * next to the current variables happen pair by pair. Variables the relation does not change cost nothing. */
#include "dd/cache.h"

/* One value of a pair in the result: what comes by two ways. */
static dd union_of_two(struct dd_worker *w, dd_step *step, dd s0, dd r0, dd s1, dd r1, dd rest)
{
    dd a, b;
    if (s0 == s1 && r0 == r1)
        return step(w, s0, r0, rest);
    if (!dd_both(w, step, s0, r0, rest, s1, r1, rest, &a, &b))
        return DD_NONE;
    return dd_step_or(w, a, b);
}

/* Common to both directions: nothing left to change, or a variable that does not change. */
static inline uint32_t relation_level(const struct dd_manager *m, dd states, dd relation, dd changed)
{
    return dd_lower(dd_level_at(m, changed), dd_lower(dd_level_at(m, states), dd_level_at(m, relation)));
}

static dd unchanged(struct dd_worker *w, dd_step *step, uint32_t level, dd states, dd relation, dd changed)
{
    struct dd_manager *m = w->m;
    dd s0, s1, t0, t1, r0, r1;
    dd_split(m, states, level, &s0, &s1);
    dd_split(m, relation, level, &t0, &t1);
    if (!dd_both(w, step, s0, t0, changed, s1, t1, changed, &r0, &r1))
        return DD_NONE;
    return dd_make(w, m->index_at[level], r0, r1);
}

static dd step_next(struct dd_worker *w, dd states, dd relation, dd changed)
{
    struct dd_manager *m = w->m;
    if (states == DD_FALSE || relation == DD_FALSE)
        return DD_FALSE;
    if (changed == DD_TRUE)
        return dd_step_and(w, states, relation, 0);
    if (relation == DD_TRUE)
        return dd_step_exists(w, states, changed, 0);
    dd result, s0, s1;
    if (dd_cache_find3(w, DD_OP_NEXT, states, relation, changed, &result))
        return result;
    uint32_t level = relation_level(m, states, relation, changed);
    if (dd_level_at(m, changed) != level) {
        result = unchanged(w, step_next, level, states, relation, changed);
    } else {
        struct dd_quarters r = dd_split_pair(m, relation, level);
        dd rest = dd_at(m, changed)->high;
        dd_split(m, states, level, &s0, &s1);
        dd low = union_of_two(w, step_next, s0, r.by[0][0], s1, r.by[1][0], rest);
        dd high = low == DD_NONE ? DD_NONE : union_of_two(w, step_next, s0, r.by[0][1], s1, r.by[1][1], rest);
        result = high == DD_NONE ? DD_NONE : dd_make(w, m->index_at[level], low, high);
    }
    if (result != DD_NONE)
        dd_cache_keep3(w, DD_OP_NEXT, states, relation, changed, result);
    return result;
}

static dd step_previous(struct dd_worker *w, dd states, dd relation, dd changed)
{
    struct dd_manager *m = w->m;
    if (states == DD_FALSE || relation == DD_FALSE)
        return DD_FALSE;
    if (changed == DD_TRUE)
        return dd_step_and(w, states, relation, 0);
    if (relation == DD_TRUE)
        return dd_step_exists(w, states, changed, 0);
    dd result, s0, s1;
    if (dd_cache_find3(w, DD_OP_PREVIOUS, states, relation, changed, &result))
        return result;
    uint32_t level = relation_level(m, states, relation, changed);
    if (dd_level_at(m, changed) != level) {
        result = unchanged(w, step_previous, level, states, relation, changed);
    } else {
        struct dd_quarters r = dd_split_pair(m, relation, level);
        dd rest = dd_at(m, changed)->high;
        dd_split(m, states, level, &s0, &s1);
        dd low = union_of_two(w, step_previous, s0, r.by[0][0], s1, r.by[0][1], rest);
        dd high = low == DD_NONE ? DD_NONE : union_of_two(w, step_previous, s0, r.by[1][0], s1, r.by[1][1], rest);
        result = high == DD_NONE ? DD_NONE : dd_make(w, m->index_at[level], low, high);
    }
    if (result != DD_NONE)
        dd_cache_keep3(w, DD_OP_PREVIOUS, states, relation, changed, result);
    return result;
}

void dd_ensure_pairs(const struct dd_manager *m, dd cube)
{
    for (; cube > DD_TRUE; cube = dd_at(m, cube)->high) {
        uint32_t index = dd_at(m, cube)->index;
        ENSURE(index % 2 == 1 && m->level_of[index + 1] == m->level_of[index] + 1);
    }
}

/* The order may change before a step begins, so the pairs are looked at when it does. */
static dd step_next_first(struct dd_worker *w, dd states, dd relation, dd changed)
{
    dd_ensure_pairs(w->m, changed);
    return step_next(w, states, relation, changed);
}

static dd step_previous_first(struct dd_worker *w, dd states, dd relation, dd changed)
{
    dd_ensure_pairs(w->m, changed);
    return step_previous(w, states, relation, changed);
}

dd dd_next(struct dd_manager *m, dd states, dd relation, dd changed)
{
    return dd_run(m, step_next_first, 3, states, relation, changed);
}

dd dd_previous(struct dd_manager *m, dd states, dd relation, dd changed)
{
    return dd_run(m, step_previous_first, 3, states, relation, changed);
}
