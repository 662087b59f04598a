/* A copy of a system in which the quantified variables of CTL formulas belong to the state.
 *
 * They come after the cells of the original, the start states choose their values (a parameter more for each, behind
 * the others), and no rule changes them. So a temporal formula with free variables becomes a formula about states, and
 * a symmetry of the original acts on state and values at once (survey, section 2.2: a process is factored out).
 *
 * The copy refers to the types and names of the original, which must outlive it. */
#ifndef NOETHER_REWRITE_POINT_H
#define NOETHER_REWRITE_POINT_H

#include "ir/ctl.h"

/* NULL when it takes too many cells. */
struct system *point_system(const struct system *system, const struct variable *const *variables, uint32_t count);

#endif
