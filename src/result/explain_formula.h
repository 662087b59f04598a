/* Why a formula is true or false (or cannot be evaluated) in a state.
 *
 * The explanation is a tree. A node is a sub-formula, under the bindings of the quantifiers around it, with its value;
 * its parts are those that decide the value: for a false conjunction the first false operand, for a true one
 * all operands; for a false `forall` its body under the first element for which it is false (the
 * witness). A `forall` that is true and an `exists` that is false have no witness: their body is shown for every
 * element, the first few of them. A node without parts is an atom; its terms are the values read there. For CTL
 * formulas see explain_ctl.h. */
#ifndef NOETHER_RESULT_EXPLAIN_FORMULA_H
#define NOETHER_RESULT_EXPLAIN_FORMULA_H

#include "base/vec.h"
#include "exec/fault.h"
#include "ir/layout.h"

enum explanation_outcome {
    EXPLAINED_FALSE,
    EXPLAINED_TRUE,
    EXPLAINED_VALUE,    /* no truth value: a number or a name, in `value` */
    EXPLAINED_FAULT,    /* cannot be evaluated: see `fault` */
    EXPLAINED_DISCARDED /* an assumption of the model is broken while it is evaluated */
};

/* What an atom read: "Cache[NODE_1].State", "Shared". */
struct explanation_term {
    const char *name, *value;
};

struct explanation {
    const struct expr *expr; /* NULL: a temporal formula */
    const char *text;        /* the sub-formula as people write it */
    enum explanation_outcome outcome;
    const char *value; /* "false", "3", "Shared", what the fault is */
    /* Part of a story about a run (explain_ctl.h): after which of its steps, and what else there is to say, or NULL. */
    bool has_step;
    uint32_t step;
    const char *note;
    bool is_for_ever; /* its parts are what is so in every state of the run from then on */
    struct fault fault;
    /* The binding under which the node was evaluated, when its parent is a quantifier; else NULL. */
    const struct variable *variable;
    const char *witness; /* "NODE_2" */
    struct explanation **parts;
    uint32_t part_count;
    struct explanation_term *terms;
    uint32_t term_count;
    uint64_t elements;   /* a quantifier: how many elements it ranges over (as far as they were counted) */
    uint64_t omitted;    /* a quantifier without a witness: elements whose body is not shown */
    struct arena *arena; /* of the root only: it owns the tree */
};

/* What variables of quantifiers stand for. */
struct binding {
    const struct variable *variable;
    int32_t value;
};
struct bindings {
    VEC(struct binding) items;
};

/* `formula` is that of a property: nothing is bound around it. */
struct explanation *explain_formula(const struct layout *layout, const struct expr *formula, const int32_t *cells);
/* The guard of an instance of a rule. NULL: it has none, or aliases in it are bound when the rule is taken up. */
struct explanation *explain_guard(const struct layout *layout, const struct rule *rule, uint64_t instance,
                                  const int32_t *cells);
/* Inside a larger tree, which owns the arena: these variables of quantifiers around it have these values. */
struct explanation *explain_bound(struct arena *arena, const struct layout *layout, const struct expr *formula,
                                  const struct bindings *bindings, const int32_t *cells);
void explanation_add(struct arena *arena, struct explanation *node, struct explanation *part);
void explanation_destroy(struct explanation *root);
/* An indented tree, a line for each node, every line beginning with `indent`. */
void explanation_print(const struct explanation *root, const char *indent, struct text *out);
const char *explanation_outcome_name(
    enum explanation_outcome outcome); /* "false", "true", "value", "fails", "discarded" */

#endif
