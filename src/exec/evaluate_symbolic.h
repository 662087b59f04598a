/* Rules and formulas as functions of the state: the meaning that exec/evaluate gives to the IR, on all states at once.
 *
 * A cell of memory is a diagram. A statement is carried out where `active` is true. Where something fails, `fault` is
 * true, and what follows there has some value. What is added to multisets is kept apart, since they are unordered. */
#ifndef NOETHER_EXEC_EVALUATE_SYMBOLIC_H
#define NOETHER_EXEC_EVALUATE_SYMBOLIC_H

#include "ir/system.h"
#include "exec/evaluate_diagram.h"

/* An element that is added to a multiset. */
struct symbolic_add {
    const struct type *type;
    uint32_t address; /* of the multiset */
    diagram condition;
    diagram *cells; /* of the element; on the heap */
};

struct symbolic {
    struct diagrams *diagrams;
    const struct system *system;
    diagram *memory;                          /* by cell, scratch included */
    diagram active, fault, disabled, dropped; /* dropped: an assumption is false */
    diagram returned;                         /* from the function that runs, or from the rule */
    const struct function *function;          /* NULL: a rule, or a formula */
    VEC(struct symbolic_add) adds;
    struct span at, where; /* the statement that runs; of the refusal */
    const char *refusal;   /* this cannot be read as a function; NULL: it can */
};

void symbolic_begin(struct symbolic *symbolic, struct diagrams *diagrams, const struct system *system);
void symbolic_end(struct symbolic *symbolic);
/* The state as it is, nothing in scratch, and everything active. */
void symbolic_reset(struct symbolic *symbolic);
/* Fires an instance; `memory` is the state after it. Returns where it is enabled. */
diagram symbolic_fire(struct symbolic *symbolic, const struct rule *rule, uint64_t instance);
diagram symbolic_expr(struct symbolic *symbolic, const struct expr *expr);

/* Between evaluate_symbolic.c and evaluate_symbolic_stmt.c. */
void symbolic_refuse(struct symbolic *symbolic, struct span where, const char *why);
void symbolic_fail_where(struct symbolic *symbolic, diagram condition);
diagram symbolic_place(struct symbolic *symbolic, const struct place *place);
/* Where what began with `before` goes on: nothing was returned or dropped meanwhile. */
void symbolic_go_on(struct symbolic *symbolic, diagram before);
/* The cell at an address plus an offset; and storing into it, where active. */
diagram symbolic_fetch(struct symbolic *symbolic, diagram address, uint32_t offset);
void symbolic_store(struct symbolic *symbolic, diagram address, uint32_t offset, diagram value);
/* The cells of an aggregate, on the heap. */
diagram *symbolic_aggregate(struct symbolic *symbolic, const struct place *place);
diagram symbolic_call(struct symbolic *symbolic, const struct expr *call);
void symbolic_block(struct symbolic *symbolic, const struct block *block);
/* A value that is to be stored in a variable or place of the type. */
diagram symbolic_storable(struct symbolic *symbolic, const struct expr *expr, const struct type *type);

/* The values of a domain one after the other: where `active` is left true, *value is one. */
struct symbolic_range {
    const struct type *type;
    int64_t next, last, by;
    diagram from, to, outside;
};
void symbolic_loop_begin(struct symbolic *symbolic, const struct domain *domain, struct span span,
                         struct symbolic_range *loop);
bool symbolic_loop_next(struct symbolic *symbolic, struct symbolic_range *loop, const struct variable *variable);

#endif
