/* The symmetric super-structure of a system that is symmetric but for some guards: a copy in which the conjuncts of
 * guards that distinguish elements are left out.
 *
 * A rule whose guard became weaker keeps that of the model (rule->own_guard): its steps exist in the model up to
 * symmetry only. This is the first half of the guarded annotated quotients of Sistla and Godefroid (TOPLAS 2004;
 * survey, "partial symmetry"); pass/guarded.h is the second. Every run of the model is one of the super-structure.
 *
 * Evaluating what is left out might have failed. Only conjuncts are left out that can fail for one reason, a value that
 * is undefined; in their place stands a formula that is true, reads the same for all elements, and fails if one of them
 * is undefined: if nothing fails in the super-structure, nothing does in the model. */
#ifndef NOETHER_REWRITE_WEAKEN_H
#define NOETHER_REWRITE_WEAKEN_H

#include "ir/system.h"

/* A copy. NULL: as weaken_finish. */
struct system *weaken_begin(const struct system *system);
/* Leaves out the conjunct of the guard in which the place is. False: there is none, or it cannot be left out. Nothing
 * else is done with the copy from then on until weaken_finish. `is_constant`, by global variable: all start states give
 * it the same values, no cell undefined, and no rule changes it. */
bool weaken_guard(struct system *copy, struct rule *rule, struct span place, const bool *is_constant);
/* Constants that nothing reads any more, such as the priorities of processes, are left undefined by the start states
 * (rule->own_body). */
void weaken_constants(struct system *copy, const bool *is_constant);
/* False: it takes too many cells. */
bool weaken_finish(struct system *copy);

/* The model again, with the codes of the copy (or of a copy of that): the guards are the model's. Shares everything
 * else with it. */
struct system *weaken_undo(const struct system *copy);
void weaken_undo_free(struct system *system);

#endif
