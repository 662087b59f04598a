/* Recognition of one factor: sets its kind and what belongs to it, and puts the points of its orbits in order. */
#ifndef NOETHER_GROUP_RECOGNISE_H
#define NOETHER_GROUP_RECOGNISE_H

#include "group/factor.h"

/* The factor's orbits, group and order are given. */
void group_recognise(struct group_factor *factor);

#endif
