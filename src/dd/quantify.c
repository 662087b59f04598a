/* Quantification over the variables of a cube: a chain of nodes, each with low edge false. */
#include "dd/cache.h"

dd dd_step_exists(struct dd_worker *w, dd f, dd cube, dd unused)
{
    struct dd_manager *m = w->m;
    if (f <= DD_TRUE)
        return f;
    uint32_t level = dd_level_at(m, f);
    cube = dd_cube_from(m, cube, level);
    if (cube == DD_TRUE)
        return f;
    dd result, f0, f1;
    if (dd_cache_find(w, DD_OP_EXISTS, f, cube, &result))
        return result;
    dd_split(m, f, level, &f0, &f1);
    if (dd_level_at(m, cube) != level) {
        result = dd_branch(w, dd_step_exists, level + 1, f0, cube, unused, f1, cube, unused);
    } else {
        dd rest = dd_at(m, cube)->high;
        result = dd_step_exists(w, f0, rest, unused);
        if (result != DD_TRUE && result != DD_NONE) {
            dd r1 = dd_step_exists(w, f1, rest, unused);
            result = r1 == DD_NONE ? DD_NONE : dd_step_or(w, result, r1);
        }
    }
    if (result != DD_NONE)
        dd_cache_keep(w, DD_OP_EXISTS, f, cube, result);
    return result;
}

static dd step_and_exists(struct dd_worker *w, dd f, dd g, dd cube);

static dd and_exists_here(struct dd_worker *w, const dd f[2], const dd g[2], dd rest)
{
    dd r0 = step_and_exists(w, f[0], g[0], rest);
    /* r0 or r1 is true, or one of the cofactors adds nothing: half of the work is spared. */
    if (r0 == DD_TRUE || r0 == DD_NONE || r0 == f[1] || r0 == g[1])
        return r0;
    dd r1 = step_and_exists(w, f[1], g[1], rest);
    return r1 == DD_NONE ? DD_NONE : dd_step_or(w, r0, r1);
}

static dd step_and_exists(struct dd_worker *w, dd f, dd g, dd cube)
{
    struct dd_manager *m = w->m;
    dd_sort(&f, &g);
    if (f == DD_FALSE || f == (g ^ 1u))
        return DD_FALSE;
    if (f == DD_TRUE || f == g)
        return dd_step_exists(w, g, cube, 0);
    uint32_t level = dd_lower(dd_level_at(m, f), dd_level_at(m, g));
    cube = dd_cube_from(m, cube, level);
    if (cube == DD_TRUE)
        return dd_step_and(w, f, g, 0);
    dd result, fs[2], gs[2];
    if (dd_cache_find3(w, DD_OP_AND_EXISTS, f, g, cube, &result))
        return result;
    dd_split(m, f, level, &fs[0], &fs[1]);
    dd_split(m, g, level, &gs[0], &gs[1]);
    if (dd_level_at(m, cube) == level)
        result = and_exists_here(w, fs, gs, dd_at(m, cube)->high);
    else
        result = dd_branch(w, step_and_exists, level + 1, fs[0], gs[0], cube, fs[1], gs[1], cube);
    if (result != DD_NONE)
        dd_cache_keep3(w, DD_OP_AND_EXISTS, f, g, cube, result);
    return result;
}

dd dd_cube(struct dd_manager *m, const uint32_t *variables, size_t count)
{
    dd cube = DD_TRUE;
    dd_register(m, &cube, 1);
    for (size_t i = 0; i < count; i++)
        cube = dd_and(m, dd_variable(m, variables[i]), cube);
    dd_unregister(m, &cube);
    return cube;
}

dd dd_exists(struct dd_manager *m, dd f, dd cube)
{
    dd_expect(m, f, false);
    return dd_run(m, dd_step_exists, 2, f, cube, 0);
}

dd dd_and_exists(struct dd_manager *m, dd f, dd g, dd cube)
{
    dd_expect(m, f, false);
    dd_expect(m, g, false);
    return dd_run(m, step_and_exists, 3, f, g, cube);
}
