/* Successors in bulk: those of a state that differ from it in what the model says and in nothing else are packed by the
 * stepper itself, many in one call. What a search asks of each successor one by one (its cells, the instance, what
 * changed) costs more than firing it. */
#ifndef NOETHER_EXEC_BURST_H
#define NOETHER_EXEC_BURST_H

#include <stdint.h>

enum { BURST_MOST = 64 };

struct burst {
    uint32_t words; /* of a packed state */
    uint32_t most;  /* 1 .. BURST_MOST: there is room for so many */
    uint32_t count;
    uint64_t *states;
    uint32_t rules[BURST_MOST]; /* ids; of a step of several rules: the last */
};

static inline uint64_t *burst_state(const struct burst *burst, uint32_t which)
{
    return burst->states + (size_t)which * burst->words;
}

#endif
