/* Making, comparing and choosing numbers. */
#include "engine/symbolic/number.h"

#include <string.h>

void calculator_open(struct calculator *calculator, struct dd_manager *m)
{
    *calculator = (struct calculator){.m = m, .arena = arena_create()};
    dd_pause(m);
}

void calculator_close(struct calculator *calculator)
{
    dd_resume(calculator->m);
    arena_destroy(calculator->arena);
    calculator->arena = NULL;
}

static dd calculator_note(struct calculator *calculator, dd result)
{
    if (result != DD_NONE)
        return result;
    calculator->failed = true;
    return DD_FALSE;
}

dd calculate_and(struct calculator *calculator, dd f, dd g)
{
    return calculator_note(calculator, dd_and(calculator->m, f, g));
}

dd calculate_or(struct calculator *calculator, dd f, dd g)
{
    return calculator_note(calculator, dd_or(calculator->m, f, g));
}

dd calculate_ite(struct calculator *calculator, dd f, dd g, dd h)
{
    return calculator_note(calculator, dd_ite(calculator->m, f, g, h));
}

static uint32_t width_of(uint64_t span)
{
    return span ? 64 - (uint32_t)__builtin_clzll(span) : 0;
}

/* Bits for the numbers from low to high. */
static uint32_t width_between(struct calculator *calculator, int64_t low, int64_t high)
{
    uint32_t width = width_of((uint64_t)high - (uint64_t)low);
    if (width <= NUMBER_MOST_BITS)
        return width;
    calculator->is_too_wide = true;
    return NUMBER_MOST_BITS;
}

static struct number *number_new(struct calculator *calculator, uint32_t width)
{
    struct number *number = arena_alloc(calculator->arena, sizeof *number + width * sizeof(dd));
    number->width = width;
    return number;
}

const struct number *number_constant(struct calculator *calculator, int64_t value)
{
    struct number *number = number_new(calculator, 0);
    number->low = number->high = value;
    return number;
}

const struct number *number_undefined(struct calculator *calculator)
{
    struct number *number = number_new(calculator, 0);
    number->undefined = DD_TRUE;
    return number;
}

const struct number *number_boolean(struct calculator *calculator, dd truth)
{
    return number_make(calculator, 0, 1, DD_FALSE, 1, &truth);
}

const struct number *number_make(struct calculator *calculator, int64_t low, int64_t high, dd undefined, uint32_t width,
                                 const dd *bits)
{
    uint64_t constant = 0;
    bool is_constant = true;
    for (uint32_t i = 0; i < width; i++)
        if (bits[i] == DD_NONE)
            calculator->failed = true;
    while (width && (bits[width - 1] == DD_FALSE || bits[width - 1] == DD_NONE))
        width--;
    for (uint32_t i = 0; i < width; i++) {
        is_constant &= bits[i] == DD_TRUE || bits[i] == DD_FALSE;
        constant |= (uint64_t)(bits[i] == DD_TRUE) << i;
    }
    if (is_constant) {
        struct number *number = number_new(calculator, 0);
        number->low = number->high = (int64_t)((uint64_t)low + constant);
        number->undefined = undefined;
        return number;
    }
    struct number *number = number_new(calculator, width);
    int64_t most; /* with all bits set: beyond 64 bits, `high` is less */
    bool is_beyond = __builtin_add_overflow(low, (int64_t)((UINT64_C(1) << width) - 1), &most);
    number->low = low;
    number->high = is_beyond || high < most ? high : most;
    number->undefined = undefined;
    for (uint32_t i = 0; i < width; i++)
        number->bits[i] = bits[i] == DD_NONE ? DD_FALSE : bits[i];
    return number;
}

bool number_is_constant(const struct number *number, int64_t *value)
{
    *value = number->low;
    return number->width == 0 && number->undefined == DD_FALSE;
}

/* The difference, when the bounds of a 62-bit number fit around it. */
static bool number_span(int64_t low, int64_t high, uint32_t *width)
{
    int64_t span;
    if (__builtin_sub_overflow(high, low, &span) || span < 0)
        return false;
    *width = width_of((uint64_t)span);
    return *width <= NUMBER_MOST_BITS && low > INT64_MIN / 4 && high < INT64_MAX / 4;
}

