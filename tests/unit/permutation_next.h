/* All permutations, one after the other in lexicographic order: for tests that try every one. */
#ifndef NOETHER_TESTS_PERMUTATION_NEXT_H
#define NOETHER_TESTS_PERMUTATION_NEXT_H

#include <stdbool.h>
#include <stdint.h>

/* False after the last one. */
static inline bool permutation_next(uint32_t *image, uint32_t count)
{
    uint32_t i = count - 1, j = count - 1;
    while (i > 0 && image[i - 1] > image[i])
        i--;
    if (i == 0)
        return false;
    while (image[j] < image[i - 1])
        j--;
    uint32_t kept = image[i - 1];
    image[i - 1] = image[j];
    image[j] = kept;
    for (j = count - 1; i < j; i++, j--) {
        kept = image[i];
        image[i] = image[j];
        image[j] = kept;
    }
    return true;
}

#endif
