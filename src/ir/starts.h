/* The instances of a start state worth trying: those for which its guard, over the parameters, can hold. Found
 * parameter by parameter, with what the conjuncts say of those that have no value yet (intervals). What is found may
 * turn out not to satisfy the guard, but nothing that does is left out. */
#ifndef NOETHER_IR_STARTS_H
#define NOETHER_IR_STARTS_H

#include "ir/system.h"

/* STARTS_SMALL: so many may as well all be tried. */
enum { STARTS_MOST = 10 * 1000 * 1000, STARTS_SMALL = 4096 };

enum starts { STARTS_FOUND, STARTS_NONE, STARTS_TOO_MANY, STARTS_TOO_LONG };

/* Sets rule->tried where they are few among all; where all are more than a number of an instance can say, the types of
 * the parameters become smaller ranges first. The guard calls no function, and the parameters are truth values or
 * have range types.
 * *space: among how many they are looked for. */
enum starts starts_list(struct system *system, struct rule *start, double *space);

#endif