void number_bits(struct calculator *calculator, const struct number *number, int64_t base, uint32_t width, dd *bits)
{
    dd offset[64];
    uint64_t difference = (uint64_t)number->low - (uint64_t)base;
    for (uint32_t i = 0; i < width; i++)
        bits[i] = i < number->width ? number->bits[i] : DD_FALSE;
    if (!difference)
        return;
    dd_bits_constant(offset, width, difference);
    calculator_note(calculator, dd_bits_add(calculator->m, bits, bits, offset, width));
    for (uint32_t i = 0; i < width; i++)
        bits[i] = calculator_note(calculator, bits[i]);
}

const struct number *number_add(struct calculator *calculator, const struct number *a, const struct number *b)
{
    int64_t low, high;
    uint32_t width;
    dd left[64], right[64];
    if (__builtin_add_overflow(a->low, b->low, &low) || __builtin_add_overflow(a->high, b->high, &high) ||
        !number_span(low, high, &width))
        return NULL;
    number_bits(calculator, a, a->low, width, left);
    number_bits(calculator, b, b->low, width, right);
    if (a->width && b->width)
        calculator_note(calculator, dd_bits_add(calculator->m, left, left, right, width));
    else if (b->width)
        memcpy(left, right, width * sizeof *left);
    return number_make(calculator, low, high, DD_FALSE, width, left);
}

/* a - b = (a.low - b.high) + a's bits + (b.high - b) */
const struct number *number_subtract(struct calculator *calculator, const struct number *a, const struct number *b)
{
    int64_t low, high;
    uint32_t width;
    dd left[64], right[64], top[64]; /* number_bits fills as many as `width` says */
    if (__builtin_sub_overflow(a->low, b->high, &low) || __builtin_sub_overflow(a->high, b->low, &high) ||
        !number_span(low, high, &width))
        return NULL;
    number_bits(calculator, a, a->low, width, left);
    number_bits(calculator, b, b->low, width, right);
    dd_bits_constant(top, width, (uint64_t)b->high - (uint64_t)b->low);
    calculator_note(calculator, dd_bits_subtract(calculator->m, right, top, right, width));
    calculator_note(calculator, dd_bits_add(calculator->m, left, left, right, width));
    return number_make(calculator, low, high, DD_FALSE, width, left);
}

const struct number *number_scale(struct calculator *calculator, const struct number *a, int64_t factor)
{
    int64_t low, high;
    uint32_t width;
    dd bits[64];
    if (factor < 0) {
        const struct number *negative =
            factor == INT64_MIN ? NULL : number_subtract(calculator, number_constant(calculator, 0), a);
        return negative ? number_scale(calculator, negative, -factor) : NULL;
    }
    if (__builtin_mul_overflow(a->low, factor, &low) || __builtin_mul_overflow(a->high, factor, &high) ||
        !number_span(low, high, &width))
        return NULL;
    number_bits(calculator, a, a->low, width, bits);
    calculator_note(calculator, dd_bits_multiply(calculator->m, bits, bits, width, (uint64_t)factor));
    return number_make(calculator, low, high, DD_FALSE, width, bits);
}

const struct number *number_select(struct calculator *calculator, dd condition, const struct number *a,
                                   const struct number *b)
{
    if (condition == DD_TRUE || a == b)
        return a;
    if (condition == DD_FALSE)
        return b;
    dd undefined = calculate_ite(calculator, condition, a->undefined, b->undefined);
    /* Where one of them is undefined everywhere, its value does not matter. */
    if (a->undefined == DD_TRUE || b->undefined == DD_TRUE) {
        const struct number *value = a->undefined == DD_TRUE ? b : a;
        return number_make(calculator, value->low, value->high, undefined, value->width, value->bits);
    }
    int64_t low = a->low < b->low ? a->low : b->low, high = a->high > b->high ? a->high : b->high;
    uint32_t width = width_between(calculator, low, high);
    dd left[64], right[64];
    number_bits(calculator, a, low, width, left);
    number_bits(calculator, b, low, width, right);
    for (uint32_t i = 0; i < width; i++)
        left[i] = calculate_ite(calculator, condition, left[i], right[i]);
    return number_make(calculator, low, high, undefined, width, left);
}

