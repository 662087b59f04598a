#include "base/rounding.h"

#include <fenv.h>

static const int modes[] = {[ROUNDING_NEAREST] = FE_TONEAREST, [ROUNDING_DOWN] = FE_DOWNWARD, [ROUNDING_UP] = FE_UPWARD};

void rounding_set(enum rounding mode)
{
    __asm__ volatile("" : : : "memory"); /* in a program that is optimised as a whole this function may be inlined */
    fesetround(modes[mode]);
    __asm__ volatile("" : : : "memory");
}

enum rounding rounding_mode(void)
{
    int mode = fegetround();
    return mode == FE_UPWARD ? ROUNDING_UP : mode == FE_DOWNWARD ? ROUNDING_DOWN : ROUNDING_NEAREST;
}
