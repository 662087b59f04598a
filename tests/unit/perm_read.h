/* Permutations in cycle notation, points from 1: "(1 2 3)(4 5)". */
#ifndef NOETHER_TESTS_PERM_READ_H
#define NOETHER_TESTS_PERM_READ_H

#include <ctype.h>
#include <stdlib.h>

#include "group/perm.h"

/* False: there is no such point, or one stands in two places. */
static inline bool perm_read(uint32_t n, const char *chars, uint32_t *out)
{
    uint32_t first = 0, last = 0; /* of the cycle; 0: none yet */
    bool met[64] = {false};
    perm_set_identity(n, out);
    for (const char *at = chars; *at;) {
        if (isdigit((unsigned char)*at)) {
            uint32_t point = (uint32_t)strtoul(at, (char **)&at, 10);
            if (!point || point > n || point >= 64 || met[point])
                return false;
            met[point] = true;
            first = first ? first : point;
            out[(last ? last : point) - 1] = point - 1;
            last = point;
            continue;
        }
        if (*at == ')' && first)
            out[last - 1] = first - 1;
        if (*at++ == ')')
            first = last = 0;
    }
    return true;
}

#endif
