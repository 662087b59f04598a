#include "lang/prism/fold.h"

#include <math.h>
#include <stdlib.h>

enum { MAX_EXACT_POWER = 100000 };

static const char overflow[] = "the result does not fit 64 bits";

const struct prism_value *prism_fold_unary(struct prism_values *values, enum prism_operator op,
                                           const struct prism_value *operand, const char **reason)
{
    if (op == PRISM_OP_NOT)
        return prism_value_bool(values, !operand->integer);
    if (operand->type == PRISM_TYPE_INT) {
        if (operand->integer != INT64_MIN)
            return prism_value_int(values, -operand->integer);
        *reason = overflow;
        return NULL;
    }
    struct rational *real = prism_values_new(values);
    rational_copy(real, operand->real);
    rational_negate(real);
    return prism_value_real(values, real, operand->is_rounded);
}

static int compare(struct prism_values *values, const struct prism_value *left, const struct prism_value *right)
{
    if (left->type != PRISM_TYPE_REAL && right->type != PRISM_TYPE_REAL)
        return (left->integer > right->integer) - (left->integer < right->integer);
    return rational_compare(prism_value_widen(values, left)->real, prism_value_widen(values, right)->real);
}

static const struct prism_value *arithmetic_int(struct prism_values *values, enum prism_operator op, int64_t left,
                                                int64_t right, const char **reason)
{
    int64_t result = 0;
    bool is_lost = op == PRISM_OP_ADD   ? __builtin_add_overflow(left, right, &result)
                   : op == PRISM_OP_SUB ? __builtin_sub_overflow(left, right, &result)
                                        : __builtin_mul_overflow(left, right, &result);
    if (!is_lost)
        return prism_value_int(values, result);
    *reason = overflow;
    return NULL;
}

static const struct prism_value *arithmetic_real(struct prism_values *values, enum prism_operator op,
                                                 const struct prism_value *left, const struct prism_value *right,
                                                 const char **reason)
{
    left = prism_value_widen(values, left);
    right = prism_value_widen(values, right);
    struct rational *real = prism_values_new(values);
    rational_copy(real, left->real);
    if (op == PRISM_OP_ADD)
        rational_add(real, right->real);
    else if (op == PRISM_OP_SUB)
        rational_subtract(real, right->real);
    else if (op == PRISM_OP_MUL)
        rational_multiply(real, right->real);
    else if (rational_sign(right->real))
        rational_divide(real, right->real);
    else {
        *reason = "division by zero";
        return NULL;
    }
    return prism_value_real(values, real, left->is_rounded || right->is_rounded);
}

static const struct prism_value *rounded(struct prism_values *values, double value, const char **reason)
{
    if (!isfinite(value)) {
        *reason = "the result is not a finite number";
        return NULL;
    }
    struct rational *real = prism_values_new(values);
    rational_set_double(real, value);
    return prism_value_real(values, real, true);
}

static const struct prism_value *power_int(struct prism_values *values, int64_t base, int64_t exponent,
                                           const char **reason)
{
    if (exponent < 0) {
        *reason = "a negative power of an integer is no integer; a real base has one, as in pow(2.0, -3)";
        return NULL;
    }
    if (base >= -1 && base <= 1)
        return prism_value_int(values, !exponent ? 1 : base < 0 && exponent % 2 == 0 ? 1 : base);
    int64_t result = 1;
    for (int64_t i = 0; i < exponent; i++)
        if (__builtin_mul_overflow(result, base, &result)) {
            *reason = overflow;
            return NULL;
        }
    return prism_value_int(values, result);
}

/* Exact for integer powers, by squaring; otherwise the nearest double. */
static const struct prism_value *power(struct prism_values *values, const struct prism_value *base,
                                       const struct prism_value *exponent, const char **reason)
{
    if (base->type == PRISM_TYPE_INT && exponent->type == PRISM_TYPE_INT)
        return power_int(values, base->integer, exponent->integer, reason);
    base = prism_value_widen(values, base);
    exponent = prism_value_widen(values, exponent);
    int64_t times;
    bool is_integer = rational_fits_i64(exponent->real, &times) && llabs(times) <= MAX_EXACT_POWER;
    if (!is_integer)
        return rounded(values, pow(rational_to_double(base->real), rational_to_double(exponent->real)), reason);
    if (times < 0 && !rational_sign(base->real)) {
        *reason = "division by zero";
        return NULL;
    }
    struct rational *result = prism_values_new(values), *square = prism_values_new(values);
    rational_copy(result, prism_value_widen(values, prism_value_int(values, 1))->real);
    rational_copy(square, base->real);
    for (int64_t left = llabs(times); left; left /= 2) {
        if (left % 2)
            times < 0 ? rational_divide(result, square) : rational_multiply(result, square);
        if (left > 1)
            rational_multiply(square, square);
    }
    return prism_value_real(values, result, base->is_rounded || exponent->is_rounded);
}

