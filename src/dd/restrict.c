/* A generalised cofactor: Coudert and Madre, "A unified framework for the formal verification of sequential circuits"
 * (ICCAD 1990). It commutes with negation, so f is looked up without its complement bit. */
#include "dd/cache.h"

static dd step_restrict(struct dd_worker *w, dd f, dd care, dd unused)
{
    struct dd_manager *m = w->m;
    if (f <= DD_TRUE || care == DD_TRUE)
        return f;
    if (care == DD_FALSE)
        return DD_FALSE;
    if ((f ^ care) <= 1u)
        return f == care ? DD_TRUE : DD_FALSE;
    dd flip = f & 1u, result, f0, f1, c0, c1;
    f ^= flip;
    if (dd_cache_find(w, DD_OP_RESTRICT, f, care, &result))
        return result ^ flip;
    uint32_t level = dd_level_at(m, f), care_level = dd_level_at(m, care);
    dd_split(m, f, level, &f0, &f1);
    dd_split(m, care, dd_lower(level, care_level), &c0, &c1);
    if (care_level < level) { /* a variable f does not have */
        dd both = dd_step_or(w, c0, c1);
        result = both == DD_NONE ? DD_NONE : step_restrict(w, f, both, unused);
    } else if (c0 == DD_FALSE) {
        result = step_restrict(w, f1, c1, unused);
    } else if (c1 == DD_FALSE) {
        result = step_restrict(w, f0, c0, unused);
    } else {
        result = dd_branch(w, step_restrict, level + 1, f0, c0, unused, f1, c1, unused);
    }
    if (result == DD_NONE)
        return DD_NONE;
    dd_cache_keep(w, DD_OP_RESTRICT, f, care, result);
    return result ^ flip;
}

dd dd_restrict(struct dd_manager *m, dd f, dd care)
{
    return dd_run(m, step_restrict, 2, f, care, 0);
}
