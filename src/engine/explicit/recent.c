#include "engine/explicit/recent.h"

#include <stdlib.h>

#include "base/memory.h"

enum { RECENT_LEAST_BITS = 4 };

/* An empty place holds zeros, which are a state, too: in that state's own place is one that belongs elsewhere. */
static void recent_clear(struct recent *recent)
{
    uint64_t *zero = recent_place(recent, state_hash(recent->states, recent->words));
    uint64_t *other = memory_zeroed(recent->words, sizeof *other);
    do
        other[0]++;
    while (recent_place(recent, state_hash(other, recent->words)) == zero);
    memcpy(zero, other, recent->words * sizeof *other);
    free(other);
}

void recent_open(struct recent *recent, uint32_t words, uint32_t bytes)
{
    uint32_t bits = RECENT_LEAST_BITS;
    while (((uint64_t)words * sizeof *recent->states << (bits + 1)) <= bytes)
        bits++;
    *recent = (struct recent){.words = words, .shift = 64 - bits};
    recent->states = memory_zeroed((size_t)words << bits, sizeof *recent->states);
    recent_clear(recent);
}

void recent_close(struct recent *recent)
{
    free(recent->states);
}
