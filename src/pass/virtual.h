/* A view of a system under a virtual symmetry.
 *
 * A system is virtually symmetric under a group if its orbits are a bisimulation: for every state s and permutation p,
 * s and p(s) have successors in the same orbits (Emerson, Havlicek, Trefler: Virtual symmetry reduction, LICS 2000).
 * Steps need not be symmetric: where the least of the waiting processes enters, some process enters in every state of
 * the orbit. Near and rough symmetry (Emerson, Trefler: From asymmetry to full symmetry, CHARME 1999) are special
 * cases. The quotient then decides every property whose atoms are symmetric, next-step and branching time included,
 * and runs are lifted greedily as always (result/lift.c).
 *
 * The group is assumed on an index domain that the rules distinguish (detect_assumed), and proved with a SAT solver on
 * all states, for a transposition and a cycle, which generate the group (virtual_proof.c). A search of few
 * states comes first (virtual_trial.c): it refutes most groups at once.
 *
 * What is refused: steps of several rules, multisets, fairness of processes, past operators, and properties with a
 * quantifier around a temporal operator, which follow a process from state to state. */
#ifndef NOETHER_PASS_VIRTUAL_H
#define NOETHER_PASS_VIRTUAL_H

#include "pass/view.h"

/* `detected`: the model with the symmetry that is proved; a virtual symmetry must have fewer orbits than that.
 * NULL: the model has no such virtual symmetry, or none is known; `why`, which is appended to, says so where an assumed
 * group came close: it was not refuted by the trial. */
struct view *view_virtual(const struct view *detected, const struct layout *layout, enum deadlock_mode deadlock,
                          struct text *why);

/* -- Private to virtual*.c -- */

/* A transposition (number 0) or a cycle (1) of the factor. `images` has a place for each factor. */
void virtual_generator(const struct symmetry *symmetry, uint32_t factor, uint32_t number, const uint32_t **images,
                       uint32_t *image);
enum { VIRTUAL_GENERATORS = 2 };

/* False: two states of an orbit that a short search finds have successors in different orbits. */
bool virtual_trial(const struct layout *layout, const struct symmetry *symmetry);

/* Does a short search find fewer orbits than one of the same depth with another symmetry? */
bool virtual_is_smaller(const struct layout *layout, const struct symmetry *symmetry, const struct layout *other_layout,
                        const struct symmetry *other);

enum virtual_answer { VIRTUAL_PROVED, VIRTUAL_REFUTED, VIRTUAL_UNKNOWN };
/* Asks a SAT solver about all states. REFUTED: a state, which need not be reachable, shows that the orbits are no
 * bisimulation. */
enum virtual_answer virtual_prove(const struct layout *layout, const struct symmetry *symmetry,
                                  enum deadlock_mode deadlock);

struct circuit;
struct solver;
struct cnf;
/* Adds an invariant of the reachable states to the solver, as clauses: cells that are always defined, and variables
 * that never change. It is closed under the permutations of variables `maps`. */
void virtual_require_invariant(struct circuit *circuit, struct solver *solver, struct cnf *cnf,
                               const uint32_t *const *maps, uint32_t map_count);

#endif
