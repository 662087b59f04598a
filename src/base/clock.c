#include "base/clock.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

/* The start of a file of /proc, without the heap: there may be no memory. */
static bool read_start(const char *path, char *text, size_t room)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    ssize_t length = read(file, text, room - 1);
    close(file);
    if (length <= 0)
        return false;
    text[length] = '\0';
    return true;
}

/* ru_maxrss survives exec: it may be the peak of the program that started this one. */
uint64_t clock_peak_bytes(void)
{
    char text[4096];
    const char *peak = read_start("/proc/self/status", text, sizeof text) ? strstr(text, "VmHWM:") : NULL;
    if (peak)
        return (uint64_t)strtoull(peak + strlen("VmHWM:"), NULL, 10) * 1024;
    struct rusage self;
    getrusage(RUSAGE_SELF, &self);
    return (uint64_t)self.ru_maxrss * 1024;
}

static uint64_t resident_bytes(const char *statm)
{
    char text[128];
    if (!read_start(statm, text, sizeof text))
        return 0;
    char *rest;
    strtoull(text, &rest, 10); /* the address space */
    return (uint64_t)strtoull(rest, NULL, 10) * (uint64_t)sysconf(_SC_PAGESIZE);
}

uint64_t clock_resident_bytes(void)
{
    return resident_bytes("/proc/self/statm");
}

enum { CLOCK_MOST_GENERATIONS = 4 }; /* a compiler starts its passes, which may start others */

static uint64_t resident_bytes_since(pid_t process, int generation)
{
    char path[64], text[1024], *at = text, *end;
    snprintf(path, sizeof path, "/proc/%d/statm", (int)process);
    uint64_t bytes = resident_bytes(path);
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)process, (int)process);
    if (generation == CLOCK_MOST_GENERATIONS || !read_start(path, text, sizeof text))
        return bytes;
    for (long child; (child = strtol(at, &end, 10)) > 0 && end != at; at = end)
        bytes += resident_bytes_since((pid_t)child, generation + 1);
    return bytes;
}

uint64_t clock_resident_bytes_of(pid_t process)
{
    return resident_bytes_since(process, 0);
}
