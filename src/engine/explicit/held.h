/* Successors that are held for a moment before they go into the batch, with their hashes: so that nobody waits for
 * their places among the recent ones (recent.h). */
#ifndef NOETHER_ENGINE_EXPLICIT_HELD_H
#define NOETHER_ENGINE_EXPLICIT_HELD_H

#include "exec/burst.h"

/* A stored state: a number in a numbered search, a place (block_ref) in a layered one. */
typedef uint64_t state_id;
#define STATE_NONE UINT64_MAX

/* The successors of a state that came in bulk: held until those of the next one have come. */
struct held_burst {
    uint32_t count;
    state_id parent;
    uint64_t ordinal;              /* of the first */
    uint32_t ordinals[BURST_MOST]; /* of each, from there */
    uint16_t marks[BURST_MOST];    /* as in struct waiting */
    uint64_t *states, *parent_packed;
    uint64_t hashes[BURST_MOST];
};

/* The same of representatives that were visited (burst.visit): held until the next state is expanded, or as many are
 * held as come in a burst. */
struct held_visits {
    uint32_t count;
    uint64_t *states;
    uint64_t hashes[BURST_MOST];
    struct {
        state_id parent;
        uint64_t ordinal, classes;
        uint16_t mark;
        bool is_judged;
    } of[BURST_MOST];
};

#endif
