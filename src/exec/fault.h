/* The faults of the evaluation of a rule, a guard or a property. */
#ifndef NOETHER_EXEC_FAULT_H
#define NOETHER_EXEC_FAULT_H

#include "ir/system.h"

enum fault_kind {
    FAULT_NONE,
    FAULT_ASSERTION, /* an assert statement; property says which */
    FAULT_ERROR,     /* an error statement */
    FAULT_UNDEFINED, /* an undefined value was used */
    FAULT_RANGE,     /* a value assigned is outside its type */
    FAULT_INDEX,     /* an array index is outside the array */
    FAULT_DIVISION,  /* division or remainder by zero */
    FAULT_OVERFLOW,  /* arithmetic beyond 64 bits; shift by a negative amount or 64 and more */
    FAULT_MULTISET_FULL,
    FAULT_SLOT_FREE,  /* a free or nonexistent slot was accessed or removed */
    FAULT_LOOP_LIMIT, /* a while that does not end, or a for whose step is 0 */
    FAULT_NO_RETURN,  /* a function ended without a return */
    /* Of a state of a chain (result/chance.h); no stepper tells of these. */
    FAULT_SUM,      /* the probabilities of a choice do not add up to 1 */
    FAULT_NEGATIVE, /* a probability or rate is negative */
    FAULT_REWARD    /* a reward is negative */
};

struct fault {
    enum fault_kind kind;
    struct span span;                /* where */
    const struct property *property; /* the assertion or error statement; else system->properties[SYSTEM_RUNTIME] */
    int64_t value;                   /* RANGE, INDEX: the offending value */
    const struct type *type;         /* RANGE, INDEX: the type it is not in */
    double number;                   /* SUM, NEGATIVE, REWARD: what it is */
    const char *module;              /* SUM: whose own sum it is; NULL: that of all that is synchronised */
};

/* Was the value one of its type that no cell can hold (struct type, is_cut)? Then the fault is not the model's. */
static inline bool fault_is_of_limit(const struct fault *fault)
{
    return fault->kind == FAULT_RANGE && fault->type && fault->type->is_cut && fault->value == INT32_MIN;
}

struct choice;
/* The probabilities of the choice add up to `sum`, not to 1. Where one of several synchronised commands is to blame,
 * the fault is that command's. `way`: as chain_way has it. */
struct fault fault_of_sum(const struct choice *choice, const struct rule *rule, uint64_t way, double sum);

/* "array index 7 is outside Node" */
void fault_print(const struct fault *fault, struct text *out);

#endif
