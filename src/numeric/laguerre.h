/* Inside numeric/: the polynomials of Laguerre, L_0 = 1, L_1 = 1 - x, (k + 1) L_(k+1) = (2k + 1 - x) L_k - k L_(k-1).
 */
#ifndef NOETHER_NUMERIC_LAGUERRE_H
#define NOETHER_NUMERIC_LAGUERRE_H

#include <stdint.h>

enum { LAGUERRE_MOST = 21 };

/* rise[k] = L_k(x) - L_(k-1)(x), but rise[0] = 1; for k up to `last`, x between 0 and 10. Off by a unit in the last
 * place, or by 2^-56. */
void laguerre_rises(double x, uint32_t last, double *rise);
/* areas[k]: at least the integral of |L_k| from 0 to x, and little more. */
void laguerre_areas(double x, uint32_t last, double *areas);
/* About where L_last is 0: the first `count` places. */
void laguerre_roots(uint32_t last, uint32_t count, double *roots);

#endif