const struct number *number_restrict(struct calculator *calculator, const struct number *number, dd care)
{
    dd bits[64];
    if (care == DD_TRUE || care == DD_FALSE || (!number->width && number->undefined <= DD_TRUE))
        return number;
    for (uint32_t i = 0; i < number->width; i++)
        bits[i] = calculator_note(calculator, dd_restrict(calculator->m, number->bits[i], care));
    dd undefined = calculator_note(calculator, dd_restrict(calculator->m, number->undefined, care));
    return number_make(calculator, number->low, number->high, undefined, number->width, bits);
}

dd number_is(struct calculator *calculator, const struct number *number, int64_t value)
{
    if (value < number->low || value > number->high)
        return DD_FALSE;
    return calculator_note(calculator,
                           dd_bits_is(calculator->m, number->bits, number->width, (uint64_t)(value - number->low)));
}

/* Both with the same base and width. */
static uint32_t number_align(struct calculator *calculator, const struct number *a, const struct number *b, dd *left,
                             dd *right)
{
    int64_t low = a->low < b->low ? a->low : b->low, high = a->high > b->high ? a->high : b->high;
    uint32_t width = width_between(calculator, low, high);
    number_bits(calculator, a, low, width, left);
    number_bits(calculator, b, low, width, right);
    return width;
}

dd number_equal(struct calculator *calculator, const struct number *a, const struct number *b)
{
    dd left[64], right[64];
    if (!a->width)
        return number_is(calculator, b, a->low);
    if (!b->width)
        return number_is(calculator, a, b->low);
    if (a->high < b->low || b->high < a->low)
        return DD_FALSE;
    uint32_t width = number_align(calculator, a, b, left, right);
    return calculator_note(calculator, dd_bits_equal(calculator->m, left, right, width));
}

dd number_less(struct calculator *calculator, const struct number *a, const struct number *b)
{
    dd left[64], right[64];
    if (a->high < b->low)
        return DD_TRUE;
    if (a->low >= b->high)
        return DD_FALSE;
    uint32_t width = number_align(calculator, a, b, left, right);
    return calculator_note(calculator, dd_bits_less(calculator->m, left, right, width));
}

dd number_within(struct calculator *calculator, const struct number *number, int64_t low, int64_t high)
{
    const struct number *least = number_constant(calculator, low), *most = number_constant(calculator, high);
    return calculate_and(calculator, dd_not(number_less(calculator, number, least)),
                         dd_not(number_less(calculator, most, number)));
}

static bool number_split(struct calculator *calculator, const struct number *number, uint32_t bit, uint64_t prefix,
                         dd under, number_cases *cases)
{
    if (under == DD_FALSE)
        return true;
    if (!bit) {
        if (cases->count == NUMBER_MOST_CASES)
            return false;
        struct number_case found = {(int64_t)((uint64_t)number->low + prefix), under};
        VEC_PUSH(cases, found);
        return true;
    }
    dd high = calculate_and(calculator, under, number->bits[bit - 1]);
    dd low = calculate_and(calculator, under, dd_not(number->bits[bit - 1]));
    return number_split(calculator, number, bit - 1, prefix, low, cases) &&
           number_split(calculator, number, bit - 1, prefix | UINT64_C(1) << (bit - 1), high, cases);
}

bool number_list(struct calculator *calculator, const struct number *number, dd under, number_cases *cases)
{
    return number_split(calculator, number, number->width, 0, under, cases);
}

const struct number *number_from_cases(struct calculator *calculator, const struct number_case *cases, size_t count)
{
    if (!count)
        return number_constant(calculator, 0);
    int64_t low = cases[0].value, high = cases[0].value;
    for (size_t c = 1; c < count; c++) {
        low = cases[c].value < low ? cases[c].value : low;
        high = cases[c].value > high ? cases[c].value : high;
    }
    dd bits[64];
    uint32_t width = width_between(calculator, low, high);
    for (uint32_t i = 0; i < width; i++) {
        bits[i] = DD_FALSE;
        for (size_t c = 0; c < count; c++)
            if (((uint64_t)cases[c].value - (uint64_t)low) >> i & 1)
                bits[i] = calculate_or(calculator, bits[i], cases[c].when);
    }
    return number_make(calculator, low, high, DD_FALSE, width, bits);
}
