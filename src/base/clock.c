#include "base/clock.h"

#include <stdio.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

double clock_wall(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static double seconds(struct timeval t)
{
    return (double)t.tv_sec + (double)t.tv_usec * 1e-6;
}

double clock_cpu(void)
{
    struct rusage self, children;
    getrusage(RUSAGE_SELF, &self);
    getrusage(RUSAGE_CHILDREN, &children);
    return seconds(self.ru_utime) + seconds(self.ru_stime) + seconds(children.ru_utime) + seconds(children.ru_stime);
}

uint64_t clock_peak_bytes(void)
{
    struct rusage self;
    getrusage(RUSAGE_SELF, &self);
    return (uint64_t)self.ru_maxrss * 1024;
}

uint64_t clock_resident_bytes(void)
{
    unsigned long long size, resident = 0;
    FILE *stream = fopen("/proc/self/statm", "r");
    if (!stream)
        return 0;
    if (fscanf(stream, "%llu %llu", &size, &resident) != 2)
        resident = 0;
    fclose(stream);
    return resident * (uint64_t)sysconf(_SC_PAGESIZE);
}
