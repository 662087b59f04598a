#include "engine/explicit/sieve.h"

#include <stdlib.h>

#include "base/memory.h"

/* A small part of the nearest cache: what is met again is met soon. */
enum { SIEVE_BYTES = 64 << 10, SIEVE_SAMPLE = 1024, SIEVE_REST = 64 * SIEVE_SAMPLE };

void sieve_open(struct sieve *sieve, uint32_t words)
{
    *sieve = (struct sieve){.left = 1};
    recent_open(&sieve->recent, words, SIEVE_BYTES);
    sieve->packed = memory_zeroed(words, sizeof *sieve->packed);
}

void sieve_close(struct sieve *sieve)
{
    recent_close(&sieve->recent);
    free(sieve->packed);
}

/* A rest is over, or a sample: one that was worth it is followed by the next. */
void sieve_decide(struct sieve *sieve)
{
    sieve->is_asked = !sieve->is_asked || sieve->met >= sieve->asked / 3;
    sieve->left = sieve->is_asked ? SIEVE_SAMPLE : SIEVE_REST;
    sieve->asked = sieve->met = 0;
}

bool sieve_meet(struct sieve *sieve, const struct layout *layout, const uint64_t *parent, const struct step *step)
{
    for (uint32_t w = 0; w < layout->words; w++)
        sieve->packed[w] = parent[w];
    layout_repack(layout, step->cells, step->changed, step->changed_count, sieve->packed);
    uint64_t hash = state_hash(sieve->packed, sieve->recent.words);
    bool was_met = recent_meet(&sieve->recent, hash, sieve->packed);
    sieve->asked++;
    sieve->met += was_met;
    return was_met;
}
