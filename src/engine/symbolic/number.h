/* Symbolic integers: a scalar value of the IR as a function of the state's bits.
 *
 * A number is low + sum of 2^i bits[i]; every bit is a BDD over the current variables. `undefined` says where the value
 * is undefined (there the bits mean nothing). It never exceeds `high` where it means something. A constant has no bits.
 *
 * Numbers are immutable and live in the calculator's arena; their diagrams carry no references, so the manager's
 * collection is paused as long as a calculator is in use. A diagram that could not be made (no memory, time is over)
 * sets `failed` and is replaced by false: the caller may continue for a while, but must not use the result. */
#ifndef NOETHER_ENGINE_SYMBOLIC_NUMBER_H
#define NOETHER_ENGINE_SYMBOLIC_NUMBER_H

#include "base/arena.h"
#include "base/vec.h"
#include "dd/dd.h"

enum { NUMBER_MOST_BITS = 62, NUMBER_MOST_CASES = 1 << 16 };

struct number {
    int64_t low, high;
    dd undefined;
    uint32_t width;
    dd bits[]; /* lowest first */
};

struct calculator {
    struct dd_manager *m;
    struct arena *arena;
    bool failed;
    bool is_too_wide; /* a choice between numbers further apart than 62 bits: the results mean nothing */
};

/* One value, and where the number has it. */
struct number_case {
    int64_t value;
    dd when;
};
typedef VEC(struct number_case) number_cases;

void calculator_open(struct calculator *calculator, struct dd_manager *m);
void calculator_close(struct calculator *calculator);

/* -- Boolean functions; never DD_NONE -- */
dd calculate_and(struct calculator *calculator, dd f, dd g);
dd calculate_or(struct calculator *calculator, dd f, dd g);
dd calculate_ite(struct calculator *calculator, dd f, dd g, dd h);

/* -- Making numbers -- */
const struct number *number_constant(struct calculator *calculator, int64_t value);
const struct number *number_undefined(struct calculator *calculator);
const struct number *number_boolean(struct calculator *calculator, dd truth);
/* From bits, which are copied: leading zeros and constants are recognised. */
const struct number *number_make(struct calculator *calculator, int64_t low, int64_t high, dd undefined, uint32_t width,
                                 const dd *bits);
/* The conditions must exclude each other. */
const struct number *number_from_cases(struct calculator *calculator, const struct number_case *cases, size_t count);

bool number_is_constant(const struct number *number, int64_t *value);

/* -- Arithmetic. NULL: the result might not fit into 62 bits. `undefined` of the operands is lost. -- */
const struct number *number_add(struct calculator *calculator, const struct number *a, const struct number *b);
const struct number *number_subtract(struct calculator *calculator, const struct number *a, const struct number *b);
const struct number *number_scale(struct calculator *calculator, const struct number *a, int64_t factor);
/* Quotient and remainder by a constant other than 0, rounded towards zero. */
bool number_divide(struct calculator *calculator, const struct number *a, int64_t divisor,
                   const struct number **quotient, const struct number **remainder);

/* a where the condition holds, else b. */
const struct number *number_select(struct calculator *calculator, dd condition, const struct number *a,
                                   const struct number *b);
/* A number that agrees with it where `care` holds, and is simpler if possible. */
const struct number *number_restrict(struct calculator *calculator, const struct number *number, dd care);

/* -- Questions -- */
dd number_is(struct calculator *calculator, const struct number *number, int64_t value);
dd number_equal(struct calculator *calculator, const struct number *a, const struct number *b);
dd number_less(struct calculator *calculator, const struct number *a, const struct number *b);
dd number_within(struct calculator *calculator, const struct number *number, int64_t low, int64_t high);
/* number - base as `width` bits, which must be enough wherever anybody looks at them. */
void number_bits(struct calculator *calculator, const struct number *number, int64_t base, uint32_t width, dd *bits);
/* All values it has where `under` holds, each with its condition (part of `under`). False: more than
 * NUMBER_MOST_CASES. The list is not emptied first. */
bool number_list(struct calculator *calculator, const struct number *number, dd under, number_cases *cases);

#endif
