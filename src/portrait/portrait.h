/* The portrait (rule summary) of a rule instance: its guard and its writes, as terms over the state before it.
 *
 * The instance is run once, symbolically: parameters, constants and FROZEN variables are known, the state is not.
 * Quantifiers and loops are unrolled; a statement under an unknown condition writes `condition ? new : old`. Constructs
 * that cannot be expressed in this way (a loop whose bounds depend on the state, a reference bound through an unknown
 * index) end the run, with the reason and the place.
 *
 * Run-time faults that depend on the state (a value out of range, an undefined variable) are not part of the portrait:
 * it serves explanation and the choice of an engine, not proofs. */
#ifndef NOETHER_PORTRAIT_PORTRAIT_H
#define NOETHER_PORTRAIT_PORTRAIT_H

#include "portrait/portrait_term.h"

struct pvalue {
    uint32_t term;
    bool is_tainted; /* a constant that depends on which processes are bound */
};

/* Some cells, each under a condition; the conditions exclude each other. */
struct portrait_spot {
    uint32_t condition, address;
};
struct portrait_spots {
    struct portrait_spot *items;
    size_t count, capacity;
};

/* What depended on the numbers of processes: noted only where somebody wants to know. The words of an event are its
 * source (an index into `places`), what sort of result it has, the result (two words; an element: its number), and the
 * processes bound at the time. */
struct events {
    struct words words;
    VEC(struct span) places;
    VEC(const void *) nodes; /* by place */
    VEC(bool) is_decisive;   /* by place: a truth value, an index, a value that mixes with the state */
};
enum { EVENT_PLACE, EVENT_SORT, EVENT_RESULT, EVENT_BOUND = EVENT_RESULT + 2 };
enum event_sort { EVENT_DATA, EVENT_ELEMENT, EVENT_BREAK /* distinguishes all processes */ };

struct portrait {
    const struct roster *roster;
    const struct system *system;
    const struct rule *rule; /* or NULL */
    struct pterms *terms;
    struct pvalue *memory;   /* term PTERM_NONE: as it was in the beginning */
    VEC(uint32_t) touched;   /* addresses */
    uint32_t path;           /* the condition under which the statement at hand is run */
    uint32_t returned, dead; /* conditions: this frame has returned; the step has failed or was discarded */
    const struct function *function;
    VEC(uint32_t) bound; /* elements */
    uint32_t guard, discarded;
    struct pterm_list faults; /* (property, condition)... in order of property */
    uint64_t steps;
    struct events *events; /* or NULL */
    const char *failure;   /* why the run ended, or NULL */
    struct span failure_span;
};

void portrait_create(struct portrait *portrait, const struct roster *roster, struct pterms *terms);
void portrait_destroy(struct portrait *portrait);

/* False: see `failure`. */
bool portrait_take_rule(struct portrait *portrait, const struct rule *rule, const int32_t *values);
bool portrait_take_formula(struct portrait *portrait, const struct expr *formula, uint32_t *term);
/* The portrait as words: guard, condition of being discarded, number of faults, (property, condition)...,
 * (cell, value)... in order of cell, of what changes. */
void portrait_write(struct portrait *portrait, struct pterm_list *words);

/* Within the module: false when the run has ended. */
bool portrait_fail(struct portrait *portrait, const char *why, struct span span);
/* One step more: false when that was too much. */
bool portrait_step(struct portrait *portrait, struct span span);
bool portrait_expr(struct portrait *portrait, const struct expr *expr, struct pvalue *value);
bool portrait_place(struct portrait *portrait, const struct place *place, struct portrait_spots *spots);
bool portrait_read(struct portrait *portrait, const struct portrait_spots *spots, uint32_t offset,
                   struct pvalue *value);
void portrait_store(struct portrait *portrait, const struct portrait_spots *spots, uint32_t offset, struct pvalue value,
                    bool is_boolean);
void portrait_set(struct portrait *portrait, uint32_t address, struct pvalue value);
struct pvalue portrait_get(struct portrait *portrait, uint32_t address);
bool portrait_call(struct portrait *portrait, const struct expr *call);
bool portrait_block(struct portrait *portrait, const struct block *block);
/* Under `condition` the step fails. */
void portrait_fault(struct portrait *portrait, uint32_t property, uint32_t condition);
void portrait_note(struct portrait *portrait, const void *node, struct span span, bool is_decisive,
                   enum event_sort sort, int64_t result);
/* The same, of a constant that is a name where it stands: a value of `type`, whose values are processes. */
void portrait_note_name(struct portrait *portrait, const void *node, struct span span, const struct type *type,
                        int64_t code);
/* Runs over a domain: calls `use` for each value until it returns false. */
bool portrait_each(struct portrait *portrait, const struct domain *domain, const struct variable *variable,
                   struct span span, bool (*use)(struct portrait *portrait, void *user), void *user);

static inline struct pvalue pvalue_known(struct portrait *portrait, int64_t number, bool is_tainted)
{
    return (struct pvalue){pterm_const(portrait->terms, number), is_tainted};
}
static inline bool pvalue_number(const struct portrait *portrait, struct pvalue value, int64_t *number)
{
    return pterm_get_const(portrait->terms, value.term, number);
}

#endif
