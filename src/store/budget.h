/* A memory limit shared by everything a search keeps, whichever thread keeps it: asked before memory is taken, so that
 * a search ends with what it has found instead of being killed. */
#ifndef NOETHER_STORE_BUDGET_H
#define NOETHER_STORE_BUDGET_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct budget {
    _Atomic uint64_t used; /* bytes */
    uint64_t limit;        /* 0: none */
    /* For tests: log2 of the number of buckets that a map of the visited set has at most; 0: its own limit. */
    uint32_t most_map_bits;
};

static inline uint64_t budget_used(const struct budget *budget)
{
    return atomic_load_explicit(&budget->used, memory_order_relaxed);
}

static inline bool budget_take(struct budget *budget, uint64_t bytes)
{
    uint64_t used = budget_used(budget);
    do {
        if (budget->limit && (used >= budget->limit || bytes > budget->limit - used))
            return false;
    } while (!atomic_compare_exchange_weak_explicit(&budget->used, &used, used + bytes, memory_order_relaxed,
                                                    memory_order_relaxed));
    return true;
}

static inline void budget_give(struct budget *budget, uint64_t bytes)
{
    atomic_fetch_sub_explicit(&budget->used, bytes, memory_order_relaxed);
}

/* What may still be taken. */
static inline uint64_t budget_left(const struct budget *budget)
{
    uint64_t used = budget_used(budget);
    return !budget->limit ? UINT64_MAX : used < budget->limit ? budget->limit - used : 0;
}

/* Would `bytes` fit once `given` of what is used now were given back? */
static inline bool budget_fits_after(const struct budget *budget, uint64_t given, uint64_t bytes)
{
    return !budget->limit || budget_used(budget) - given + bytes <= budget->limit;
}

#endif
