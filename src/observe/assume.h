/* The assumptions of a model: states in which one is false are not considered. */
#ifndef NOETHER_OBSERVE_ASSUME_H
#define NOETHER_OBSERVE_ASSUME_H

#include "exec/stepper.h"

/* Are they all true in the state? One that cannot be evaluated is not. (The stepper checks those that are statements.)
 */
bool assume_holds(struct stepper *judge, const int32_t *cells);

#endif
