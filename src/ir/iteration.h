/* The values of a domain, one after the other, once its bounds are known. */
#ifndef NOETHER_IR_ITERATION_H
#define NOETHER_IR_ITERATION_H

#include "ir/expr.h"

struct iteration {
    const struct type *type; /* all its values; NULL: next, next + by, ... */
    uint32_t ordinal;
    int64_t next, to, by; /* set by the caller where the domain has bounds; by is never 0 */
    bool is_over;
};

static inline struct iteration iteration_of(const struct domain *domain)
{
    return (struct iteration){.type = domain->from ? NULL : domain->type, .by = 1};
}

/* False: there is no further value. */
bool iteration_next(struct iteration *iteration, int64_t *value);

#endif
