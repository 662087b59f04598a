/* CTL over fair paths (ir/fairness.h): E-operators ask for a fair path, A-operators are about all fair paths.
 *
 * A path is fair if the run that it is one of is fair. One that ends repeats its last state for ever to be judged, or
 * does not count (--finite-runs), as for LTL; in its last state EX f is false and AX f true, as without fairness. So
 * the fair paths are those of the product (linear.h) with an automaton that only asks for nodes inside a set, and a
 * node has one if it leads to a fair component of that product. */
#ifndef NOETHER_ENGINE_CTL_FAIRLY_H
#define NOETHER_ENGINE_CTL_FAIRLY_H

#include "engine/ctl/linear.h"

/* Sets graph->fair, for a graph with values for these variables; nothing without fairness. False: stopped. */
bool fairly_find(struct checker *checker, struct graph *graph, const struct variable *const *variables);
/* Adds to `out` the nodes on fair cycles, and those without successors where a fair path ends, inside a set: nodes with
 * `inside` equal to `is_inside` (NULL: all). False: stopped. */
bool fairly_find_cycles(struct checker *checker, struct graph *graph, const struct variable *const *variables,
                        const uint64_t *inside, bool is_inside, uint64_t *out);
/* Appends to the run, whose last state is a node with the values of the variables, a fair path for ever inside. False:
 * there is none, or stopped. */
bool fairly_go_on(struct checker *checker, struct graph *graph, const struct variable *const *variables,
                  const uint64_t *inside, bool is_inside, struct trace *trace);
/* Does the symmetry keep what is fair? Fairness names rules: not if it exchanges rules. */
bool fairly_keeps_symmetry(const struct symmetry *symmetry);
/* The runs that CTL and LTL formulas of this checker are about: "on runs with weak fairness of Proc; runs that end
 * repeat their last state". is_fair: fairness matters. */
void fairly_say_runs(const struct checker *checker, const struct graph *graph, bool is_fair, bool drops_finite,
                     struct text *out);

#endif
