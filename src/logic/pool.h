/* The pool of formulas, for the files of this room. */
#ifndef NOETHER_LOGIC_POOL_H
#define NOETHER_LOGIC_POOL_H

#include "base/words.h"
#include "logic/formula.h"

#define LOGIC_NONE WORDS_NONE

/* What is known of a formula from its operators. Eventual: f = F f; universal: f = G f (Etessami and Holzmann, CONCUR
 * 2000). */
enum logic_trait { LOGIC_IS_SAFETY = 1, LOGIC_IS_EVENTUAL = 2, LOGIC_IS_UNIVERSAL = 4 };
enum { LOGIC_IS_SUSPENDABLE = LOGIC_IS_EVENTUAL | LOGIC_IS_UNIVERSAL };

struct logic {
    struct words keys; /* kind, left, right: the number of the formula */
    struct arena *arena;
    VEC(struct logic_node *) nodes;
    VEC(uint8_t) traits;      /* of enum logic_trait */
    VEC(logic_formula) duals; /* LOGIC_NONE: not made yet */
    struct pairs implied;     /* logic_implies: 0 or 1 */
};

/* The formula as it is given, without laws. */
logic_formula logic_intern(struct logic *logic, enum logic_kind kind, logic_formula left, logic_formula right);
bool logic_has(const struct logic *logic, logic_formula formula, unsigned traits);
/* Does the one imply the other by rules that look at operators only (Somenzi and Bloem, CAV 2000)? False: unknown. */
bool logic_implies(struct logic *logic, logic_formula left, logic_formula right);

/* The operands of a conjunction or disjunction (`kind`), those of the same kind inside taken apart. */
struct logic_operands {
    VEC(logic_formula) list;
};
void logic_collect(const struct logic *logic, enum logic_kind kind, logic_formula formula,
                   struct logic_operands *operands);

#endif
