/* A memory limit shared by everything a search keeps: asked before memory is taken, so that a search ends
 * with what it has found instead of being killed. */
#ifndef NOETHER_STORE_BUDGET_H
#define NOETHER_STORE_BUDGET_H

#include <stdbool.h>
#include <stdint.h>

struct budget {
    uint64_t used, limit; /* bytes; limit 0: none */
};

static inline bool budget_take(struct budget *budget, uint64_t bytes)
{
    if (budget->limit && (budget->used >= budget->limit || bytes > budget->limit - budget->used))
        return false;
    budget->used += bytes;
    return true;
}

static inline void budget_give(struct budget *budget, uint64_t bytes)
{
    budget->used -= bytes;
}

#endif
