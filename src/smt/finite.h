/* Formulas where each sort has at least one and at most a given number of elements: functions of an and-inverter graph,
 * for a SAT solver. One question is about all these sizes at once: which elements there are is part of the model.
 *
 * The element that a term stands for is a number, in binary. Elements are interchangeable: they
 * have numbers in the order in which constants and values of functions are first seen, so the n-th of these is one of
 * the first n. No function leads from a sort to itself, not by way of others either, so that renumbering the values
 * changes no arguments that came before. */
#ifndef NOETHER_SMT_FINITE_H
#define NOETHER_SMT_FINITE_H

#include "bits/cnf.h"
#include "smt/solver.h"
#include "smt/term.h"

struct finite;

/* The terms must not grow while it is open. Sizes by sort. */
struct finite *finite_open(const struct fol_store *terms, const uint32_t *sizes);
void finite_close(struct finite *finite);
/* The formula as a literal of the solver; 0: there was no time, or no room. */
int finite_literal(struct finite *finite, term formula);
/* All of these are true. `conflicts`: after so many it gives up. */
enum smt_answer finite_ask(struct finite *finite, const int *literals, size_t count, uint32_t conflicts);
/* After SMT_UNSATISFIABLE: was that one needed? */
bool finite_failed(struct finite *finite, int literal);

#endif
