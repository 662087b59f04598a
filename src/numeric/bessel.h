/* Inside numeric/: modified Bessel functions, as factors of a Chebyshev series. i_k = exp(-z) I_k(z), and areas[k] is
 * the integral of i_k from 0 to z. */
#ifndef NOETHER_NUMERIC_BESSEL_H
#define NOETHER_NUMERIC_BESSEL_H

#include <stdint.h>

struct bessel {
    uint32_t count;         /* those from here on, and their areas, are less than 1e-30 together */
    double *values, *areas; /* i_k and its area, for k < count */
    double error;           /* how far off either may be, relative to itself, but for 1e-40 */
};

/* z > 0 */
struct bessel bessel_make(double z);
void bessel_free(struct bessel *bessel);

#endif
