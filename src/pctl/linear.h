/* Formulas of LTL (ir/pctl.h) as formulas of logic/, with the sets of their atoms. */
#ifndef NOETHER_PCTL_LINEAR_H
#define NOETHER_PCTL_LINEAR_H

#include "logic/formula.h"
#include "pctl/evaluate.h"

struct pctl_linear {
    struct logic *logic;
    logic_formula formula;
    union pctl_set atoms[LOGIC_MAX_ATOMS]; /* where they hold */
    uint32_t atom_count;
    uint32_t next_atom; /* number of an atom that holds everywhere (below), or LOGIC_MAX_ATOMS */
};

/* Is the negation wanted? The least probability of a formula is the complement of the greatest of its negation, and A
 * of a formula is the negation of E of its negation. */
bool pctl_turns_linear(const struct pctl *formula);
/* Evaluates the atoms. `is_negated`: of the negation. A reward is earned until a prefix shows that the formula holds;
 * there X a is X (a & next_atom), so that X true takes a step, as in PRISM. Free it in any case. */
bool pctl_make_linear(struct pctl_evaluator *evaluator, const struct pctl *formula, bool is_negated,
                      struct pctl_linear *linear);
void pctl_linear_free(struct pctl_evaluator *evaluator, struct pctl_linear *linear);

#endif
