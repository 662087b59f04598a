/* Symbolic integers: a scalar value of the IR as a function of the state's bits.
 *
 * Where an algebra knows cells by their values, so are small numbers: `cases`.
 *
 * A number is low + sum of 2^i bits[i]; every bit is a function of the state (bit.h). `undefined` says where the value
 * is undefined (there the bits mean nothing). It never exceeds `high` where it means something. A constant has no bits.
 *
 * Numbers are immutable and live in the calculator's arena; their functions carry no references, so the algebra holds
 * all handles as long as a calculator is in use. A function that could not be made (no memory, time is over)
 * sets `failed` and is replaced by false: the caller may continue for a while, but must not use the result. */
#ifndef NOETHER_BITS_NUMBER_H
#define NOETHER_BITS_NUMBER_H

#include "base/arena.h"
#include "base/vec.h"
#include "bits/bit.h"

enum { NUMBER_MOST_BITS = 62, NUMBER_MOST_CASES = 1 << 16, NUMBER_LISTED = 40 };

/* One value, and where the number has it. */
struct number_case {
    int64_t value;
    bit when;
};
typedef VEC(struct number_case) number_cases;

struct number {
    int64_t low, high;
    bit undefined;
    /* All its values, and where it has them; where it is defined exactly one of these holds. NULL: not known. */
    const struct number_case *cases;
    uint32_t case_count;
    uint32_t width;
    bit bits[]; /* lowest first */
};

struct calculator {
    const struct algebra *algebra;
    struct arena *arena;
    bool failed;
    bool is_too_wide; /* a choice between numbers further apart than 62 bits: the results mean nothing */
};

void calculator_open(struct calculator *calculator, const struct algebra *algebra);
void calculator_close(struct calculator *calculator);

/* -- Boolean functions; never BIT_NONE -- */
bit calculate_and(struct calculator *calculator, bit f, bit g);
bit calculate_xor(struct calculator *calculator, bit f, bit g);
bit calculate_or(struct calculator *calculator, bit f, bit g);
bit calculate_ite(struct calculator *calculator, bit f, bit g, bit h);
/* Is it false in every state (bit.h)? */
bool calculate_is_false(struct calculator *calculator, bit f);

/* -- Making numbers -- */
const struct number *number_constant(struct calculator *calculator, int64_t value);
const struct number *number_undefined(struct calculator *calculator);
const struct number *number_boolean(struct calculator *calculator, bit truth);
/* From bits, which are copied: leading zeros and constants are recognised. */
const struct number *number_make(struct calculator *calculator, int64_t low, int64_t high, bit undefined,
                                 uint32_t width, const bit *bits);
/* The conditions must exclude each other. Where cells are known by their values (struct algebra), so is the number, if
 * the values are no more than NUMBER_LISTED. */
const struct number *number_from_cases(struct calculator *calculator, const struct number_case *cases, size_t count);

/* The same, and where it is undefined. */
const struct number *number_from_all_cases(struct calculator *calculator, const struct number_case *cases, size_t count,
                                           bit undefined);

bool number_is_constant(const struct number *number, int64_t *value);

/* -- Arithmetic. NULL: the result might not fit into 62 bits. `undefined` of the operands is lost. -- */
const struct number *number_add(struct calculator *calculator, const struct number *a, const struct number *b);
const struct number *number_subtract(struct calculator *calculator, const struct number *a, const struct number *b);
const struct number *number_scale(struct calculator *calculator, const struct number *a, int64_t factor);
/* Quotient and remainder by a constant other than 0, rounded towards zero. */
bool number_divide(struct calculator *calculator, const struct number *a, int64_t divisor,
                   const struct number **quotient, const struct number **remainder);

/* a where the condition holds, else b. */
const struct number *number_select(struct calculator *calculator, bit condition, const struct number *a,
                                   const struct number *b);
/* A number that agrees with it where `care` holds, and is simpler if possible. */
const struct number *number_restrict(struct calculator *calculator, const struct number *number, bit care);

/* -- Questions -- */
bit number_is(struct calculator *calculator, const struct number *number, int64_t value);
bit number_equal(struct calculator *calculator, const struct number *a, const struct number *b);
bit number_less(struct calculator *calculator, const struct number *a, const struct number *b);
bit number_within(struct calculator *calculator, const struct number *number, int64_t low, int64_t high);
/* number - base as `width` bits, which must be enough wherever anybody looks at them. */
void number_bits(struct calculator *calculator, const struct number *number, int64_t base, uint32_t width, bit *bits);
/* All values it has where `under` holds, each with its condition (part of `under`). False: more than
 * NUMBER_MOST_CASES. The list is not emptied first. */
bool number_list(struct calculator *calculator, const struct number *number, bit under, number_cases *cases);

/* -- Unsigned numbers, lowest bit first, of at most 64 bits (arithmetic.c). `out` may be an operand. -- */
void bits_constant(bit *out, uint32_t width, uint64_t value);
bit bits_add(struct calculator *calculator, bit *out, const bit *a, const bit *b, uint32_t width); /* the carry */
/* Returns the borrow: a < b. */
bit bits_subtract(struct calculator *calculator, bit *out, const bit *a, const bit *b, uint32_t width);
/* Modulo 2^width. */
void bits_multiply(struct calculator *calculator, bit *out, const bit *a, uint32_t width, uint64_t factor);
bit bits_equal(struct calculator *calculator, const bit *a, const bit *b, uint32_t width);
bit bits_less(struct calculator *calculator, const bit *a, const bit *b, uint32_t width);
bit bits_are(struct calculator *calculator, const bit *a, uint32_t width, uint64_t value);

#endif
