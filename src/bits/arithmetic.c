/* Unsigned numbers as vectors of bits, lowest first. */
#include <string.h>

#include "bits/number.h"

void bits_constant(bit *out, uint32_t width, uint64_t value)
{
    for (uint32_t i = 0; i < width; i++)
        out[i] = i < 64 && (value >> i & 1) ? BIT_TRUE : BIT_FALSE;
}

/* out = a + b + carry, or a - b - 1 + carry. Returns the carry. */
static bit bits_sum(struct calculator *calculator, bit *out, const bit *a, const bit *b, uint32_t width, bit carry,
                    bool is_difference)
{
    for (uint32_t i = 0; i < width; i++) {
        bit other = is_difference ? bit_not(b[i]) : b[i], differ = calculate_xor(calculator, a[i], other);
        out[i] = calculate_xor(calculator, differ, carry);
        carry = calculate_ite(calculator, differ, carry, other); /* where a and b differ the carry passes */
    }
    return carry;
}

bit bits_add(struct calculator *calculator, bit *out, const bit *a, const bit *b, uint32_t width)
{
    return bits_sum(calculator, out, a, b, width, BIT_FALSE, false);
}

bit bits_subtract(struct calculator *calculator, bit *out, const bit *a, const bit *b, uint32_t width)
{
    return bit_not(bits_sum(calculator, out, a, b, width, BIT_TRUE, true));
}

void bits_multiply(struct calculator *calculator, bit *out, const bit *a, uint32_t width, uint64_t factor)
{
    bit sum[64], shifted[64];
    bits_constant(sum, width, 0);
    for (uint32_t shift = 0; shift < width && factor >> shift; shift++) {
        if (!(factor >> shift & 1))
            continue;
        for (uint32_t i = 0; i < width; i++)
            shifted[i] = i >= shift ? a[i - shift] : BIT_FALSE;
        bits_add(calculator, sum, sum, shifted, width);
    }
    memcpy(out, sum, width * sizeof *out);
}

/* From the highest bit down: a diagram over variables in this order grows at its root. */
bit bits_equal(struct calculator *calculator, const bit *a, const bit *b, uint32_t width)
{
    bit equal = BIT_TRUE;
    for (uint32_t i = width; i-- > 0;)
        equal = calculate_and(calculator, equal, bit_not(calculate_xor(calculator, a[i], b[i])));
    return equal;
}

bit bits_less(struct calculator *calculator, const bit *a, const bit *b, uint32_t width)
{
    bit less = BIT_FALSE;
    for (uint32_t i = 0; i < width; i++) /* the highest bit that differs decides */
        less = calculate_ite(calculator, calculate_xor(calculator, a[i], b[i]), b[i], less);
    return less;
}

bit bits_are(struct calculator *calculator, const bit *a, uint32_t width, uint64_t value)
{
    bit constant[64];
    if (width < 64 && value >> width)
        return BIT_FALSE;
    bits_constant(constant, width, value);
    return bits_equal(calculator, a, constant, width);
}
