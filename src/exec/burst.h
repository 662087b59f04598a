/* Successors in bulk: those of a state that differ from it in what the model says and in nothing else are packed by the
 * stepper itself, many in one call. What a search asks of each successor one by one (its cells, the instance, what
 * changed) costs more than firing it. A search that needs these all the same is called for each (`visit`), which costs
 * less than to go back to it, and on from there. */
#ifndef NOETHER_EXEC_BURST_H
#define NOETHER_EXEC_BURST_H

#include <stdbool.h>
#include <stdint.h>

struct step;

enum { BURST_MOST = 64 };

struct burst {
    uint32_t words; /* of a packed state */
    uint32_t most;  /* 1 .. BURST_MOST: there is room for so many */
    uint32_t count;
    uint64_t *states;
    uint32_t rules[BURST_MOST];    /* ids; of a step of several rules: the last */
    uint32_t ordinals[BURST_MOST]; /* among the instances that were met in this call, those asleep included */
    uint16_t numbers[BURST_MOST];  /* of the instances: all instances of all rules, one after the other, from 1 on; 0:
                                      they are too many */
    /* By number of an instance, a bit: it is not fired where it is enabled, only counted. NULL: none is asleep. */
    const uint64_t *asleep;
    uint64_t *counts; /* by rule id */
    uint32_t slept;   /* how many were met in this call, so far */
    /* Not NULL: called for each of them instead; nothing is packed. False: that is enough. It must not use the stepper,
     * and every step of the system must be one rule. */
    bool (*visit)(void *user, const struct step *step);
    void *user;
};

static inline uint64_t *burst_state(const struct burst *burst, uint32_t which)
{
    return burst->states + (size_t)which * burst->words;
}

#endif
