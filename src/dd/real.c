/* MTBDDs: leaves, and operations leaf by leaf. Zero and one are known by their handles, so that what they decide needs
 * no recursion. */
#include <math.h>
#include <string.h>

#include "dd/cache.h"

static double value_of(const struct dd_manager *m, dd leaf)
{
    const struct dd_node *node = dd_at(m, leaf);
    uint64_t bits = ((uint64_t)node->high << 32) | node->low;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static bool is_leaf(const struct dd_manager *m, dd f)
{
    return f > DD_TRUE && !dd_at(m, f)->index;
}

static double combine(enum dd_operation operation, double a, double b)
{
    switch (operation) {
    case DD_PLUS:
        return a + b;
    case DD_MINUS:
        return a - b;
    case DD_TIMES:
        return a == 0 || b == 0 ? 0 : a * b;
    case DD_DIVIDE:
        return a == 0 ? 0 : a / b;
    case DD_MIN:
        return a < b ? a : b;
    case DD_MAX:
        return a > b ? a : b;
    }
    UNREACHABLE("an operation on reals");
}

/* The same, rounded down. `error` is the exact result less the rounded one, where that can be written; below about
 * 2^-960 it cannot, and one step down is always right. */
static double combine_down(enum dd_operation operation, double a, double b)
{
    double result = combine(operation, a, b), error = 0;
    if (operation == DD_MIN || operation == DD_MAX || !isfinite(result))
        return result;
    if (result == 0) { /* also what is too near to it */
        bool is_product = operation == DD_TIMES || operation == DD_DIVIDE;
        return is_product && a != 0 && b != 0 && (a < 0) != (b < 0) ? -0x1p-1074 : 0;
    }
    if (operation == DD_TIMES) {
        error = fma(a, b, -result);
    } else if (operation == DD_DIVIDE) {
        error = fma(-result, b, a);
        error = b < 0 ? -error : error;
    } else {
        double other = operation == DD_MINUS ? -b : b, part = result - a;
        error = (a - (result - part)) + (other - part);
    }
    bool is_tiny = fabs(result) < 0x1p-960;
    return error < 0 || is_tiny ? nextafter(result, -INFINITY) : result;
}

/* What can be said without looking further; DD_NONE when nothing can. */
static dd apply_shortcut(const struct dd_manager *m, enum dd_operation operation, dd f, dd g)
{
    switch (operation) {
    case DD_PLUS:
        return f == m->zero ? g : g == m->zero ? f : DD_NONE;
    case DD_MINUS:
        return g == m->zero ? f : DD_NONE;
    case DD_TIMES:
        if (f == m->zero || g == m->zero)
            return m->zero;
        return f == m->one ? g : g == m->one ? f : DD_NONE;
    case DD_DIVIDE:
        return f == m->zero || g == m->one ? f : DD_NONE;
    case DD_MIN:
    case DD_MAX:
        return f == g ? f : DD_NONE;
    }
    UNREACHABLE("an operation on reals");
}

dd dd_step_apply(struct dd_worker *w, dd f, dd g, dd code)
{
    struct dd_manager *m = w->m;
    enum dd_operation operation = (enum dd_operation)code;
    dd result = apply_shortcut(m, operation, f, g), f0, f1, g0, g1;
    if (result != DD_NONE)
        return result;
    uint32_t level = dd_lower(dd_level_at(m, f), dd_level_at(m, g));
    if (level == DD_BOTTOM)
        return dd_make_leaf(w, (m->rounds_down ? combine_down : combine)(operation, value_of(m, f), value_of(m, g)));
    if (operation != DD_MINUS && operation != DD_DIVIDE)
        dd_sort(&f, &g);
    enum dd_op op = (enum dd_op)(DD_OP_APPLY + code);
    if (dd_cache_find(w, op, f, g, &result))
        return result;
    dd_split(m, f, level, &f0, &f1);
    dd_split(m, g, level, &g0, &g1);
    result = dd_branch(w, dd_step_apply, level + 1, f0, g0, code, f1, g1, code);
    if (result != DD_NONE)
        dd_cache_keep(w, op, f, g, result);
    return result;
}

dd dd_step_select(struct dd_worker *w, dd condition, dd f, dd g)
{
    struct dd_manager *m = w->m;
    if (condition <= DD_TRUE)
        return condition == DD_TRUE ? f : g;
    if (f == g)
        return f;
    dd result, c0, c1, f0, f1, g0, g1;
    if (condition & 1u) {
        dd swap = f;
        f = g;
        g = swap;
        condition ^= 1u;
    }
    if (dd_cache_find3(w, DD_OP_SELECT, condition, f, g, &result))
        return result;
    uint32_t level = dd_lower(dd_level_at(m, condition), dd_lower(dd_level_at(m, f), dd_level_at(m, g)));
    dd_split(m, condition, level, &c0, &c1);
    dd_split(m, f, level, &f0, &f1);
    dd_split(m, g, level, &g0, &g1);
    result = dd_branch(w, dd_step_select, level + 1, c0, f0, g0, c1, f1, g1);
    if (result != DD_NONE)
        dd_cache_keep3(w, DD_OP_SELECT, condition, f, g, result);
    return result;
}

static dd step_equal(struct dd_worker *w, dd f, dd g, dd unused)
{
    struct dd_manager *m = w->m;
    if (f == g)
        return DD_TRUE;
    uint32_t level = dd_lower(dd_level_at(m, f), dd_level_at(m, g));
    if (level == DD_BOTTOM) /* different leaves are different values */
        return DD_FALSE;
    dd result, f0, f1, g0, g1;
    if (dd_cache_find(w, DD_OP_EQUAL, f, g, &result))
        return result;
    dd_split(m, f, level, &f0, &f1);
    dd_split(m, g, level, &g0, &g1);
    result = dd_branch(w, step_equal, level + 1, f0, g0, unused, f1, g1, unused);
    if (result != DD_NONE)
        dd_cache_keep(w, DD_OP_EQUAL, f, g, result);
    return result;
}

static uint32_t cube_length(const struct dd_manager *m, dd cube)
{
    uint32_t length = 0;
    for (; cube > DD_TRUE; cube = dd_at(m, cube)->high)
        length++;
    return length;
}

static dd step_abstract(struct dd_worker *w, dd f, dd cube, dd code)
{
    struct dd_manager *m = w->m;
    uint32_t level = dd_level_at(m, f);
    if (code != DD_PLUS)
        cube = dd_cube_from(m, cube, level);
    if (cube == DD_TRUE || f == m->zero)
        return f;
    if (level == DD_BOTTOM)
        return dd_make_leaf(w, ldexp(value_of(m, f), (int)cube_length(m, cube)));
    enum dd_op op = (enum dd_op)(DD_OP_ABSTRACT + code);
    dd result, f0, f1, r0, r1;
    if (dd_cache_find(w, op, f, cube, &result))
        return result;
    uint32_t cube_level = dd_level_at(m, cube);
    level = dd_lower(level, cube_level);
    dd rest = level == cube_level ? dd_at(m, cube)->high : cube;
    dd_split(m, f, level, &f0, &f1);
    if (!dd_both(w, step_abstract, f0, rest, code, f1, rest, code, &r0, &r1))
        return DD_NONE;
    result = level == cube_level ? dd_step_apply(w, r0, r1, code) : dd_make(w, level + 1, r0, r1);
    if (result != DD_NONE)
        dd_cache_keep(w, op, f, cube, result);
    return result;
}

static dd step_leaf(struct dd_worker *w, dd low, dd high, dd unused)
{
    (void)unused;
    uint64_t bits = ((uint64_t)high << 32) | low;
    double value;
    memcpy(&value, &bits, sizeof value);
    return dd_make_leaf(w, value);
}

dd dd_leaf(struct dd_manager *m, double value)
{
    ENSURE(!isnan(value));
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return dd_run(m, step_leaf, 0, (uint32_t)bits, (uint32_t)(bits >> 32), 0);
}

double dd_leaf_value(const struct dd_manager *m, dd f)
{
    ENSURE(is_leaf(m, f));
    return value_of(m, f);
}

dd dd_apply(struct dd_manager *m, enum dd_operation operation, dd f, dd g)
{
    dd_expect(m, f, true);
    dd_expect(m, g, true);
    return dd_run(m, dd_step_apply, 2, f, g, operation);
}

dd dd_select(struct dd_manager *m, dd condition, dd f, dd g)
{
    dd_expect(m, condition, false);
    dd_expect(m, f, true);
    dd_expect(m, g, true);
    return dd_run(m, dd_step_select, 3, condition, f, g);
}

dd dd_equal(struct dd_manager *m, dd f, dd g)
{
    dd_expect(m, f, true);
    dd_expect(m, g, true);
    return dd_run(m, step_equal, 2, f, g, 0);
}

dd dd_abstract(struct dd_manager *m, enum dd_operation operation, dd f, dd cube)
{
    dd_expect(m, f, true);
    ENSURE(operation == DD_PLUS || operation == DD_MIN || operation == DD_MAX);
    return dd_run(m, step_abstract, 2, f, cube, operation);
}

void dd_round_down(struct dd_manager *m, bool on)
{
    if (m->rounds_down != on)
        dd_cache_clear(m); /* it knows results that were rounded otherwise */
    m->rounds_down = on;
}

static double truncate_down(double value, uint32_t digits)
{
    int exponent;
    if (value == 0 || !isfinite(value) || fabs(value) < 0x1p-960)
        return value; /* the least ones have fewer digits anyway */
    double mantissa = ldexp(frexp(value, &exponent), (int)digits);
    return ldexp(floor(mantissa), exponent - (int)digits);
}

static dd step_truncate(struct dd_worker *w, dd f, dd digits, dd unused)
{
    struct dd_manager *m = w->m;
    dd result, r0, r1;
    if (!dd_at(m, f)->index)
        return dd_make_leaf(w, truncate_down(value_of(m, f), digits));
    /* small numbers are no handles, but as good as any for a key */
    if (dd_cache_find(w, DD_OP_TRUNCATE, f, digits, &result))
        return result;
    if (!dd_both(w, step_truncate, dd_at(m, f)->low, digits, unused, dd_at(m, f)->high, digits, unused, &r0, &r1))
        return DD_NONE;
    result = dd_make(w, dd_at(m, f)->index, r0, r1);
    if (result != DD_NONE)
        dd_cache_keep(w, DD_OP_TRUNCATE, f, digits, result);
    return result;
}

dd dd_truncate(struct dd_manager *m, dd f, uint32_t digits)
{
    dd_expect(m, f, true);
    ENSURE(digits >= 1 && digits <= 52);
    return dd_run(m, step_truncate, 1, f, digits, 0);
}
