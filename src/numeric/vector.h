/* Numbers one behind the other. */
#ifndef NOETHER_NUMERIC_VECTOR_H
#define NOETHER_NUMERIC_VECTOR_H

#include <math.h>
#include <stdint.h>

/* At least 0. */
static inline double vector_greatest(const double *numbers, uint32_t count)
{
    double most = 0;
    for (uint32_t i = 0; i < count; i++)
        most = fmax(most, numbers[i]);
    return most;
}

#endif
