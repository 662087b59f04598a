/* Directed rounding that no compiler can undo.
 *
 * Bounds are computed with the rounding mode of the processor set downwards or upwards. To a C compiler (clang always;
 * gcc without -frounding-math) there is one mode only: it may compute constants itself, move arithmetic across the
 * change of the mode, take two equal computations for one, or change signs as long as rounding to nearest does not
 * care. So:
 *
 * - the mode is set here and nowhere else (tests/layering looks for <fenv.h>);
 * - what must be rounded is computed in functions (kernels) that are called as ROUNDED(kernel)(arguments). The compiler
 * does not know which function that is: it cannot inline, clone or move it, nor know what it is called with, nor find
 * that two calls give the same;
 * - inside a kernel the mode does not change, and operands come from memory or arguments. Where a constant is an
 * operand of an inexact operation, or a sign is used to round the other way, rounding_hide makes a value of which
 * nothing is known.
 *
 * The tree is compiled with -ffp-contract=off: a fused multiplication and addition gives other numbers on other
 * machines. Nothing of this costs an instruction in an inner loop. tests/unit/rounding_test shows it under each
 * compiler. */
#ifndef NOETHER_BASE_ROUNDING_H
#define NOETHER_BASE_ROUNDING_H

#include <float.h>
#include <stdbool.h>

#ifdef __FAST_MATH__
#error "bounds need IEEE arithmetic: compile without -ffast-math"
#endif
_Static_assert(FLT_EVAL_METHOD == 0, "bounds need operations that are rounded to double one by one");

enum rounding {
    ROUNDING_NEAREST,
    ROUNDING_DOWN,
    ROUNDING_UP,
    ROUNDING_TO_ZERO
}; /* the last: a caller of the library may have it */

/* The mode of the calling thread. A caller that sets another mode sets it back to ROUNDING_NEAREST, which all other
 * code assumes. */
void rounding_set(enum rounding mode);
enum rounding rounding_mode(void);

/* Has a number of this thread become too small for all its digits, or too large, since the flag was cleared? The
 * numbers must have been stored: the barriers are for memory. */
void rounding_clear_range(void);
bool rounding_is_out_of_range(void);

static inline enum rounding rounding_opposite(enum rounding mode)
{
    return mode == ROUNDING_UP ? ROUNDING_DOWN : mode == ROUNDING_DOWN ? ROUNDING_UP : ROUNDING_NEAREST;
}

/* The function, for a call of which the compiler knows nothing. */
#define ROUNDED(kernel)                                                                                                \
    (__extension__({                                                                                                   \
        __typeof__(&*(kernel)) rounded_kernel = (kernel);                                                              \
        __asm__ volatile("" : "+r"(rounded_kernel) : : "memory");                                                      \
        rounded_kernel;                                                                                                \
    }))

/* The same number, but nothing is known about it any more. For values inside a kernel: it does not order anything. */
static inline double rounding_hide(double number)
{
#if defined __x86_64__
    __asm__("" : "+x"(number));
#elif defined __aarch64__
    __asm__("" : "+w"(number));
#else
    __asm__("" : "+m"(number));
#endif
    return number;
}

#endif
