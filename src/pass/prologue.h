/* The step with which a model begins, done once and for all.
 *
 * Models whose processes are started by one atomic sequence (init of Promela) take a step of several rules in their
 * start state: it fills channels and starts processes one after the other, each by a rule of its own that names it. The
 * step as a whole may be symmetric though its rules are not. Where it is all that can happen in the one start state,
 * always goes the same way, and never comes again, its first rule is given the result of the whole, as assignments of
 * constants, and rules that have become unreachable are left out. States and steps are what they were. */
#ifndef NOETHER_PASS_PROLOGUE_H
#define NOETHER_PASS_PROLOGUE_H

#include "ir/system.h"

/* In place, of a system that is finished and that nobody else knows yet. */
void prologue_fold(struct system *system);

#endif
