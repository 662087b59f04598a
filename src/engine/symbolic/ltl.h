/* Symbolic LTL, with fairness.
 *
 * The product of the model with the automaton of the negation (linear/claim.h) needs no variables of its own: a set of
 * its states is an array, one set of states of the model for each state of the automaton. The formula is violated when
 * the product has a cycle that can be reached, on which every mark and every fair event happens: a greatest fixpoint
 * (Emerson and Lei 1986; for strong fairness Kesten, Pnueli and Raviv 1998) leaves a set in which
 *
 *   - from every state a step leads on inside,
 *   - from every state that obliges an event (`often`) a way leads inside to where it happens.
 *
 * Where the set is not empty, a terminal strongly connected component of it is such a cycle; and no such cycle is ever
 * removed. Tracked variables are part of the state (rewrite/point.h), requirements of fairness are written out: one
 * event for each choice of values. With symmetry the sets hold representatives, as for CTL: the quotient is bisimilar,
 * and a cycle of orbits is one of states after some turns. That is for atoms and events that the symmetry keeps;
 * fairness of single processes is decided without symmetry.
 *
 *   ltl.c         the properties one by one
 *   ltl_events.c  atoms, labels of the automaton, events of fairness
 *   ltl_sets.c    sets of the product: steps, fixpoints
 *   ltl_fair.c    the fair part, a component of it
 *   ltl_run.c     the run that shows it */
#ifndef NOETHER_ENGINE_SYMBOLIC_LTL_H
#define NOETHER_ENGINE_SYMBOLIC_LTL_H

#include "engine/symbolic/ctl.h"
#include "ir/fairness.h"
#include "linear/claim.h"

/* If `often` is met with infinitely often, so must be `met`, or a step of its own, or an edge with the mark. */
struct ltl_event {
    const struct fairness *fairness; /* NULL: a mark of the automaton */
    int32_t *values;                 /* of its variables */
    dd often, met;                   /* referenced */
    bool *own;                       /* ground rules; NULL: none */
    uint64_t mark;                   /* a bit, or 0 */
};

struct ltl_case {
    struct symbolic_model *model;
    bool drops_finite;
    struct linear_claim claim;
    struct automaton *automaton;
    struct formula_sets *atoms;   /* within the reached states; referenced */
    dd *labels;                   /* by edge of the automaton: where it can be taken; referenced */
    dd ends;                      /* states without successors; referenced */
    bool has_doubt;               /* an atom cannot be evaluated in some state */
    bool is_sure;                 /* labels: only what is certain; else all that may be */
    bool is_finite;               /* a finite run shows a violation: fairness does not matter */
    VEC(struct ltl_event) events; /* of fairness */
    dd *reached;                  /* of the product; NULL: not found yet */
};

/* --- sets of the product: an array of referenced sets, by state of the automaton. Results are the caller's (free
 * them); elements are DD_NONE where memory or time is over --- */
dd *ltl_set(const struct ltl_case *linear);
void ltl_free(const struct ltl_case *linear, dd *set);
dd *ltl_copy(const struct ltl_case *linear, const dd *set);
void ltl_replace(const struct ltl_case *linear, dd **set, dd *by);
bool ltl_is_good(const struct ltl_case *linear, const dd *set); /* no DD_NONE */
bool ltl_is_empty(const struct ltl_case *linear, const dd *set);
bool ltl_is_same(const struct ltl_case *linear, const dd *a, const dd *b);
/* Element by element: set_and, set_or, set_without. */
dd *ltl_combine(const struct ltl_case *linear, const dd *a, const dd *b,
                dd (*operation)(struct symbolic_model *, dd, dd));
/* Those from (to) which a step leads into (from) the set: by the ground rules that are own (NULL: any, or the state
 * without successors that repeats itself), along edges with all these marks. */
dd *ltl_before(const struct ltl_case *linear, const dd *set, const bool *own, uint64_t marks);
dd *ltl_after(const struct ltl_case *linear, const dd *set, const bool *own, uint64_t marks);
/* Those inside (goal and inside are disjoint or not) from which a way inside leads to the goal; with the goal. */
dd *ltl_until(const struct ltl_case *linear, const dd *inside, const dd *goal);
/* All that can be reached from the set inside (NULL: anywhere). */
dd *ltl_forth(const struct ltl_case *linear, const dd *inside, const dd *from);
/* Start states of the product. */
dd *ltl_starts(const struct ltl_case *linear);
/* linear->reached. False: see model->stop. */
bool ltl_reach(struct ltl_case *linear);

/* --- ltl_events.c: false: see model->stop, or claim.stop --- */
bool ltl_find_atoms(struct ltl_case *linear);
/* Values for the variables of the atom's proposition: those that are written out, and (cells is not NULL) the tracked
 * ones. */
void ltl_atom_values(const struct symbolic_model *model, const struct linear_atom *atom, const int32_t *cells,
                     int32_t *values);
/* The labels of the automaton; what was reached with others is forgotten. */
bool ltl_label(struct ltl_case *linear);
void ltl_forget(struct ltl_case *linear); /* labels, and what was reached */
bool ltl_find_fairness(struct ltl_case *linear);
/* Of the marks and the events of fairness, that of this number, from 0 on; false: there are no more. */
bool ltl_event(const struct ltl_case *linear, size_t number, struct ltl_event *event);
/* Does a step make it happen? */
static inline bool ltl_has_step(const struct ltl_event *event)
{
    return event->own || event->mark;
}

/* --- ltl_fair.c --- */
/* The states of a set where the event happens, or from where a step inside makes it happen. */
dd *ltl_happens(const struct ltl_case *linear, const dd *set, const struct ltl_event *event);
/* The part of the reached states in which all goes on fairly. */
dd *ltl_fair(const struct ltl_case *linear);
/* A terminal component of a fair part, which is not empty. */
dd *ltl_component(const struct ltl_case *linear, const dd *fair);
/* Reached states of the product after which the automaton accepts whatever follows. */
dd *ltl_violations(const struct ltl_case *linear);

/* --- ltl_run.c: the run to a violation (is_finite), or to the component and around in it; a run of the model `layout`.
 * NULL: no memory or time --- */
struct trace *ltl_show(struct ltl_case *linear, const struct layout *layout, const dd *goal, struct text *words);

/* Decides an LTL property, when everything reachable is known. */
void ltl_answer(struct symbolic_search *search, const struct property *property);

#endif
