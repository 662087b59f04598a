/* What an LTL property claims, as engines need it: a formula over numbered atoms (logic/formula.h), and the automaton
 * of its negation.
 *
 * Variables of quantifiers that can stand before the formula as universal ones (rewrite/prenex.h) are *tracked*: a run
 * violates the formula when, for some values of theirs, it is accepted by the automaton. Quantifiers that must stay
 * inside are written out, so an atom is a proposition with values for those of its variables that are not tracked.
 *
 * Ownership: the claim owns all that is in it. One thread. */
#ifndef NOETHER_LINEAR_CLAIM_H
#define NOETHER_LINEAR_CLAIM_H

#include "base/stop.h"
#include "base/vec.h"
#include "ir/ctl.h"
#include "logic/automaton.h"

struct linear_binding {
    const struct variable *variable;
    int32_t value;
};

struct linear_atom {
    const struct proposition *proposition;
    struct linear_binding *bindings;
    size_t binding_count;
};

struct linear_claim {
    const struct property *property;
    struct logic *logic;
    logic_formula formula;     /* of the property; */
    const struct never *never; /* or the automaton of its negation, as it is given; NULL: the formula */
    VEC(const struct variable *) tracked;
    VEC(struct linear_atom) atoms;
    VEC(struct linear_binding) bindings; /* of the quantifiers around what is being translated */
    struct stop stop;                    /* why it could not be translated */
};

/* Does a quantifier over interchangeable elements stay inside? Then the atoms name elements. */
bool linear_names_elements(const struct ctl *ltl);
/* False: see stop. Free the claim in any case. */
bool linear_translate(struct linear_claim *claim, const struct property *property);
void linear_claim_free(struct linear_claim *claim);
/* The automaton of the negation, the caller's. NULL: see stop, or (stop is not set) the watch is up. */
struct automaton *linear_automaton(struct linear_claim *claim);
/* Does a finite run show every violation, and can each go on as a run that counts, so that fairness does not matter? So
 * it is with a safety formula, where there are no fair conditions and no run is dropped since it ends. */
bool linear_is_closed(const struct linear_claim *claim, const struct system *system, bool drops_finite);
/* May fairness leave no run at all? That of processes and rules leaves some: every run can go on fairly. */
bool linear_may_be_vacuous(const struct system *system, bool drops_finite);
/* What "holds" is about: the fairness of the system (NULL: it does not matter), and how runs that end are taken
 * (has_end: there are some). */
void linear_say_runs(const struct system *system, bool has_end, bool drops_finite, struct text *words);

#endif
