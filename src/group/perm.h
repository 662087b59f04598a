/* Permutations of the points 0..n-1, as arrays of images: p[i] is where i goes. Products are read from the left: first
 * a, then b. */
#ifndef NOETHER_GROUP_PERM_H
#define NOETHER_GROUP_PERM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

void perm_set_identity(uint32_t n, uint32_t *out);
bool perm_is_identity(uint32_t n, const uint32_t *p);
bool perm_is_equal(uint32_t n, const uint32_t *a, const uint32_t *b);
/* out[i] = b[a[i]]; out may be a, not b. */
void perm_multiply(uint32_t n, const uint32_t *a, const uint32_t *b, uint32_t *out);
/* out may not be p. */
void perm_invert(uint32_t n, const uint32_t *p, uint32_t *out);
/* The points of the cycle of `point`, from it on, in `cycle` (room for n). Returns its length. */
uint32_t perm_cycle(const uint32_t *p, uint32_t point, uint32_t *cycle);

/* Cycle notation with the names of points, name(user, point): (a b c)(d e); the identity is (). */
void perm_print_names(uint32_t n, const uint32_t *p, const char *(*name)(void *user, uint32_t point), void *user,
                      struct text *out);

#endif
