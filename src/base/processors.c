#include "base/processors.h"

#include <sched.h>

uint32_t processors_available(void)
{
    cpu_set_t processors;
    CPU_ZERO(&processors);
    if (sched_getaffinity(0, sizeof processors, &processors))
        return 1;
    return CPU_COUNT(&processors) > 0 ? (uint32_t)CPU_COUNT(&processors) : 1;
}
