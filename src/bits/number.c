/* Making, comparing and choosing numbers. */
#include "bits/number.h"

#include <string.h>

void calculator_open(struct calculator *calculator, const struct algebra *algebra)
{
    *calculator = (struct calculator){.algebra = algebra, .arena = arena_create()};
    if (algebra->hold)
        algebra->hold(algebra->data);
}

void calculator_close(struct calculator *calculator)
{
    if (calculator->algebra->release)
        calculator->algebra->release(calculator->algebra->data);
    arena_destroy(calculator->arena);
    calculator->arena = NULL;
}

static bit calculator_note(struct calculator *calculator, bit result)
{
    if (result != BIT_NONE)
        return result;
    calculator->failed = true;
    return BIT_FALSE;
}

bit calculate_and(struct calculator *calculator, bit f, bit g)
{
    return calculator_note(calculator, calculator->algebra->conjunction(calculator->algebra->data, f, g));
}

bit calculate_or(struct calculator *calculator, bit f, bit g)
{
    bit neither = calculator->algebra->conjunction(calculator->algebra->data, bit_not(f), bit_not(g));
    return calculator_note(calculator, bit_not(neither));
}

bit calculate_xor(struct calculator *calculator, bit f, bit g)
{
    return calculator_note(calculator, calculator->algebra->difference(calculator->algebra->data, f, g));
}

bit calculate_ite(struct calculator *calculator, bit f, bit g, bit h)
{
    return calculator_note(calculator, calculator->algebra->choice(calculator->algebra->data, f, g, h));
}

static bit calculate_within(struct calculator *calculator, bit f, bit care)
{
    return calculator_note(calculator, calculator->algebra->simplify(calculator->algebra->data, f, care));
}

bool calculate_is_false(struct calculator *calculator, bit f)
{
    return f == BIT_FALSE || (f != BIT_TRUE && calculator->algebra->is_false(calculator->algebra->data, f));
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
    struct number *number = arena_alloc(calculator->arena, sizeof *number + width * sizeof(bit));
    number->cases = NULL;
    number->case_count = 0;
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
    number->undefined = BIT_TRUE;
    return number;
}

const struct number *number_boolean(struct calculator *calculator, bit truth)
{
    return number_make(calculator, 0, 1, BIT_FALSE, 1, &truth);
}

