/* The states of the next level of a layered search, known by their keys in the visited set: a state that is found again
 * may be one that is still to be expanded. As exact as the visited set, as long as that is not planned again. Any
 * number of threads. */
#ifndef NOETHER_ENGINE_EXPLICIT_UPCOMING_H
#define NOETHER_ENGINE_EXPLICIT_UPCOMING_H

#include <stdbool.h>

#include "store/budget.h"

struct upcoming;

struct upcoming *upcoming_create(struct budget *budget);
void upcoming_destroy(struct upcoming *upcoming);
/* Where there is no memory for it, it is not there. */
void upcoming_add(struct upcoming *upcoming, uint64_t key);
bool upcoming_has(struct upcoming *upcoming, uint64_t key);
/* While one thread is at work. */
void upcoming_clear(struct upcoming *upcoming);

#endif
