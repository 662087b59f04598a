/* One kernel, one workload, in a process of its own: prints the result, CPU seconds and the peak of memory in MiB. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "kernel.h"

static const struct workload WORKLOADS[] = {
    {"queens", workload_queens},
    {"philosophers", workload_philosophers},
    {"mutex", workload_mutex},
};

int main(int argc, char **argv)
{
    for (size_t i = 0; argc == 3 && i < sizeof WORKLOADS / sizeof *WORKLOADS; i++) {
        if (strcmp(argv[1], WORKLOADS[i].name))
            continue;
        double result = WORKLOADS[i].run((uint32_t)atoi(argv[2]));
        struct rusage usage;
        getrusage(RUSAGE_SELF, &usage);
        double seconds = (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
                         (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
        printf("%s %.17g %.3f %.1f\n", kernel_name, result, seconds, (double)usage.ru_maxrss / 1024);
        return 0;
    }
    fprintf(stderr, "usage: %s WORKLOAD SIZE\n", argv[0]);
    return 2;
}
