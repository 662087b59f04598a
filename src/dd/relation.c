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
    dd s0, s1, t0, t1;
    dd_split(m, states, level, &s0, &s1);
    dd_split(m, relation, level, &t0, &t1);
    return dd_branch(w, step, level + 1, s0, t0, changed, s1, t1, changed);
}

/* The image of a set, or the set of its predecessors: the relation read the other way round. */
static inline dd image(struct dd_worker *w, dd_step *step, enum dd_op op, dd states, dd relation, dd changed)
{
    struct dd_manager *m = w->m;
    if (states == DD_FALSE || relation == DD_FALSE)
        return DD_FALSE;
    if (changed == DD_TRUE)
        return dd_step_and(w, states, relation, 0);
    if (relation == DD_TRUE)
        return dd_step_exists(w, states, changed, 0);
    dd result, s0, s1;
    if (dd_cache_find3(w, op, states, relation, changed, &result))
        return result;
    uint32_t level = relation_level(m, states, relation, changed);
    if (dd_level_at(m, changed) != level) {
        result = unchanged(w, step, level, states, relation, changed);
    } else {
        struct dd_quarters r = dd_split_pair(m, relation, level);
        bool is_next = op == DD_OP_NEXT;
        dd rest = dd_at(m, changed)->high, to_low = r.by[is_next][!is_next], to_high = r.by[!is_next][is_next];
        dd_split(m, states, level, &s0, &s1);
        dd low = union_of_two(w, step, s0, r.by[0][0], s1, to_low, rest);
        dd high = low == DD_NONE ? DD_NONE : union_of_two(w, step, s0, to_high, s1, r.by[1][1], rest);
        result = high == DD_NONE ? DD_NONE : dd_make(w, level + 1, low, high);
    }
    if (result != DD_NONE)
        dd_cache_keep3(w, op, states, relation, changed, result);
    return result;
}

static dd step_next(struct dd_worker *w, dd states, dd relation, dd changed)
{
    return image(w, step_next, DD_OP_NEXT, states, relation, changed);
}

static dd step_previous(struct dd_worker *w, dd states, dd relation, dd changed)
{
    return image(w, step_previous, DD_OP_PREVIOUS, states, relation, changed);
}

void dd_ensure_pairs(const struct dd_manager *m, dd cube)
{
    for (; cube > DD_TRUE && cube != DD_NONE; cube = dd_at(m, cube)->high)
        ENSURE(dd_at(m, cube)->index % 2 == 1);
}

dd dd_next(struct dd_manager *m, dd states, dd relation, dd changed)
{
    dd_ensure_pairs(m, changed);
    return dd_run(m, step_next, 3, states, relation, changed);
}

dd dd_previous(struct dd_manager *m, dd states, dd relation, dd changed)
{
    dd_ensure_pairs(m, changed);
    return dd_run(m, step_previous, 3, states, relation, changed);
}
