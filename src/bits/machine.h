/* The symbolic machine: runs statements and evaluates expressions for all states at once.
 *
 * It follows exec/evaluate*.c step by step. Memory is a vector of numbers (number.h), functions of the state the step
 * begins in. `live` is the set of states for which execution has reached this point: a condition splits it, a fault
 * removes the states that fail, a return sets them aside. A store changes the live states only.
 *
 *   machine.c           memory, what happens to states that leave, rules and formulas
 *   machine_place.c     places: where, for which states
 *   machine_expr.c      expressions
 *   machine_quantifier.c loops of all kinds
 *   machine_stmt.c      statements
 *   machine_call.c      functions
 *   machine_multiset.c  multisets */
#ifndef NOETHER_BITS_MACHINE_H
#define NOETHER_BITS_MACHINE_H

#include "base/text.h"
#include "bits/number.h"
#include "ir/layout.h"

/* For these states something happens that concerns the property. */
struct machine_event {
    const struct property *property;
    bit when;
    bool is_start; /* it happened in a start state, which may have been left out since */
};
typedef VEC(struct machine_event) event_list;

struct machine {
    const struct system *system;
    const struct layout *layout;
    const struct algebra *algebra;
    struct calculator calculator;
    const struct number **memory;  /* NULL: as it was in the beginning */
    const struct number **initial; /* by cell of the state: what it was then, as soon as anybody asked; else NULL */
    bit live;
    bit returned;                    /* have left the function, or the rule, whose body runs */
    bit discarded;                   /* an assumption was false */
    const struct function *function; /* whose body runs; NULL: a rule's */
    event_list faults, covered;
    /* Why there is no result, although there was memory and time: what could not be translated, and where. */
    struct text refusal;
    struct span refusal_span;
    bool is_refused;
    uint32_t work; /* statements and iterations so far */
};

/* Why something cannot be translated: in words, with the place. */
struct refusal {
    struct text words;
    struct span span;
    bool is_refused; /* else: no memory or no time */
};

/* Where a place may be: addresses and for which states. */
struct machine_spot {
    uint32_t address;
    bit when;
};
struct spots {
    struct machine_spot *items; /* in the arena */
    size_t count;
};

/* -- machine.c -- */
void machine_open(struct machine *machine, const struct layout *layout, const struct algebra *algebra);
void machine_close(struct machine *machine);
/* A new step: nothing in memory but the state, every state is live. */
void machine_reset(struct machine *machine);
bool machine_is_ok(const struct machine *machine);
/* The same, for loops: what takes long fails when the time is over, also where no function is computed. */
bool machine_goes_on(struct machine *machine);
/* Is all well? Else says why not; `span` is where the machine was. */
bool refusal_take(struct refusal *refusal, struct machine *machine, struct span span);
void machine_refuse(struct machine *machine, struct span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The part of the live states for which `when` holds faults. property NULL: the run-time property. */
void machine_fault(struct machine *machine, const struct property *property, bit when);
void machine_note(struct machine *machine, event_list *list, const struct property *property, bit when);
/* Only these stay live. */
void machine_keep(struct machine *machine, bit condition);
const struct number *machine_cell(struct machine *machine, uint32_t address);
void machine_store(struct machine *machine, uint32_t address, bit when, const struct number *value);
/* Writes scratch variables unconditionally, also in states where execution has ended. */
void machine_set(struct machine *machine, uint32_t address, const struct number *value);
/* The value of a cell as it was in the beginning, and the codes of a number when stored in it. */
const struct number *machine_initial(struct machine *machine, uint32_t cell);
void machine_pack(struct machine *machine, uint32_t cell, const struct number *value, bit *bits);
/* The bits of the codes that are values of the cell. */
bit machine_valid(struct machine *machine, uint32_t cell);
/* For which states is it a value of the type? */
bit machine_has(struct machine *machine, const struct type *type, const struct number *value);
bit machine_truth(struct machine *machine, const struct number *value);

/* Fires an instance: prelude, guard, body; multisets in order. Live at the end: those that have a successor. */
void machine_fire(struct machine *machine, const struct rule *rule, const int32_t *parameters);
/* The states in which the formula is true. */
bit machine_formula(struct machine *machine, const struct expr *formula, bool when_discarded);

/* -- machine_place.c -- */
struct spots machine_place(struct machine *machine, const struct place *place);
struct spots machine_slot(struct machine *machine, const struct place *multiset, const struct expr *slot);
const struct number *machine_load(struct machine *machine, const struct spots *spots, uint32_t offset);
/* The cells of an aggregate, in the arena. */
const struct number **machine_load_all(struct machine *machine, const struct spots *spots, uint32_t cells);
/* The address itself, for a reference. */
const struct number *machine_address(struct machine *machine, const struct spots *spots);
/* Every spot shifted. */
void spots_shift(struct spots *spots, uint32_t offset);

/* -- machine_expr.c -- */
const struct number *machine_expr(struct machine *machine, const struct expr *expr);
bit machine_condition(struct machine *machine, const struct expr *expr);
/* Faults where the value may not be stored in a cell of the type. */
void machine_check_storable(struct machine *machine, const struct expr *expr, const struct type *type,
                            const struct number *value);
/* All values of a number; refuses when they are too many. Free the list. */
bool machine_list(struct machine *machine, const struct number *number, struct span span, number_cases *cases);

/* -- machine_quantifier.c -- */
/* Calls `body` for every value of the domain, with the variable set, for the states that are live then. `stopped`, if
 * not NULL: these states have seen enough; changed by the body. */
typedef void machine_body(struct machine *machine, void *data);
void machine_iterate(struct machine *machine, const struct domain *domain, const struct variable *variable,
                     struct span span, machine_body *body, void *data, const bit *stopped);
const struct number *machine_quantifier(struct machine *machine, const struct expr *expr);
void machine_while(struct machine *machine, const struct stmt *stmt);

/* -- machine_call.c -- */
void machine_call(struct machine *machine, const struct expr *call);
void machine_return(struct machine *machine, const struct stmt *stmt);

/* -- machine_stmt.c -- */
void machine_block(struct machine *machine, const struct block *block);
/* A value of the type, undefined or cleared, at the spots. */
void machine_fill(struct machine *machine, const struct spots *spots, const struct type *type, bool is_cleared);

/* -- machine_multiset.c -- */
const struct number *machine_count(struct machine *machine, const struct expr *expr);
void machine_multiset_add(struct machine *machine, const struct stmt *stmt);
void machine_multiset_remove(struct machine *machine, const struct stmt *stmt);
void machine_multiset_remove_if(struct machine *machine, const struct stmt *stmt);
void machine_normalise(struct machine *machine);
/* For which states does the slot at address b come before the one at a? */
bit machine_slot_is_before(struct machine *machine, uint32_t b, uint32_t a, uint32_t stride);

#endif
