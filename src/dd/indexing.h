/* What index.c and blocks.c share. */
#ifndef NOETHER_DD_INDEXING_H
#define NOETHER_DD_INDEXING_H

#include "dd/blocks.h"

struct dd_count_entry {
    dd node; /* DD_NONE: free */
    uint64_t states;
};

struct dd_index {
    struct dd_manager *m;
    dd set; /* referenced */
    uint32_t pairs;
    struct dd_count_entry *counts; /* by node of the set: the states below it, from its own variable on */
    size_t room, used;
};

/* The pair of a diagram's top variable; of constants: one behind the last. */
static inline uint32_t dd_index_pair(const struct dd_index *index, dd f)
{
    return f <= DD_TRUE ? index->pairs : dd_top(index->m, f) / 2;
}

/* One branch by the variable. */
static inline dd dd_branch(const struct dd_manager *m, dd f, uint32_t variable, bool high)
{
    if (f <= DD_TRUE || dd_top(m, f) != variable)
        return f;
    return high ? dd_high(m, f) : dd_low(m, f);
}

/* The states of a part of the set, by the variables from that pair on. */
uint64_t dd_index_count(const struct dd_index *index, dd part, uint32_t pair);

#endif
