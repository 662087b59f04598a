/* The IR evaluator: a plain walk over the tree. It defines the meaning of the IR, so it is kept simple and obviously
 * right rather than fast; replay and tests compare everything else with it. Private to exec/evaluate*.c and
 * exec/probe.c. */
#ifndef NOETHER_EXEC_EVALUATE_H
#define NOETHER_EXEC_EVALUATE_H

#include "exec/stepper.h"
#include "ir/iteration.h"

/* How an evaluation ended. Anything but RUN_OK ends what encloses it, up to the function (RETURNED) or the step. */
enum run {
    RUN_OK,
    RUN_RETURNED,
    RUN_DISABLED,  /* a requirement or the guard is false */
    RUN_DISCARDED, /* an assumption is false; or the stepper is cut */
    RUN_FAULT      /* evaluator->fault says which */
};

struct evaluator {
    struct stepper stepper;
    int32_t *memory; /* the state being changed, then scratch */
    int32_t *state;  /* the state whose successors are enumerated */
    int32_t *found;  /* the successor: formulas, whose functions may write, are evaluated in memory meanwhile */
    struct fault fault;
    const struct function *function; /* whose body runs; NULL: a rule's */
    bool is_start;                   /* enumerating start states */
    size_t rule;                     /* next instance to try */
    uint64_t instance;
    void (*tell)(void *user, const struct expr *test); /* of undefined values that are tolerated; or NULL */
    void *tell_user;
};

/* The state in memory, and nothing left in scratch. */
void evaluate_load(struct evaluator *evaluator, const int32_t *cells);

enum run evaluate_fault(struct evaluator *evaluator, enum fault_kind kind, struct span span);
/* RUN_OK, or a fault of `kind` (RANGE, INDEX) when the value is not in the type. */
enum run evaluate_check(struct evaluator *evaluator, enum fault_kind kind, const struct type *type, int64_t value,
                        struct span span);

enum run evaluate_expr(struct evaluator *evaluator, const struct expr *expr, int64_t *value);
/* May `value`, which `expr` yielded, be stored in a cell of `type`? UNDEFINED where the expression can yield it, else
 * the codes of the type. */
enum run evaluate_storable(struct evaluator *evaluator, const struct expr *expr, const struct type *type,
                           int64_t value);
enum run evaluate_place(struct evaluator *evaluator, const struct place *place, uint32_t *address);
/* The cells of an aggregate, copied to `cells`. */
enum run evaluate_aggregate(struct evaluator *evaluator, const struct place *place, int32_t *cells);
/* Runs the function; its result is in function->result afterwards. */
enum run evaluate_call(struct evaluator *evaluator, const struct expr *call);

enum run iteration_begin(struct evaluator *evaluator, const struct domain *domain, struct span span,
                         struct iteration *iteration);
enum run evaluate_set_variable(struct evaluator *evaluator, const struct variable *variable, int64_t value,
                               struct span span);

enum run evaluate_block(struct evaluator *evaluator, const struct block *block);

/* The cells of a value of `type`: all undefined, or all the first of their types; multisets empty. */
void evaluate_fill(const struct type *type, int32_t *cells, bool is_cleared);
/* Puts the slots of every multiset in the value in normal order. */
void evaluate_normalise(const struct type *type, int32_t *cells);

#endif
