/* With symmetry: successors as the rules left them that a worker met not long ago. Their representatives are known to
 * the visited set, and need not be computed. In some models (queues) half of all successors are among them. In most it
 * is a fifth, and asking takes as long as it saves: so a sample is asked about now and then, and all only while it
 * pays. Which are asked about depends on the course of the search, so this must not begin while that is measured
 * (trial.c). */
#ifndef NOETHER_ENGINE_EXPLICIT_SIEVE_H
#define NOETHER_ENGINE_EXPLICIT_SIEVE_H

#include "engine/explicit/recent.h"
#include "exec/stepper.h"

struct sieve {
    struct recent recent;
    uint64_t *packed; /* room for a successor */
    bool is_asked;
    uint32_t left;       /* states until it is decided again whether it is asked about their successors */
    uint32_t asked, met; /* since that was decided */
};

void sieve_open(struct sieve *sieve, uint32_t words);
void sieve_close(struct sieve *sieve);
/* Once for each state that is expanded: is it to be asked about the successors? */
void sieve_decide(struct sieve *sieve);
static inline bool sieve_is_asked(struct sieve *sieve)
{
    if (__builtin_expect(!--sieve->left, 0))
        sieve_decide(sieve);
    return sieve->is_asked;
}
/* Was the successor of the state with this packed form met? False: not known. From now on it was. */
bool sieve_meet(struct sieve *sieve, const struct layout *layout, const uint64_t *parent, const struct step *step);

#endif
