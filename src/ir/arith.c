#include "ir/arith.h"

#include "base/memory.h"

enum arith_status arith_unary(enum operator op, int64_t operand, int64_t *result)
{
    switch (op) {
    case OP_NOT:
        *result = !operand;
        return ARITH_OK;
    case OP_NEGATE:
        return __builtin_sub_overflow((int64_t)0, operand, result) ? ARITH_OVERFLOW : ARITH_OK;
    case OP_BIT_NOT:
        *result = ~operand;
        return ARITH_OK;
    default:
        UNREACHABLE("unary operator");
    }
}

static enum arith_status arith_divide(enum operator op, int64_t left, int64_t right, int64_t *result)
{
    if (right == 0)
        return ARITH_DIVISION;
    if (right == -1) { /* INT64_MIN / -1 is undefined in C, and so is its remainder */
        *result = 0;
        return op == OP_DIV ? arith_unary(OP_NEGATE, left, result) : ARITH_OK;
    }
    *result = op == OP_DIV ? left / right : left % right;
    return ARITH_OK;
}

static enum arith_status arith_shift(enum operator op, int64_t left, int64_t right, int64_t *result)
{
    if (left == 0 || right <= -64 || right >= 64) {
        *result = 0;
        return ARITH_OK;
    }
    if (right < 0)
        return arith_shift(op == OP_SHL ? OP_SHR : OP_SHL, left, -right, result);
    if (op == OP_SHR) {
        *result = left >= 0 ? left >> right : ~(~left >> right);
        return ARITH_OK;
    }
    if (right == 63) { /* 2^63 itself does not fit */
        *result = INT64_MIN;
        return left == -1 ? ARITH_OK : ARITH_OVERFLOW;
    }
    return __builtin_mul_overflow(left, (int64_t)1 << right, result) ? ARITH_OVERFLOW : ARITH_OK;
}

enum arith_status arith_binary(enum operator op, int64_t left, int64_t right, int64_t *result)
{
    switch (op) {
    case OP_AND:
        *result = left && right;
        return ARITH_OK;
    case OP_OR:
        *result = left || right;
        return ARITH_OK;
    case OP_IMPLIES:
        *result = !left || right;
        return ARITH_OK;
    case OP_EQ:
        *result = left == right;
        return ARITH_OK;
    case OP_NE:
        *result = left != right;
        return ARITH_OK;
    case OP_LT:
        *result = left < right;
        return ARITH_OK;
    case OP_LE:
        *result = left <= right;
        return ARITH_OK;
    case OP_GT:
        *result = left > right;
        return ARITH_OK;
    case OP_GE:
        *result = left >= right;
        return ARITH_OK;
    case OP_ADD:
        return __builtin_add_overflow(left, right, result) ? ARITH_OVERFLOW : ARITH_OK;
    case OP_SUB:
        return __builtin_sub_overflow(left, right, result) ? ARITH_OVERFLOW : ARITH_OK;
    case OP_MUL:
        return __builtin_mul_overflow(left, right, result) ? ARITH_OVERFLOW : ARITH_OK;
    case OP_DIV:
    case OP_MOD:
        return arith_divide(op, left, right, result);
    case OP_BIT_AND:
        *result = left & right;
        return ARITH_OK;
    case OP_BIT_OR:
        *result = left | right;
        return ARITH_OK;
    case OP_BIT_XOR:
        *result = left ^ right;
        return ARITH_OK;
    case OP_SHL:
    case OP_SHR:
        return arith_shift(op, left, right, result);
    default:
        UNREACHABLE("binary operator");
    }
}
