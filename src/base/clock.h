/* Wall-clock and processor time, and the memory this process has in use. */
#ifndef NOETHER_BASE_CLOCK_H
#define NOETHER_BASE_CLOCK_H

#include <stdint.h>

double clock_wall(void); /* seconds, monotonic */
double clock_cpu(void);  /* seconds of this process and its waited-for children */
uint64_t clock_peak_bytes(void); /* the largest resident size so far */
uint64_t clock_resident_bytes(void); /* the resident size now; 0 where it is not known */

#endif
