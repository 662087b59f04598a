/* A flag that a signal handler or another thread sets to end the work. */
#ifndef NOETHER_BASE_FLAG_H
#define NOETHER_BASE_FLAG_H

#include <stdbool.h>

/* NULL: there is none. Atomic, since nothing else orders the two. */
static inline bool flag_is_set(const volatile int *flag)
{
    return flag && __atomic_load_n(flag, __ATOMIC_RELAXED);
}

#endif
