/* Wall-clock and processor time, and the memory this process has in use. */
#ifndef NOETHER_BASE_CLOCK_H
#define NOETHER_BASE_CLOCK_H

#include <stdint.h>
#include <sys/types.h>

double clock_wall(void); /* seconds, monotonic */
/* Units of unknown length, for differences: the cheapest clock there is. */
static inline uint64_t clock_ticks(void)
{
#if defined(__x86_64__)
    return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
    uint64_t ticks;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
#else
    return (uint64_t)(clock_wall() * 1e9);
#endif
}

double clock_cpu(void);              /* seconds of this process and its waited-for children */
uint64_t clock_peak_bytes(void);     /* the largest resident size of this program so far */
uint64_t clock_resident_bytes(void); /* the resident size now; 0 where it is not known */
/* The same of another process, and of those that it has started. */
uint64_t clock_resident_bytes_of(pid_t process);

#endif
