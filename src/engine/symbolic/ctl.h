/* CTL on sets of states.
 *
 * The sets of a formula are computed from the inside out, within the reachable states: under a method that reduces by
 * symmetry, within their representatives (survey, section 5.4: every image is followed by the mapping to
 * representatives). A property with quantifiers around temporal operators is about pointed states (ir/point.h), and has a
 * model of its own, of these; the group acts on state and values at once, so that nothing has to be rewritten.
 *
 *   ctl.c        the properties one by one
 *   ctl_sets.c   the sets of a formula */
#ifndef NOETHER_ENGINE_SYMBOLIC_CTL_H
#define NOETHER_ENGINE_SYMBOLIC_CTL_H

#include "engine/symbolic/search.h"
#include "ir/ctl.h"

/* Where a formula holds, and where it may hold: it is in doubt where propositions in it cannot be evaluated and matter.
 * Subsets of the reached states, referenced. DD_NONE: no memory or time. */
struct ctl_sets {
    dd sure, maybe;
};

/* False: see model->stopped_by. Free the sets in any case. */
bool ctl_sets_find(struct symbolic_model *model, const struct ctl *ctl, struct ctl_sets *sets);
void ctl_sets_free(struct symbolic_model *model, struct ctl_sets *sets);

/* Decides the CTL properties, when everything reachable is known. */
void ctl_answer(struct search *search);

#endif
