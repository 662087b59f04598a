/* Sums of numbers as vectors of diagrams, lowest bit first, while nothing is collected. */
#ifndef NOETHER_TESTS_DD_SUM_H
#define NOETHER_TESTS_DD_SUM_H

#include "dd/dd.h"

/* sum += carry, a single bit. */
static inline void sum_count(struct dd_manager *m, dd *sum, uint32_t width, dd carry)
{
    for (uint32_t i = 0; i < width; i++) {
        dd both = dd_and(m, sum[i], carry);
        sum[i] = dd_xor(m, sum[i], carry);
        carry = both;
    }
}

static inline dd sum_is(struct dd_manager *m, const dd *sum, uint32_t width, uint32_t value)
{
    dd is = DD_TRUE;
    for (uint32_t i = width; i-- > 0;)
        is = dd_and(m, is, value >> i & 1 ? sum[i] : dd_not(sum[i]));
    return is;
}

#endif
