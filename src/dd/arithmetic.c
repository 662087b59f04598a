/* Numbers as vectors of functions, lowest bit first. */
#include <string.h>

#include "dd/inner.h"

void dd_bits_constant(dd *out, uint32_t width, uint64_t value)
{
    for (uint32_t i = 0; i < width; i++)
        out[i] = i < 64 && (value >> i & 1) ? DD_TRUE : DD_FALSE;
}

/* The last of the bits, or DD_NONE when one of them is. */
static dd checked(const dd *bits, uint32_t width, dd result)
{
    for (uint32_t i = 0; i < width; i++)
        if (bits[i] == DD_NONE)
            return DD_NONE;
    return result;
}

dd dd_bits_variables(struct dd_manager *m, dd *out, uint32_t width, uint32_t first, uint32_t step)
{
    dd_bits_constant(out, width, 0);
    dd_register(m, out, width);
    for (uint32_t i = 0; i < width; i++)
        out[i] = dd_variable(m, first + i * step);
    dd_unregister(m, out);
    return checked(out, width, DD_TRUE);
}

/* While several operations run one after the other, the operands and what is done so far must stay: `a` and `b` (which
 * may be NULL), a sum in the making, and a few handles. */
struct adder {
    struct dd_manager *m;
    const dd *a, *b;
    dd *sum;
    dd keep[3];
};

static void adder_begin(struct adder *adder, struct dd_manager *m, const dd *a, const dd *b, uint32_t width)
{
    *adder = (struct adder){.m = m, .a = a, .b = b};
    adder->sum = memory_zeroed(width + 1, sizeof *adder->sum);
    dd_register(m, adder->sum, width + 1);
    dd_register(m, adder->keep, 3);
    if (a)
        dd_register(m, a, width);
    if (b)
        dd_register(m, b, width);
}

/* Copies the sum to `out` (if there is one) and returns `result`. */
static dd adder_end(struct adder *adder, dd *out, uint32_t width, dd result)
{
    struct dd_manager *m = adder->m;
    if (adder->b)
        dd_unregister(m, adder->b);
    if (adder->a)
        dd_unregister(m, adder->a);
    dd_unregister(m, adder->keep);
    dd_unregister(m, adder->sum);
    if (out) {
        memcpy(out, adder->sum, width * sizeof *out);
        result = checked(out, width, result);
    }
    free(adder->sum);
    return result;
}

/* sum = a + b + carry, the carry in keep[0] before and after. */
static void adder_run(struct adder *s, uint32_t width, bool negate_b)
{
    struct dd_manager *m = s->m;
    for (uint32_t i = 0; i < width; i++) {
        dd b = negate_b ? dd_not(s->b[i]) : s->b[i];
        s->keep[1] = dd_xor(m, s->a[i], b);
        s->sum[i] = dd_xor(m, s->keep[1], s->keep[0]);
        s->keep[0] = dd_ite(m, s->keep[1], s->keep[0], b); /* where a and b differ the carry passes */
    }
}

dd dd_bits_add(struct dd_manager *m, dd *out, const dd *a, const dd *b, uint32_t width)
{
    struct adder s;
    adder_begin(&s, m, a, b, width);
    s.keep[0] = DD_FALSE;
    adder_run(&s, width, false);
    return adder_end(&s, out, width, s.keep[0]);
}

dd dd_bits_subtract(struct dd_manager *m, dd *out, const dd *a, const dd *b, uint32_t width)
{
    struct adder s;
    adder_begin(&s, m, a, b, width);
    s.keep[0] = DD_TRUE;
    adder_run(&s, width, true);
    return adder_end(&s, out, width, dd_not(s.keep[0]));
}

/* Sums of shifted copies. What is shifted out, and what is carried out, does not fit. */
dd dd_bits_multiply(struct dd_manager *m, dd *out, const dd *a, uint32_t width, uint64_t factor)
{
    struct adder s;
    dd *shifted = memory_zeroed(width + 1, sizeof *shifted), overflow = DD_FALSE;
    adder_begin(&s, m, NULL, NULL, width);
    dd_register(m, a, width);
    dd_register(m, &overflow, 1);
    for (uint32_t shift = 0; shift < 64 && factor >> shift; shift++) {
        if (!(factor >> shift & 1))
            continue;
        for (uint32_t i = 0; i < width; i++)
            shifted[i] = i >= shift ? a[i - shift] : DD_FALSE;
        for (uint32_t i = width > shift ? width - shift : 0; i < width; i++)
            overflow = dd_or(m, overflow, a[i]);
        s.keep[2] = dd_bits_add(m, s.sum, s.sum, shifted, width);
        overflow = dd_or(m, overflow, s.keep[2]);
    }
    dd_unregister(m, &overflow);
    dd_unregister(m, a);
    free(shifted);
    return adder_end(&s, out, width, overflow);
}

dd dd_bits_equal(struct dd_manager *m, const dd *a, const dd *b, uint32_t width)
{
    struct adder s;
    adder_begin(&s, m, a, b, width);
    s.keep[0] = DD_TRUE;
    for (uint32_t i = width; i-- > 0;) {
        s.keep[1] = dd_iff(m, a[i], b[i]);
        s.keep[0] = dd_and(m, s.keep[0], s.keep[1]);
    }
    return adder_end(&s, NULL, width, s.keep[0]);
}

dd dd_bits_less(struct dd_manager *m, const dd *a, const dd *b, uint32_t width)
{
    struct adder s;
    adder_begin(&s, m, a, b, width);
    s.keep[0] = DD_FALSE;
    for (uint32_t i = 0; i < width; i++) {
        s.keep[1] = dd_xor(m, a[i], b[i]);
        s.keep[0] = dd_ite(m, s.keep[1], b[i], s.keep[0]); /* the highest bit that differs decides */
    }
    return adder_end(&s, NULL, width, s.keep[0]);
}

dd dd_bits_less_equal(struct dd_manager *m, const dd *a, const dd *b, uint32_t width)
{
    return dd_not(dd_bits_less(m, b, a, width));
}

dd dd_bits_is(struct dd_manager *m, const dd *a, uint32_t width, uint64_t value)
{
    dd *constant = memory_alloc((width + 1) * sizeof *constant);
    dd_bits_constant(constant, width, value);
    dd result = width < 64 && value >> width ? DD_FALSE : dd_bits_equal(m, a, constant, width);
    free(constant);
    return result;
}
