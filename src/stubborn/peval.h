/* Expressions evaluated where only some variables have known values: a parameter of an instance, a cell that nothing
 * writes, or, in a state, all cells. */
#ifndef NOETHER_STUBBORN_PEVAL_H
#define NOETHER_STUBBORN_PEVAL_H

#include "ir/system.h"

enum peval_kind {
    PEVAL_KNOWN, /* the value */
    PEVAL_OPEN,  /* not known; it does not fault */
    PEVAL_RISKY  /* not known; it may fault */
};

struct peval_value {
    enum peval_kind kind;
    int64_t value;
};

struct peval {
    const struct system *system;
    const bool *is_definite; /* by cell: it always has a value */
    const int32_t *cells;
    const bool *is_known; /* by cell; NULL: all are */
    /* By address, less the number of cells of the state: parameters of rules, and variables of quantifiers. */
    bool *is_bound;
    int32_t *bound;
};

void peval_create(struct peval *peval, const struct system *system);
void peval_destroy(struct peval *peval);
struct peval_value peval_evaluate(struct peval *peval, const struct expr *expr);
/* The address of a place whose way is known; false: it is not. */
bool peval_address(struct peval *peval, const struct place *place, uint32_t *address);
/* The parameters of a rule; the instance is known, or none of them is. */
void peval_bind_instance(struct peval *peval, const struct rule *rule, uint64_t instance);
void peval_release_instance(struct peval *peval, const struct rule *rule);

#endif
