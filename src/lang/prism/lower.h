/* The network -> IR: copies of a module become one family (an enumeration of their names, and arrays over it), each
 * outcome of a command, or of commands that act together, a rule.
 *
 * Reals exist only as ratios: a rational factor times a quotient of two integer expressions. Comparisons and roundings
 * of them are integer arithmetic, so nothing depends on how doubles are rounded. */
#ifndef NOETHER_LANG_PRISM_LOWER_H
#define NOETHER_LANG_PRISM_LOWER_H

#include "ir/build.h"
#include "ir/chain.h"
#include "ir/pctl.h"
#include "lang/prism/reader.h"

/* Where a variable lives: a global of its own (index NULL), or an element of its family's array. */
struct prism_home {
    const struct variable *variable;
    const struct type *index;
    int32_t element; /* a code of `index` */
};

struct prism_lowering {
    struct prism_reader *reader;
    const struct prism_network *network;
    struct system *system;
    struct prism_home *homes; /* by number of the variable */
    const struct variable **between; /* by number: a scratch variable for its next value; NULL: not needed yet */
    struct expr **shared; /* by number of the expansion: what it became; NULL: nothing yet */
    const struct variable **substitutes; /* not NULL: by number, what stands for the variables (in init...endinit) */
};

/* Immutable; top and bottom NULL: 1. */
struct prism_ratio {
    const struct rational *factor;
    bool is_rounded;
    struct expr *top, *bottom;
};

/* lower_expr.c: of type bool or int; NULL after an error. */
struct expr *prism_lower_expr(struct prism_lowering *lower, const struct prism_expr *expr);
struct place *prism_lower_variable(struct prism_lowering *lower, const struct prism_variable *variable,
                                   struct span span);

/* lower_ratio.c: of any number; false after an error. */
bool prism_lower_ratio(struct prism_lowering *lower, const struct prism_expr *expr, struct prism_ratio *ratio);
struct prism_ratio prism_ratio_one(struct prism_lowering *lower);
bool prism_ratio_multiply(struct prism_lowering *lower, struct span span, const struct prism_ratio *left,
                          const struct prism_ratio *right, struct prism_ratio *product);
/* left op right, for OP_LT .. OP_GE, OP_EQ, OP_NE. NULL after an error. */
struct expr *prism_ratio_compare(struct prism_lowering *lower, struct span span, enum operator op,
                                 const struct prism_ratio *left, const struct prism_ratio *right);
/* floor, ceil or round. */
struct expr *prism_ratio_round(struct prism_lowering *lower, struct span span, enum prism_function function,
                               const struct prism_ratio *ratio);
const struct weight *prism_ratio_weight(struct prism_lowering *lower, const struct prism_ratio *ratio);

/* lower_family.c: types, variables, homes */
void prism_lower_variables(struct prism_lowering *lower);
/* lower_command.c: rules and choices */
void prism_lower_commands(struct prism_lowering *lower);
/* lower_property.c: rewards, labels, properties */
void prism_lower_rewards(struct prism_lowering *lower);
void prism_lower_properties(struct prism_lowering *lower);

/* lower_initial.c: between which values each variable lies in the initial states, as far as conditions on single variables
 * say. Their product, before (when it is no more than `enough`, nothing is narrowed) or after; 0: there are none. */
struct prism_span_of_values {
    int64_t low, high;
    bool is_narrowed;
};
double prism_initial_ranges(const struct prism_network *network, double enough, struct prism_span_of_values *ranges);

#endif
