/* A view of a system that is symmetric but for some guards: its symmetric super-structure, under the symmetry of that.
 *
 * The quotient of the super-structure (rewrite/weaken.h) is small, and every run of the model is one of it: what holds
 * on all its runs holds in the model. Edges exist in the model up to symmetry only where a guard was weakened; so a run
 * that violates something is *unwound* (Sistla and Godefroid, TOPLAS 2004): all states of its orbits are followed that
 * the guards of the model let through, from the start states on. If one arrives, there is a real run, a shortest one.
 * If none does, or if more is asked than the super-structure can tell, the question is left open for an exact attempt.
 */
#ifndef NOETHER_PASS_GUARDED_H
#define NOETHER_PASS_GUARDED_H

#include "pass/view.h"

/* Takes the super-structure. `below`: the model; must outlive the view. NULL: it has no symmetry. */
struct view *view_guarded(const struct view *below, struct system *weak, const struct detect_options *options);
/* What the engine is to be told: which states may be stuck in the model. `options` are as the user gave them. */
void guarded_prepare(struct view *view, struct engine_options *options);
/* Is the last result that was lifted the answer? */
bool guarded_is_decided(const struct view *view);
/* NULL: a super-structure can decide properties of this kind; else why not, for one of them. */
const char *guarded_refusal(const struct system *system);
/* How many rules have a weaker guard. */
uint32_t guarded_count(const struct view *view);

#endif
