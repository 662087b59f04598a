/* A size of each sort up to which formulas must be examined: if they have a model, then they have one in which no sort
 * has more elements than that.
 *
 * The argument: of a model, take the elements that are values of the ground terms: the constants, a witness for each
 * existential quantifier (Skolem), and what the functions make of these. Restricted to these elements the universal
 * quantifiers stay true, so that is a model, too. There are finitely many ground terms if no function leads, by way of
 * others, back to the sort it came from; a witness that depends on universal variables is such a function (Bernays,
 * Schönfinkel, Ramsey; with several sorts: Fontaine, Gribomont: Decidability of invariant validation for
 * parameterized systems, TACAS 2003; Korovin: Non-cyclic sorts for first-order satisfiability, FroCoS 2013).
 *
 * Of a disjunction that stands under no universal quantifier one operand is true, so it has the larger number
 * of witnesses, not the sum. */
#ifndef NOETHER_SMT_CUTOFF_H
#define NOETHER_SMT_CUTOFF_H

#include "smt/term.h"

enum { CUTOFF_MOST_SORTS = 16, CUTOFF_LARGEST = 40 };

struct cutoff {
    uint32_t sizes[CUTOFF_MOST_SORTS]; /* by sort; 0: Boolean */
    /* Why there is none. */
    struct text why;
    uint32_t formula; /* in which it was found; UINT32_MAX: in none */
    uint32_t symbol;  /* a function; UINT32_MAX: none */
};

/* For the conjunction of all that are assumed, and any one of those that are asked. Formulas are numbered in this
 * order. False: there is none. The caller frees `why`. */
bool cutoff_find(const struct fol_store *terms, const term *assumed, size_t assumed_count, const term *asked,
                 size_t asked_count, struct cutoff *cutoff);

#endif
