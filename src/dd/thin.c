/* A part of a set that is small to write down: of two branches the one with more elements is kept, from the root down,
 * until what is left is small enough (heavy branches: Ravi, Somenzi, "High-density reachability analysis", ICCAD 1995).
 */
#include "dd/inner.h"

static dd thin_branch(struct dd_manager *m, dd f)
{
    uint32_t variable = dd_top(m, f);
    dd support = dd_support(m, f);
    dd low = dd_and(m, f, dd_literal(m, variable, false));
    dd high = dd_and(m, f, dd_literal(m, variable, true));
    if (support == DD_NONE || low == DD_NONE || high == DD_NONE)
        return DD_NONE;
    return dd_count_double(m, high, support) > dd_count_double(m, low, support) ? high : low;
}

/* Below a chain of decided variables: the first that is not. */
static dd thin_rest(const struct dd_manager *m, dd f)
{
    while (!dd_is_constant(m, f) && (dd_low(m, f) == DD_FALSE || dd_high(m, f) == DD_FALSE))
        f = dd_low(m, f) == DD_FALSE ? dd_high(m, f) : dd_low(m, f);
    return f;
}

dd dd_thin(struct dd_manager *m, dd f, uint64_t most)
{
    dd_pause(m);
    while (f != DD_NONE && dd_size(m, f) > most) {
        dd rest = thin_rest(m, f);
        if (dd_is_constant(m, rest))
            break; /* one cube: nothing smaller is worth it */
        dd part = thin_branch(m, rest);
        dd chosen = part == DD_NONE ? DD_NONE : dd_literal(m, dd_top(m, rest), dd_low(m, part) == DD_FALSE);
        f = dd_and(m, f, chosen);
    }
    dd_resume(m);
    return f;
}
