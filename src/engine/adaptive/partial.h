/* Partial evaluation: a rule or formula run with the shared values and the local states of its actors known, those
 * of all other elements unknown.
 *
 * An unknown cell reads as a function of its element's local state (unary.h); what is computed from several
 * elements can only be a truth value (formula.h). A branch on an unknown condition is merged where it only computes
 * values, else the run forks: it is repeated once for each outcome, which becomes part of the path's condition. So
 * a run gives a list of paths: under this condition on the other elements, that happens. If even this does not
 * help (sums over elements, an array indexed by an unknown value) the answer is GO_UNCLEAR, and the engine
 * evaluates the represented states explicitly instead. */
#ifndef NOETHER_ENGINE_ADAPTIVE_PARTIAL_H
#define NOETHER_ENGINE_ADAPTIVE_PARTIAL_H

#include "engine/adaptive/formula.h"
#include "engine/adaptive/scene.h"
#include "exec/fault.h"
#include "ir/iteration.h"

enum go {
    GO_OK,
    GO_RETURNED,
    GO_DISABLED,
    GO_DISCARDED,
    GO_FAULT,
    GO_UNCLEAR, /* cannot be expressed */
    GO_FORK,    /* a decision is due where none may be made */
    GO_DEAD     /* the path's condition is false */
};

enum sort { SORT_KNOWN, SORT_UNARY, SORT_FORMULA };
struct adaptive_value {
    enum sort sort;
    uint32_t element; /* UNARY: whose local state it depends on */
    uint32_t id;      /* UNARY: the function; FORMULA: the formula */
    int64_t number;   /* KNOWN */
};

/* What stands in a cell of memory. */
enum mark {
    MARK_KNOWN,   /* the number in memory */
    MARK_INITIAL, /* what the local state of an unknown element has there */
    MARK_HELD,    /* values.items[memory] */
    MARK_BARRED   /* not to be read: a reference that the variant does not mention, or a value that was lost */
};

struct undo {
    uint32_t cell;
    int32_t memory;
    uint8_t mark;
};

struct partial {
    const struct system *system;
    struct adaptive_scene *scene;
    struct unaries *unaries;
    struct formulas *formulas;
    int32_t *memory;
    uint8_t *marks;
    VEC(struct adaptive_value) values;
    VEC(struct undo) log; /* every write since the run began */
    VEC(bool) decisions;
    size_t next_decision;
    uint32_t path; /* formula */
    bool may_fork;
    struct fault fault;
    const struct function *function; /* whose body runs */
};

void partial_create(struct partial *partial, struct adaptive_scene *scene, struct unaries *unaries,
                    struct formulas *formulas);
void partial_destroy(struct partial *partial);

/* Memory: all shared cells known, all elements unknown, references barred; scratch undefined. */
void partial_load(struct partial *partial, uint32_t shared);
/* Makes the local state of an element known. Is logged. */
void partial_reveal(struct partial *partial, uint32_t element, uint32_t local);
void partial_set(struct partial *partial, uint32_t cell, struct adaptive_value value);
/* Undoes all writes after the first `count`. */
void partial_undo(struct partial *partial, size_t count);

/* Decisions: a run is repeated until partial_next_path says that all paths were seen. */
void partial_begin_path(struct partial *partial);
bool partial_next_path(struct partial *partial);
enum go partial_decide(struct partial *partial, struct adaptive_value condition, bool *outcome);
/* Makes the value known, by decisions. */
enum go partial_resolve(struct partial *partial, struct adaptive_value *value);

enum go partial_fault(struct partial *partial, enum fault_kind kind, struct span span);
enum go partial_formula(struct partial *partial, struct adaptive_value value, uint32_t *formula);
enum go partial_choose(struct partial *partial, struct adaptive_value condition, struct adaptive_value yes,
                       struct adaptive_value no, struct adaptive_value *result);
enum go partial_expr(struct partial *partial, const struct expr *expr, struct adaptive_value *value);
enum go partial_place(struct partial *partial, const struct place *place, uint32_t *address);
enum go partial_call(struct partial *partial, const struct expr *call);
enum go partial_block(struct partial *partial, const struct block *block);
/* The value as a raw read gives it (UNARY entries may be UNDEFINED). GO_UNCLEAR where it cannot be told. */
enum go partial_raw(struct partial *partial, uint32_t cell, struct adaptive_value *value);
enum go partial_apply(struct partial *partial, unary_rule rule, uint32_t tag, int64_t user,
                      const struct adaptive_value *operands, uint32_t count, struct adaptive_value *result);

/* A walk through a domain whose bounds are known. */
enum go partial_iteration(struct partial *partial, const struct domain *domain, struct span span,
                          struct iteration *iteration);
enum go partial_set_variable(struct partial *partial, const struct variable *variable, struct adaptive_value value,
                             struct span span);

static inline struct adaptive_value value_of_operand(const struct operand *operand, uint32_t element)
{
    return (struct adaptive_value){operand->is_number ? SORT_KNOWN : SORT_UNARY, element, operand->function,
                                   operand->number};
}

static inline struct adaptive_value value_known(int64_t number)
{
    return (struct adaptive_value){.sort = SORT_KNOWN, .number = number};
}

#endif
