/* Arithmetic of the IR on scalars: 64 bits, with a separate result for every kind of failure.
 *
 * DIV and MOD round towards zero, as in C; anything MOD -1 is 0. SHL multiplies by a power of two and overflows when
 * the product does; SHR shifts the sign in. A negative amount shifts the other way, 64 and more gives 0 (as rumur). */
#ifndef NOETHER_IR_ARITH_H
#define NOETHER_IR_ARITH_H

#include "ir/expr.h"

enum arith_status { ARITH_OK, ARITH_OVERFLOW, ARITH_DIVISION };

/* NOT, NEGATE, BIT_NOT. */
enum arith_status arith_unary(enum operator op, int64_t operand, int64_t *result);
/* All that have two operands; AND, OR and IMPLIES on operands that are already evaluated. */
enum arith_status arith_binary(enum operator op, int64_t left, int64_t right, int64_t *result);

#endif
