#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "driver/check.h"

/* The limit of the control group (version 2, then 1), or UINT64_MAX. */
static uint64_t group_limit(void)
{
    static const char *const paths[] = {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        unsigned long long limit;
        FILE *stream = fopen(paths[i], "r");
        if (!stream)
            continue;
        int got = fscanf(stream, "%llu", &limit); /* "max" where there is no limit */
        fclose(stream);
        if (got == 1)
            return limit;
    }
    return UINT64_MAX;
}

uint64_t check_default_memory(void)
{
    uint64_t machine = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE), group = group_limit();
    return (machine < group ? machine : group) / 5 * 4 >> 20 << 20; /* whole MiB: it is shown */
}
