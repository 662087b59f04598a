#include "base/rounding.h"

#include <fenv.h>
#include <stddef.h>

static const int modes[] = {[ROUNDING_NEAREST] = FE_TONEAREST,
                            [ROUNDING_DOWN] = FE_DOWNWARD,
                            [ROUNDING_UP] = FE_UPWARD,
                            [ROUNDING_TO_ZERO] = FE_TOWARDZERO};

void rounding_set(enum rounding mode)
{
    __asm__ volatile("" : : : "memory"); /* in a program that is optimised as a whole this function may be inlined */
    fesetround(modes[mode]);
    __asm__ volatile("" : : : "memory");
}

enum rounding rounding_mode(void)
{
    int mode = fegetround();
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
        if (modes[i] == mode)
            return (enum rounding)i;
    return ROUNDING_NEAREST;
}

void rounding_clear_range(void)
{
    feclearexcept(FE_UNDERFLOW | FE_OVERFLOW);
    __asm__ volatile("" : : : "memory");
}

bool rounding_is_out_of_range(void)
{
    __asm__ volatile("" : : : "memory");
    return fetestexcept(FE_UNDERFLOW | FE_OVERFLOW);
}
