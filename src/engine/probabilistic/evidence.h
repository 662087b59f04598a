/* The vectors of a certificate: bounds of a probability or reward in every state that one exact sweep confirms
 * (numeric/inductive.h), for who asked for them (options->on_measure). */
#ifndef NOETHER_ENGINE_PROBABILISTIC_EVIDENCE_H
#define NOETHER_ENGINE_PROBABILISTIC_EVIDENCE_H

#include "engine/probabilistic/formula.h"

/* Tells of all states, in the order of their numbers, and of the vectors of each property that may have some. */
void evidence_tell(struct markov *markov);

#endif
