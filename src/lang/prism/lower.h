/* The network -> IR: copies of a module become one family (an enumeration of their names, and arrays over it), each
 * outcome of a command, or of a combination of synchronised commands, a rule.
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

struct prism_ratio;

struct prism_lowering {
    struct prism_reader *reader;
    const struct prism_network *network;
    struct system *system;
    struct prism_home *homes;        /* by number of the variable */
    const struct variable **between; /* by number: a scratch variable for its next value; NULL: not needed yet */
    struct expr **shared; /* by number of the expansion: what it became with these substitutes; NULL: nothing yet */
    struct prism_ratio *ratios; /* the same of reals; factor NULL: nothing yet */
    /* In init ... endinit, by number: the parameter of the start state that stands for the variable; else NULL. */
    const struct variable *const *substitutes;
};

/* Immutable; top and bottom NULL: 1. */
struct prism_ratio {
    const struct rational *factor;
    bool is_rounded;
    struct expr *top, *bottom;
};

/* lower.c: what was made of shared expressions so far is no longer what they stand for. */
void prism_forget_shared(struct prism_lowering *lower);

/* lower_expr.c: of type bool or int; NULL after an error. */
struct expr *prism_lower_expr(struct prism_lowering *lower, const struct prism_expr *expr);
/* It is about to stand in several places; returns it. NULL is fine. */
struct expr *prism_share(struct prism_lowering *lower, struct expr *expr);
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

/* lower_power.c: powers of integers, and of any numbers. NULL, or false, after an error. */
struct expr *prism_lower_power(struct prism_lowering *lower, const struct prism_expr *base,
                               const struct prism_expr *exponent, struct span span);
bool prism_ratio_power(struct prism_lowering *lower, const struct prism_expr *base, const struct prism_expr *exponent,
                       struct span span, struct prism_ratio *ratio);

/* lower_family.c: types, variables, homes */
void prism_lower_variables(struct prism_lowering *lower);
/* lower_command.c: rules and choices */
void prism_lower_commands(struct prism_lowering *lower);
/* lower_property.c: rewards, labels, properties */
void prism_lower_rewards(struct prism_lowering *lower);
void prism_lower_properties(struct prism_lowering *lower);
void prism_lower_labels(struct prism_lowering *lower);

/* lower_initial.c */
void prism_lower_start(struct prism_lowering *lower);

/* lower_writes.c: PRISM's updates are simultaneous. If a later write reads what an earlier one has changed (they are
 * order-dependent), they go through scratch variables: first all values, then all writes. */
struct prism_writes {
    struct prism_write *items;
    size_t count, capacity;
};
struct prism_statements {
    struct stmt **items;
    size_t count, capacity;
};
/* Does it read one of these variables (by number)? */
bool prism_reads_any(const struct prism_lowering *lower, const struct prism_expr *expr, const bool *is_written);
struct stmt *prism_lower_assignment(struct prism_lowering *lower, struct place *place, struct expr *value,
                                    struct span span);
void prism_lower_write(struct prism_lowering *lower, const struct prism_write *write, bool is_felt,
                       struct prism_statements *first, struct prism_statements *last);
struct block prism_lower_writes(struct prism_lowering *lower, const struct prism_writes *writes);
struct block prism_seal_statements(struct prism_lowering *lower, struct prism_statements *statements);

/* The action of the choice, and who takes part. */
void prism_lower_participants(struct prism_lowering *lower, const struct prism_joint *joint, struct choice *choice);

/* lower_joint.c: the same choices as one rule (struct joint of ir/chain.h). False: they never happen, or an error. */
bool prism_lower_lazily(struct prism_lowering *lower, const struct prism_joint *joint, const char *name,
                        struct choice *choice);
/* The next command of the component with that action, from `from` on; its command_count when there is none. */
uint32_t prism_find_command(const struct prism_component *component, const char *action, uint32_t from);

#endif
