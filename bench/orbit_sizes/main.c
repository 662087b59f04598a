/* orbit_sizes PROCESSES STATES concatenated|interleaved: the number of nodes of the orbit relation under full symmetry,
 * the largest number of live nodes seen after collections, and the seconds it took. b = log2 of STATES bits a process
 * (rounded up), all codes kept. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "engine/symbolic/orbit_relation.h"

int main(int count, char **words)
{
    if (count != 4) {
        fprintf(stderr, "usage: orbit_sizes PROCESSES STATES concatenated|interleaved\n");
        return 2;
    }
    uint32_t processes = (uint32_t)atoi(words[1]), states = (uint32_t)atoi(words[2]), bits = 0;
    bool is_interleaved = !strcmp(words[3], "interleaved");
    while (UINT32_C(1) << bits < states)
        bits++;
    struct dd_options options = {.variables = 2 * processes * bits, .nodes = 1 << 20};
    struct dd_manager *m = dd_create(&options);
    uint32_t *pairs = memory_alloc(processes * bits * sizeof *pairs);
    for (uint32_t p = 0; p < processes; p++)
        for (uint32_t b = 0; b < bits; b++)
            pairs[p * bits + b] = is_interleaved ? b * processes + p : p * bits + b;
    double begin = clock_cpu();
    dd relation = orbit_relation_full(m, pairs, processes, bits);
    printf("%llu %llu %.3f\n", (unsigned long long)dd_size_plain(m, relation),
           (unsigned long long)dd_statistics(m).peak, clock_cpu() - begin);
    free(pairs);
    dd_destroy(m);
    return 0;
}