const struct prism_value *prism_fold_binary(struct prism_values *values, enum prism_operator op,
                                            const struct prism_value *left, const struct prism_value *right,
                                            const char **reason)
{
    switch (op) {
    case PRISM_OP_AND:
        return prism_value_bool(values, left->integer && right->integer);
    case PRISM_OP_OR:
        return prism_value_bool(values, left->integer || right->integer);
    case PRISM_OP_IMPLIES:
        return prism_value_bool(values, !left->integer || right->integer);
    case PRISM_OP_IFF:
    case PRISM_OP_EQ:
        return prism_value_bool(values, !compare(values, left, right));
    case PRISM_OP_NE:
        return prism_value_bool(values, compare(values, left, right));
    case PRISM_OP_LT:
        return prism_value_bool(values, compare(values, left, right) < 0);
    case PRISM_OP_LE:
        return prism_value_bool(values, compare(values, left, right) <= 0);
    case PRISM_OP_GT:
        return prism_value_bool(values, compare(values, left, right) > 0);
    case PRISM_OP_GE:
        return prism_value_bool(values, compare(values, left, right) >= 0);
    case PRISM_OP_POW:
        return power(values, left, right, reason);
    default:
        if (op != PRISM_OP_DIV && left->type == PRISM_TYPE_INT && right->type == PRISM_TYPE_INT)
            return arithmetic_int(values, op, left->integer, right->integer, reason);
        return arithmetic_real(values, op, left, right, reason);
    }
}

/* floor(x + shift), or for ceil -floor(-x). */
static const struct prism_value *whole(struct prism_values *values, enum prism_function function,
                                       const struct prism_value *operand, const char **reason)
{
    struct rational *real = prism_values_new(values), *half = rational_create(1, 2);
    rational_copy(real, prism_value_widen(values, operand)->real);
    if (function == PRISM_CEIL)
        rational_negate(real);
    if (function == PRISM_ROUND)
        rational_add(real, half);
    rational_floor(real);
    if (function == PRISM_CEIL)
        rational_negate(real);
    rational_destroy(half);
    int64_t integer;
    if (rational_fits_i64(real, &integer))
        return prism_value_int(values, integer);
    *reason = overflow;
    return NULL;
}

/* Never negative. */
const char *prism_fold_divisor(int64_t divisor)
{
    return divisor > 0 ? NULL : divisor ? "the remainder of a division by a negative number" : "division by zero";
}

static const struct prism_value *remainder_of(struct prism_values *values, int64_t left, int64_t right,
                                              const char **reason)
{
    *reason = prism_fold_divisor(right);
    if (*reason)
        return NULL;
    int64_t rest = left % right;
    return prism_value_int(values, rest < 0 ? rest + right : rest);
}

const struct prism_value *prism_fold_call(struct prism_values *values, enum prism_function function,
                                          const struct prism_value *const *arguments, uint32_t count,
                                          const char **reason)
{
    const struct prism_value *first = arguments[0];
    switch (function) {
    case PRISM_MIN:
    case PRISM_MAX:
        for (uint32_t i = 1; i < count; i++) {
            int order = compare(values, arguments[i], first);
            if (function == PRISM_MIN ? order < 0 : order > 0)
                first = arguments[i];
        }
        return first;
    case PRISM_FLOOR:
    case PRISM_CEIL:
    case PRISM_ROUND:
        return first->type == PRISM_TYPE_INT ? first : whole(values, function, first, reason);
    case PRISM_POW:
        return power(values, first, arguments[1], reason);
    case PRISM_MOD:
        return remainder_of(values, first->integer, arguments[1]->integer, reason);
    default:
        return rounded(values,
                       log(rational_to_double(prism_value_widen(values, first)->real)) /
                           log(rational_to_double(prism_value_widen(values, arguments[1])->real)),
                       reason);
    }
}
