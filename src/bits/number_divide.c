/* Division by a constant, bit by bit, as on paper. */
#include <string.h>

#include "bits/number.h"

/* Of a number that is not negative, by a positive one. */
static void divide_natural(struct calculator *calculator, const struct number *a, uint64_t divisor, bit *quotient,
                           bit *rest, uint32_t width, uint32_t rest_width)
{
    bit bits[64], constant[64], less[64];
    number_bits(calculator, a, 0, width, bits);
    bits_constant(constant, rest_width, divisor);
    bits_constant(rest, rest_width, 0);
    for (uint32_t i = width; i-- > 0;) {
        memmove(rest + 1, rest, (rest_width - 1) * sizeof *rest);
        rest[0] = bits[i];
        bit borrow = bits_subtract(calculator, less, rest, constant, rest_width);
        quotient[i] = calculate_or(calculator, bit_not(borrow), BIT_FALSE);
        for (uint32_t j = 0; j < rest_width; j++)
            rest[j] = calculate_ite(calculator, quotient[i], less[j], rest[j]);
    }
}

static const struct number *negate_where(struct calculator *calculator, bit where, const struct number *a)
{
    const struct number *negative = number_subtract(calculator, number_constant(calculator, 0), a);
    return number_select(calculator, where, negative, a);
}

bool number_divide(struct calculator *calculator, const struct number *a, int64_t divisor,
                   const struct number **quotient, const struct number **remainder)
{
    int64_t most = -a->low > a->high ? -a->low : a->high;
    uint64_t by = divisor < 0 ? -(uint64_t)divisor : (uint64_t)divisor;
    uint32_t width = most > 0 ? 64 - (uint32_t)__builtin_clzll((uint64_t)most) : 1;
    if (by >> 60 || width > 60 || a->low < -(INT64_C(1) << 60))
        return false;
    uint32_t rest_width = 65 - (uint32_t)__builtin_clzll(by);
    bit quotient_bits[64], rest_bits[64];
    bit is_negative = number_less(calculator, a, number_constant(calculator, 0));
    const struct number *size = negate_where(calculator, is_negative, a);
    divide_natural(calculator, size, by, quotient_bits, rest_bits, width, rest_width);
    *quotient = number_make(calculator, 0, most / (int64_t)by, BIT_FALSE, width, quotient_bits);
    *remainder = number_make(calculator, 0, (int64_t)by - 1, BIT_FALSE, rest_width, rest_bits);
    *remainder = negate_where(calculator, is_negative, *remainder);
    *quotient = negate_where(calculator, divisor < 0 ? bit_not(is_negative) : is_negative, *quotient);
    return true;
}
