/* Formulas of linear temporal logic (LTL) over numbered atoms.
 *
 * A formula is a number in a pool, the same one for the same formula. It is in negation normal form: NOT stands only
 * before an atom, and the other operators are made of UNTIL and RELEASE (F a = true U a, G a = false R a, a W b =
 * b R (a | b), a M b = b U (a & b)). The functions that make formulas simplify them by laws of LTL; they never make a
 * formula larger. A run is infinite: the caller decides how one that ends goes on (a deadlock that repeats its last
 * state, say).
 *
 * Ownership: the pool owns its formulas. One thread. */
#ifndef NOETHER_LOGIC_FORMULA_H
#define NOETHER_LOGIC_FORMULA_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

enum { LOGIC_MAX_ATOMS = 64 }; /* a letter, the atoms that hold in a state, is a word of bits */

enum logic_kind {
    LOGIC_FALSE,
    LOGIC_TRUE,
    LOGIC_ATOM, /* left: its number */
    LOGIC_NOT,  /* left: the number of an atom */
    LOGIC_AND,
    LOGIC_OR,
    LOGIC_NEXT, /* left */
    LOGIC_UNTIL,
    LOGIC_RELEASE
};

typedef uint32_t logic_formula;

struct logic;
struct logic_node {
    enum logic_kind kind;
    logic_formula left, right;
};

struct logic *logic_create(void);
void logic_destroy(struct logic *logic);
const struct logic_node *logic_node(const struct logic *logic, logic_formula formula);

logic_formula logic_truth(struct logic *logic, bool is_true);
logic_formula logic_atom(struct logic *logic, uint32_t atom);
logic_formula logic_and(struct logic *logic, logic_formula left, logic_formula right);
logic_formula logic_or(struct logic *logic, logic_formula left, logic_formula right);
logic_formula logic_next(struct logic *logic, logic_formula formula);
logic_formula logic_until(struct logic *logic, logic_formula left, logic_formula right);
logic_formula logic_release(struct logic *logic, logic_formula left, logic_formula right);
/* The dual: takes time and room proportional to the formula the first time only. */
logic_formula logic_not(struct logic *logic, logic_formula formula);
/* F and G. */
logic_formula logic_eventually(struct logic *logic, logic_formula formula);
logic_formula logic_always(struct logic *logic, logic_formula formula);

/* Syntactically: it has no UNTIL, so that a finite prefix shows that it does not hold. */
bool logic_is_safety(const struct logic *logic, logic_formula formula);
/* With F, G, W and M where they stand for what is there; name(user, atom) writes an atom. */
void logic_print(const struct logic *logic, logic_formula formula,
                 void (*name)(void *user, uint32_t atom, struct text *out), void *user, struct text *out);

#endif
