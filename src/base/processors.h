/* How many processors this process may use. */
#ifndef NOETHER_BASE_PROCESSORS_H
#define NOETHER_BASE_PROCESSORS_H

#include <stdint.h>

/* At least 1. */
uint32_t processors_available(void);

#endif