const struct number *number_make(struct calculator *calculator, int64_t low, int64_t high, bit undefined,
                                 uint32_t width, const bit *bits)
{
    uint64_t constant = 0;
    bool is_constant = true;
    for (uint32_t i = 0; i < width; i++)
        if (bits[i] == BIT_NONE)
            calculator->failed = true;
    while (width && (bits[width - 1] == BIT_FALSE || bits[width - 1] == BIT_NONE))
        width--;
    for (uint32_t i = 0; i < width; i++) {
        is_constant &= bits[i] == BIT_TRUE || bits[i] == BIT_FALSE;
        constant |= (uint64_t)(bits[i] == BIT_TRUE) << i;
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
        number->bits[i] = bits[i] == BIT_NONE ? BIT_FALSE : bits[i];
    return number;
}

bool number_is_constant(const struct number *number, int64_t *value)
{
    *value = number->low;
    return number->width == 0 && number->undefined == BIT_FALSE;
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

void number_bits(struct calculator *calculator, const struct number *number, int64_t base, uint32_t width, bit *bits)
{
    bit offset[64];
    uint64_t difference = (uint64_t)number->low - (uint64_t)base;
    for (uint32_t i = 0; i < width; i++)
        bits[i] = i < number->width ? number->bits[i] : BIT_FALSE;
    if (!difference)
        return;
    bits_constant(offset, width, difference);
    bits_add(calculator, bits, bits, offset, width);
    for (uint32_t i = 0; i < width; i++)
        bits[i] = calculator_note(calculator, bits[i]);
}

const struct number *number_add(struct calculator *calculator, const struct number *a, const struct number *b)
{
    int64_t low, high;
    uint32_t width;
    bit left[64], right[64];
    if (__builtin_add_overflow(a->low, b->low, &low) || __builtin_add_overflow(a->high, b->high, &high) ||
        !number_span(low, high, &width))
        return NULL;
    number_bits(calculator, a, a->low, width, left);
    number_bits(calculator, b, b->low, width, right);
    if (a->width && b->width)
        bits_add(calculator, left, left, right, width);
    else if (b->width)
        memcpy(left, right, width * sizeof *left);
    return number_make(calculator, low, high, BIT_FALSE, width, left);
}

/* a - b = (a.low - b.high) + a's bits + (b.high - b) */
const struct number *number_subtract(struct calculator *calculator, const struct number *a, const struct number *b)
{
    int64_t low, high;
    uint32_t width;
    bit left[64], right[64], top[64]; /* number_bits fills as many as `width` says */
    if (__builtin_sub_overflow(a->low, b->high, &low) || __builtin_sub_overflow(a->high, b->low, &high) ||
        !number_span(low, high, &width))
        return NULL;
    number_bits(calculator, a, a->low, width, left);
    number_bits(calculator, b, b->low, width, right);
    bits_constant(top, width, (uint64_t)b->high - (uint64_t)b->low);
    bits_subtract(calculator, right, top, right, width);
    bits_add(calculator, left, left, right, width);
    return number_make(calculator, low, high, BIT_FALSE, width, left);
}

const struct number *number_scale(struct calculator *calculator, const struct number *a, int64_t factor)
{
    int64_t low, high;
    uint32_t width;
    bit bits[64];
    if (factor < 0) {
        const struct number *negative =
            factor == INT64_MIN ? NULL : number_subtract(calculator, number_constant(calculator, 0), a);
        return negative ? number_scale(calculator, negative, -factor) : NULL;
    }
    if (__builtin_mul_overflow(a->low, factor, &low) || __builtin_mul_overflow(a->high, factor, &high) ||
        !number_span(low, high, &width))
        return NULL;
    number_bits(calculator, a, a->low, width, bits);
    bits_multiply(calculator, bits, bits, width, (uint64_t)factor);
    return number_make(calculator, low, high, BIT_FALSE, width, bits);
}

static bit number_case_of(const struct number *number, int64_t value)
{
    for (uint32_t c = 0; c < number->case_count; c++)
        if (number->cases[c].value == value)
            return number->cases[c].when;
    return BIT_FALSE;
}

static bool number_has_case(const struct number *number, int64_t value)
{
    for (uint32_t c = 0; c < number->case_count; c++)
        if (number->cases[c].value == value)
            return true;
    return false;
}

/* Constants are, of course. */
static bool number_is_listed(const struct calculator *calculator, const struct number *number)
{
    return calculator->algebra->value && (number->cases || !number->width);
}

static bit number_listed_case(const struct number *number, int64_t value)
{
    if (number->cases)
        return number_case_of(number, value);
    return value == number->low ? bit_not(number->undefined) : BIT_FALSE;
}

/* The cases of a, or of b without those that a has, where the condition lets them. */
static void number_add_listed(struct calculator *calculator, bit condition, const struct number *a,
                              const struct number *b, const struct number *done, number_cases *cases)
{
    const struct number *from = done ? b : a;
    for (uint32_t c = 0; c < (from->cases ? from->case_count : 1); c++) {
        int64_t value = from->cases ? from->cases[c].value : from->low;
        bit left = number_listed_case(a, value), right = number_listed_case(b, value);
        struct number_case both = {value, calculate_ite(calculator, condition, left, right)};
        bool is_done = done && (done->cases ? number_has_case(done, value) : value == done->low);
        if (!is_done && both.when != BIT_FALSE)
            VEC_PUSH(cases, both);
    }
}

static const struct number *number_select_listed(struct calculator *calculator, bit condition, const struct number *a,
                                                 const struct number *b, bit undefined)
{
    number_cases cases = {0};
    number_add_listed(calculator, condition, a, b, NULL, &cases);
    number_add_listed(calculator, condition, a, b, a, &cases);
    const struct number *number = number_from_all_cases(calculator, cases.items, cases.count, undefined);
    VEC_FREE(&cases);
    return number;
}

const struct number *number_select(struct calculator *calculator, bit condition, const struct number *a,
                                   const struct number *b)
{
    if (condition == BIT_TRUE || a == b)
        return a;
    if (condition == BIT_FALSE)
        return b;
    bit undefined = calculate_ite(calculator, condition, a->undefined, b->undefined);
    if (number_is_listed(calculator, a) && number_is_listed(calculator, b))
        return number_select_listed(calculator, condition, a, b, undefined);
    /* Where one of them is undefined everywhere, its value does not matter. */
    if (a->undefined == BIT_TRUE || b->undefined == BIT_TRUE) {
        const struct number *value = a->undefined == BIT_TRUE ? b : a;
        return number_make(calculator, value->low, value->high, undefined, value->width, value->bits);
    }
    int64_t low = a->low < b->low ? a->low : b->low, high = a->high > b->high ? a->high : b->high;
    uint32_t width = width_between(calculator, low, high);
    bit left[64], right[64];
    number_bits(calculator, a, low, width, left);
    number_bits(calculator, b, low, width, right);
    for (uint32_t i = 0; i < width; i++)
        left[i] = calculate_ite(calculator, condition, left[i], right[i]);
    return number_make(calculator, low, high, undefined, width, left);
}

const struct number *number_restrict(struct calculator *calculator, const struct number *number, bit care)
{
    bit bits[64];
    if (!calculator->algebra->simplify || care == BIT_TRUE || care == BIT_FALSE ||
        (!number->width && number->undefined <= BIT_TRUE))
        return number;
    for (uint32_t i = 0; i < number->width; i++)
        bits[i] = calculate_within(calculator, number->bits[i], care);
    bit undefined = calculate_within(calculator, number->undefined, care);
    return number_make(calculator, number->low, number->high, undefined, number->width, bits);
}

/* Where one of its cases is so. */
static bit number_where(struct calculator *calculator, const struct number *number, int64_t low, int64_t high)
{
    bit where = BIT_FALSE;
    for (uint32_t c = 0; c < number->case_count; c++)
        if (low <= number->cases[c].value && number->cases[c].value <= high)
            where = calculate_or(calculator, where, number->cases[c].when);
    return where;
}

bit number_is(struct calculator *calculator, const struct number *number, int64_t value)
{
    if (value < number->low || value > number->high)
        return BIT_FALSE;
    if (number->cases)
        return number_case_of(number, value);
    return bits_are(calculator, number->bits, number->width, (uint64_t)(value - number->low));
}

/* Both with the same base and width. */
static uint32_t number_align(struct calculator *calculator, const struct number *a, const struct number *b, bit *left,
                             bit *right)
{
    int64_t low = a->low < b->low ? a->low : b->low, high = a->high > b->high ? a->high : b->high;
    uint32_t width = width_between(calculator, low, high);
    number_bits(calculator, a, low, width, left);
    number_bits(calculator, b, low, width, right);
    return width;
}

static bit number_agree(struct calculator *calculator, const struct number *a, const struct number *b)
{
    bit agree = BIT_FALSE;
    for (uint32_t c = 0; c < a->case_count; c++) {
        bit both = calculate_and(calculator, a->cases[c].when, number_case_of(b, a->cases[c].value));
        agree = calculate_or(calculator, agree, both);
    }
    return agree;
}

bit number_equal(struct calculator *calculator, const struct number *a, const struct number *b)
{
    bit left[64], right[64];
    if (!a->width)
        return number_is(calculator, b, a->low);
    if (!b->width)
        return number_is(calculator, a, b->low);
    if (a->high < b->low || b->high < a->low)
        return BIT_FALSE;
    if (a->cases && b->cases)
        return number_agree(calculator, a, b);
    uint32_t width = number_align(calculator, a, b, left, right);
    return bits_equal(calculator, left, right, width);
}

bit number_less(struct calculator *calculator, const struct number *a, const struct number *b)
{
    bit left[64], right[64];
    if (a->high < b->low)
        return BIT_TRUE;
    if (a->low >= b->high)
        return BIT_FALSE;
    if (a->cases && !b->width)
        return number_where(calculator, a, a->low, b->low - 1);
    if (b->cases && !a->width)
        return number_where(calculator, b, a->low + 1, b->high);
    uint32_t width = number_align(calculator, a, b, left, right);
    return bits_less(calculator, left, right, width);
}

bit number_within(struct calculator *calculator, const struct number *number, int64_t low, int64_t high)
{
    if (number->cases)
        return number_where(calculator, number, low, high);
    const struct number *least = number_constant(calculator, low), *most = number_constant(calculator, high);
    return calculate_and(calculator, bit_not(number_less(calculator, number, least)),
                         bit_not(number_less(calculator, most, number)));
}

static bool number_split(struct calculator *calculator, const struct number *number, uint32_t left, uint64_t prefix,
                         bit under, number_cases *cases)
{
    if (under == BIT_FALSE || prefix > (uint64_t)number->high - (uint64_t)number->low)
        return true;
    if (!left) {
        if (cases->count == NUMBER_MOST_CASES)
            return false;
        struct number_case found = {(int64_t)((uint64_t)number->low + prefix), under};
        VEC_PUSH(cases, found);
        return true;
    }
    bit high = calculate_and(calculator, under, number->bits[left - 1]);
    bit low = calculate_and(calculator, under, bit_not(number->bits[left - 1]));
    return number_split(calculator, number, left - 1, prefix, low, cases) &&
           number_split(calculator, number, left - 1, prefix | UINT64_C(1) << (left - 1), high, cases);
}

bool number_list(struct calculator *calculator, const struct number *number, bit under, number_cases *cases)
{
    if (!number->cases)
        return number_split(calculator, number, number->width, 0, under, cases);
    for (uint32_t c = 0; c < number->case_count; c++) {
        struct number_case found = {number->cases[c].value, calculate_and(calculator, under, number->cases[c].when)};
        if (found.when != BIT_FALSE)
            VEC_PUSH(cases, found);
    }
    return true;
}

static const struct number *number_remember_cases(struct calculator *calculator, const struct number *made,
                                                  const struct number_case *cases, size_t count)
{
    struct number_case kept[NUMBER_LISTED];
    uint32_t kept_count = 0;
    if (!calculator->algebra->value || !made->width)
        return made;
    for (size_t c = 0; c < count; c++) {
        uint32_t at = 0; /* the same value may be there already */
        while (at < kept_count && kept[at].value != cases[c].value)
            at++;
        if (at == NUMBER_LISTED)
            return made;
        bit before = at < kept_count ? kept[at].when : BIT_FALSE;
        kept[at] = (struct number_case){cases[c].value, calculate_or(calculator, before, cases[c].when)};
        kept_count += at == kept_count;
    }
    struct number *number = arena_copy(calculator->arena, made, sizeof *made + made->width * sizeof(bit));
    number->cases = arena_copy(calculator->arena, kept, kept_count * sizeof *kept);
    number->case_count = kept_count;
    return number;
}

const struct number *number_from_all_cases(struct calculator *calculator, const struct number_case *cases, size_t count,
                                           bit undefined)
{
    if (!count)
        return undefined == BIT_FALSE ? number_constant(calculator, 0) : number_undefined(calculator);
    int64_t low = cases[0].value, high = cases[0].value;
    for (size_t c = 1; c < count; c++) {
        low = cases[c].value < low ? cases[c].value : low;
        high = cases[c].value > high ? cases[c].value : high;
    }
    bit bits[64];
    uint32_t width = width_between(calculator, low, high);
    for (uint32_t i = 0; i < width; i++) {
        bits[i] = BIT_FALSE;
        for (size_t c = 0; c < count; c++)
            if (((uint64_t)cases[c].value - (uint64_t)low) >> i & 1)
                bits[i] = calculate_or(calculator, bits[i], cases[c].when);
    }
    const struct number *made = number_make(calculator, low, high, undefined, width, bits);
    return number_remember_cases(calculator, made, cases, count);
}

const struct number *number_from_cases(struct calculator *calculator, const struct number_case *cases, size_t count)
{
    return number_from_all_cases(calculator, cases, count, BIT_FALSE);
}
