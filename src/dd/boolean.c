/* The Boolean operations. Negation is a bit, so conjunction and exclusive or do for all of two operands. */
#include "dd/cache.h"

dd dd_step_and(struct dd_worker *w, dd f, dd g, dd unused)
{
    struct dd_manager *m = w->m;
    dd_sort(&f, &g);
    if (f <= DD_TRUE)
        return f == DD_TRUE ? g : DD_FALSE;
    if ((f ^ g) <= 1u)
        return f == g ? f : DD_FALSE;
    dd result, f0, f1, g0, g1;
    if (dd_cache_find(w, DD_OP_AND, f, g, &result))
        return result;
    uint32_t level = dd_lower(dd_level_at(m, f), dd_level_at(m, g));
    dd_split(m, f, level, &f0, &f1);
    dd_split(m, g, level, &g0, &g1);
    result = dd_branch(w, dd_step_and, level + 1, f0, g0, unused, f1, g1, unused);
    if (DD_LIKELY(result != DD_NONE))
        dd_cache_keep(w, DD_OP_AND, f, g, result);
    return result;
}

static dd dd_step_xor(struct dd_worker *w, dd f, dd g, dd unused)
{
    struct dd_manager *m = w->m;
    dd flip = (f ^ g) & 1u, result, f0, f1, g0, g1;
    f &= ~1u;
    g &= ~1u;
    if (f == g)
        return flip;
    dd_sort(&f, &g);
    if (f == DD_FALSE)
        return g ^ flip;
    if (dd_cache_find(w, DD_OP_XOR, f, g, &result))
        return result ^ flip;
    uint32_t level = dd_lower(dd_level_at(m, f), dd_level_at(m, g));
    dd_split(m, f, level, &f0, &f1);
    dd_split(m, g, level, &g0, &g1);
    result = dd_branch(w, dd_step_xor, level + 1, f0, g0, unused, f1, g1, unused);
    if (result == DD_NONE)
        return DD_NONE;
    dd_cache_keep(w, DD_OP_XOR, f, g, result);
    return result ^ flip;
}

dd dd_step_ite(struct dd_worker *w, dd f, dd g, dd h)
{
    struct dd_manager *m = w->m;
    if (f & 1u) {
        dd swap = g;
        g = h;
        h = swap;
        f ^= 1u;
    }
    if (f == DD_FALSE || g == h)
        return h;
    if ((g ^ f) <= 1u)
        g = g == f ? DD_TRUE : DD_FALSE;
    if ((h ^ f) <= 1u)
        h = h == f ? DD_FALSE : DD_TRUE;
    if (g <= DD_TRUE)
        return g == DD_TRUE ? dd_step_or(w, f, h) : dd_step_and(w, f ^ 1u, h, 0);
    if (h <= DD_TRUE)
        return h == DD_TRUE ? dd_step_or(w, f ^ 1u, g) : dd_step_and(w, f, g, 0);
    if ((g ^ h) == 1u)
        return dd_step_xor(w, f, h, 0);
    dd flip = g & 1u, result, f0, f1, g0, g1, h0, h1;
    g ^= flip;
    h ^= flip;
    if (dd_cache_find3(w, DD_OP_ITE, f, g, h, &result))
        return result ^ flip;
    uint32_t level = dd_lower(dd_level_at(m, f), dd_lower(dd_level_at(m, g), dd_level_at(m, h)));
    dd_split(m, f, level, &f0, &f1);
    dd_split(m, g, level, &g0, &g1);
    dd_split(m, h, level, &h0, &h1);
    result = dd_branch(w, dd_step_ite, level + 1, f0, g0, h0, f1, g1, h1);
    if (result == DD_NONE)
        return DD_NONE;
    dd_cache_keep3(w, DD_OP_ITE, f, g, h, result);
    return result ^ flip;
}

/* Is f and g false? */
static dd step_disjoint(struct dd_worker *w, dd f, dd g, dd unused)
{
    struct dd_manager *m = w->m;
    dd_sort(&f, &g);
    if (f <= DD_TRUE)
        return f == DD_FALSE || g == DD_FALSE ? DD_TRUE : DD_FALSE;
    if ((f ^ g) <= 1u)
        return f == g ? DD_FALSE : DD_TRUE;
    dd result, f0, f1, g0, g1;
    if (dd_cache_find(w, DD_OP_SUBSET, f, g, &result))
        return result;
    uint32_t level = dd_lower(dd_level_at(m, f), dd_level_at(m, g));
    dd_split(m, f, level, &f0, &f1);
    dd_split(m, g, level, &g0, &g1);
    result = step_disjoint(w, f0, g0, unused);
    if (result == DD_TRUE)
        result = step_disjoint(w, f1, g1, unused);
    dd_cache_keep(w, DD_OP_SUBSET, f, g, result);
    return result;
}

dd dd_step_make(struct dd_worker *w, dd low, dd high, dd index)
{
    return dd_make(w, index, low, high);
}

dd dd_variable(struct dd_manager *m, uint32_t variable)
{
    ENSURE(variable < m->variables);
    return dd_run(m, dd_step_make, 2, DD_FALSE, DD_TRUE, variable + 1);
}

dd dd_literal(struct dd_manager *m, uint32_t variable, bool positive)
{
    return positive ? dd_variable(m, variable) : dd_not(dd_variable(m, variable));
}

dd dd_and(struct dd_manager *m, dd f, dd g)
{
    dd_expect(m, f, false);
    dd_expect(m, g, false);
    return dd_run(m, dd_step_and, 2, f, g, 0);
}

dd dd_or(struct dd_manager *m, dd f, dd g)
{
    return dd_not(dd_and(m, dd_not(f), dd_not(g)));
}

dd dd_xor(struct dd_manager *m, dd f, dd g)
{
    dd_expect(m, f, false);
    dd_expect(m, g, false);
    return dd_run(m, dd_step_xor, 2, f, g, 0);
}

dd dd_iff(struct dd_manager *m, dd f, dd g)
{
    return dd_not(dd_xor(m, f, g));
}

dd dd_difference(struct dd_manager *m, dd f, dd g)
{
    return dd_and(m, f, dd_not(g));
}

dd dd_ite(struct dd_manager *m, dd f, dd g, dd h)
{
    dd_expect(m, f, false);
    dd_expect(m, g, false);
    dd_expect(m, h, false);
    return dd_run(m, dd_step_ite, 3, f, g, h);
}

dd dd_is_subset(struct dd_manager *m, dd f, dd g)
{
    return dd_is_disjoint(m, f, dd_not(g));
}

dd dd_is_disjoint(struct dd_manager *m, dd f, dd g)
{
    return dd_run(m, step_disjoint, 2, f, g, 0);
}
