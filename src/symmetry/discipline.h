/* The scalarset discipline (Ip and Dill, "Better verification through symmetry", 1996; survey section 7.2), proved
 * rather than assumed: an index type whose every permutation is an automorphism of rules, start states and
 * properties. */
#ifndef NOETHER_SYMMETRY_DISCIPLINE_H
#define NOETHER_SYMMETRY_DISCIPLINE_H

#include "symmetry/symmetry.h"

/* Sets is_used of every factor, and the breaches of those that are not. */
void discipline_check(struct symmetry *symmetry);

#endif
