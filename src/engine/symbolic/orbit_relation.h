/* The orbit relation of interchangeable processes: which states are permutations of each other (survey 5.1). */
#ifndef NOETHER_ENGINE_SYMBOLIC_ORBIT_RELATION_H
#define NOETHER_ENGINE_SYMBOLIC_ORBIT_RELATION_H

#include "dd/dd.h"

/* Bit b of process p is the pair pairs[p * bits + b]; the relation is one of current and next variables. Exponential in
 * the smaller of the number of processes and that of their states. */
dd orbit_relation_full(struct dd_manager *m, const uint32_t *pairs, uint32_t processes, uint32_t bits);
/* Equal in these pairs. */
dd orbit_identity(struct dd_manager *m, const uint32_t *pairs, uint32_t count);

#endif
